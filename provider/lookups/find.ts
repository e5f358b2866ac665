import type { Client } from "../client/client";
import { environmentPath, projectPath } from "../client/paths";
import * as responses from "../client/responses";
import { readGroup } from "../resources/access-group/records";
import { findStore } from "../resources/blob-store/records";
import { findConfig } from "../resources/edge-config/records";
import { readGroup as readMicrofrontendGroup } from "../resources/microfrontend/records";
import { readDomainConfig, recommended } from "../resources/project-domain/dns";
import { readOwnTeam } from "../resources/team-config";
import type {
  AccessGroupInfo,
  AliasInfo,
  BlobStoreInfo,
  CustomEnvironmentInfo,
  CustomEnvironmentQuery,
  DomainConfigInfo,
  DomainConfigQuery,
  DomainInfo,
  EdgeConfigInfo,
  EnvVarInfo,
  MicrofrontendGroupInfo,
  ProjectInfo,
  TeamInfo,
} from "./shapes";

/** The largest number of items that one request returns. */
const limit = "100";

/** @throws ApiError 404 */
export async function findProject(client: Client, project: string): Promise<ProjectInfo> {
  return projectInfo(await client.project(project));
}

/** @param search part of the name */
export async function findProjects(client: Client, search?: string): Promise<ProjectInfo[]> {
  const projects = await client.list("/v9/projects", responses.projectList, (page) => page.projects, {
    limit,
    search,
  });
  return projects.map(projectInfo);
}

export async function findDomains(client: Client, project: string): Promise<DomainInfo[]> {
  const { id } = await client.identify(project);
  const path = `${projectPath(id)}/domains`;
  const domains = await client.list(path, responses.domainList, (page) => page.domains, { limit });
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

export async function findDomainConfig(
  client: Client,
  { domain, project }: DomainConfigQuery,
): Promise<DomainConfigInfo> {
  const config = await readDomainConfig(client, domain, project);
  const { cname, ipv4s } = recommended(config);
  return {
    domain,
    configuredBy: config.configuredBy ?? undefined,
    misconfigured: config.misconfigured,
    acceptedChallenges: config.acceptedChallenges ?? [],
    recommendedCname: cname,
    recommendedIpv4s: ipv4s,
  };
}

const isShown = (variable: Pick<responses.Variable, "type" | "decrypted">): boolean =>
  variable.type !== "sensitive" && variable.decrypted !== false && responses.isValueListed(variable);

export async function findVariables(client: Client, project: string): Promise<EnvVarInfo[]> {
  const { id } = await client.identify(project);
  const path = `${projectPath(id)}/env`;
  const variables = await client.list(path, responses.variableList, (page) => page.envs, { decrypt: "true" });
  return variables.map(({ id, key, type, ...rest }) => ({
    id,
    key,
    type,
    value: isShown({ type, ...rest }) ? (rest.value ?? undefined) : undefined,
    target: rest.target ?? [],
    gitBranch: rest.gitBranch ?? undefined,
    comment: rest.comment ?? undefined,
    customEnvironmentIds: rest.customEnvironmentIds ?? [],
  }));
}

/** Returns the aliases of the last promotion; an empty list before the first promotion. */
export async function findPromoteAliases(client: Client, project: string): Promise<AliasInfo[]> {
  const { id } = await client.identify(project);
  const path = `${projectPath(id, "v1")}/promote/aliases`;
  const aliases = await client.list(path, responses.aliasList, (page) => page.aliases ?? [], { limit });
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

/** @throws ApiError 404, Error when several Edge Configs have the slug */
export async function findEdgeConfig(client: Client, edgeConfig: string): Promise<EdgeConfigInfo> {
  const { id, slug, schema, ...rest } = await findConfig(client, edgeConfig);
  return {
    id,
    slug,
    schema: schema ?? undefined,
    digest: rest.digest ?? undefined,
    itemCount: rest.itemCount ?? undefined,
    sizeInBytes: rest.sizeInBytes ?? undefined,
  };
}

export async function findBlobStore(client: Client, blobStore: string): Promise<BlobStoreInfo> {
  const { id, name, access, region, status, count, size } = await findStore(client, blobStore);
  return {
    ...{ id, name, access, region, status: status ?? undefined },
    ...{ fileCount: count ?? undefined, sizeInBytes: size ?? undefined },
  };
}

/** @throws Error without a team, ApiError 403 if the token cannot read the team */
export async function findTeam(client: Client): Promise<TeamInfo> {
  const { id, slug, name, sensitiveEnvironmentVariablePolicy } = await readOwnTeam(client);
  return {
    id,
    slug,
    name: textOrUndefined(name),
    sensitiveEnvironmentVariablePolicy: textOrUndefined(sensitiveEnvironmentVariablePolicy),
  };
}

/** @throws ApiError 404 */
export async function findAccessGroup(client: Client, accessGroup: string): Promise<AccessGroupInfo> {
  const { accessGroupId: id, name, membersCount, projectsCount } = await readGroup(client, accessGroup);
  return {
    id,
    name,
    membersCount: membersCount ?? undefined,
    projectsCount: projectsCount ?? undefined,
  };
}

/** @throws ApiError 404 */
export async function findMicrofrontendGroup(
  client: Client,
  idOrName: string,
): Promise<MicrofrontendGroupInfo> {
  const { id, name, slug, fallbackEnvironment, members } = await readMicrofrontendGroup(client, idOrName);
  const idsOf = (isDefault: boolean): string[] =>
    members.filter(({ isDefaultApp }) => isDefaultApp === isDefault).map(({ projectId }) => projectId);
  return {
    ...{ id, name, slug, projectIds: idsOf(false) },
    defaultAppProjectId: idsOf(true)[0],
    fallbackEnvironment: textOrUndefined(fallbackEnvironment),
  };
}

const projectInfo = (project: responses.Project): ProjectInfo => ({
  id: project.id,
  name: project.name,
  accountId: project.accountId,
  framework: textOrUndefined(project.framework),
  nodeVersion: textOrUndefined(project.nodeVersion),
  paused: project.paused ?? false,
  production: project.targets?.production?.id,
});

const textOrUndefined = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;
