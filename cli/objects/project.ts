import { z } from "zod";
import type { Client } from "../../provider/client/client";
import * as responses from "../../provider/client/responses";
import { isPlain, type Plain } from "../../provider/core/values";
import {
  attackChallengeMode as attackResource,
  modeOf,
} from "../../provider/resources/attack-challenge-mode";
import { project as resource } from "../../provider/resources/project";
import { promotion } from "../../provider/resources/promotion";
import { rollingRelease as releaseResource } from "../../provider/resources/rolling-release";
import { nodeVersions } from "../../provider/vocabulary";
import { deploymentShape, idOf } from "./deployment";
import { environmentShape } from "./environment";
import { fieldsOf, type Importable, itemOf, type ProjectKind, pageSize, present } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { type KnownValues, listIn, objectOf, textIn } from "./recorded";
import { boolean, maybe, number, pagination, string, text, times } from "./shapes";
import { recordedVariables, variableShape } from "./variable";

export const projectShape = z.looseObject({
  ...{ id: string, name: string, accountId: string, nodeVersion: text },
  ...{ gitForkProtection: boolean, paused: boolean, ...times },
  dataCache: maybe(z.looseObject({ userDisabled: boolean })),
  passwordProtection: maybe(z.looseObject({})),
  link: maybe(z.looseObject({ type: string })),
  env: maybe(z.array(variableShape)),
  customEnvironments: maybe(z.array(environmentShape)),
  latestDeployments: maybe(z.array(deploymentShape)),
  targets: maybe(z.record(string, maybe(deploymentShape))),
  protectionBypass: maybe(
    z.record(
      string,
      z.looseObject({ createdAt: number, createdBy: text, scope: text, isEnvVar: boolean, note: text }),
    ),
  ),
  lastAliasRequest: maybe(
    z.looseObject({
      ...{ fromDeploymentId: text, toDeploymentId: string, jobStatus: string },
      ...{ requestedAt: z.number(), type: string },
    }),
  ),
  rollingRelease: responses.rollingReleases,
  lastRollbackTarget: maybe(z.record(string, z.unknown())),
  ...{ transferStartedAt: number, transferToAccountId: text },
  ...{ transferCompletedAt: number, transferredFromAccountId: text },
});
export type Project = z.infer<typeof projectShape>;
export const projectList = z.looseObject({ projects: z.array(projectShape), pagination });

export const promotionAliases = z.looseObject({
  aliases: maybe(z.array(z.looseObject({ alias: string, status: string }))),
  pagination,
});

