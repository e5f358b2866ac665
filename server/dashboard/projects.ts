// Longer than other files: all views of projects are here, each with its query.

import { sql } from "kysely";
import { findProject, findProjectNames } from "../access/projects";
import { findDeployment } from "../deployments/store";
import { outdatedVariables } from "../deployments/variable-store";
import { challengeOf } from "../domains/names";
import { domainsOf } from "../domains/store";
import { notFound } from "../platform/refusal";
import { settingsOf } from "../projects/store";
import type { DeploymentRow, DomainRow, EnvVarRow, ProjectRow } from "../store/schema";
import type { Tx } from "../store/store";
import { viewSettings } from "./settings";
import type {
  AccountMap,
  DeploymentItem,
  DomainItem,
  Page,
  ProjectDetail,
  ProjectItem,
  Step,
  VariableItem,
} from "./wire";

/** The views of projects with their domains, variables and deployments, without values of variables. */

const pageSize = 50;
/** The largest number of projects on a map. */
const mapSize = 60;
const deploymentsShown = 50;
const stepsShown = 50;

const likeOf = (search: string): string => `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;

/** @param until the `next` of the previous page */
export async function listProjects(
  tx: Tx,
  account: string,
  { search = "", until }: { search?: string; until?: number | undefined },
): Promise<Page<ProjectItem>> {
  const matching = tx
    .selectFrom("projects")
    .where("account_id", "=", account)
    .where(sql<boolean>`lower(name) like ${likeOf(search)} escape '\\'`);
  const rows = await matching
    .selectAll()
    .where("updated_at", "<", until ?? Number.MAX_SAFE_INTEGER)
    .orderBy("updated_at", "desc")
    .limit(pageSize + 1)
    .execute();
  const { total } = await matching.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow();
  const shown = rows.slice(0, pageSize);
  return {
    items: await describeProjects(tx, shown),
    total: Number(total),
    next: rows.length > pageSize ? String(shown.at(-1)?.updated_at) : null,
  };
}

/** Adds the production deployment and the numbers of domains and variables. */
export async function describeProjects(tx: Tx, rows: readonly ProjectRow[]): Promise<ProjectItem[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const serving = rows.flatMap(({ production_deployment_id }) => production_deployment_id ?? []);
  const deployments =
    serving.length === 0
      ? []
      : await tx.selectFrom("deployments").selectAll().where("id", "in", serving).execute();
  const domains = await tx
    .selectFrom("domains")
    .select((eb) => ["project_id", eb.fn.countAll().as("count"), eb.fn.sum("verified").as("verified")])
    .where("project_id", "in", ids)
    .groupBy("project_id")
    .execute();
  const variables = await tx
    .selectFrom("env_vars")
    .select((eb) => ["project_id", eb.fn.countAll().as("count")])
    .where("project_id", "in", ids)
    .groupBy("project_id")
    .execute();
  return rows.map((row) => {
    const production = deployments.find(({ id }) => id === row.production_deployment_id);
    const names = domains.find(({ project_id }) => project_id === row.id);
    const variable = variables.find(({ project_id }) => project_id === row.id);
    return {
      id: row.id,
      name: row.name,
      framework: settingsOf(row).framework ?? null,
      paused: row.paused === 1,
      transferring: row.transfer_to_account_id !== null,
      production: production ? viewDeployment(production) : null,
      repository: row.repo,
      domains: Number(names?.count ?? 0),
      unverified: Number(names?.count ?? 0) - Number(names?.verified ?? 0),
      variables: Number(variable?.count ?? 0),
      updatedAt: row.updated_at,
    };
  });
}

export const viewDeployment = (row: DeploymentRow): DeploymentItem => ({
  id: row.id,
  url: row.url,
  readyState: row.ready_state,
  target: row.target,
  branch: row.git_branch,
  sha: row.git_sha,
  createdAt: row.created_at,
});

/** @throws Refusal 404 */
export async function showProject(tx: Tx, account: string, key: string): Promise<ProjectDetail> {
  const row = await findProject(tx, account, key);
  const [project] = row ? await describeProjects(tx, [row]) : [];
  if (!row || !project) throw notFound(`Project ${JSON.stringify(key)}`);
  const deployments = await tx
    .selectFrom("deployments")
    .selectAll()
    .where("account_id", "=", account)
    .where("name", "=", row.name)
    .orderBy("created_at", "desc")
    .limit(deploymentsShown)
    .execute();
  const variables = await tx
    .selectFrom("env_vars")
    .selectAll()
    .where("project_id", "=", row.id)
    .orderBy("key")
    .orderBy("created_at")
    .execute();
  const production = row.production_deployment_id
    ? await findDeployment(tx, row.production_deployment_id)
    : undefined;
  return {
    project,
    settings: viewSettings(row),
    domains: await describeDomains(tx, await domainsOf(tx, row.id), [row]),
    variables: await describeVariables(tx, variables, [row]),
    deployments: deployments.map(viewDeployment),
    outdated: production ? await outdatedVariables(tx, row, production) : [],
    timeline: await timelineOf(tx, row.id),
  };
}

/** The promotions and rollbacks of a project, the newest first. */
export async function timelineOf(tx: Tx, project: string): Promise<Step[]> {
  const rows = await tx
    .selectFrom("promotions")
    .selectAll()
    .where("project_id", "=", project)
    .orderBy("requested_at", "desc")
    .limit(stepsShown)
    .execute();
  if (rows.length === 0) return [];
  const failed = await tx
    .selectFrom("promotion_aliases")
    .select(["promotion_id", "alias"])
    .where(
      "promotion_id",
      "in",
      rows.map(({ id }) => id),
    )
    .where("outcome", "=", "failed")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    status: row.status,
    from: row.from_deployment_id,
    to: row.to_deployment_id,
    requestedAt: row.requested_at,
    failedAliases: failed
      .filter(({ promotion_id }) => promotion_id === row.id && !isRunning(row.status))
      .map(({ alias }) => alias),
  }));
}

const isRunning = (status: string): boolean => status === "pending" || status === "in-progress";

/** Lists the domains of an account, the unverified ones first, then by name. */
export async function listDomains(
  tx: Tx,
  account: string,
  { search = "", skip = 0 }: { search?: string; skip?: number },
): Promise<Page<DomainItem>> {
  const matching = tx
    .selectFrom("domains")
    .where("account_id", "=", account)
    .where(sql<boolean>`name like ${likeOf(search)} escape '\\'`);
  const rows = await matching
    .selectAll()
    .orderBy("verified")
    .orderBy("name")
    .orderBy("id")
    .offset(skip)
    .limit(pageSize + 1)
    .execute();
  const { total } = await matching.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow();
  return pageOf(rows, skip, Number(total), async (shown) =>
    describeDomains(
      tx,
      shown,
      await findProjectNames(
        tx,
        shown.map(({ project_id }) => project_id),
      ),
    ),
  );
}

/** Makes a page. The query asks for one row more than a page has, to know whether there is a next page. */
async function pageOf<Row, Item>(
  rows: readonly Row[],
  skip: number,
  total: number,
  describe: (shown: readonly Row[]) => Promise<Item[]>,
): Promise<Page<Item>> {
  return {
    items: await describe(rows.slice(0, pageSize)),
    total,
    next: rows.length > pageSize ? String(skip + pageSize) : null,
  };
}

async function describeDomains(
  tx: Tx,
  rows: readonly DomainRow[],
  projects: readonly Pick<ProjectRow, "id" | "name">[],
): Promise<DomainItem[]> {
  const challenges = rows.filter(({ verified }) => verified === 0).map(challengeOf);
  const zone =
    challenges.length === 0
      ? []
      : await tx
          .selectFrom("dns_records")
          .select(["name", "value"])
          .where(
            "name",
            "in",
            challenges.map(({ domain }) => domain),
          )
          .execute();
  const environments = await slugsOf(
    tx,
    rows.flatMap(({ custom_environment_id: id }) => id ?? []),
  );
  return rows.map((row) => {
    const { domain, value } = challengeOf(row);
    const published = zone.some((record) => record.name === domain && record.value === value);
    return {
      name: row.name,
      apexName: row.apex_name,
      projectId: row.project_id,
      project: nameOf(projects, row.project_id),
      verified: row.verified === 1,
      redirect: row.redirect,
      redirectStatusCode: row.redirect_status_code,
      gitBranch: row.git_branch,
      environment: environments.get(row.custom_environment_id ?? "") ?? null,
      records: row.verified === 1 ? [] : [{ type: "TXT", name: domain, value, published }],
    };
  });
}

/** Lists the variables of an account by key. */
export async function listVariables(
  tx: Tx,
  account: string,
  { search = "", skip = 0 }: { search?: string; skip?: number },
): Promise<Page<VariableItem>> {
  const matching = tx
    .selectFrom("env_vars")
    .innerJoin("projects", "projects.id", "env_vars.project_id")
    .where("projects.account_id", "=", account)
    .where(sql<boolean>`lower(env_vars.key) like ${likeOf(search)} escape '\\'`);
  const rows = await matching
    .selectAll("env_vars")
    .orderBy("env_vars.key")
    .orderBy("projects.name")
    .orderBy("env_vars.id")
    .offset(skip)
    .limit(pageSize + 1)
    .execute();
  const { total } = await matching.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow();
  return pageOf(rows, skip, Number(total), async (shown) =>
    describeVariables(
      tx,
      shown,
      await findProjectNames(
        tx,
        shown.map(({ project_id }) => project_id),
      ),
    ),
  );
}

async function describeVariables(
  tx: Tx,
  rows: readonly EnvVarRow[],
  projects: readonly Pick<ProjectRow, "id" | "name">[],
): Promise<VariableItem[]> {
  const idsOf = (row: EnvVarRow): string[] => JSON.parse(row.custom_environment_ids);
  const environments = await slugsOf(tx, rows.flatMap(idsOf));
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    project: nameOf(projects, row.project_id),
    key: row.key,
    type: row.type,
    target: JSON.parse(row.target),
    environments: idsOf(row).map((id) => environments.get(id) ?? id),
    gitBranch: row.git_branch,
    comment: row.comment,
    updatedAt: row.updated_at,
  }));
}

/** Lists the projects and domains for the map, the last changed first. */
export async function drawMap(tx: Tx, account: string, search = ""): Promise<AccountMap> {
  const matching = tx
    .selectFrom("projects")
    .where("account_id", "=", account)
    .where(sql<boolean>`lower(name) like ${likeOf(search)} escape '\\'`);
  const projects = await matching.selectAll().orderBy("updated_at", "desc").limit(mapSize).execute();
  const { total } = await matching.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow();
  const domains =
    projects.length === 0
      ? []
      : await tx
          .selectFrom("domains")
          .selectAll()
          .where(
            "project_id",
            "in",
            projects.map(({ id }) => id),
          )
          .orderBy("name")
          .execute();
  return {
    projects: projects.map((row) => ({
      id: row.id,
      name: row.name,
      paused: row.paused === 1,
      live: row.production_deployment_id !== null && row.paused === 0,
    })),
    domains: domains.map((row) => ({
      name: row.name,
      projectId: row.project_id,
      verified: row.verified === 1,
      redirect: row.redirect,
    })),
    more: Number(total) - projects.length,
  };
}

const nameOf = (projects: readonly Pick<ProjectRow, "id" | "name">[], id: string): string =>
  projects.find((project) => project.id === id)?.name ?? id;

async function slugsOf(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom("custom_environments")
    .select(["id", "slug"])
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}
