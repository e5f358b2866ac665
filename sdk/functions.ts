/** The look-ups. Written by `npm run docs` from provider/lookups. */

import { lookups } from "../provider/lookups";
import { outputForm, plainForm, plainFormById } from "./lookups";
import type * as types from "./types";

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

/** Finds a project domain by its id: `<project>/<domain>`. */
export const getProjectDomain = plainFormById<
  types.ProjectDomainOutputs,
  "waitForVerification" | "timeoutMs" | "adopt"
>("getProjectDomain");
/** Finds a project domain by its id: `<project>/<domain>`. Takes Outputs and returns one. */
export const getProjectDomainOutput = outputForm(getProjectDomain);

/** Finds a domain by its id: `<domain>`. */
export const getDomain = plainFormById<types.DomainOutputs, "adopt">("getDomain");
/** Finds a domain by its id: `<domain>`. Takes Outputs and returns one. */
export const getDomainOutput = outputForm(getDomain);

/** Finds an environment variable by its id: `<project>/<KEY>/<target>`, with `/<branch>` if the variable has a branch, or `<project>/<id of the variable>`. The answer has no `value` and no `valueDigest`, which are secret. */
export const getEnvVar = plainFormById<
  types.EnvVarOutputs,
  "value" | "valueFrom" | "adopt" | "revision" | "valueDigest"
>("getEnvVar");
/** Finds an environment variable by its id: `<project>/<KEY>/<target>`, with `/<branch>` if the variable has a branch, or `<project>/<id of the variable>`. The answer has no `value` and no `valueDigest`, which are secret. Takes Outputs and returns one. */
export const getEnvVarOutput = outputForm(getEnvVar);

/** Finds a dns record by its id: `<domain>/<id of the record>`. */
export const getDnsRecord = plainFormById<types.DnsRecordOutputs, never>("getDnsRecord");
/** Finds a dns record by its id: `<domain>/<id of the record>`. Takes Outputs and returns one. */
export const getDnsRecordOutput = outputForm(getDnsRecord);

/** Finds an attack challenge mode by its id: `<project>`. */
export const getAttackChallengeMode = plainFormById<types.AttackChallengeModeOutputs, never>(
  "getAttackChallengeMode",
);
/** Finds an attack challenge mode by its id: `<project>`. Takes Outputs and returns one. */
export const getAttackChallengeModeOutput = outputForm(getAttackChallengeMode);

/** Finds a rolling release by its id: `<project>`. */
export const getRollingRelease = plainFormById<types.RollingReleaseOutputs, never>("getRollingRelease");
/** Finds a rolling release by its id: `<project>`. Takes Outputs and returns one. */
export const getRollingReleaseOutput = outputForm(getRollingRelease);

/** Finds a shared env var by its id: `<KEY>/<target>`, or `<id>`. The answer has no `value` and no `valueDigest`, which are secret. */
export const getSharedEnvVar = plainFormById<
  types.SharedEnvVarOutputs,
  "value" | "valueFrom" | "adopt" | "revision" | "valueDigest"
>("getSharedEnvVar");
/** Finds a shared env var by its id: `<KEY>/<target>`, or `<id>`. The answer has no `value` and no `valueDigest`, which are secret. Takes Outputs and returns one. */
export const getSharedEnvVarOutput = outputForm(getSharedEnvVar);

/** Finds a shared env var link by its id: `<project>/<id of the shared variable>`. */
export const getSharedEnvVarLink = plainFormById<types.SharedEnvVarLinkOutputs, never>("getSharedEnvVarLink");
/** Finds a shared env var link by its id: `<project>/<id of the shared variable>`. Takes Outputs and returns one. */
export const getSharedEnvVarLinkOutput = outputForm(getSharedEnvVarLink);

/** Finds a team member by its id: `<email address>`, or `<id of the user>`. */
export const getTeamMember = plainFormById<types.TeamMemberOutputs, "adopt">("getTeamMember");
/** Finds a team member by its id: `<email address>`, or `<id of the user>`. Takes Outputs and returns one. */
export const getTeamMemberOutput = outputForm(getTeamMember);

/** Finds a team config by its id: `<id of the team>`. */
export const getTeamConfig = plainFormById<types.TeamConfigOutputs, never>("getTeamConfig");
/** Finds a team config by its id: `<id of the team>`. Takes Outputs and returns one. */
export const getTeamConfigOutput = outputForm(getTeamConfig);

/** Finds a project member by its id: `<project>/<email address>`, or `<project>/<id of the user>`. */
export const getProjectMember = plainFormById<types.ProjectMemberOutputs, "adopt">("getProjectMember");
/** Finds a project member by its id: `<project>/<email address>`, or `<project>/<id of the user>`. Takes Outputs and returns one. */
export const getProjectMemberOutput = outputForm(getProjectMember);

