import { storedSettings } from "../access/project-store";
import type { PromotionRow } from "../deployments/object";
import { servedNames } from "../deployments/promotion";
import { currentPromotion } from "../deployments/promotion-store";
import type { DeploymentSummary } from "../deployments/schema";
import { type DeploymentWithCreator, deploymentWithCreator, latestOf } from "../deployments/store";
import { assignsNames, summarize } from "../deployments/view";
import { productionNames } from "../domains/names";
import { domainsOf } from "../domains/store";
import { mayManage, maySeeVariables, seesAllVariables } from "../env/access";
import { environmentsOf } from "../env/environment-store";
import { variablesOf } from "../env/store";
import { viewStored } from "../env/view";
import { viewEnvironment } from "../environments/view";
import { viewSecurity } from "../firewall/view";
import { present } from "../http/reply";
import type { Call } from "../http/route";
import { microfrontendOf } from "../microfrontends/store";
import { viewMicrofrontend } from "../microfrontends/view";
import { damaged, noteDamage } from "../platform/damage";
import type { Services } from "../platform/services";
import type { Tx } from "../store/store";
import { secretsOf } from "./bypass-store";
import { viewLink } from "./link-view";
import type { BypassSecretRow, ProjectRow } from "./object";
import { type Presence, presenceOf } from "./presence-store";
import { defaultResourceConfig } from "./resource-config";
import type { Project } from "./schema";
import { settingsOf } from "./store";

type Viewer = Pick<Call, "tx" | "services" | "account" | "caller">;

/**
 * A project in an answer.
 * @choice `env` has the variables that the caller may list, and is absent if the caller may list none. Only callers who
 *   see all variables get the secrets in `protectionBypass`, because deployments get one of them as a variable.
 * @source Project; wire-shapes 3
 */
export async function viewProject(viewer: Viewer, row: ProjectRow): Promise<Project> {
  return view(viewer, { ...row, ...(await presenceOf(viewer.tx, row)) });
}

/**
 * A project in an answer about one project.
 * @param showsPromotion includes the last promotion or rollback
 * @throws Refusal 500 when its stored settings are damaged
 */
export async function viewReadable(
  viewer: Viewer,
  row: ProjectRow & Presence,
  showsPromotion: boolean,
): Promise<Project> {
  const stored = storedSettings(row);
  if (!stored) throw damaged(viewer.services.log, settingsName, row.id);
  return view(viewer, row, stored, showsPromotion);
}

/** Several projects, each as in `viewProject`. */
export const viewProjects = (viewer: Viewer, rows: readonly (ProjectRow & Presence)[]): Promise<Project[]> =>
  Promise.all(rows.map((row) => view(viewer, row)));

async function view(
  viewer: Viewer,
  row: ProjectRow & Presence,
  stored = storedSettings(row),
  showsPromotion = false,
): Promise<Project> {
  const { tx, services, account } = viewer;
  if (!stored) noteDamage(services.log, settingsName, row.id);
  // The queries run together, so that PostgreSQL gets them in one round trip.
  const [
    domains,
    environments,
    [microfrontend],
    promotion,
    [production],
    protectionBypass,
    variables,
    latest,
  ] = await Promise.all([
    row.has_domains ? domainsOf(tx, row.id) : [],
    row.has_environments ? environmentsOf(tx, row.id) : [],
    row.has_microfrontends ? microfrontendOf(tx, row.id) : [],
    row.has_promotions ? currentPromotion(tx, row.id) : null,
    row.production_deployment_id === null ? [] : deploymentWithCreator(tx, row.production_deployment_id),
    seesAllVariables(viewer) ? (row.has_secrets ? viewBypass(tx, services, row.id) : {}) : undefined,
    maySeeVariables(viewer) ? (row.has_variables ? variablesOf(tx, row.id) : []) : undefined,
    row.has_deployments ? latestOf(tx, { account: row.account_id, name: row.name }) : [],
  ]);
  const names = promotion ? await servedNames(tx, row, domains) : productionNames(row, domains);
  const assigns = assignsNames(row, stored);
  const summary = (deployment: DeploymentWithCreator): DeploymentSummary =>
    summarize(
      deployment,
      account,
      deployment.id === row.production_deployment_id && row.paused === 0 ? names : [],
      assigns,
    );
  const settings = settingsOf(row, stored);
  return present<Project>({
    deploymentExpiration: {},
    ...settings,
    ...(services.profile.isHosted("public-source") && { publicSource: null }),
    security: viewSecurity(settings.security, services.clock.now()),
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
    protectionBypass,
    defaultResourceConfig,
    lastAliasRequest: showsPromotion && promotion ? viewPromotion(promotion) : null,
    lastRollbackTarget: row.last_rollback_target === null ? null : JSON.parse(row.last_rollback_target),
    alias: names.map((domain) => ({ domain, environment: "production", target: "PRODUCTION" })),
    customEnvironments: environments.length === 0 ? undefined : environments.map(viewEnvironment),
    microfrontends: microfrontend && viewMicrofrontend(microfrontend),
    env: variables?.filter((env) => mayManage(viewer, env)).map((env) => viewStored(services, env)),
    latestDeployments: latest.map(summary),
    targets: production ? { production: summary(production) } : {},
    link: row.link === null ? undefined : viewLink(JSON.parse(row.link), account),
  });
}

const viewPromotion = (promotion: PromotionRow) => ({
  fromDeploymentId: promotion.from_deployment_id ?? "",
  toDeploymentId: promotion.to_deployment_id,
  jobStatus: promotion.status,
  requestedAt: promotion.requested_at,
  type: promotion.kind,
});

/** @source wire-shapes 7 */
export async function viewBypass(
  tx: Tx,
  services: Services,
  project: string,
): Promise<NonNullable<Project["protectionBypass"]>> {
  const rows = await secretsOf(tx, project);
  const view = (row: BypassSecretRow) => ({
    createdAt: row.created_at,
    createdBy: row.created_by,
    scope: "automation-bypass" as const,
    isEnvVar: row.is_env_var === 1,
    ...(row.note === null ? {} : { note: row.note }),
  });
  return Object.fromEntries(
    rows.flatMap((row) => {
      const secret = services.vault.tryOpen(row.id, row.secret);
      // A damaged secret is left out. A caller who knows it can still revoke it.
      if (secret === undefined) noteDamage(services.log, "a bypass secret", row.id);
      return secret === undefined ? [] : [[secret, view(row)] as const];
    }),
  );
}

const settingsName = "the configuration of a project";
