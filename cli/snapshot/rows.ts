import type * as responses from "../../provider/client/responses";
import { nodeVersions } from "../../provider/vocabulary";
import type * as shapes from "./shapes";

/** Rows of a seed document, made from the answers of the API. */

/** The owner of a row: the team or the user by id. */
export type Owner = { team: string } | { user: string };

/** The sections of a seed document with an entry for each object, in the order in which they are written. */
export const sections = [
  "users",
  "teams",
  "deployments",
  "projects",
  "environments",
  "domains",
  "accountDomains",
  "env",
  "sharedEnv",
  "webhooks",
  "logDrains",
  "aliases",
  "dnsRecords",
  "firewallBypasses",
  "projectMembers",
  "edgeConfigs",
  "placeholders",
] as const;
export type Section = (typeof sections)[number];

/** Takes the rows of a snapshot as they are read. */
export interface Sink {
  put(section: Section, row: unknown): void;
}

/** Stands for a value that was not read. */
export const placeholder = "placeholder: the value was not read";

/** A part of the account that the token may not read, so that a snapshot lacks all of its objects. */
const unreadPart =
  /^(the .+ of the (team|account)( and their DNS records)?|project .+: its (members|firewall bypasses))$/;

/** The parts of the account that a snapshot lacks. @param placeholders the facts that were not read */
export const unreadParts = (placeholders: readonly unknown[] = []): string[] =>
  placeholders.filter((text): text is string => typeof text === "string" && unreadPart.test(text));

/** The settings of a team that a snapshot has. The answer has other members too, such as the invite code. */
const teamSettings = [
  ...["avatar", "description", "emailDomain", "previewDeploymentSuffix", "stagingPrefix"],
  ...["enablePreviewFeedback", "enableProductionFeedback", "disjunctiveProductionSecretPolicy"],
  ...["remoteCaching", "hideIpAddresses", "hideIpAddressesInLogDrains", "dpAccessRequestsMode"],
  ...["requireVerifiedCommits", "disableRepositoryDispatchEvents", "defaultDeploymentProtection"],
  ...["defaultPassport", "defaultExpirationSettings", "deploymentPolicy", "nsnbConfig", "defaultProjectJobs"],
  ...["strictDeploymentProtectionSettings", "strictShareableLinks", "strictPasswordProtectionSettings"],
  ...["strictConnectors"],
];

