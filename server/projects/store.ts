import type { Updateable } from "kysely";
import type { Account } from "../access/caller";
import { newId } from "../platform/ids";
import { notFound } from "../platform/refusal";
import type { Services } from "../platform/services";
import type { Database, ProjectRow } from "../store/schema";
import { prepared, type Tx } from "../store/store";
import type { CreateProject, Project, ProjectLink, UpdateProject } from "./schema";

/** What a project has that was not given. @choice Typical replies of the public API. @source wire-shapes 3 */
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

/** The fields of the wire that have no column of their own. */
type Settings = {
  [K in Exclude<keyof Project & keyof UpdateProject, ColumnField>]: Project[K];
};
/** Fields with a column of their own. */
type ColumnField = "name" | "nodeVersion" | "gitForkProtection";

export const settingsOf = (row: Pick<ProjectRow, "settings">): Settings => ({
  ...defaults,
  ...JSON.parse(row.settings),
});

const projectById = prepared((tx, p: { account: string; key: string }) =>
  tx.selectFrom("projects").selectAll().where("id", "=", p.key).where("account_id", "=", p.account),
);

const projectByName = prepared((tx, p: { account: string; key: string }) =>
  tx.selectFrom("projects").selectAll().where("account_id", "=", p.account).where("name", "=", p.key),
);

/**
 * Finds a project of an account.
 * @param key id or name. @choice an id wins over a project that bears it as its name
 */
export async function findProject(tx: Tx, account: string, key: string): Promise<ProjectRow | undefined> {
  const byId = key.startsWith("prj_") ? await projectById(tx, { account, key }) : [];
  return byId[0] ?? (await projectByName(tx, { account, key }))[0];
}

/**
 * The project that a path names, for a route's `load`.
 * Another account's project, and one that the caller's installation does not cover, are not found either.
 * @throws Refusal 404
 */
export async function loadProject(call: {
  tx: Tx;
  account: Account;
  caller: { installation: { id: string; selected: boolean } | undefined };
  params: { idOrName: string } | { projectId: string };
}): Promise<{ project: ProjectRow }> {
  const key = "idOrName" in call.params ? call.params.idOrName : call.params.projectId;
  const project = await findProject(call.tx, call.account.id, key);
  const { installation } = call.caller;
  if (project && (!installation?.selected || (await covers(call.tx, installation.id, project.id))))
    return { project };
  throw notFound(`Project ${JSON.stringify(key)}`);
}

/** Whether an installation that sees selected projects only sees this one. */
async function covers(tx: Tx, configuration: string, project: string): Promise<boolean> {
  const row = await tx
    .selectFrom("configuration_projects")
    .select("project_id")
    .where("configuration_id", "=", configuration)
    .where("project_id", "=", project)
    .executeTakeFirst();
  return row !== undefined;
}

/** The time of a change: never the same twice in an account, so that lists can be paged by it. */
async function nextUpdatedAt(tx: Tx, account: string, now: number): Promise<number> {
  const { last } = await tx
    .selectFrom("projects")
    .select((eb) => eb.fn.max("updated_at").as("last"))
    .where("account_id", "=", account)
    .executeTakeFirstOrThrow();
  return Math.max(now, Number(last ?? 0) + 1);
}

/** Writes a new project. Whether its name is free was asked before. */
export async function insertProject(
  tx: Tx,
  account: string,
  now: number,
  body: Omit<CreateProject, "environmentVariables" | "gitRepository">,
  link: { link: ProjectLink; repo: string; repoId: string; repoUrl: string } | undefined,
  id: string = newId("project"),
): Promise<ProjectRow> {
  const { name, ...settings } = body;
  const oidcTokenConfig = { ...defaults.oidcTokenConfig, ...settings.oidcTokenConfig };
  return tx
    .insertInto("projects")
    .values({
      id,
      account_id: account,
      name,
      settings: JSON.stringify({ ...defaults, ...settings, oidcTokenConfig }),
      password: null,
      link: link ? JSON.stringify(link.link) : null,
      repo: link?.repo ?? null,
      repo_id: link?.repoId ?? null,
      repo_url: link?.repoUrl ?? null,
      git_fork_protection: 1,
      node_version: "22.x",
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
      updated_at: await nextUpdatedAt(tx, account, now),
      version: 1,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What serves production in a project whose deployments came before it. */
async function newestProduction(tx: Tx, account: string, name: string): Promise<string | null> {
  const row = await tx
    .selectFrom("deployments")
    .select("id")
    .where("account_id", "=", account)
    .where("name", "=", name)
    .where("target", "=", "production")
    .where("ready_state", "=", "READY")
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * Merges an update into a project: absent keeps, null clears. A rename takes the deployments along, since
 * deployments and project are tied by the name.
 */
export async function applyUpdate(
  tx: Tx,
  services: Pick<Services, "vault">,
  project: ProjectRow,
  body: UpdateProject,
  now: number,
): Promise<ProjectRow> {
  // `previewDeploymentsDisabled` is taken and shows nowhere: no Project field tells of it.
  const {
    name,
    nodeVersion,
    gitForkProtection,
    passwordProtection,
    previewDeploymentsDisabled: _,
    ...rest
  } = body;
  const before = settingsOf(project);
  const settings = { ...before, ...rest };
  const columns: Updateable<Database["projects"]> = {};
  if (passwordProtection !== undefined) {
    settings.passwordProtection = passwordProtection && { deploymentType: passwordProtection.deploymentType };
    if (passwordProtection === null) columns.password = null;
    else if (passwordProtection.password != null) {
      columns.password = services.vault.seal(project.id, passwordProtection.password);
    }
  }
  if (rest.oidcTokenConfig) settings.oidcTokenConfig = { ...before.oidcTokenConfig, ...rest.oidcTokenConfig };
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
  }
  return changeProject(tx, project, { ...columns, settings: JSON.stringify(settings) }, now);
}

/** Changes columns of a project as a change of the project itself: it moves to the front of the list. */
export async function changeProject(
  tx: Tx,
  project: ProjectRow,
  columns: Updateable<Database["projects"]>,
  now: number,
): Promise<ProjectRow> {
  return tx
    .updateTable("projects")
    .set({
      ...columns,
      updated_at: await nextUpdatedAt(tx, project.account_id, now),
      version: project.version + 1,
    })
    .where("id", "=", project.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Notes that something which the project's answer shows has changed: a domain, a variable, a deployment. */
export async function touchProject(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable("projects")
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** Removes a project and all that hangs on it. Its deployments outlive it. */
export async function deleteProject(tx: Tx, id: string): Promise<void> {
  const promotions = tx.selectFrom("promotions").select("id").where("project_id", "=", id);
  await tx.deleteFrom("promotion_aliases").where("promotion_id", "in", promotions).execute();
  for (const table of [
    "promotions",
    "domains",
    "env_slots",
    "env_vars",
    "bypass_secrets",
    "custom_environments",
    "edge_connections",
    "configuration_projects",
  ] as const) {
    await tx.deleteFrom(table).where("project_id", "=", id).execute();
  }
  await tx.deleteFrom("projects").where("id", "=", id).execute();
}
