import * as z from "zod";
import { envTargets, envTypes } from "../../provider/vocabulary";
import { pagination, paging } from "../http/query";

/**
 * Bodies and answers of environment variables. The schemas check only JSON types and enumerations. Everything else is a
 * rule, because a request with several variables creates those that are valid.
 * @source Environment variable; wire-shapes 4
 */

export const envType = z.enum(envTypes);
/** Newer clients call readable values `config`, and unreadable values `secret`. */
export const envVisibility = z.enum(["config", "secret"]);
/** The most targets and custom environments in a list, which may repeat some. @choice */
const mostTargets = 20;
const mostEnvironments = 100;

/** One target or an array of targets. It becomes an array without duplicates. */
export const envTarget = z
  .union([z.enum(envTargets).transform((name) => [name]), z.array(z.enum(envTargets)).max(mostTargets)])
  .transform((names) => [...new Set(names)]);

const environmentIds = z
  .array(z.string())
  .max(mostEnvironments)
  .transform((ids) => [...new Set(ids)]);

const envInBody = {
  /** @choice The default is `encrypted`. Values of this type are not in lists, but a single read returns them. */
  type: envType.optional(),
  visibility: envVisibility.optional(),
  gitBranch: z.string().nullable().optional(),
};

/**
 * An item of `environmentVariables` when a project is created.
 * @choice Some clients send back members of answers. Therefore `decrypted` is accepted, and ignored.
 */
export const envInProject = z
  .strictObject({
    ...envInBody,
    key: z.string(),
    /** Optional for type `system`. */
    value: z.string().optional(),
    target: envTarget,
    comment: z.string().nullable().optional(),
    customEnvironmentIds: environmentIds
      .nullable()
      .optional()
      .transform((ids) => ids ?? undefined),
    decrypted: z.boolean().nullable().optional(),
  })
  .refine(({ type, value }) => type === "system" || value !== undefined, {
    path: ["value"],
    message: "is needed, except for type system",
  });

/**
 * A variable to create. Rules refuse missing members, because each of these refusals has its own error code.
 * @choice Custom environments are accepted in place of targets, because current official clients send them. The
 *   specification mentions them only for edits.
 */
export const newEnv = z.strictObject({
  ...envInBody,
  key: z.string().optional(),
  value: z.string().optional(),
  target: envTarget.optional(),
  comment: z.string().nullable().optional(),
  customEnvironmentIds: environmentIds.optional(),
});
export type NewEnv = z.infer<typeof newEnv>;

/** @choice The maximum number of variables in a request: as many as an environment can have. */
export const largestBatch = 1000;

export const createEnv = z.union([newEnv, z.array(newEnv).min(1).max(largestBatch)]);
/** Each item of a request with several variables is checked by itself. */
export const envBatch = { item: newEnv, largest: largestBatch };

/** @choice null clears optional members. */
export const editEnv = z.strictObject({
  key: z.string().optional(),
  value: z.string().optional(),
  type: envType.optional(),
  visibility: envVisibility.optional(),
  target: envTarget.nullable().optional(),
  gitBranch: z.string().nullable().optional(),
  comment: z.string().nullable().optional(),
  customEnvironmentIds: environmentIds.nullable().optional(),
});
export type EditEnv = z.infer<typeof editEnv>;

export const envRecord = z.strictObject({
  id: z.string(),
  key: z.string(),
  value: z.string(),
  type: envType,
  visibility: envVisibility.optional(),
  target: z.array(z.enum(envTargets)),
  gitBranch: z.string().optional(),
  comment: z.string().optional(),
  customEnvironmentIds: z.array(z.string()).optional(),
  configurationId: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  createdBy: z.string().nullable(),
  updatedBy: z.string().nullable(),
  edgeConfigId: z.null(),
  edgeConfigTokenId: z.null(),
  /** The store that sets the value. */
  contentHint: z.strictObject({ type: z.literal("blob-read-write-token"), storeId: z.string() }).nullable(),
  internalContentHint: z.null(),
  decrypted: z.boolean().optional(),
  /** The name of the user who changed the variable last. Not in projects, and not in answers to creations. */
  lastEditedByDisplayName: z.string().optional(),
  securityIssues: z.array(z.string()).optional(),
});
export type EnvRecord = z.infer<typeof envRecord>;

/** The reason why a variable was not created. It does not contain the value. */
export const envFailure = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    key: z.string().optional(),
    envVarKey: z.string().optional(),
    envVarId: z.string().optional(),
    target: z.array(z.string()).optional(),
    gitBranch: z.string().optional(),
    action: z.string().optional(),
    resource: z.string().optional(),
  }),
});
export type EnvFailure = z.infer<typeof envFailure>;

export const envCreated = z.strictObject({
  /** One variable if the body was one variable, an array if the body was an array. */
  created: z.union([envRecord, z.array(envRecord)]),
  failed: z.array(envFailure),
});

/** @choice The maximum is the same as for creation. */
export const deleteEnvVars = z.strictObject({ ids: z.array(z.string()).min(1).max(largestBatch) });

export const envVarsDeleted = z.strictObject({ deleted: z.number(), ids: z.array(z.string()) });

export const envList = z.strictObject({ envs: z.array(envRecord), pagination });

export const envPull = z.strictObject({ env: z.record(z.string(), z.string()) });

/** The filters of the list of variables. */
export const listFilters = z.object({
  ...paging,
  gitBranch: z.string().optional(),
  target: z.string().optional(),
  customEnvironmentId: z.string().optional(),
  customEnvironmentSlug: z.string().optional(),
});

export const deleteFilters = z.object({
  /** The custom environment to remove the variable from. Without it, the variable is deleted. */
  customEnvironmentId: z.string().optional(),
});
