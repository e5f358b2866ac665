import { findDeployment, findDeployments } from "./deployment";
import * as find from "./find";
import { listLookup, lookup } from "./lookup";
import {
  AccessGroupInfo,
  AccessGroupQuery,
  AliasInfo,
  BlobStoreInfo,
  BlobStoreQuery,
  CustomEnvironmentInfo,
  CustomEnvironmentQuery,
  DeploymentInfo,
  DeploymentQuery,
  DeploymentsQuery,
  DomainConfigInfo,
  DomainConfigQuery,
  DomainInfo,
  EdgeConfigInfo,
  EdgeConfigQuery,
  EnvVarInfo,
  MicrofrontendGroupInfo,
  MicrofrontendGroupQuery,
  ProjectInfo,
  ProjectLookup,
  ProjectSearch,
  TeamInfo,
  TeamQuery,
} from "./shapes";

/**
 * All look-ups. The functions of the npm package and of the plugin, and their schema, are generated from this table.
 * The comments become their descriptions.
 */
export const lookups = {
  /** Finds a project by id or name. */
  getProject: lookup({
    args: ProjectLookup,
    result: ProjectInfo,
    find: (client, { project }) => find.findProject(client, project),
  }),
  /** Lists the projects of the account. With `search`, lists only projects with this text in their name. */
  getProjects: listLookup({
    args: ProjectSearch,
    result: ProjectInfo,
    list: "projects",
    find: (client, { search }) => find.findProjects(client, search),
  }),
  /** Lists the domains of a project. */
  getProjectDomains: listLookup({
    args: ProjectLookup,
    result: DomainInfo,
    list: "domains",
    find: (client, { project }) => find.findDomains(client, project),
  }),
  /** Reads whether the DNS records of a domain point at Vercel, and which records to publish. */
  getDomainConfig: lookup({
    args: DomainConfigQuery,
    result: DomainConfigInfo,
    find: find.findDomainConfig,
  }),
  /**
   * Lists the environment variables of a project. Only the npm package `slipway` returns the values. In YAML and the
   * SDKs of the plugin, the values would not be secret: read a value with `EnvVar.get` instead.
   */
  getEnvVars: listLookup({
    args: ProjectLookup,
    result: EnvVarInfo,
    list: "variables",
    secret: ["value"],
    find: (client, { project }) => find.findVariables(client, project),
  }),
  /** Lists the domains that the last promotion of a project moves or has moved, each with the status of its move. */
  getPromoteAliases: listLookup({
    args: ProjectLookup,
    result: AliasInfo,
    list: "aliases",
    find: (client, { project }) => find.findPromoteAliases(client, project),
  }),
  /** Finds a custom environment of a project by slug or id. */
  getCustomEnvironment: lookup({
    args: CustomEnvironmentQuery,
    result: CustomEnvironmentInfo,
    find: find.findCustomEnvironment,
  }),
  /** Finds an Edge Config by id or slug, without its items. */
  getEdgeConfig: lookup({
    args: EdgeConfigQuery,
    result: EdgeConfigInfo,
    find: (client, { edgeConfig }) => find.findEdgeConfig(client, edgeConfig),
  }),
  /** Finds a Blob store by name or id, without its files and its token. */
  getBlobStore: lookup({
    args: BlobStoreQuery,
    result: BlobStoreInfo,
    find: (client, { blobStore }) => find.findBlobStore(client, blobStore),
  }),
  /** Reads the team that the provider acts on. */
  getTeam: lookup({
    args: TeamQuery,
    result: TeamInfo,
    find: find.findTeam,
  }),
  /** Finds an access group of the team by name or id, without its members and projects. */
  getAccessGroup: lookup({
    args: AccessGroupQuery,
    result: AccessGroupInfo,
    find: (client, { accessGroup }) => find.findAccessGroup(client, accessGroup),
  }),
  /** Finds a microfrontend group of the team by name or id, with its projects. */
  getMicrofrontendGroup: lookup({
    args: MicrofrontendGroupQuery,
    result: MicrofrontendGroupInfo,
    find: (client, { microfrontendGroup }) => find.findMicrofrontendGroup(client, microfrontendGroup),
  }),
  /**
   * Finds a deployment of a project by id, commit, branch or time. If several match, finds the newest of them. Without
   * any of these arguments, finds the newest deployment of the project.
   */
  getDeployment: lookup({
    args: DeploymentQuery,
    result: DeploymentInfo,
    rules: [
      [
        ({ id, gitSha, branch, after }) => id !== undefined && (gitSha ?? branch ?? after) !== undefined,
        "id names one deployment. Leave out gitSha, branch and after, or leave out id.",
      ],
    ],
    find: findDeployment,
  }),
  /** Lists the deployments of a project, the newest first. */
  getDeployments: listLookup({
    args: DeploymentsQuery,
    result: DeploymentInfo,
    list: "deployments",
    find: findDeployments,
  }),
} as const;
