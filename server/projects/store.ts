import { isDeepStrictEqual } from "node:util";
import type { Updateable } from "kysely";
import { changeProject, nextUpdatedAt, storedSettings } from "../access/project-store";
import { renameAliases } from "../deployments/promotion";
import { isNotStaged } from "../deployments/store";
import { newId } from "../platform/ids";
import type { Services } from "../platform/services";
import { findRow } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { Database } from "../store/tables";
import { deploymentTables, projectTables } from "../store/tables";
import { mergeNewer } from "./newer-settings";
import { type ProjectRow, projects } from "./object";
import { mergeMachines, resourceConfigOf } from "./resource-config";
import type { CreateProject, Project, ProjectLink, UpdateProject } from "./schema";

/** The defaults of a new project. @choice Typical answers of the public API have these values. @source wire-shapes 3 */
const defaults = {
  directoryListing: false,
  autoAssignCustomDomains: true,
  autoExposeSystemEnvs: true,
  gitLFS: false,
  sourceFilesOutsideRootDirectory: true,
  oidcTokenConfig: { enabled: true, issuerMode: "global" as "global" | "team" },
  framework: null,
  buildCommand: null,
  commandForIgnoringBuildStep: null,
  devCommand: null,
  installCommand: null,
  outputDirectory: null,
  rootDirectory: null,
  serverlessFunctionRegion: null,
  optionsAllowlist: null,
  passwordProtection: null,
  ssoProtection: null,
  trustedIps: null,
};

/** The fields without a column of their own. */
type Settings = {
  [K in Exclude<keyof Project & keyof UpdateProject, ColumnField>]: Project[K];
} & Partial<Pick<Project, "crons" | "deploymentExpiration" | "rollingRelease" | "security" | InsightsField>>;
type InsightsField = "webAnalytics" | "speedInsights";
/** Fields with a column of their own. */
type ColumnField = "name" | "nodeVersion" | "gitForkProtection";

/** The settings of a project. If the stored settings are damaged, returns the defaults; an update then stores these. */
export function settingsOf(row: Pick<ProjectRow, "settings">, stored = storedSettings(row)): Settings {
  const settings = { ...defaults, ...(stored as Settings | undefined) } as Settings;
  settings.resourceConfig = resourceConfigOf(settings);
  return settings;
}

/** The settings of a new project. Its first deployment can set two of them that `POST /projects` cannot. */
export type NewProject = Omit<CreateProject, "environmentVariables" | "gitRepository"> &
  Pick<UpdateProject, "nodeVersion" | "sourceFilesOutsideRootDirectory">;

