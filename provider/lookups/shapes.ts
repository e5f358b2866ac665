// Longer than other files: the shapes of all look-ups, of which the schema is generated.

import { z } from "zod";
import { readyStateFilter } from "../resources/names";

/**
 * The arguments and answers of look-ups. The comments become editor hints, the plugin's schema and the tables of the
 * documentation.
 */

const text = z.string().min(1);

export const ProjectLookup = z.strictObject({
  /** Id or name of the project. */
  project: text,
});
export type ProjectLookup = z.output<typeof ProjectLookup>;

export const ProjectSearch = z.strictObject({
  /** Part of the name. All projects of the account match by default. */
  search: z.string().optional(),
});
export type ProjectSearch = z.output<typeof ProjectSearch>;

export const ById = z.strictObject({
  /** Id of the object, as `pulumi import` takes it. */
  id: text,
});
export type ById = z.output<typeof ById>;

export const CustomEnvironmentQuery = z.strictObject({
  /** Id or name of the project. */
  project: text,
  /** Slug or id of the environment. */
  environment: text,
});
export type CustomEnvironmentQuery = z.output<typeof CustomEnvironmentQuery>;

export const EdgeConfigQuery = z.strictObject({
  /** Slug or id of the Edge Config. */
  edgeConfig: text,
});
export type EdgeConfigQuery = z.output<typeof EdgeConfigQuery>;

export const BlobStoreQuery = z.strictObject({
  /** Name or id of the Blob store. */
  blobStore: text,
});

export const TeamQuery = z.strictObject({});

export const AccessGroupQuery = z.strictObject({
  /** Name or id of the access group. */
  accessGroup: text,
});

export const MicrofrontendGroupQuery = z.strictObject({
  /** Name or id of the microfrontend group. */
  microfrontendGroup: text,
});

export const DomainConfigQuery = z.strictObject({
  /** Fully qualified domain name. */
  domain: text,
  /** Id or name of the project that serves the domain, or will serve it. */
  project: text.optional(),
});
export type DomainConfigQuery = z.output<typeof DomainConfigQuery>;

export const DeploymentQuery = z.strictObject({
  /** Id or name of the project. */
  project: text,
  /** Id of the deployment. Conflicts with `gitSha`, `branch` and `after`. */
  id: text.optional(),
  /** SHA of the commit that was deployed. */
  gitSha: text.optional(),
  /** Git branch. Finds the newest deployment of the branch. */
  branch: text.optional(),
  /** Time after which the deployment was created (milliseconds since the epoch). */
  after: z.int().min(0).optional(),
  /** Waits until the deployment exists and is ready. Fails if the build of the deployment fails. */
  waitUntilReady: z.boolean().optional(),
  /** How long `waitUntilReady` waits (milliseconds). Default: 600000 (ten minutes). */
  timeoutMs: z.int().min(0).max(86_400_000).optional(),
});
export type DeploymentQuery = z.output<typeof DeploymentQuery>;

export const DeploymentsQuery = z.strictObject({
  /** Id or name of the project. */
  project: text,
  /** SHA of the commit that was deployed. */
  gitSha: text.optional(),
  /** Branch that was deployed. */
  branch: text.optional(),
  /** Target of the deployments: production or preview. */
  target: z.enum(["production", "preview"]).optional(),
  /** State of the deployments: QUEUED, INITIALIZING, BUILDING, READY, ERROR, CANCELED or BLOCKED. */
  readyState: readyStateFilter.optional(),
  /** Time after which the deployments were created (milliseconds since the epoch). */
  after: z.int().min(0).optional(),
  /** Maximum number of deployments to return. Default: 20. */
  limit: z.int().min(1).max(100).optional(),
});
export type DeploymentsQuery = z.output<typeof DeploymentsQuery>;

export const ProjectInfo = z.object({
  /** Id of the project. */
  id: z.string(),
  /** Name of the project. */
  name: z.string(),
  /** Id of the team or user that owns the project. */
  accountId: z.string(),
  /** Framework preset. */
  framework: z.string().optional(),
  /** Node.js version of builds and functions. */
  nodeVersion: z.string().optional(),
  /** Whether the project is paused. A paused project does not serve its production deployment. */
  paused: z.boolean(),
  /** Id of the deployment that serves production. */
  production: z.string().optional(),
});
export type ProjectInfo = z.output<typeof ProjectInfo>;

export const DomainInfo = z.object({
  /** Fully qualified domain name. */
  name: z.string(),
  /** Registrable domain that the name belongs to. */
  apexName: z.string(),
  /** Id of the project. */
  projectId: z.string(),
  /** True when the account has proven control of the domain. */
  verified: z.boolean(),
  /** Branch whose deployments the domain serves. */
  gitBranch: z.string().optional(),
  /** Domain to which this domain redirects. */
  redirect: z.string().optional(),
  /** HTTP status of the redirect. */
  redirectStatusCode: z.int().optional(),
  /** Id of the custom environment that the domain serves. */
  customEnvironmentId: z.string().optional(),
  /** DNS records that verify the domain. One of the records is enough. Empty for a verified domain. */
  verification: z.array(
    z.object({
      /** Type of the DNS record. */
      type: z.string(),
      /** Name of the DNS record. */
      domain: z.string(),
      /** Value of the DNS record. */
      value: z.string(),
    }),
  ),
});
export type DomainInfo = z.output<typeof DomainInfo>;

