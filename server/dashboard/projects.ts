import { findProject, findProjectNames } from "../access/project-store";
import type { DeploymentRow } from "../deployments/object";
import { deploymentWithCreator, findDeployment } from "../deployments/store";
import { outdatedVariables } from "../deployments/variable-store";
import { challengeOf } from "../domains/names";
import type { DomainRow } from "../domains/object";
import { domainsOf } from "../domains/store";
import type { EnvVarRow } from "../env/object";
import { notFound } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { settingsOf } from "../projects/store";
import type { Tx } from "../store/store";
import { viewSettings } from "./settings";
import {
  countParts,
  type Found,
  findDeploymentsOf,
  findDomains,
  findEnvironmentSlugs,
  findForMap,
  findProjects,
  findPromotions,
  findRecords,
  findVariables,
  findVariablesOf,
} from "./store";
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

/** The largest number of projects on a map. */
const mapSize = 200;
const deploymentsShown = 50;
const stepsShown = 50;

export async function listProjects(
  tx: Tx,
  account: string,
  options: { search: string; byName: boolean; skip: number },
): Promise<Page<ProjectItem>> {
  const { rows, total, hasMore } = await findProjects(tx, account, options);
  const next = hasMore ? String(options.skip + rows.length) : null;
  return { items: await describeProjects(tx, rows), total, next };
}

/** Adds to each project its production deployment, and how many domains and variables it has. */
export async function describeProjects(
  tx: Tx,
  rows: readonly (ProjectRow & { active_at?: number })[],
): Promise<ProjectItem[]> {
  if (rows.length === 0) return [];
  const countsOf = await countParts(
    tx,
    rows.map(({ id }) => id),
  );
  return Promise.all(
    rows.map(async (row) => {
      const serving = row.production_deployment_id;
      const [production] = serving === null ? [] : await deploymentWithCreator(tx, serving);
      return {
        id: row.id,
        name: row.name,
        framework: settingsOf(row).framework ?? null,
        paused: row.paused === 1,
        transferring: row.transfer_to_account_id !== null,
        production: production ? viewDeployment(production) : null,
        repository: row.repo,
        ...countsOf(row.id),
        activeAt: row.active_at ?? row.updated_at,
      };
    }),
  );
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
  const production = row.production_deployment_id
    ? await findDeployment(tx, row.production_deployment_id)
    : undefined;
  const deployments = await findDeploymentsOf(tx, row, deploymentsShown);
  return {
    project: { ...project, activeAt: Math.max(row.updated_at, deployments[0]?.created_at ?? 0) },
    settings: viewSettings(row),
    domains: await describeDomains(tx, await domainsOf(tx, row.id), [row]),
    variables: await describeVariables(tx, await findVariablesOf(tx, row.id), [row]),
    deployments: deployments.map(viewDeployment),
    outdated: production ? await outdatedVariables(tx, row, production) : [],
    timeline: await timelineOf(tx, row.id),
  };
}

/** The promotions and rollbacks of a project, the newest first. */
export async function timelineOf(tx: Tx, project: string): Promise<Step[]> {
  const rows = await findPromotions(tx, project, stepsShown);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    status: row.status,
    from: row.from_deployment_id,
    to: row.to_deployment_id,
    requestedAt: row.requested_at,
    failedAliases: isRunning(row.status) ? [] : row.failed,
  }));
}

const isRunning = (status: string): boolean => status === "pending" || status === "in-progress";

interface Search {
  search?: string;
  /** How many items the previous pages had. */
  skip?: number;
}

/** Lists the domains of an account, the unverified ones first, then by name. */
export async function listDomains(
  tx: Tx,
  account: string,
  { search = "", skip = 0 }: Search,
): Promise<Page<DomainItem>> {
  const found = await findDomains(tx, account, search, skip);
  const projects = await namesFor(tx, found.rows);
  return pageOf(found, skip, await describeDomains(tx, found.rows, projects));
}

/** @param skip how many items the previous pages had */
export const pageOf = <Item>(
  { rows, total, hasMore }: Found<unknown>,
  skip: number,
  items: Item[],
): Page<Item> => ({
  items,
  total,
  next: hasMore ? String(skip + rows.length) : null,
});

type Named = Pick<ProjectRow, "id" | "name">;

const namesFor = (tx: Tx, rows: readonly { project_id: string }[]): Promise<Named[]> =>
  findProjectNames(
    tx,
    rows.map(({ project_id }) => project_id),
  );

async function describeDomains(
  tx: Tx,
  rows: readonly DomainRow[],
  projects: readonly Named[],
): Promise<DomainItem[]> {
  const challenges = rows.filter(({ verified }) => verified === 0).map(challengeOf);
  const zone = await findRecords(
    tx,
    challenges.map(({ domain }) => domain),
  );
  const environments = await findEnvironmentSlugs(
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
  { search = "", skip = 0 }: Search,
): Promise<Page<VariableItem>> {
  const found = await findVariables(tx, account, search, skip);
  const projects = await namesFor(tx, found.rows);
  return pageOf(found, skip, await describeVariables(tx, found.rows, projects));
}

async function describeVariables(
  tx: Tx,
  rows: readonly EnvVarRow[],
  projects: readonly Named[],
): Promise<VariableItem[]> {
  const idsOf = (row: EnvVarRow): string[] => JSON.parse(row.custom_environment_ids);
  const environments = await findEnvironmentSlugs(tx, rows.flatMap(idsOf));
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

const nameOf = (projects: readonly Named[], id: string): string =>
  projects.find((project) => project.id === id)?.name ?? id;

/** Lists the projects that have domains for the map, the last changed first, with their domains. */
export async function drawMap(tx: Tx, account: string, search = ""): Promise<AccountMap> {
  const { projects, domains, withDomains, total } = await findForMap(tx, account, search, mapSize);
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
    more: withDomains - projects.length,
    bare: total - withDomains,
  };
}
