import { z } from "zod";
import { envTargets, envTypes } from "../../provider/vocabulary";

/** What the server takes and promises for an environment variable. @source Environment variable; wire-shapes 4 */

export const envType = z.enum(envTypes);
/** One name or an array; always an array inside the server, each name once. */
export const envTarget = z
  .union([z.enum(envTargets).transform((name) => [name]), z.array(z.enum(envTargets))])
  .transform((names) => [...new Set(names)]);

const reservedKeys = new Set([
  "AWS_SECRET_KEY",
  "AWS_EXECUTION_ENV",
  "AWS_LAMBDA_LOG_GROUP_NAME",
  "AWS_LAMBDA_LOG_STREAM_NAME",
  "AWS_LAMBDA_FUNCTION_NAME",
  "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
  "AWS_LAMBDA_FUNCTION_VERSION",
  "NOW_REGION",
  "TZ",
  "LAMBDA_TASK_ROOT",
  "LAMBDA_RUNTIME_DIR",
]);
export const isReservedKey = (key: string): boolean => reservedKeys.has(key);

export const envKey = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "may have letters, digits and '_', and does not begin with a digit");
export const envValue = z.string().max(65536);
const gitBranch = z.string().min(1).max(250);

/** An item of `environmentVariables` when a project is created. */
export const envInProject = z.strictObject({
  key: envKey,
  value: envValue,
  target: envTarget,
  type: envType.optional(),
  gitBranch: gitBranch.nullable().optional(),
});
export type EnvInProject = z.infer<typeof envInProject>;

export const envRecord = z.strictObject({
  id: z.string(),
  key: z.string(),
  value: z.string(),
  type: envType,
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
