import type { Client } from "./client/client";
import { ifFound } from "./client/errors";
import { environmentPath, projectPath } from "./client/paths";
import * as responses from "./client/responses";
import { pause } from "./client/step-limits";

/** Lookups: reads for programs, without declaring a resource. */

export interface ProjectInfo {
  id: string;
  name: string;
  /** Id of the team or user that the project belongs to. */
  accountId: string;
  framework: string | undefined;
  nodeVersion: string | undefined;
  paused: boolean;
  /** Id of the deployment that serves production. */
  production: string | undefined;
}

export interface DomainInfo {
  name: string;
  apexName: string;
  projectId: string;
  verified: boolean;
  gitBranch: string | undefined;
  redirect: string | undefined;
  redirectStatusCode: number | undefined;
  /** Id of the custom environment that it serves. */
  customEnvironmentId: string | undefined;
  /** DNS records of which one proves the domain; empty when it is verified. */
  verification: { type: string; domain: string; value: string }[];
}

export interface EnvVarInfo {
  id: string;
  key: string;
  /** Undefined when the service does not tell it. */
  value: string | undefined;
  type: string;
  target: string[];
  gitBranch: string | undefined;
  comment: string | undefined;
  customEnvironmentIds: string[];
}

export interface AliasInfo {
  alias: string;
  /** completed, failed, skipped, pending or in-progress. */
  status: string;
}

export interface DeploymentInfo {
  id: string;
  url: string | undefined;
  /** QUEUED, INITIALIZING, BUILDING, READY, ERROR or CANCELED. */
  readyState: string;
  /** production, or undefined for a preview. */
  target: string | undefined;
  createdAt: number | undefined;
}

export interface CustomEnvironmentInfo {
  /** Id of the environment, as `customEnvironmentIds` and `customEnvironmentId` take it. */
  id: string;
  projectId: string;
  slug: string;
  description: string | undefined;
  /** Branches whose deployments go to the environment. */
  branchMatcher: { type: string; pattern: string } | undefined;
}

/** The query for a custom environment. */
export interface CustomEnvironmentQuery {
  /** Id or name of the project. */
  project: string;
  /** Slug or id of the environment. */
  environment: string;
}

/** The query for a deployment: by id, commit or branch, or else the newest one. */
export interface DeploymentQuery {
  /** Id or name of the project. */
  project: string;
  /** Id of the deployment. */
  id?: string | undefined;
  /** Commit that was deployed. */
  gitSha?: string | undefined;
  /** Branch whose newest deployment is meant. */
  branch?: string | undefined;
  /** Waits until it is there and ready; fails when its build fails. */
  waitUntilReady?: boolean | undefined;
  /** How long to wait (milliseconds); by default ten minutes. */
  timeoutMs?: number | undefined;
}

/** @throws ApiError 404 */
export async function findProject(client: Client, project: string): Promise<ProjectInfo> {
  return infoOf(await client.project(project));
}

/** @param search part of the name */
export async function findProjects(client: Client, search?: string): Promise<ProjectInfo[]> {
  const query = { limit: "100", search };
  return (await client.list("/v9/projects", responses.projectList, (page) => page.projects, query)).map(
    infoOf,
  );
}

export async function findDomains(client: Client, project: string): Promise<DomainInfo[]> {
  const { id } = await client.identify(project);
  const path = `${projectPath(id)}/domains`;
  const domains = await client.list(path, responses.domainList, (page) => page.domains, { limit: "100" });
  return domains.map(({ name, apexName, projectId, verified, ...rest }) => ({
    name,
    apexName,
    projectId,
    verified,
    gitBranch: rest.gitBranch ?? undefined,
    redirect: rest.redirect ?? undefined,
    redirectStatusCode: rest.redirectStatusCode ?? undefined,
    customEnvironmentId: rest.customEnvironmentId ?? undefined,
    verification: (rest.verification ?? []).map(({ type, domain, value }) => ({ type, domain, value })),
  }));
}

export async function findVariables(client: Client, project: string): Promise<EnvVarInfo[]> {
  const { id } = await client.identify(project);
  const path = `${projectPath(id)}/env`;
  const variables = await client.list(path, responses.variableList, (page) => page.envs, { decrypt: "true" });
  return variables.map(({ id, key, type, ...rest }) => ({
    id,
    key,
    type,
    value: type === "sensitive" || rest.decrypted === false ? undefined : (rest.value ?? undefined),
    target: rest.target ?? [],
    gitBranch: rest.gitBranch ?? undefined,
    comment: rest.comment ?? undefined,
    customEnvironmentIds: rest.customEnvironmentIds ?? [],
  }));
}