/** Finds an access group member by its id: `<access group>/<email address>`, or `<access group>/<id of the user>`, with the id or name of the group. */
export const getAccessGroupMember = plainFormById<types.AccessGroupMemberOutputs, "adopt">(
  "getAccessGroupMember",
);
/** Finds an access group member by its id: `<access group>/<email address>`, or `<access group>/<id of the user>`, with the id or name of the group. Takes Outputs and returns one. */
export const getAccessGroupMemberOutput = outputForm(getAccessGroupMember);

/** Finds an access group project by its id: `<project>/<access group>`, with the id or name of the group. */
export const getAccessGroupProject = plainFormById<types.AccessGroupProjectOutputs, "adopt">(
  "getAccessGroupProject",
);
/** Finds an access group project by its id: `<project>/<access group>`, with the id or name of the group. Takes Outputs and returns one. */
export const getAccessGroupProjectOutput = outputForm(getAccessGroupProject);

/** Finds a microfrontend group membership by its id: `<project>/<group>`, with the id or name of the project, and the id of the group. */
export const getMicrofrontendGroupMembership = plainFormById<
  types.MicrofrontendGroupMembershipOutputs,
  "adopt"
>("getMicrofrontendGroupMembership");
/** Finds a microfrontend group membership by its id: `<project>/<group>`, with the id or name of the project, and the id of the group. Takes Outputs and returns one. */
export const getMicrofrontendGroupMembershipOutput = outputForm(getMicrofrontendGroupMembership);

/** Finds a set of firewall bypass by its id: `<project>/<domain>/<address>`, with `*` for all domains. */
export const getFirewallBypass = plainFormById<types.FirewallBypassOutputs, "adopt">("getFirewallBypass");
/** Finds a set of firewall bypass by its id: `<project>/<domain>/<address>`, with `*` for all domains. Takes Outputs and returns one. */
export const getFirewallBypassOutput = outputForm(getFirewallBypass);

/** Finds a firewall config by its id: `<project>`. */
export const getFirewallConfig = plainFormById<types.FirewallConfigOutputs, "onDelete" | "adopt">(
  "getFirewallConfig",
);
/** Finds a firewall config by its id: `<project>`. Takes Outputs and returns one. */
export const getFirewallConfigOutput = outputForm(getFirewallConfig);

/** Finds a feature flag by its id: `<project>/<slug>`, or `<project>/<id>`. */
export const getFeatureFlag = plainFormById<types.FeatureFlagOutputs, "adopt">("getFeatureFlag");
/** Finds a feature flag by its id: `<project>/<slug>`, or `<project>/<id>`. Takes Outputs and returns one. */
export const getFeatureFlagOutput = outputForm(getFeatureFlag);

/** Finds a feature flag segment by its id: `<project>/<slug>`, or `<project>/<id>`. */
export const getFeatureFlagSegment = plainFormById<types.FeatureFlagSegmentOutputs, "adopt">(
  "getFeatureFlagSegment",
);
/** Finds a feature flag segment by its id: `<project>/<slug>`, or `<project>/<id>`. Takes Outputs and returns one. */
export const getFeatureFlagSegmentOutput = outputForm(getFeatureFlagSegment);

/** Finds a feature flag sdk key by its id: `<project>/<hash of the key>`. The answer has no `sdkKey` and no `connectionString`, which are secret. */
export const getFeatureFlagSdkKey = plainFormById<
  types.FeatureFlagSdkKeyOutputs,
  "sdkKey" | "connectionString"
>("getFeatureFlagSdkKey");
/** Finds a feature flag sdk key by its id: `<project>/<hash of the key>`. The answer has no `sdkKey` and no `connectionString`, which are secret. Takes Outputs and returns one. */
export const getFeatureFlagSdkKeyOutput = outputForm(getFeatureFlagSdkKey);

/** Finds a set of bulk redirects by its id: `<project>`. */
export const getBulkRedirects = plainFormById<types.BulkRedirectsOutputs, "onDelete" | "adopt">(
  "getBulkRedirects",
);
/** Finds a set of bulk redirects by its id: `<project>`. Takes Outputs and returns one. */
export const getBulkRedirectsOutput = outputForm(getBulkRedirects);

/** Finds a project route by its id: `<project>/<id of the route>`. */
export const getProjectRoute = plainFormById<types.ProjectRouteOutputs, "position" | "adopt">(
  "getProjectRoute",
);
/** Finds a project route by its id: `<project>/<id of the route>`. Takes Outputs and returns one. */
export const getProjectRouteOutput = outputForm(getProjectRoute);

/** Finds a set of integration project access by its id: `<project>/<id of the installation>`. */
export const getIntegrationProjectAccess = plainFormById<types.IntegrationProjectAccessOutputs, never>(
  "getIntegrationProjectAccess",
);
/** Finds a set of integration project access by its id: `<project>/<id of the installation>`. Takes Outputs and returns one. */
export const getIntegrationProjectAccessOutput = outputForm(getIntegrationProjectAccess);

