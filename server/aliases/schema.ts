import * as z from "zod";
import { pagination, paging, timestamp, unsupported } from "../http/query";
import { exceptions } from "./exception-schema";

/** Bodies and answers of aliases. @source the newest official client: GET /v4/aliases */

export const assignAlias = z.strictObject({
  alias: z.string().optional(),
  /** A domain to redirect to, instead of serving the deployment. */
  redirect: z.string().nullable().optional(),
});
export type AssignAlias = z.infer<typeof assignAlias>;

export const assignedAlias = z.strictObject({
  uid: z.string(),
  alias: z.string(),
  created: z.iso.datetime(),
  /** The deployment that the alias pointed to before. Absent if the alias is new. */
  oldDeploymentId: z.string().optional(),
});

export const alias = z.strictObject({
  /** The id of the alias. The names of projects have no id: `uid` is then the name. */
  uid: z.string(),
  alias: z.string(),
  created: z.iso.datetime(),
  createdAt: z.number(),
  updatedAt: z.number(),
  creator: z.strictObject({ uid: z.string(), email: z.string(), username: z.string() }),
  deployment: z.strictObject({ id: z.string(), url: z.string() }),
  deploymentId: z.string(),
  projectId: z.string().nullable(),
  redirect: z.string().nullable(),
  redirectStatusCode: z.number().nullable(),
  /** Exceptions from the deployment protection of the project. Absent if the name has none. */
  protectionBypass: exceptions.optional(),
});
export type Alias = z.infer<typeof alias>;

export const aliasList = z.strictObject({ aliases: z.array(alias), pagination });

export const deploymentAliases = z.strictObject({
  aliases: z.array(alias.pick({ uid: true, alias: true, created: true, redirect: true })),
});

export const removedAlias = z.strictObject({ status: z.literal("SUCCESS") });

/** One name, or several names as a repeated parameter. */
const domains = z.union([z.string(), z.array(z.string()).max(100)]).transform((names) => [names].flat());

const selection = {
  from: timestamp.optional(),
  projectId: z.string().optional(),
  since: timestamp.optional(),
  until: timestamp.optional(),
};
export const aliasFilter = z.object(selection);

export const aliasFilters = z.object({
  ...selection,
  limit: paging.limit,
  domain: domains.optional(),
  rollbackDeploymentId: unsupported,
});
export type AliasFilters = z.infer<typeof aliasFilters>;