/** The aliases of the last promotion; empty when nothing was promoted yet. */
export async function findPromoteAliases(client: Client, project: string): Promise<AliasInfo[]> {
  const { id } = await client.identify(project);
  const path = `${projectPath(id, "v1")}/promote/aliases`;
  const aliases = await client.list(path, responses.aliasList, (page) => page.aliases ?? [], {
    limit: "100",
  });
  return aliases.map(({ alias, status }) => ({ alias, status }));
}

/** @throws ApiError 404 */
export async function findCustomEnvironment(
  client: Client,
  { project, environment }: CustomEnvironmentQuery,
): Promise<CustomEnvironmentInfo> {
  const { id: projectId } = await client.identify(project);
  const found = await client.get(environmentPath(projectId, environment), responses.customEnvironment);
  const { id, slug, description, branchMatcher } = found;
  return {
    id,
    projectId,
    slug,
    description: description ?? undefined,
    branchMatcher: branchMatcher ? { type: branchMatcher.type, pattern: branchMatcher.pattern } : undefined,
  };
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** How often a wait tells what it waits for. */
const remindMs = 60_000;

/**
 * @param say told at once, and then now and then, what is waited for
 * @throws Error when there is none, when its build failed, or when it is not ready in time
 */
export async function findDeployment(
  client: Client,
  query: DeploymentQuery,
  say: (message: string) => void = () => {},
): Promise<DeploymentInfo> {
  const { waitUntilReady = false, timeoutMs = 600_000 } = query;
  const { id: projectId } = await client.identify(query.project);
  const deadline = Date.now() + timeoutMs;
  const meant = `the deployment ${describe(query)} of the project ${query.project}`;
  let tellAt = Date.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const found = await newest(client, projectId, query);
    if (found?.readyState === "READY" || (found && !waitUntilReady)) return found;
    if (found && /^(ERROR|CANCELED)$/.test(found.readyState)) {
      throw new Error(
        `${meant} is ${found.readyState} (${found.id}). See the log of its build, and deploy again.`,
      );
    }
    const what = found ? `is ${found.readyState} (${found.id})` : "was not found";
    if (!waitUntilReady || Date.now() + pauseMs > deadline) {
      throw new Error(
        `${meant} ${what}${waitUntilReady ? ` after ${timeoutMs / 1000} s; give it longer with timeoutMs` : ""}. ` +
          "Check that it was pushed and is being built.",
      );
    }
    if (Date.now() >= tellAt) {
      const seconds = Math.round((deadline - Date.now()) / 1000);
      say(`${meant} ${found ? what : "is not there yet"}: waiting for up to ${seconds} s.`);
      tellAt = Date.now() + remindMs;
    }
    await pause(pauseMs);
  }
}

/** @source wire-shapes 11 */
async function newest(
  client: Client,
  projectId: string,
  { id, gitSha, branch }: DeploymentQuery,
): Promise<DeploymentInfo | undefined> {
  if (id !== undefined) {
    const path = `/v13/deployments/${encodeURIComponent(id)}`;
    const found = await ifFound(client.get(path, responses.deployment));
    const foreign = found?.projectId != null && found.projectId !== projectId;
    return found && !foreign ? deploymentOf(found, found.id) : undefined;
  }
  const { deployments } = await client.get("/v6/deployments", responses.deploymentList, {
    projectId,
    sha: gitSha,
    branch,
    limit: "1",
  });
  const [found] = deployments;
  const foundId = found?.id ?? found?.uid;
  return found && foundId != null ? deploymentOf(found, foundId) : undefined;
}

const deploymentOf = (
  {
    url,
    readyState,
    target,
    createdAt,
  }: Pick<responses.Deployment, "url" | "readyState" | "target" | "createdAt">,
  id: string,
): DeploymentInfo => ({
  id,
  url: url ?? undefined,
  readyState: readyState ?? "READY",
  target: target ?? undefined,
  createdAt: createdAt ?? undefined,
});

const describe = ({ id, gitSha, branch }: DeploymentQuery): string =>
  [id, gitSha && `of commit ${gitSha}`, branch && `of branch ${branch}`].filter(Boolean).join(" ") ||
  "that is newest";

const infoOf = (project: responses.Project): ProjectInfo => ({
  id: project.id,
  name: project.name,
  accountId: project.accountId,
  framework: textOf(project.framework),
  nodeVersion: textOf(project.nodeVersion),
  paused: project.paused ?? false,
  production: project.targets?.production?.id,
});

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
