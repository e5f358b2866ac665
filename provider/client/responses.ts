// Longer than other files: the shapes of all answers, so that a change of the API is looked up in one place.
import { z } from "zod";
import type { ItemFailure } from "./errors";

/**
 * The shapes of answers that several modules need, with only the members that the client uses. Other members are
 * allowed, since the service may add some. A plain resource has the shapes of its object in its own file.
 * @source Resources and their fields; wire-shapes
 */

/** Null and absent both mean "not set". */
const maybe = <T extends z.ZodType>(shape: T) => shape.nullish();

export const deployment = z.looseObject({
  id: z.string(),
  name: maybe(z.string()),
  url: maybe(z.string()),
  readyState: maybe(z.string()),
  target: maybe(z.string()),
  createdAt: maybe(z.number()),
  projectId: maybe(z.string()),
  meta: maybe(z.record(z.string(), z.unknown())),
  /** Why a deployment is BLOCKED, and a page that explains it. */
  readyStateReason: maybe(z.string()),
  errorLink: maybe(z.string()),
  seatBlock: maybe(z.looseObject({ blockCode: maybe(z.string()) })),
});
export type Deployment = z.infer<typeof deployment>;

const deployHook = z.looseObject({ id: z.string(), name: z.string(), ref: z.string(), url: z.string() });
export type DeployHook = z.infer<typeof deployHook>;

const configuredStage = z.looseObject({
  targetPercentage: z.number(),
  requireApproval: maybe(z.boolean()),
  duration: maybe(z.number()),
  linearShift: maybe(z.boolean()),
});
export type ConfiguredStage = z.infer<typeof configuredStage>;

/** The stages of the rolling releases of a project; null or absent if they are disabled. */
export const rollingReleases = maybe(z.looseObject({ stages: maybe(z.array(configuredStage)) }));
export const rollingReleaseConfig = z.looseObject({ rollingRelease: rollingReleases });

const releaseStage = z.looseObject({
  index: z.number(),
  targetPercentage: z.number(),
  requireApproval: maybe(z.boolean()),
  /** In seconds. */
  duration: maybe(z.number()),
  linearShift: maybe(z.boolean()),
});
const release = z.looseObject({
  state: z.string(),
  substate: maybe(z.string()),
  currentDeployment: maybe(z.looseObject({ id: z.string() })),
  canaryDeployment: maybe(z.looseObject({ id: z.string() })),
  activeStage: maybe(releaseStage),
  stages: z.array(releaseStage),
  queuedDeploymentId: maybe(z.string()),
  startedAt: z.number(),
  updatedAt: maybe(z.number()),
});
export type Release = z.infer<typeof release>;
/** The last rolling release of a project; null if there was none. */
export const rollingRelease = z.looseObject({ rollingRelease: maybe(release) });

export const project = z.looseObject({
  id: z.string(),
  name: z.string(),
  accountId: z.string(),
  paused: maybe(z.boolean()),
  dataCache: maybe(z.looseObject({ userDisabled: maybe(z.boolean()) })),
  security: maybe(
    z.looseObject({ attackModeEnabled: maybe(z.boolean()), attackModeActiveUntil: maybe(z.number()) }),
  ),
  rollingRelease: rollingReleases,
  crons: maybe(z.looseObject({ disabledAt: maybe(z.number()) })),
  deploymentExpiration: maybe(
    z.looseObject({
      expirationDays: maybe(z.number()),
      expirationDaysProduction: maybe(z.number()),
      expirationDaysCanceled: maybe(z.number()),
      expirationDaysErrored: maybe(z.number()),
    }),
  ),
  protectionBypass: maybe(z.record(z.string(), z.unknown())),
  passwordProtection: maybe(z.looseObject({ deploymentType: maybe(z.string()) })),
  link: maybe(z.looseObject({ type: z.string(), deployHooks: maybe(z.array(deployHook)) })),
  targets: maybe(
    z.record(z.string(), maybe(z.looseObject({ id: z.string(), createdAt: maybe(z.number()) }))),
  ),
  latestDeployments: maybe(z.array(deployment)),
  /** The last promotion or rollback. The service shows it only with `rollbackInfo=true`. */
  lastAliasRequest: maybe(
    z.looseObject({ toDeploymentId: z.string(), jobStatus: z.string(), requestedAt: maybe(z.number()) }),
  ),
});
export type Project = z.infer<typeof project>;

/** @source Pagination; wire-shapes 2 */
export const pagination = maybe(z.looseObject({ next: maybe(z.union([z.number(), z.string()])) }));
/** The parameter that asks for the next page of a list. */
export type Cursor = "until" | "next" | "cursor";

export interface Page {
  pagination?: z.infer<typeof pagination>;
}

export const projectList = z.looseObject({ projects: z.array(project), pagination });

export const challenge = z.looseObject({
  type: z.string(),
  domain: z.string(),
  value: z.string(),
  reason: maybe(z.string()),
});

