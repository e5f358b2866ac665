import { sql } from "kysely";
import { currentPromotion } from "../deployments/promotion";
import type { DeploymentSummary } from "../deployments/schema";
import { productionNames } from "../domains/production-names";
import { mayManage, maySeeVariables, seesAllVariables } from "../env/access";
import type { EnvRecord } from "../env/schema";
import { type Call, Json } from "../http/route";
import type { Services } from "../platform/services";
import type { AccountRow, DeploymentRow, EnvVarRow, ProjectRow } from "../store/schema";
import { prepared, type Tx } from "../store/store";
import type { Project } from "./schema";
import { settingsOf } from "./store";

/** How many of a project's newest deployments its answer shows. @choice */
const latestCount = 5;

const envOf = prepared((tx, p: { id: string }) =>
  tx.selectFrom("env_vars").selectAll().where("project_id", "=", p.id).orderBy("created_at"),
);
const domainsOf = prepared((tx, p: { id: string }) =>
  tx.selectFrom("domains").selectAll().where("project_id", "=", p.id).orderBy("created_at"),
);
const secretsOf = prepared((tx, p: { id: string }) =>
  tx.selectFrom("bypass_secrets").selectAll().where("project_id", "=", p.id).orderBy("created_at"),
);
const environmentsOf = prepared((tx, p: { id: string }) =>
  tx.selectFrom("custom_environments").selectAll().where("project_id", "=", p.id).orderBy("created_at"),
);
const accountOf = prepared((tx, p: { id: string }) =>
  tx.selectFrom("accounts").selectAll().where("id", "=", p.id),
);
const deploymentWithCreator = prepared((tx, p: { id: string }) =>
  tx
    .selectFrom("deployments as d")
    .leftJoin("accounts as u", "u.id", "d.creator_id")
    .selectAll("d")
    .select(["u.email", "u.slug as username"])
    .where("d.id", "=", p.id),
);
const latestOf = prepared((tx, p: { account: string; name: string }) =>
  tx
    .selectFrom("deployments as d")
    .leftJoin("accounts as u", "u.id", "d.creator_id")
    .selectAll("d")
    .select(["u.email", "u.slug as username"])
    .where("d.account_id", "=", p.account)
    .where("d.name", "=", p.name)
    .orderBy("d.created_at", "desc")
    .limit(sql.lit(latestCount)),
);

type Viewer = Pick<Call, "tx" | "services" | "account" | "caller">;

/**
 * The project as every endpoint answers it.
 * @choice It shows the variables that its reader may list, and no `env` at all to who may list none.
 * @source Project; wire-shapes 3
 */
async function viewProject(viewer: Viewer, row: ProjectRow): Promise<Project> {
  const { tx, services } = viewer;
  const id = { id: row.id };
  const settings = settingsOf(row);
  const [account] = await accountOf(tx, { id: row.account_id });
  const domains = await domainsOf(tx, id);
  const environments = await environmentsOf(tx, id);
  const promotion = await currentPromotion(tx, row.id);
  const [production] =
    row.production_deployment_id === null
      ? []
      : await deploymentWithCreator(tx, { id: row.production_deployment_id });
  const names = productionNames(row, domains);
  const summary = (deployment: DeploymentWithCreator): DeploymentSummary =>
    summarize(
      deployment,
      account,
      deployment.id === row.production_deployment_id && row.paused === 0 ? names : [],
    );
  return present<Project>({
    ...settingsOf(row),
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    nodeVersion: row.node_version as Project["nodeVersion"],
    connectConfigurationId: null,
    passiveConnectConfigurationId: null,
    gitForkProtection: row.git_fork_protection === 1,
    hasActiveBranches: false,
    live: production !== undefined && row.paused === 0,
    paused: row.paused === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    transferStartedAt: row.transfer_started_at ?? undefined,
    transferCompletedAt: row.transfer_completed_at ?? undefined,
    transferToAccountId: row.transfer_to_account_id ?? undefined,
    transferredFromAccountId: row.transferred_from_account_id ?? undefined,
    dataCache: { userDisabled: row.data_cache_disabled === 1 },
    protectionBypass: await viewBypass(tx, services, row.id),
    resourceConfig: { functionDefaultRegions: [settings.serverlessFunctionRegion ?? "iad1"] },
    defaultResourceConfig: { functionDefaultRegions: ["iad1"] },
    deploymentExpiration: {},
    lastAliasRequest: promotion && {
      fromDeploymentId: promotion.from_deployment_id ?? "",
      toDeploymentId: promotion.to_deployment_id,
      jobStatus: promotion.status,
      requestedAt: promotion.requested_at,
      type: promotion.kind,
    },
    lastRollbackTarget: row.last_rollback_target === null ? null : JSON.parse(row.last_rollback_target),
    alias: names.map((domain) => ({ domain, environment: "production", target: "PRODUCTION" })),
    customEnvironments: environments.length === 0 ? undefined : environments.map(viewEnvironment),
    env: maySeeVariables(viewer)
      ? (await envOf(tx, id)).filter((env) => mayManage(viewer, env)).map((env) => viewEnv(services, env))
      : undefined,
    latestDeployments: (await latestOf(tx, { account: row.account_id, name: row.name })).map(summary),
    targets: production ? { production: summary(production) } : {},
    link: row.link === null ? undefined : JSON.parse(row.link),
  });
}