export const DomainConfigInfo = z.object({
  /** Fully qualified domain name. */
  domain: z.string(),
  /**
   * How the domain points at Vercel: A or CNAME (a DNS record), or http (through a proxy). dns-01: the domain does not
   * point at Vercel, but Vercel can issue its certificate with a DNS challenge. Undefined in all other cases.
   */
  configuredBy: z.string().optional(),
  /** False if the domain points at Vercel and Vercel can issue the domain's certificate. Otherwise true. */
  misconfigured: z.boolean(),
  /** Challenges with which Vercel can issue the domain's certificate: dns-01, http-01. */
  acceptedChallenges: z.array(z.string()),
  /** Recommended value of a CNAME record, for a subdomain. */
  recommendedCname: z.string().optional(),
  /** Recommended values of A records. */
  recommendedIpv4s: z.array(z.string()),
});
export type DomainConfigInfo = z.output<typeof DomainConfigInfo>;

export const EnvVarInfo = z.object({
  /** Id of the variable. */
  id: z.string(),
  /** Name of the variable. */
  key: z.string(),
  /** Secret value. Undefined when the API does not return the value. Only the npm package `slipway` returns values. */
  value: z.string().optional(),
  /** How Vercel stores the value: system, secret, encrypted, plain or sensitive. */
  type: z.string(),
  /** Environments that get the variable: production, preview, development. */
  target: z.array(z.string()),
  /** Branch whose preview deployments get the variable. */
  gitBranch: z.string().optional(),
  /** Description of the variable. */
  comment: z.string().optional(),
  /** Ids of the custom environments that get the variable. */
  customEnvironmentIds: z.array(z.string()),
});
export type EnvVarInfo = z.output<typeof EnvVarInfo>;

export const AliasInfo = z.object({
  /** Domain that the promotion moves. */
  alias: z.string(),
  /** Status of the move: completed, failed, skipped, pending or in-progress. */
  status: z.string(),
});
export type AliasInfo = z.output<typeof AliasInfo>;

export const CustomEnvironmentInfo = z.object({
  /** Id of the environment, for the inputs `customEnvironmentIds` of variables and `customEnvironmentId` of domains. */
  id: z.string(),
  /** Id of the project. */
  projectId: z.string(),
  /** Slug of the environment. */
  slug: z.string(),
  /** Description of the environment. */
  description: z.string().optional(),
  /** Branches whose deployments go to the environment. */
  branchMatcher: z
    .object({
      /** How branch names are compared with `pattern`: startsWith, equals or endsWith. */
      type: z.string(),
      /** Text that branch names are compared with. */
      pattern: z.string(),
    })
    .optional(),
});
export type CustomEnvironmentInfo = z.output<typeof CustomEnvironmentInfo>;

export const EdgeConfigInfo = z.object({
  /** Id of the Edge Config. */
  id: z.string(),
  /** Slug of the Edge Config. */
  slug: z.string(),
  /** Digest of the items. The digest changes when an item changes. */
  digest: z.string().optional(),
  /** Number of items. */
  itemCount: z.int().optional(),
  /** Space that the items take (bytes). */
  sizeInBytes: z.int().optional(),
  /** JSON schema of the items. */
  schema: z.record(z.string(), z.unknown()).optional(),
});
export type EdgeConfigInfo = z.output<typeof EdgeConfigInfo>;

export const BlobStoreInfo = z.object({
  /** Id of the Blob store, for `blobStoreId` of its connections. */
  id: z.string(),
  /** Name of the Blob store. */
  name: z.string(),
  /** Readers of the files: everybody with their address (public), or only the project (private). */
  access: z.string(),
  /** Region of the files. */
  region: z.string(),
  /** State of the store, such as available or suspended. */
  status: z.string().optional(),
  /** Number of files. */
  fileCount: z.int().optional(),
  /** Space that the files take (bytes). */
  sizeInBytes: z.int().optional(),
});
export type BlobStoreInfo = z.output<typeof BlobStoreInfo>;

export const TeamInfo = z.object({
  /** Id of the team. */
  id: z.string(),
  /** Slug of the team. */
  slug: z.string(),
  /** Name of the team. */
  name: z.string().optional(),
  /** Policy on the types of new variables: on, off or default. */
  sensitiveEnvironmentVariablePolicy: z.string().optional(),
});
export type TeamInfo = z.output<typeof TeamInfo>;

export const AccessGroupInfo = z.object({
  /** Id of the access group, for `accessGroupId` of its members and projects. */
  id: z.string(),
  /** Name of the access group. */
  name: z.string(),
  /** Number of members. */
  membersCount: z.int().optional(),
  /** Number of projects. */
  projectsCount: z.int().optional(),
});
export type AccessGroupInfo = z.output<typeof AccessGroupInfo>;

export const MicrofrontendGroupInfo = z.object({
  /** Id of the group, for `microfrontendGroupId` of its projects. */
  id: z.string(),
  /** Name of the group. */
  name: z.string(),
  /** Name of the group as in URLs. */
  slug: z.string(),
  /** Id of the project of the default application. */
  defaultAppProjectId: z.string().optional(),
  /** Ids of the other projects of the group. */
  projectIds: z.array(z.string()),
  /** SAME_ENV, PRODUCTION, or the slug of a custom environment of the default application. */
  fallbackEnvironment: z.string().optional(),
});
export type MicrofrontendGroupInfo = z.output<typeof MicrofrontendGroupInfo>;

export const DeploymentInfo = z.object({
  /** Id of the deployment. */
  id: z.string(),
  /** Host name of the deployment. */
  url: z.string().optional(),
  /** State of the deployment: QUEUED, INITIALIZING, BUILDING, READY, ERROR, CANCELED or BLOCKED. */
  readyState: z.string(),
  /** Target of the deployment: production, or undefined for a preview. */
  target: z.string().optional(),
  /** When the deployment was created (milliseconds since the epoch). */
  createdAt: z.number().optional(),
});
export type DeploymentInfo = z.output<typeof DeploymentInfo>;
