import * as z from "zod";
import { envTargets, envTypes } from "../../provider/vocabulary";
import { pagination, paging } from "../http/query";

/**
 * Bodies and answers of environment variables. Only JSON types and enumerations are checked here. Everything else is
 * a rule, because a request with several variables creates those that pass.
 * @source Environment variable; wire-shapes 4
 */

export const envType = z.enum(envTypes);
/** The words of newer clients for a value that can be read, and one that cannot. */
export const envVisibility = z.enum(["config", "secret"]);
/** One name or an array. It becomes an array without duplicates. */
export const envTarget = z
  .union([z.enum(envTargets).transform((name) => [name]), z.array(z.enum(envTargets))])
  .transform((names) => [...new Set(names)]);

const environmentIds = z.array(z.string()).transform((ids) => [...new Set(ids)]);

const envInBody = {
  /** @choice `encrypted` by default, the only type that neither shows the value in lists nor hides it for ever. */
  type: envType.optional(),
  visibility: envVisibility.optional(),
  gitBranch: z.string().nullable().optional(),
};

/**
 * An item of `environmentVariables` when a project is created.
 * @choice Clients also send members that they only read: `decrypted` is ignored.
 */
export const envInProject = z
  .strictObject({
    ...envInBody,
    key: z.string(),
    /** Not needed for type system. */
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
 * A variable to create. Missing members are refused by rules, with codes of their own.
 * @choice It may be for custom environments instead of targets: official clients of today create such variables,
 *   though the specification mentions them only for edits.
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

/** @choice As many in one request as an environment can hold. */
export const largestBatch = 1000;

export const createEnv = z.union([newEnv, z.array(newEnv).min(1).max(largestBatch)]);
/** Of several in one request, each is looked at for itself. */
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
  contentHint: z.null(),
  internalContentHint: z.null(),
  decrypted: z.boolean().optional(),
  securityIssues: z.array(z.string()).optional(),
});
export type EnvRecord = z.infer<typeof envRecord>;

/** The reason why a variable was not created. It never holds the value. */
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
  /** One record when the body was one, an array when it was an array. */
  created: z.union([envRecord, z.array(envRecord)]),
  failed: z.array(envFailure),
});

/** @choice As many in one request as can be created in one. */
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
  /** The only environment that the variable is removed from. */
  customEnvironmentId: z.string().optional(),
});