/** undefined if no setting is set. Answers have these members as `null` or an empty text before. */
export function settingsOfTeam(team: Record<string, unknown>): object | undefined {
  const entries = teamSettings.map((name) => [name, team[name]] as const);
  const known = entries.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** The fields of a project that are not settings, or are written elsewhere in the document. */
const notSettings = new Set([
  ...[
    "id",
    "name",
    "accountId",
    "nodeVersion",
    "gitForkProtection",
    "paused",
    "live",
    "createdAt",
    "updatedAt",
  ],
  ...["dataCache", "link", "env", "customEnvironments", "latestDeployments", "targets", "alias", "analytics"],
  ...["protectionBypass", "lastAliasRequest", "lastRollbackTarget", "hasActiveBranches", "permissions"],
  ...["transferStartedAt", "transferToAccountId", "transferCompletedAt", "transferredFromAccountId"],
  ...["connectConfigurationId", "passiveConnectConfigurationId", "defaultResourceConfig"],
]);

/** Records which parts of the account were not read, as texts for people. */
export type Note = (what: string) => void;

export function projectRow(
  owner: Owner,
  project: shapes.Project,
  { withValues, note, promoted }: { withValues: boolean; note: Note; promoted: readonly PromotedAlias[] },
): object {
  const settings = Object.fromEntries(Object.entries(project).filter(([name]) => !notSettings.has(name)));
  const isKnownVersion = (nodeVersions as readonly string[]).includes(project.nodeVersion ?? "");
  if (project.nodeVersion !== undefined && !isKnownVersion)
    note(
      `project ${project.name}: nodeVersion ${project.nodeVersion} is not known to this version of Slipway`,
    );
  if (project.passwordProtection) note(`project ${project.name}: the password of passwordProtection`);
  return present({
    ...owner,
    id: project.id,
    name: project.name,
    ...(isKnownVersion && { nodeVersion: project.nodeVersion }),
    gitForkProtection: project.gitForkProtection,
    ...(project.paused && { paused: true }),
    createdAt: project.createdAt,
    updatedAt: project.updatedAt,
    settings,
    link: project.link && linkOf(project, withValues, note),
    ...(project.dataCache?.userDisabled && { dataCacheDisabled: true }),
    production: project.targets?.production ? idOf(project.targets.production) : null,
    lastRollbackTarget: project.lastRollbackTarget,
    promotion: promotionOf(project, promoted),
    bypassSecrets: bypassSecretsOf(project, withValues, note),
    transferStartedAt: project.transferStartedAt,
    transferToAccountId: project.transferToAccountId,
    transferCompletedAt: project.transferCompletedAt,
    transferredFromAccountId: project.transferredFromAccountId,
  });
}

/** The row of a rule that lets an address bypass the firewall. */
export function bypassRow(owner: Owner, project: string, rule: responses.FirewallBypass): object {
  const { Domain, Ip, IsProjectRule, Note, ActorId, CreatedAt, UpdatedAt, ExpiresAt } = rule;
  const timeOf = (text: string | null | undefined): number | undefined =>
    text == null ? undefined : Date.parse(text);
  return present({
    ...owner,
    project,
    domain: IsProjectRule ? "*" : Domain,
    sourceIp: Ip,
    note: Note || undefined,
    actor: ActorId,
    createdAt: timeOf(CreatedAt),
    updatedAt: timeOf(UpdatedAt),
    expiresAt: ExpiresAt ?? undefined,
  });
}

/**
 * The Git link of a project. Without `withValues`, placeholders replace the addresses of its deploy hooks: anybody who
 * knows such an address can deploy.
 */
function linkOf({ name, link }: shapes.Project, withValues: boolean, note: Note): object | undefined {
  const hooks = link?.deployHooks;
  if (withValues || !Array.isArray(hooks) || hooks.length === 0) return link;
  note(`project ${name}: the addresses of its deploy hooks`);
  return {
    ...link,
    deployHooks: hooks.map((hook, at) => ({ ...hook, url: `https://example.com/placeholder/${at}` })),
  };
}

interface PromotedAlias {
  alias: string;
  status: string;
}

function promotionOf({ lastAliasRequest: last }: shapes.Project, promoted: readonly PromotedAlias[]) {
  if (!last || !["pending", "in-progress", "succeeded", "failed"].includes(last.jobStatus)) return undefined;
  return {
    kind: last.type === "rollback" ? "rollback" : "promote",
    from: last.fromDeploymentId || null,
    to: last.toDeploymentId,
    status: last.jobStatus,
    requestedAt: last.requestedAt,
    // The API lists the latest first.
    aliases: promoted.map(({ alias, status }) => ({ alias, failed: status === "failed" })).reverse(),
  };
}

function bypassSecretsOf({ name, protectionBypass = {} }: shapes.Project, withValues: boolean, note: Note) {
  const secrets = Object.entries(protectionBypass).filter(
    ([, { scope = "automation-bypass" }]) => scope === "automation-bypass",
  );
  if (secrets.length === 0) return undefined;
  if (!withValues) note(`project ${name}: its protection bypass secrets`);
  return secrets.map(([secret, { note: text, isEnvVar, createdAt, createdBy }], at) =>
    present({
      secret: withValues ? secret : `${"placeholder".repeat(3)}${at}`.slice(-32),
      note: text,
      isEnvVar: isEnvVar ?? at === 0,
      createdAt: createdAt ?? 0,
      createdBy: createdBy ?? "",
    }),
  );
}

export const environmentRows = (owner: Owner, { id, customEnvironments = [] }: shapes.Project): object[] =>
  customEnvironments.map((environment) =>
    present({
      ...owner,
      project: id,
      id: environment.id,
      slug: environment.slug,
      description: environment.description,
      branchMatcher: environment.branchMatcher,
      createdAt: environment.createdAt,
      updatedAt: environment.updatedAt,
    }),
  );

export function domainRow(owner: Owner, project: string, domain: shapes.Domain): object {
  const [, challenge] = /,([0-9a-f]{20})$/.exec(domain.verification?.[0]?.value ?? "") ?? [];
  return present({
    ...owner,
    project,
    name: domain.name,
    verified: domain.verified,
    challenge,
    gitBranch: domain.gitBranch,
    customEnvironmentId: domain.customEnvironmentId,
    redirect: domain.redirect,
    redirectStatusCode: domain.redirectStatusCode,
    createdAt: domain.createdAt,
    updatedAt: domain.updatedAt,
  });
}

/** @param value undefined if it was not read */
export const variableRow = (
  owner: Owner,
  project: string,
  variable: shapes.Variable,
  value: string | undefined,
): object =>
  present({
    ...owner,
    project,
    id: variable.id,
    key: variable.key,
    type: variable.type,
    ...(variable.type !== "system" && { value: value ?? placeholder }),
    target: variable.target,
    customEnvironmentIds: variable.customEnvironmentIds,
    gitBranch: variable.gitBranch,
    comment: variable.comment,
    configurationId: variable.configurationId,
    createdBy: variable.createdBy,
    updatedBy: variable.updatedBy,
    createdAt: variable.createdAt,
    updatedAt: variable.updatedAt,
  });

export const idOf = ({ id, uid }: shapes.Deployment): string => id ?? uid ?? "";

/** @param creator the id of the user; undefined if the snapshot does not have the user */
export function deploymentRow(
  owner: Owner,
  deployment: shapes.Deployment,
  creator: string | undefined,
): object {
  const { githubCommitRef, githubCommitSha, ...rest } = deployment.meta ?? {};
  const meta = Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value === "string"));
  return present({
    ...owner,
    id: idOf(deployment),
    project: deployment.name,
    target: deployment.target === "production" ? "production" : "preview",
    readyState: deployment.readyState,
    gitBranch: typeof githubCommitRef === "string" ? githubCommitRef : undefined,
    gitSha: typeof githubCommitSha === "string" ? githubCommitSha : undefined,
    url: deployment.url,
    ...(Object.keys(meta).length > 0 && { meta }),
    creator,
    customEnvironmentId: deployment.customEnvironment?.id,
    createdAt: deployment.createdAt,
  });
}

/** A row without the fields that are not set. */
export const present = (row: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

/** The row of an Edge Config. Values of items are not secret to users who may read the Edge Config. */
export const edgeConfigRow = (
  owner: Owner,
  config: shapes.EdgeConfig,
  items: readonly shapes.EdgeConfigItem[],
  tokens: readonly shapes.EdgeConfigToken[],
): object =>
  present({
    ...owner,
    id: config.id,
    slug: config.slug,
    schema: config.schema,
    items: items.map(({ key, value, description }) => present({ key, value, description })),
    tokens: tokens.map(({ id, label, createdAt }) =>
      present({ id, label, token: `${placeholder} (${id})`, createdAt }),
    ),
    createdBy: config.createdBy,
    createdAt: config.createdAt,
    updatedAt: config.updatedAt,
  });