export const domain = z.looseObject({
  name: z.string(),
  apexName: z.string(),
  projectId: z.string(),
  verified: z.boolean(),
  verification: maybe(z.array(challenge)),
  gitBranch: maybe(z.string()),
  redirect: maybe(z.string()),
  redirectStatusCode: maybe(z.number()),
  customEnvironmentId: maybe(z.string()),
});
export type Domain = z.infer<typeof domain>;

/** The recommended records may be absent, because older versions of the API do not return them. */
export const domainConfig = z.looseObject({
  configuredBy: maybe(z.string()),
  misconfigured: z.boolean(),
  acceptedChallenges: maybe(z.array(z.string())),
  recommendedCNAME: maybe(z.array(z.looseObject({ rank: z.number(), value: z.string() }))),
  recommendedIPv4: maybe(z.array(z.looseObject({ rank: z.number(), value: z.array(z.string()) }))),
});
export type DomainConfig = z.infer<typeof domainConfig>;

export const domainList = z.looseObject({ domains: z.array(domain), pagination });

export const variable = z.looseObject({
  id: z.string(),
  key: z.string(),
  value: maybe(z.string()),
  type: z.string(),
  target: maybe(z.union([z.string().transform((name) => [name]), z.array(z.string())])),
  gitBranch: maybe(z.string()),
  // The hosted API also shows members that are not set.
  comment: maybe(z.string().transform((text) => text || undefined)),
  customEnvironmentIds: maybe(z.array(z.string()).transform((ids) => (ids.length > 0 ? ids : undefined))),
  /** The installation of an integration that created the variable. */
  configurationId: maybe(z.string()),
  contentHint: maybe(z.looseObject({ type: maybe(z.string()), storeId: maybe(z.string()) })),
  decrypted: maybe(z.boolean()),
  updatedAt: maybe(z.number()),
});
export type Variable = z.infer<typeof variable>;

/** False if the value in a list is encrypted, so that only a single read returns the value. */
export const isValueListed = ({ type, decrypted }: Pick<Variable, "type" | "decrypted">): boolean =>
  decrypted === true || !/^(encrypted|secret)$/.test(type);

/** The answer is a list or a single record. @source wire-shapes 4 */
export const variableList = z.union([
  z.looseObject({ envs: z.array(variable), pagination }),
  variable.transform((only) => ({ envs: [only], pagination: undefined })),
]);

/** A refused item of a batch. Other members are dropped, such as the value of the variable. @source wire-shapes 4 */
const failure = z
  .object({
    error: z.object({
      code: maybe(z.string()),
      message: maybe(z.string()),
      key: maybe(z.string()),
      envVarKey: maybe(z.string()),
      target: maybe(z.union([z.string().transform((name) => [name]), z.array(z.string())])),
      gitBranch: maybe(z.string()),
    }),
  })
  .transform(
    ({ error: { code, message, key, envVarKey, target, gitBranch } }): ItemFailure => ({
      code: code ?? "unknown",
      message: message ?? "no explanation was given",
      key: envVarKey ?? key ?? undefined,
      target: target ?? undefined,
      gitBranch: gitBranch ?? undefined,
    }),
  );
const failures = maybe(z.array(failure)).transform((all) => all ?? []);

/** Returns the refused items of a batch from `failed` in an answer; none if `failed` is missing or malformed. */
export const failuresIn = (failed: unknown): ItemFailure[] => failures.safeParse(failed).data ?? [];

/** The answer to a create. `created` is a variable if the body was a variable, and a list if the body was a list. */
export const variableCreated = z.looseObject({
  created: z.union([variable.transform((only) => [only]), z.array(variable)]),
  failed: failures,
});
export type VariablesCreated = z.infer<typeof variableCreated>;

/** A variable of a team. Answers with several variables have no values. */
export const sharedVariable = z.looseObject({
  id: z.string(),
  key: z.string(),
  value: maybe(z.string()),
  type: z.string(),
  target: maybe(z.array(z.string())),
  projectId: maybe(z.array(z.string())),
  applyToAllCustomEnvironments: maybe(z.boolean()),
  comment: maybe(z.string()),
  ownerId: maybe(z.string()),
  updatedAt: maybe(z.number()),
});
export type SharedVariable = z.infer<typeof sharedVariable>;

export const sharedVariableList = z.looseObject({ data: z.array(sharedVariable), pagination });
const written = (record: SharedVariable | undefined, failed: ItemFailure[]) => ({ record, failed });
export const sharedVariableCreated = z
  .looseObject({ created: z.array(sharedVariable), failed: failures })
  .transform(({ created: [record], failed }) => written(record, failed));
export const sharedVariableUpdated = z
  .looseObject({ updated: z.array(sharedVariable), failed: failures })
  .transform(({ updated: [record], failed }) => written(record, failed));
export const sharedVariablesDeleted = z.looseObject({ failed: failures });

export const aliasList = z.looseObject({
  aliases: maybe(z.array(z.looseObject({ alias: z.string(), status: z.string() }))),
  pagination,
});

export const bypass = z.looseObject({ protectionBypass: maybe(z.record(z.string(), z.unknown())) });