/** Writes a new project. The caller has checked that the name is free. */
export async function insertProject(
  { tx, now }: Unit,
  account: string,
  body: NewProject,
  link: { link: ProjectLink; repo: string; repoId: string; repoUrl: string } | undefined,
  id: string = newId(projects),
): Promise<ProjectRow> {
  const { name, nodeVersion = "22.x", ...settings } = body;
  const oidcTokenConfig = { ...defaults.oidcTokenConfig, ...settings.oidcTokenConfig };
  return tx
    .insertInto("projects")
    .values({
      id,
      account_id: account,
      name,
      settings: JSON.stringify({
        ...defaults,
        ...settings,
        ...mergeNewer({}, settings, now),
        ...mergeMachines(defaults, settings),
        oidcTokenConfig,
      }),
      password: null,
      link: link ? JSON.stringify(link.link) : null,
      repo: link?.repo ?? null,
      repo_id: link?.repoId ?? null,
      repo_url: link?.repoUrl ?? null,
      git_fork_protection: 1,
      node_version: nodeVersion,
      paused: 0,
      data_cache_disabled: 0,
      production_deployment_id: await newestProduction(tx, account, name),
      last_rollback_target: null,
      transfer_started_at: null,
      transfer_to_account_id: null,
      transfer_completed_at: null,
      transferred_from_account_id: null,
      env_totals: "{}",
      created_at: now,
      updated_at: await nextUpdatedAt({ tx, now }, account),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The production deployment of a new project, if deployments with its name were created before it. */
async function newestProduction(tx: Tx, account: string, name: string): Promise<string | null> {
  const row = await tx
    .selectFrom("deployments")
    .select("id")
    .where("account_id", "=", account)
    .where("name", "=", name)
    .where("target", "=", "production")
    .where("ready_state", "=", "READY")
    .where(isNotStaged)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * Merges an update into a project. Absent members keep their value, and null clears a value. An update without changes
 * writes nothing. A rename also changes the deployments, because they refer to the project by name.
 */
export async function applyUpdate(
  { tx, now }: Unit,
  services: Pick<Services, "vault">,
  project: ProjectRow,
  body: UpdateProject,
): Promise<ProjectRow> {
  const { name, nodeVersion, gitForkProtection, passwordProtection, ...rest } = body;
  const before = settingsOf(project);
  const settings: Settings = {
    ...before,
    ...(rest as Partial<Settings>),
    ...mergeNewer(before, rest, now),
    ...mergeMachines(before, rest),
  };
  for (const field of absentWhenNull) if (body[field] === null) delete settings[field];
  const columns: Updateable<Database["projects"]> = {};
  if (passwordProtection !== undefined) {
    settings.passwordProtection = passwordProtection && { deploymentType: passwordProtection.deploymentType };
    if (passwordProtection === null) columns.password = null;
    else if (
      passwordProtection.password != null &&
      !hasPassword(services, project, passwordProtection.password)
    ) {
      columns.password = services.vault.seal(project.id, passwordProtection.password);
    }
  }
  if (rest.oidcTokenConfig) {
    const { enabled, issuerMode = before.oidcTokenConfig.issuerMode } = rest.oidcTokenConfig;
    settings.oidcTokenConfig = { enabled, issuerMode };
  }
  if (nodeVersion !== undefined) columns.node_version = nodeVersion;
  if (gitForkProtection !== undefined) columns.git_fork_protection = gitForkProtection ? 1 : 0;
  if (name !== undefined && name !== project.name) {
    columns.name = name;
    await tx
      .updateTable("deployments")
      .set({ name })
      .where("account_id", "=", project.account_id)
      .where("name", "=", project.name)
      .execute();
    await renameAliases(tx, project, name);
  }
  const isSame = Object.entries(columns).every(
    ([column, value]) => project[column as keyof ProjectRow] === value,
  );
  if (isSame && storedSettings(project) && isDeepStrictEqual(plain(settings), plain(before))) return project;
  return changeProject({ tx, now }, project, { ...columns, settings: JSON.stringify(settings) });
}

/** Fields that are absent in answers, never null, when they are not set. */
const absentWhenNull = [
  "autoAssignCustomDomainsUpdatedBy",
  "skewProtectionBoundaryAt",
  "skewProtectionMaxAge",
] as const;

const hasPassword = (
  { vault }: Pick<Services, "vault">,
  { id, password }: ProjectRow,
  given: string,
): boolean => password !== null && vault.tryOpen(id, password) === given;

/** The stored form, without undefined members. */
const plain = (settings: Settings): unknown => JSON.parse(JSON.stringify(settings));

/**
 * Returns the first time, from `given` on, at which no other project of the account was changed. Lists of projects are
 * paged by this time.
 */
export async function freeUpdatedAt(
  tx: Tx,
  { id, account_id }: Pick<ProjectRow, "id" | "account_id">,
  given: number,
): Promise<number> {
  for (let at = given; ; at++) {
    const other = await findRow(tx, "projects", { account_id, updated_at: at });
    if (other === undefined || other.id === id) return at;
  }
}

/**
 * Removes a project and everything that belongs to it.
 * @choice Its deployments are deleted too. Otherwise a later project with the same name would get them.
 */
export async function deleteProject(tx: Tx, { id, account_id, name }: ProjectRow): Promise<void> {
  const promotions = tx.selectFrom("promotions").select("id").where("project_id", "=", id);
  await tx.deleteFrom("promotion_aliases").where("promotion_id", "in", promotions).execute();
  for (const table of projectTables) await tx.deleteFrom(table).where("project_id", "=", id).execute();
  const deployments = tx
    .selectFrom("deployments")
    .select("id")
    .where("account_id", "=", account_id)
    .where("name", "=", name);
  for (const table of deploymentTables)
    await tx.deleteFrom(table).where("deployment_id", "in", deployments).execute();
  await tx.deleteFrom("deployments").where("account_id", "=", account_id).where("name", "=", name).execute();
  await tx.deleteFrom("projects").where("id", "=", id).execute();
}