/** Finds an edge config item by its id: `<Edge Config>/<key>`, with the slug or id of the Edge Config. */
export const getEdgeConfigItem = plainFormById<types.EdgeConfigItemOutputs, "adopt">("getEdgeConfigItem");
/** Finds an edge config item by its id: `<Edge Config>/<key>`, with the slug or id of the Edge Config. Takes Outputs and returns one. */
export const getEdgeConfigItemOutput = outputForm(getEdgeConfigItem);

/** Finds an edge config token by its id: `<Edge Config>/<id of the token>`, with the slug or id of the Edge Config. The answer has no `token` and no `connectionString`, which are secret. */
export const getEdgeConfigToken = plainFormById<types.EdgeConfigTokenOutputs, "token" | "connectionString">(
  "getEdgeConfigToken",
);
/** Finds an edge config token by its id: `<Edge Config>/<id of the token>`, with the slug or id of the Edge Config. The answer has no `token` and no `connectionString`, which are secret. Takes Outputs and returns one. */
export const getEdgeConfigTokenOutput = outputForm(getEdgeConfigToken);

/** Finds a blob store connection by its id: `<project>/<store>`, with the id or name of the store. */
export const getBlobStoreConnection = plainFormById<types.BlobStoreConnectionOutputs, "adopt">(
  "getBlobStoreConnection",
);
/** Finds a blob store connection by its id: `<project>/<store>`, with the id or name of the store. Takes Outputs and returns one. */
export const getBlobStoreConnectionOutput = outputForm(getBlobStoreConnection);

/** Finds a webhook by its id: `<id>`. The answer has no `secret`, which are secret. */
export const getWebhook = plainFormById<types.WebhookOutputs, "secret">("getWebhook");
/** Finds a webhook by its id: `<id>`. The answer has no `secret`, which are secret. Takes Outputs and returns one. */
export const getWebhookOutput = outputForm(getWebhook);

/** Finds a log drain by its id: `<id>`. The answer has no `headers` and no `secret`, which are secret. */
export const getLogDrain = plainFormById<types.LogDrainOutputs, "headers" | "secret">("getLogDrain");
/** Finds a log drain by its id: `<id>`. The answer has no `headers` and no `secret`, which are secret. Takes Outputs and returns one. */
export const getLogDrainOutput = outputForm(getLogDrain);

/** Finds a trace drain by its id: `<id>`. The answer has no `headers` and no `secret`, which are secret. */
export const getTraceDrain = plainFormById<types.TraceDrainOutputs, "headers" | "secret">("getTraceDrain");
/** Finds a trace drain by its id: `<id>`. The answer has no `headers` and no `secret`, which are secret. Takes Outputs and returns one. */
export const getTraceDrainOutput = outputForm(getTraceDrain);

/** Finds an audit log drain by its id: `<id>`. The answer has no `headers` and no `secret`, which are secret. */
export const getAuditLogDrain = plainFormById<types.AuditLogDrainOutputs, "headers" | "secret">(
  "getAuditLogDrain",
);
/** Finds an audit log drain by its id: `<id>`. The answer has no `headers` and no `secret`, which are secret. Takes Outputs and returns one. */
export const getAuditLogDrainOutput = outputForm(getAuditLogDrain);

/** Finds a set of alias by its id: `<alias>`. */
export const getAlias = plainFormById<types.AliasOutputs, "adopt">("getAlias");
/** Finds a set of alias by its id: `<alias>`. Takes Outputs and returns one. */
export const getAliasOutput = outputForm(getAlias);

/** Finds a deployment protection exception by its id: `<project>/<alias>`. */
export const getDeploymentProtectionException = plainFormById<
  types.DeploymentProtectionExceptionOutputs,
  "adopt"
>("getDeploymentProtectionException");
/** Finds a deployment protection exception by its id: `<project>/<alias>`. Takes Outputs and returns one. */
export const getDeploymentProtectionExceptionOutput = outputForm(getDeploymentProtectionException);

/** Finds a custom certificate by its id: `<id>`. The answer has no `privateKey`, which are secret. */
export const getCustomCertificate = plainFormById<
  types.CustomCertificateOutputs,
  "privateKey" | "certificate" | "certificateAuthorityCertificate"
>("getCustomCertificate");
/** Finds a custom certificate by its id: `<id>`. The answer has no `privateKey`, which are secret. Takes Outputs and returns one. */
export const getCustomCertificateOutput = outputForm(getCustomCertificate);

/** Finds an user token by its id: `<id>`. The answer has no `bearerToken`, which are secret. */
export const getUserToken = plainFormById<types.UserTokenOutputs, "bearerToken">("getUserToken");
/** Finds an user token by its id: `<id>`. The answer has no `bearerToken`, which are secret. Takes Outputs and returns one. */
export const getUserTokenOutput = outputForm(getUserToken);