/** The answer of `viewProject` as text, kept until something in it changes. */
export async function renderProject(viewer: Viewer, row: ProjectRow): Promise<Json> {
  const { rendered } = viewer.services;
  if (!seesAllVariables(viewer)) return new Json(JSON.stringify(await viewProject(viewer, row)));
  const known = rendered.get(row.id, row.version);
  if (known !== undefined) return new Json(known);
  const text = JSON.stringify(await viewProject(viewer, row));
  rendered.set(row.id, row.version, text);
  return new Json(text);
}

type DeploymentWithCreator = DeploymentRow & { email: string | null; username: string | null };

/** One deployment, as `targets` shows it. */
export async function viewDeployment(
  tx: Tx,
  id: string,
  project: ProjectRow | undefined,
): Promise<DeploymentSummary> {
  const [row] = await deploymentWithCreator(tx, { id });
  if (!row) throw new Error(`deployment ${id} is gone`);
  const serves = project !== undefined && project.production_deployment_id === id && project.paused === 0;
  const names = serves ? productionNames(project, await domainsOf(tx, { id: project.id })) : [];
  return summarize(row, (await accountOf(tx, { id: row.account_id }))[0], names);
}

function summarize(
  deployment: DeploymentWithCreator,
  account: AccountRow | undefined,
  alias: string[],
): DeploymentSummary {
  return present<DeploymentSummary>({
    id: deployment.id,
    name: deployment.name,
    url: deployment.url,
    deploymentHostname: deployment.url,
    createdAt: deployment.created_at,
    createdIn: "iad1",
    creator:
      deployment.username === null
        ? null
        : { uid: deployment.creator_id, email: deployment.email ?? "", username: deployment.username },
    userId: deployment.creator_id,
    teamId: account?.kind === "team" ? account.id : undefined,
    plan: account?.plan ?? "hobby",
    private: false,
    readyState: deployment.ready_state,
    target: deployment.target === "production" ? "production" : undefined,
    type: "LAMBDAS",
    alias,
    aliasAssigned: alias.length > 0,
    meta: {
      ...(JSON.parse(deployment.meta) as Record<string, string>),
      ...(deployment.git_branch === null ? {} : { githubCommitRef: deployment.git_branch }),
      ...(deployment.git_sha === null ? {} : { githubCommitSha: deployment.git_sha }),
    },
  });
}

/**
 * A variable as lists and projects show it: a plain one with its value, an encrypted one as ciphertext,
 * a sensitive one empty.
 * @source wire-shapes 4
 */
export function viewEnv(services: Pick<Services, "vault">, row: EnvVarRow): EnvRecord {
  const isPlain = row.type === "plain" || row.type === "system";
  const environments: string[] = JSON.parse(row.custom_environment_ids);
  return present<EnvRecord>({
    id: row.id,
    key: row.key,
    value: isPlain ? services.vault.open(row.id, row.value) : row.type === "sensitive" ? "" : row.value,
    type: row.type,
    target: JSON.parse(row.target),
    gitBranch: row.git_branch ?? undefined,
    comment: row.comment ?? undefined,
    customEnvironmentIds: environments.length > 0 ? environments : undefined,
    configurationId: row.configuration_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    edgeConfigId: null,
    edgeConfigTokenId: null,
    contentHint: null,
    internalContentHint: null,
    decrypted: isPlain,
  });
}

/** @source wire-shapes 7 */
export async function viewBypass(
  tx: Tx,
  services: Services,
  project: string,
): Promise<Project["protectionBypass"]> {
  const rows = await secretsOf(tx, { id: project });
  return Object.fromEntries(
    rows.map((row) => [
      services.vault.open(row.id, row.secret),
      { createdAt: row.created_at, createdBy: row.created_by, scope: "automation-bypass" as const },
    ]),
  );
}

export function viewEnvironment(row: import("../store/schema").CustomEnvironmentRow) {
  return present({
    id: row.id,
    slug: row.slug,
    type: "preview" as const,
    description: row.description ?? undefined,
    branchMatcher: row.branch_matcher === null ? undefined : JSON.parse(row.branch_matcher),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  });
}

type Unset<T> = { [K in keyof T]: T[K] | undefined };

/** On the wire, not set is absent: JSON leaves out what is undefined. */
export const present = <T extends object>(value: Unset<T>): T => value as T;
