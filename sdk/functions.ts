/** The look-ups. Written by `npm run docs` from the table in provider/lookups. */

import { lookups } from "../provider/lookups";
import { outputForm, plainForm } from "./lookups";

/** Finds a project by id or name. */
export const getProject = plainForm("getProject", lookups.getProject);
/** Finds a project by id or name. Takes Outputs and returns one. */
export const getProjectOutput = outputForm(getProject);

/** Lists the projects of the account. With `search`, lists only projects with this text in their name. */
export const getProjects = plainForm("getProjects", lookups.getProjects);
/** Lists the projects of the account. With `search`, lists only projects with this text in their name. Takes Outputs and returns one. */
export const getProjectsOutput = outputForm(getProjects);

/** Lists the domains of a project. */
export const getProjectDomains = plainForm("getProjectDomains", lookups.getProjectDomains);
/** Lists the domains of a project. Takes Outputs and returns one. */
export const getProjectDomainsOutput = outputForm(getProjectDomains);

/** Reads whether the DNS records of a domain point at Vercel, and which records to publish. */
export const getDomainConfig = plainForm("getDomainConfig", lookups.getDomainConfig);
/** Reads whether the DNS records of a domain point at Vercel, and which records to publish. Takes Outputs and returns one. */
export const getDomainConfigOutput = outputForm(getDomainConfig);

/** Lists the environment variables of a project. Only the npm package `slipway` returns the values. In YAML and the SDKs of the plugin, the values would not be secret: read a value with `EnvVar.get` instead. */
export const getEnvVars = plainForm("getEnvVars", lookups.getEnvVars);
/** Lists the environment variables of a project. Only the npm package `slipway` returns the values. In YAML and the SDKs of the plugin, the values would not be secret: read a value with `EnvVar.get` instead. Takes Outputs and returns one. */
export const getEnvVarsOutput = outputForm(getEnvVars);

/** Lists the domains that the last promotion of a project moves or has moved, each with the status of its move. */
export const getPromoteAliases = plainForm("getPromoteAliases", lookups.getPromoteAliases);
/** Lists the domains that the last promotion of a project moves or has moved, each with the status of its move. Takes Outputs and returns one. */
export const getPromoteAliasesOutput = outputForm(getPromoteAliases);

/** Finds a custom environment of a project by slug or id. */
export const getCustomEnvironment = plainForm("getCustomEnvironment", lookups.getCustomEnvironment);
/** Finds a custom environment of a project by slug or id. Takes Outputs and returns one. */
export const getCustomEnvironmentOutput = outputForm(getCustomEnvironment);

/** Finds an Edge Config by id or slug, without its items. */
export const getEdgeConfig = plainForm("getEdgeConfig", lookups.getEdgeConfig);
/** Finds an Edge Config by id or slug, without its items. Takes Outputs and returns one. */
export const getEdgeConfigOutput = outputForm(getEdgeConfig);

/** Finds a Blob store by name or id, without its files and its token. */
export const getBlobStore = plainForm("getBlobStore", lookups.getBlobStore);
/** Finds a Blob store by name or id, without its files and its token. Takes Outputs and returns one. */
export const getBlobStoreOutput = outputForm(getBlobStore);

/** Reads the team that the provider acts on. */
export const getTeam = plainForm("getTeam", lookups.getTeam);
/** Reads the team that the provider acts on. Takes Outputs and returns one. */
export const getTeamOutput = outputForm(getTeam);

/** Finds an access group of the team by name or id, without its members and projects. */
export const getAccessGroup = plainForm("getAccessGroup", lookups.getAccessGroup);
/** Finds an access group of the team by name or id, without its members and projects. Takes Outputs and returns one. */
export const getAccessGroupOutput = outputForm(getAccessGroup);

/** Finds a microfrontend group of the team by name or id, with its projects. */
export const getMicrofrontendGroup = plainForm("getMicrofrontendGroup", lookups.getMicrofrontendGroup);
/** Finds a microfrontend group of the team by name or id, with its projects. Takes Outputs and returns one. */
export const getMicrofrontendGroupOutput = outputForm(getMicrofrontendGroup);

/** Finds a deployment of a project by id, commit, branch or time. If several match, finds the newest of them. Without any of these arguments, finds the newest deployment of the project. */
export const getDeployment = plainForm("getDeployment", lookups.getDeployment);
/** Finds a deployment of a project by id, commit, branch or time. If several match, finds the newest of them. Without any of these arguments, finds the newest deployment of the project. Takes Outputs and returns one. */
export const getDeploymentOutput = outputForm(getDeployment);

/** Lists the deployments of a project, the newest first. */
export const getDeployments = plainForm("getDeployments", lookups.getDeployments);
/** Lists the deployments of a project, the newest first. Takes Outputs and returns one. */
export const getDeploymentsOutput = outputForm(getDeployments);
