import * as z from "zod";
import { redirectStatusCodes } from "../../provider/vocabulary";
import { flag, pagination, paging } from "../http/query";
import { canonicalDomain } from "./names";

/**
 * Bodies and answers of project domains. The schemas refuse unknown members of bodies and list every member of answers.
 * They accept any text as a name, because a rule refuses invalid names with its own error code.
 * @source Project domain; Domains; wire-shapes 5
 */

const gitBranch = z.string().min(1).max(250).nullable();
const redirectStatusCode = z.literal(redirectStatusCodes).nullable();

/** @choice As in updates, `null` means "none", because clients send it. Newer clients send `customEnvironmentId`. */
export const addDomain = z.strictObject({
  name: z.string(),
  gitBranch: gitBranch.optional(),
  redirect: z.string().nullable().optional(),
  redirectStatusCode: redirectStatusCode.optional(),
  customEnvironmentId: z.string().nullable().optional(),
});
export type AddDomain = z.infer<typeof addDomain>;

/** Absent members keep their value, and null clears a value. */
export const updateDomain = z.strictObject({
  gitBranch: gitBranch.optional(),
  redirect: z.string().nullable().optional(),
  redirectStatusCode: redirectStatusCode.optional(),
});
export type UpdateDomain = z.infer<typeof updateDomain>;

/** Absent members have no value in the new project. */
export const moveDomain = updateDomain.extend({ projectId: z.string() });
export type MoveDomain = z.infer<typeof moveDomain>;

/** @source wire-shapes 5, delete */
export const deleteDomain = z.strictObject({ removeRedirects: z.boolean().optional() });
export type DeleteDomain = z.infer<typeof deleteDomain>;

const challenge = z.strictObject({
  type: z.literal("TXT"),
  domain: z.string(),
  value: z.string(),
  reason: z.literal("pending_domain_verification"),
});

export const projectDomain = z.strictObject({
  name: z.string(),
  apexName: z.string(),
  projectId: z.string(),
  redirect: z.string().nullable(),
  redirectStatusCode,
  gitBranch,
  customEnvironmentId: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  verified: z.boolean(),
  /** Absent after the domain was verified. */
  verification: z.array(challenge).min(1).optional(),
});
export type ProjectDomain = z.infer<typeof projectDomain>;

/** The query parameters of the list of domains. */
export const domainFilters = z.object({
  ...paging,
  customEnvironmentId: z.string().optional(),
  gitBranch: z.string().optional(),
  order: z.enum(["ASC", "DESC"]).optional(),
  /** @choice `false` does not filter the list. */
  production: flag.optional(),
  redirect: z.string().transform(canonicalDomain).optional(),
  redirects: flag.optional(),
  target: z.enum(["production", "preview"]).optional(),
  verified: flag.optional(),
});
export type DomainFilters = z.infer<typeof domainFilters>;

export const domainList = z.strictObject({ domains: z.array(projectDomain), pagination });

/** The body with which the official command line adds a domain. Its `target` is always production. */
export const addAlias = z
  .strictObject({
    domain: z.string(),
    target: z.literal("PRODUCTION").optional(),
    redirect: z.string().nullable().optional(),
  })
  .transform(({ domain, redirect }): AddDomain => ({ name: domain, redirect }));

export const aliasTargets = z.array(
  z.strictObject({
    domain: z.string(),
    target: z.enum(["PRODUCTION", "STAGING"]),
    redirect: z.string().nullable(),
    createdAt: z.number(),
    configuredBy: z.null(),
  }),
);

export const domainConfig = z.strictObject({
  configuredBy: z.enum(["A", "CNAME"]).nullable(),
  misconfigured: z.boolean(),
  serviceType: z.literal("external"),
  nameservers: z.array(z.string()),
  cnames: z.array(z.string()),
  aValues: z.array(z.string()),
  /** Whether the address records must change. */
  ipStatus: z.enum(["no-change", "required-change"]),
  conflicts: z.array(z.strictObject({ name: z.string(), type: z.string(), value: z.string() })),
  acceptedChallenges: z.array(z.enum(["http-01", "dns-01"])),
  recommendedIPv4: z.array(z.strictObject({ rank: z.number(), value: z.array(z.string()) })),
  recommendedCNAME: z.array(z.strictObject({ rank: z.number(), value: z.string() })),
});

/** Whether the service may encrypt the client's hello for a domain. */
export const echModes = ["auto", "disabled"] as const;

/** A domain of an account. @source the newest official client: GET /v5/domains */
export const accountDomain = z.strictObject({
  id: z.string(),
  name: z.string(),
  verified: z.boolean(),
  serviceType: z.literal("external"),
  nameservers: z.array(z.string()),
  intendedNameservers: z.array(z.string()),
  creator: z.strictObject({ id: z.string(), username: z.string(), email: z.string() }),
  userId: z.string(),
  teamId: z.string().nullable(),
  createdAt: z.number(),
  boughtAt: z.null(),
  expiresAt: z.null(),
  transferredAt: z.null(),
  renew: z.literal(false),
  suffix: z.literal(false),
  echMode: z.enum(echModes),
});
export type AccountDomain = z.infer<typeof accountDomain>;

/** The body with which a domain is added to an account. `cdnEnabled` has no effect, because nothing is served. */
export const addAccountDomain = z.strictObject({
  name: z.string(),
  method: z.enum(["add", "move-in"]).optional(),
  zone: z.boolean().optional(),
  cdnEnabled: z.boolean().optional(),
  token: z.string().optional(),
});
export type AddAccountDomain = z.infer<typeof addAccountDomain>;

export const patchAccountDomain = z.strictObject({
  op: z.enum(["update", "move-out"]).optional(),
  zone: z.boolean().optional(),
  echMode: z.enum(echModes).optional(),
  renew: z.boolean().optional(),
  customNameservers: z.array(z.string().max(253)).max(100).optional(),
  destination: z.string().optional(),
});
export type PatchAccountDomain = z.infer<typeof patchAccountDomain>;

export const patchedDomain = z.strictObject({ echMode: z.enum(echModes), zone: z.boolean() });