/** A list has the id of a deployment in `id` or in `uid`. Deployments without an id are left out. */
export const deploymentList = z.looseObject({
  deployments: z
    .array(deployment.extend({ id: z.string().optional(), uid: maybe(z.string()) }))
    .transform((all) =>
      all.flatMap((found) => {
        const id = found.id ?? found.uid;
        return id == null ? [] : [{ ...found, id }];
      }),
    ),
  pagination,
});

/** @source wire-shapes 11 */
export const oneDeployment = deployment.extend({
  alias: maybe(z.array(z.string())),
  buildSkipped: maybe(z.boolean()),
  customEnvironment: maybe(z.looseObject({ id: z.string() })),
  errorMessage: maybe(z.string()),
  gitSource: maybe(z.looseObject({ ref: maybe(z.string()), sha: maybe(z.string()) })),
  inspectorUrl: maybe(z.string()),
});
export type OneDeployment = z.infer<typeof oneDeployment>;

export const customEnvironment = z.looseObject({
  id: z.string(),
  slug: z.string(),
  description: maybe(z.string()),
  branchMatcher: maybe(z.looseObject({ type: z.string(), pattern: z.string() })),
});
export type CustomEnvironment = z.infer<typeof customEnvironment>;

export const customEnvironmentList = z.looseObject({ environments: z.array(customEnvironment), pagination });

/** A domain of the account. Older answers have only its creator. */
export const accountDomain = z.looseObject({
  domain: z.looseObject({
    teamId: maybe(z.string()),
    userId: maybe(z.string()),
    creator: maybe(z.looseObject({ id: z.string() })),
  }),
});

export const accountDomainList = z.looseObject({
  domains: z.array(z.looseObject({ name: z.string() })),
  pagination,
});

/** If the answer has a separate priority, the value does not contain it. */
const dnsRecordValue = {
  id: z.string(),
  name: z.string(),
  value: z.string(),
  ttl: maybe(z.number()),
  comment: maybe(z.string()),
  creator: maybe(z.string()),
  mxPriority: maybe(z.number()),
  priority: maybe(z.number()),
  createdAt: maybe(z.number()),
  updatedAt: maybe(z.number()),
};
export interface DnsRecordValue {
  value: string;
  mxPriority?: number | null | undefined;
  priority?: number | null | undefined;
}

const listedDnsRecord = z.looseObject({ ...dnsRecordValue, type: z.string() });
export type ListedDnsRecord = z.infer<typeof listedDnsRecord>;
export const dnsRecordList = z.looseObject({ records: z.array(listedDnsRecord), pagination });

/** A single record. Its type is in `recordType`. */
export const dnsRecord = z.looseObject({ ...dnsRecordValue, domain: z.string(), recordType: z.string() });
export type DnsRecord = z.infer<typeof dnsRecord>;

/** The answer to a create has only the id. */
export const createdDnsRecord = z.looseObject({ uid: z.string() }).transform(({ uid }) => ({ id: uid }));

export const user = z.looseObject({
  user: z.looseObject({ id: z.string(), defaultTeamId: maybe(z.string()), version: maybe(z.string()) }),
});

/** The account that requests without a team act on. A `northstar` user has no account but teams. */
export const accountOfUser = ({ user: { id, defaultTeamId, version } }: z.infer<typeof user>): string =>
  version === "northstar" && defaultTeamId ? defaultTeamId : id;

export const team = z.looseObject({ id: z.string(), sensitiveEnvironmentVariablePolicy: maybe(z.string()) });
export type Team = z.infer<typeof team>;
/** @source the newest official client: GET /v3/teams/{teamId}/members */
const teamMember = z.looseObject({
  uid: z.string(),
  username: maybe(z.string()),
  email: maybe(z.string()),
  name: maybe(z.string()),
  role: z.string(),
  confirmed: z.boolean(),
});
/** An invitation to an email address without an account. */
const emailInviteCode = z.looseObject({ id: z.string(), email: maybe(z.string()), role: maybe(z.string()) });
export const memberList = z.looseObject({
  members: z.array(teamMember),
  emailInviteCodes: maybe(z.array(emailInviteCode)),
  pagination,
});
/** @source the newest official client: POST /v2/teams/{teamId}/members */
export const invitedMember = z.looseObject({
  uid: maybe(z.string()),
  username: maybe(z.string()),
  email: maybe(z.string()),
});
/** @source the newest official client: /v1/global-config; the Terraform provider: /v1/edge-config */
export const edgeConfig = z.looseObject({
  id: z.string(),
  slug: z.string(),
  ownerId: z.string(),
  digest: maybe(z.string()),
  itemCount: maybe(z.number()),
  sizeInBytes: maybe(z.number()),
  schema: maybe(z.record(z.string(), z.unknown())),
});
export type EdgeConfig = z.infer<typeof edgeConfig>;
export const edgeConfigList = z.array(edgeConfig);
export const teamList = z.looseObject({ teams: z.array(team), pagination });

/** For answers that are ignored. */
export const anything = z.unknown();
