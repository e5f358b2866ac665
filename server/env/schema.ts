import * as z from "zod";
import { envTargets, envTypes } from "../../provider/vocabulary";
import { pagination } from "../http/query";

/**
 * What the server takes and promises for an environment variable. Bodies are checked here for their JSON
 * types and closed lists alone: what else makes a variable unfit is a rule, since of several variables in one
 * request the fit ones are created.
 * @source Environment variable; wire-shapes 4
 */

export const envType = z.enum(envTypes);
/** What newer clients call it: a value that can be read, and one that cannot. */
export const envVisibility = z.enum(["config", "secret"]);
/** One name or an array; always an array inside the server, each name once. */
export const envTarget = z
  .union([z.enum(envTargets).transform((name) => [name]), z.array(z.enum(envTargets))])
  .transform((names) => [...new Set(names)]);

const environmentIds = z.array(z.string()).transform((ids) => [...new Set(ids)]);

const envInBody = {
  /** @choice `encrypted` when it is left out: the one type that neither shows the value nor locks it away. */
  type: envType.optional(),
  visibility: envVisibility.optional(),
  gitBranch: z.string().nullable().optional(),
};

/**
 * An item of `environmentVariables` when a project is created.
 * @choice Clients send the members of a variable that they would read as well: `decrypted` changes nothing.
 */
export const envInProject = z
  .strictObject({
    ...envInBody,
    key: z.string(),
    /** A variable of type system needs none. */
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
 * A variable to create. What it lacks is refused by a rule, with a code of its own.
 * @choice It may be for custom environments, and then needs no target: official clients of today create such ones,
 *   though the specification knows them from edits alone.
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

/** @choice As many in one request as one environment holds. */
export const largestBatch = 1000;

export const createEnv = z.union([newEnv, z.array(newEnv).min(1).max(largestBatch)]);
/** Of several in one request, each is looked at for itself. */
export const envBatch = { item: newEnv, largest: largestBatch };

/** @choice null clears what a variable can be without. */
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

/** Why a variable was not created. It never tells the value. */
const envFailure = z.strictObject({
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

/** @choice As many in one request as it may create. */
export const deleteEnvVars = z.strictObject({ ids: z.array(z.string()).min(1).max(largestBatch) });

export const envVarsDeleted = z.strictObject({ deleted: z.number(), ids: z.array(z.string()) });

export const envList = z.strictObject({ envs: z.array(envRecord), pagination });

export const envPull = z.strictObject({ env: z.record(z.string(), z.string()) });
