import * as z from "zod";

/** Bodies and answers of custom environments. @source wire-shapes 3, 11 */

/** @choice The names of the targets are reserved, because some paths accept a target or a slug in the same place. */
const slug = z
  .string()
  .max(32)
  .regex(
    /^(?!(?:production|preview|development)$)[a-z0-9][a-z0-9_-]*$/,
    "must consist of lower-case letters, digits, '-' and '_', and must not be production, preview or development",
  );
const description = z.string().max(256);
const branchMatcher = z.strictObject({
  type: z.enum(["startsWith", "equals", "endsWith"]),
  pattern: z.string().min(1).max(100),
});

export type BranchMatcher = z.infer<typeof branchMatcher>;

export const environmentFilters = z.object({
  /** Lists only the environments whose deployments come from this branch. */
  gitBranch: z.string().optional(),
});

export const createCustomEnvironment = z.strictObject({
  slug,
  description: description.optional(),
  branchMatcher: branchMatcher.optional(),
  /** The environment whose variables without a branch are copied: a target, or a custom environment's slug or id. */
  copyEnvVarsFrom: z.string().optional(),
});

export type CreateCustomEnvironment = z.infer<typeof createCustomEnvironment>;

export const updateCustomEnvironment = z.strictObject({
  slug: slug.optional(),
  description: description.nullable().optional(),
  branchMatcher: branchMatcher.nullable().optional(),
});

export type UpdateCustomEnvironment = z.infer<typeof updateCustomEnvironment>;

export const removeCustomEnvironment = z.strictObject({
  deleteUnassignedEnvironmentVariables: z.boolean().optional(),
});

export type RemoveCustomEnvironment = z.infer<typeof removeCustomEnvironment>;

export const customEnvironment = z.strictObject({
  id: z.string(),
  slug: z.string(),
  type: z.literal("preview"),
  description: z.string().optional(),
  branchMatcher: branchMatcher.optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});

export const customEnvironmentList = z.strictObject({
  accountLimit: z.strictObject({ total: z.number() }),
  environments: z.array(customEnvironment),
});