/** All projects of the account, sorted by name. @param shape the fields to read @param items the projects of a page */
export async function listProjects<T extends { name: string }, Page extends responses.Page>(
  client: Client,
  shape: z.ZodType<Page>,
  items: (page: Page) => T[],
): Promise<T[]> {
  const all = await client.list("/v9/projects", shape, items, { limit: pageSize });
  return [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A snapshot and an import read the projects first, and with each of them the objects of the project. */
export const project = {
  name: "project",
  owner: "project",
  resource,
  suffix: "project",
  weight: 70,
  section: "projects",
  items({ settings, ...row }) {
    const id = String(row.id ?? row.name);
    const { crons, security, ...others } = isPlain(settings) ? settings : {};
    // Only whether crons are disabled, and networks without their times, because times differ in each run.
    const cronsEnabled = isPlain(crons) && crons.disabledAt != null ? false : null;
    const attackChallengeMode = isPlain(security) && security.attackModeEnabled === true ? true : null;
    const connectConfigurations = listIn(others, "connectConfigurations").map(fieldsOf);
    const networks = connectConfigurations.length > 0 ? { connectConfigurations } : {};
    const fields = fieldsOf({ ...row, ...others, ...networks, cronsEnabled, attackChallengeMode });
    return [itemOf(row, { key: id, id, projectId: id, isProduction: row.production != null, fields })];
  },
  secret: ["bypassSecrets"],
  recorded: {
    vercel_project: (one) => [
      objectOf(one, resource, textIn(one.values, "id"), {
        known: { ...passwordIn(one.values), ...automationSecretIn(one.values) },
      }),
      ...recordedVariables(one, "environment", textIn(one.values, "id")),
    ],
  },
  operations: {
    list: listOperation("/v9/projects", "projects", responses.projectList, "projects", "updatedAt"),
    one: oneOperation("/v9/projects/{idOrName}", "project", responses.project),
  },
} as const satisfies ProjectKind;

/** A setting of a project with a resource of its own. */
export const attackMode = {
  resource: attackResource,
  suffix: "attack-challenge",
  recorded: {
    vercel_attack_challenge_mode: (one) => [objectOf(one, attackResource, textIn(one.values, "project_id"))],
  },
} as const satisfies Importable;

/** The stages of a project's rolling releases. */
export const rollingRelease = {
  resource: releaseResource,
  suffix: "rolling-release",
  recorded: {
    vercel_project_rolling_release: (one) => [
      objectOf(one, releaseResource, textIn(one.values, "project_id")),
    ],
  },
} as const satisfies Importable;

/**
 * The resources of a project's settings: the attack challenge mode, the rolling releases, and the deployment that serves
 * production.
 */
export function settingResources(project: responses.Project, promotions: boolean) {
  return [
    ...(modeOf(project).enabled ? [{ resource: attackResource, suffix: attackMode.suffix }] : []),
    ...(project.rollingRelease?.stages ? [{ resource: releaseResource, suffix: rollingRelease.suffix }] : []),
    ...(promotions && project.targets?.production ? [{ resource: promotion, suffix: "production" }] : []),
  ];
}

/** The secrets in the row of a project. Other members of its bypass secrets and Git link are public. */
export const secretsInProject = (row: Plain): unknown[] => [
  listIn(row, "bypassSecrets").map(({ secret }) => secret),
  (isPlain(row.link) ? listIn(row.link, "deployHooks") : []).map(({ url }) => url),
];

function passwordIn({ password_protection: protection }: Plain): KnownValues {
  const password = isPlain(protection) ? textIn(protection, "password") : undefined;
  return password === undefined ? {} : { password };
}

/** The bypass secret of a project, which versions of the provider before 4 record with the project itself. */
function automationSecretIn(values: Plain): KnownValues {
  const secret = textIn(values, "protection_bypass_for_automation_secret");
  return secret === undefined ? {} : { bypass: { automation: { secret } } };
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
  ...[
    "protectionBypass",
    "microfrontends",
    "lastAliasRequest",
    "lastRollbackTarget",
    "hasActiveBranches",
    "permissions",
  ],
  ...["transferStartedAt", "transferToAccountId", "transferCompletedAt", "transferredFromAccountId"],
  ...["connectConfigurationId", "passiveConnectConfigurationId", "defaultResourceConfig"],
]);

/** Records what was not read, as a text for people. */
type Note = (what: string) => void;

/** The parts of a row that other requests than that of the project read. */
interface ProjectParts {
  withValues: boolean;
  note: Note;
  /** The aliases of the last promotion. */
  promoted: readonly PromotedAlias[];
  /** The last rolling release. */
  release?: responses.Release | undefined;
}

export function projectRow(project: Project, { withValues, note, promoted, release }: ProjectParts): Plain {
  const settings = Object.fromEntries(Object.entries(project).filter(([name]) => !notSettings.has(name)));
  const isKnownVersion = (nodeVersions as readonly string[]).includes(project.nodeVersion ?? "");
  if (project.nodeVersion !== undefined && !isKnownVersion)
    note(
      `project ${project.name}: nodeVersion ${project.nodeVersion} is not known to this version of Slipway`,
    );
  if (project.passwordProtection) note(`project ${project.name}: the password of passwordProtection`);
  return {
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
    rollingRelease: releaseRow(release),
    bypassSecrets: bypassSecretsOf(project, withValues, note),
    transferStartedAt: project.transferStartedAt,
    transferToAccountId: project.transferToAccountId,
    transferCompletedAt: project.transferCompletedAt,
    transferredFromAccountId: project.transferredFromAccountId,
  };
}

/**
 * The Git link of a project. Without `withValues`, placeholders replace the addresses of its deploy hooks: anybody who
 * knows such an address can deploy.
 */
function linkOf({ name, link }: Project, withValues: boolean, note: Note): object | undefined {
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

function promotionOf({ lastAliasRequest: last }: Project, promoted: readonly PromotedAlias[]) {
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

/** A rolling release in the form of a seed, whose stages have minutes. A release without its deployments is left out. */
function releaseRow(release: responses.Release | undefined) {
  const { currentDeployment: base, canaryDeployment: canary, stages = [], activeStage } = release ?? {};
  const states = ["ACTIVE", "COMPLETE", "ABORTED"];
  if (!release || !base || !canary || !states.includes(release.state)) return undefined;
  return present({
    base: base.id,
    canary: canary.id,
    queued: release.queuedDeploymentId ?? undefined,
    state: release.state,
    stage: activeStage?.index ?? 0,
    stages: stages.map(({ targetPercentage, requireApproval, duration, linearShift }) =>
      present({
        targetPercentage,
        requireApproval: requireApproval || undefined,
        duration: duration == null ? undefined : duration / 60,
        linearShift: linearShift ?? undefined,
      }),
    ),
    startedAt: release.startedAt,
    updatedAt: release.updatedAt ?? release.startedAt,
  });
}

function bypassSecretsOf({ name, protectionBypass = {} }: Project, withValues: boolean, note: Note) {
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
