/**
 * Arguments and outputs of the resources.
 * Written by `npm run docs` from the schemas of provider/resources; change it there.
 */

import type { Input, Output } from "@pulumi/pulumi";

export type ProjectFramework =
  | "blitzjs"
  | "nextjs"
  | "gatsby"
  | "remix"
  | "astro"
  | "hexo"
  | "eleventy"
  | "docusaurus-2"
  | "docusaurus"
  | "preact"
  | "solidstart-1"
  | "solidstart"
  | "dojo"
  | "ember"
  | "vue"
  | "scully"
  | "ionic-angular"
  | "angular"
  | "polymer"
  | "svelte"
  | "sveltekit"
  | "sveltekit-1"
  | "ionic-react"
  | "create-react-app"
  | "gridsome"
  | "umijs"
  | "sapper"
  | "saber"
  | "stencil"
  | "nuxtjs"
  | "redwoodjs"
  | "hugo"
  | "jekyll"
  | "brunch"
  | "middleman"
  | "zola"
  | "hydrogen"
  | "vite"
  | "vitepress"
  | "vuepress"
  | "parcel"
  | "fasthtml"
  | "sanity-v3"
  | "sanity"
  | "storybook"
  | "react-router"
  | "tanstack-start"
  | "tanstack-start-lovable"
  | "sanity-v2"
  | "nitro"
  | "hono"
  | "express"
  | "h3"
  | "koa"
  | "nestjs"
  | "elysia"
  | "fastify"
  | "xmcp"
  | "mastra"
  | "eve"
  | "factory-eve"
  | "ash"
  | "fastapi"
  | "flask"
  | "django"
  | "axum"
  | "actix-web"
  | "python"
  | "ruby"
  | "rust"
  | "go"
  | "bun"
  | "node"
  | "container"
  | "services";

export type ProjectServerlessFunctionRegion =
  | "arn1"
  | "bom1"
  | "cdg1"
  | "cle1"
  | "cpt1"
  | "dub1"
  | "dxb1"
  | "fra1"
  | "gru1"
  | "hkg1"
  | "hnd1"
  | "iad1"
  | "icn1"
  | "kix1"
  | "lhr1"
  | "pdx1"
  | "sfo1"
  | "sin1"
  | "syd1"
  | "yul1";

export interface ProjectOidcTokenConfigArgs {
  /** Whether tokens are issued. */
  enabled?: Input<boolean | undefined>;
  /** Issuer of the tokens: team for an issuer of the team, global for the shared issuer. */
  issuerMode?: Input<"team" | "global" | undefined>;
}

export interface ProjectOptionsAllowlistPathsArgs {
  /** Path, such as /api. */
  value: Input<string>;
}

export interface ProjectOptionsAllowlistArgs {
  /** The paths. */
  paths: Input<Input<ProjectOptionsAllowlistPathsArgs>[]>;
}

export interface ProjectPasswordProtectionArgs {
  /** Which deployments are protected. */
  deploymentType: Input<
    "all" | "preview" | "prod_deployment_urls_and_all_previews" | "all_except_custom_domains"
  >;
  /** The password. */
  password: Input<string>;
}

export interface ProjectSsoProtectionArgs {
  /** Which deployments are protected. */
  deploymentType: Input<
    "all" | "preview" | "prod_deployment_urls_and_all_previews" | "all_except_custom_domains"
  >;
}

export interface ProjectTrustedIpsAddressesArgs {
  /** IPv4 address, or a range such as 10.0.0.0/8. */
  value: Input<string>;
  /** Description of the address. */
  note?: Input<string | undefined>;
}

export interface ProjectTrustedIpsArgs {
  /** Which deployments are protected. */
  deploymentType: Input<
    "all" | "preview" | "prod_deployment_urls_and_all_previews" | "all_except_custom_domains" | "production"
  >;
  /** The addresses. */
  addresses: Input<Input<ProjectTrustedIpsAddressesArgs>[]>;
  /** exclusive: only these addresses have access. additional: these addresses need no login, and all others do. */
  protectionMode: Input<"exclusive" | "additional">;
}

export type ProjectResourceConfigFunctionDefaultRegions =
  | "arn1"
  | "bom1"
  | "cdg1"
  | "cle1"
  | "cpt1"
  | "dub1"
  | "dxb1"
  | "fra1"
  | "gru1"
  | "hkg1"
  | "hnd1"
  | "iad1"
  | "icn1"
  | "kix1"
  | "lhr1"
  | "pdx1"
  | "sfo1"
  | "sin1"
  | "syd1"
  | "yul1";

export interface ProjectResourceConfigArgs {
  /** Whether an instance of a function serves several requests at a time (fluid compute). */
  fluid?: Input<boolean | undefined>;
  /** CPU and memory of a function. */
  functionDefaultMemoryType?: Input<
    "standard_legacy" | "standard" | "performance" | "performance_xl" | (string & {}) | undefined
  >;
  /** Longest run time of a function (seconds). */
  functionDefaultTimeout?: Input<number | undefined>;
  /** Regions in which functions run. Conflicts with `serverlessFunctionRegion`. */
  functionDefaultRegions?: Input<
    Input<ProjectResourceConfigFunctionDefaultRegions | (string & {})>[] | undefined
  >;
}

export interface ProjectGitCommentsArgs {
  /** Whether commits get comments. */
  onCommit: Input<boolean>;
  /** Whether pull requests get comments. */
  onPullRequest: Input<boolean>;
}

export interface ProjectGitProviderOptionsConsolidatedGitCommitStatusArgs {
  /** Whether the statuses are consolidated. */
  enabled: Input<boolean>;
  /** Whether the consolidated status fails if one project fails. */
  propagateFailures: Input<boolean>;
}

export interface ProjectGitProviderOptionsArgs {
  /** Whether a push creates a deployment. */
  createDeployments?: Input<"enabled" | "disabled" | undefined>;
  /** Whether the `repository_dispatch` events that Vercel sends to a GitHub repository are turned off. */
  disableRepositoryDispatchEvents?: Input<boolean | undefined>;
  /** Whether commits show the status of their deployment. */
  gitCommitStatus?: Input<boolean | undefined>;
  /** Whether only commits with a verified signature are deployed. */
  requireVerifiedCommits?: Input<boolean | undefined>;
  /** One commit status for all projects of a repository. */
  consolidatedGitCommitStatus?: Input<ProjectGitProviderOptionsConsolidatedGitCommitStatusArgs | undefined>;
}

export interface ProjectTrustedSourcesProjectsCustomAllowFromArgs {
  /** Names of environments: production, preview, or the slug of a custom environment. */
  slugs?: Input<Input<string>[] | undefined>;
  /** Set of environments: all-custom for all custom environments. */
  preset?: Input<"all-custom" | (string & {}) | undefined>;
}

export interface ProjectTrustedSourcesProjectsCustomAllowToArgs {
  /** Names of environments: production, preview, or the slug of a custom environment. */
  slugs?: Input<Input<string>[] | undefined>;
  /** Set of environments: all-custom for all custom environments. */
  preset?: Input<"all-custom" | (string & {}) | undefined>;
}

export interface ProjectTrustedSourcesProjectsCustomAllowArgs {
  /** Environments of the other project. */
  from: Input<ProjectTrustedSourcesProjectsCustomAllowFromArgs>;
  /** Environments of this project. */
  to: Input<ProjectTrustedSourcesProjectsCustomAllowToArgs>;
}

export interface ProjectTrustedSourcesProjectsArgs {
  /** Description of the project. */
  label?: Input<string | undefined>;
  /** Which environments of the other project may access which environments of this project. Default: each environment may access the environment of the same name. */
  customAllow?: Input<Input<ProjectTrustedSourcesProjectsCustomAllowArgs>[] | undefined>;
}

export interface ProjectTrustedSourcesOidcProvidersToArgs {
  /** Names of environments: production, preview, or the slug of a custom environment. */
  slugs?: Input<Input<string>[] | undefined>;
  /** Set of environments: all-custom for all custom environments. */
  preset?: Input<"all-custom" | (string & {}) | undefined>;
}

export interface ProjectTrustedSourcesOidcProvidersArgs {
  /** Description of the caller whose tokens are accepted. */
  label?: Input<string | undefined>;
  /** Environments of this project that the caller may access. */
  to: Input<ProjectTrustedSourcesOidcProvidersToArgs>;
  /** Accepted values, by claim name. For each claim, a token must have one of the accepted values. */
  claims: Input<Record<string, Input<Input<string>[]>>>;
}

export interface ProjectTrustedSourcesArgs {
  /** Whether CI checks of the same team and repository may access previews. */
  enableVercelCiSameRepository?: Input<boolean | undefined>;
  /** Projects whose deployments may access this project, by project id. */
  projects?: Input<Record<string, Input<ProjectTrustedSourcesProjectsArgs>> | undefined>;
  /** Trusted OpenID Connect issuers, by URL. */
  oidcProviders?: Input<Record<string, Input<Input<ProjectTrustedSourcesOidcProvidersArgs>[]>> | undefined>;
}

export interface ProjectStaticIpsArgs {
  /** Whether the project has them. */
  enabled: Input<boolean>;
}

export interface ProjectTracingSamplingRulesArgs {
  /** Share of the requests, from 0 to 1. */
  rate: Input<number>;
  /** Environment of the rule. Default: both. */
  env?: Input<"production" | "preview" | undefined>;
  /** Path of the requests. Default: all paths. */
  requestPath?: Input<string | undefined>;
  /** Where the traces go: internal for Vercel, external for a drain. Default: both. */
  destination?: Input<"internal" | "external" | undefined>;
}

export interface ProjectTracingArgs {
  /** Domains whose requests are traced. */
  domains?: Input<string | undefined>;
  /** Paths that are not traced. */
  ignorePaths?: Input<Input<string>[] | undefined>;
  /** Rules that say which share of the requests is traced. */
  samplingRules?: Input<Input<ProjectTracingSamplingRulesArgs>[] | undefined>;
}

export interface ProjectPassportArgs {
  /** Id of the connector of Passport. */
  connectorId: Input<string>;
  /** Which deployments are protected. Default: all. */
  deploymentType?: Input<
    "all" | "preview" | "prod_deployment_urls_and_all_previews" | "all_except_custom_domains" | undefined
  >;
}

export type ProjectSandboxRegion =
  | "arn1"
  | "bom1"
  | "cdg1"
  | "cle1"
  | "cpt1"
  | "dub1"
  | "dxb1"
  | "fra1"
  | "gru1"
  | "hkg1"
  | "hnd1"
  | "iad1"
  | "icn1"
  | "kix1"
  | "lhr1"
  | "pdx1"
  | "sfo1"
  | "sin1"
  | "syd1"
  | "yul1";

export type ProjectSandboxFailoverRegions =
  | "arn1"
  | "bom1"
  | "cdg1"
  | "cle1"
  | "cpt1"
  | "dub1"
  | "dxb1"
  | "fra1"
  | "gru1"
  | "hkg1"
  | "hnd1"
  | "iad1"
  | "icn1"
  | "kix1"
  | "lhr1"
  | "pdx1"
  | "sfo1"
  | "sin1"
  | "syd1"
  | "yul1";

export interface ProjectSandboxArgs {
  /** Default region. */
  region?: Input<ProjectSandboxRegion | (string & {}) | undefined>;
  /** Regions that are used if the default region is not available. */
  failoverRegions?: Input<Input<ProjectSandboxFailoverRegions | (string & {})>[] | undefined>;
}

export interface ProjectDeploymentPolicyGitSourcesSourcesArgs {
  /** Git provider. */
  provider: Input<"github" | "gitlab" | "bitbucket">;
  /** Organization or workspace, for GitHub and Bitbucket. */
  org?: Input<string | undefined>;
  /** Repository, for GitHub and Bitbucket. Default: all repositories of `org`. */
  repo?: Input<string | undefined>;
  /** Namespace, for GitLab. */
  namespace?: Input<string | undefined>;
  /** Project, for GitLab. Default: all projects of `namespace`. */
  project?: Input<string | undefined>;
}

export interface ProjectDeploymentPolicyGitSourcesArgs {
  /** Whether the rule applies. */
  enabled: Input<boolean>;
  /** Environments of the rule: production, preview, or the ids of custom environments. */
  environments: Input<Input<string>[]>;
  /** Repositories that may be deployed. */
  sources: Input<Input<ProjectDeploymentPolicyGitSourcesSourcesArgs>[]>;
}

export interface ProjectDeploymentPolicyDeploymentSourcesArgs {
  /** Whether the rule applies. */
  enabled: Input<boolean>;
  /** Environments of the rule: production, preview, or the ids of custom environments. */
  environments: Input<Input<string>[]>;
  /** Ways that are allowed. */
  sources: Input<Input<"git" | "cli" | "rest-api" | "deploy-hook" | "integration" | "v0" | (string & {})>[]>;
}

export interface ProjectDeploymentPolicyArgs {
  /** Repositories from which environments are deployed; without it, the API does not limit them. */
  gitSources?: Input<Input<ProjectDeploymentPolicyGitSourcesArgs>[] | undefined>;
  /** Ways by which environments are deployed; without it, the API does not limit them. */
  deploymentSources?: Input<Input<ProjectDeploymentPolicyDeploymentSourcesArgs>[] | undefined>;
}

export interface ProjectConnectConfigurationsArgs {
  /** The environment: production, preview, or the id of a custom environment. */
  envId: Input<string>;
  /** Id of the network. */
  connectConfigurationId: Input<string>;
  /** Whether the network is used only if the active one fails. */
  passive: Input<boolean>;
  /** Whether builds use the network too. */
  buildsEnabled: Input<boolean>;
}

export interface ProjectGitRepositoryArgs {
  /** Git provider. */
  type: Input<"github" | "gitlab" | "bitbucket">;
  /** Owner and name of the repository, such as acme/web. */
  repo: Input<string>;
  /** Branch that production is built from. Default: the default branch of the repository. Removing the input keeps the branch. */
  productionBranch?: Input<string | undefined>;
}

export interface ProjectDeployHooksArgs {
  /** Branch that the hook deploys. Changing the branch replaces the hook, so that the URL changes. */
  ref: Input<string>;
}

export interface ProjectDataCacheArgs {
  /** Whether the data cache is disabled. */
  disabled: Input<boolean>;
}

export interface ProjectDeploymentRetentionArgs {
  /** Deployments whose target is not production. */
  preview?: Input<"1d" | "1w" | "1m" | "2m" | "3m" | "6m" | "1y" | "unlimited" | (string & {}) | undefined>;
  /** Production deployments. */
  production?: Input<
    "1d" | "1w" | "1m" | "2m" | "3m" | "6m" | "1y" | "unlimited" | (string & {}) | undefined
  >;
  /** Canceled deployments. */
  canceled?: Input<"1d" | "1w" | "1m" | "2m" | "3m" | "6m" | "1y" | "unlimited" | (string & {}) | undefined>;
  /** Deployments whose build failed. */
  errored?: Input<"1d" | "1w" | "1m" | "2m" | "3m" | "6m" | "1y" | "unlimited" | (string & {}) | undefined>;
}

export interface ProjectProtectionBypassArgs {
  /** The secret: 32 letters and digits. Default: a generated secret. */
  secret?: Input<string | undefined>;
  /** Any text. Changing this text replaces a generated secret with a new one. */
  rotation?: Input<string | undefined>;
  /** Description of the secret, which Vercel stores with the secret. */
  note?: Input<string | undefined>;
  /** Whether deployments get this secret in the variable VERCEL_AUTOMATION_BYPASS_SECRET. Only one secret can be true; false leaves the choice to Vercel. */
  isEnvVar?: Input<boolean | undefined>;
}

/** Arguments of a project. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface ProjectArgs {
  /** Name of the project. Default: the name of the resource, converted to a valid name when the project is created. Changing it renames the project. */
  name?: Input<string | undefined>;
  /** Framework whose build defaults apply; null for none. */
  framework?: Input<ProjectFramework | (string & {}) | null | undefined>;
  /** Build command; null for the default of the framework. */
  buildCommand?: Input<string | null | undefined>;
  /** Command that decides whether a commit is built: exit code 0 skips the build. */
  commandForIgnoringBuildStep?: Input<string | null | undefined>;
  /** Command that starts the development server; null for the default of the framework. */
  devCommand?: Input<string | null | undefined>;
  /** Command that installs dependencies; null for the default of the package manager. */
  installCommand?: Input<string | null | undefined>;
  /** Folder that contains the build output; null for the default of the framework. */
  outputDirectory?: Input<string | null | undefined>;
  /** Folder of the repository that contains the project; null for the root of the repository. */
  rootDirectory?: Input<string | null | undefined>;
  /** Region in which functions run, such as iad1; null for the default region. Conflicts with `resourceConfig.functionDefaultRegions`. */
  serverlessFunctionRegion?: Input<ProjectServerlessFunctionRegion | (string & {}) | null | undefined>;
  /** Whether a commit to a monorepo builds the project only if the commit affects the project. */
  enableAffectedProjectsDeployments?: Input<boolean | undefined>;
  /** Deprecated: since June 2026, the API ignores this setting, and returns null. Remove it. Whether the source and the logs of deployments are public. */
  publicSource?: Input<boolean | null | undefined>;
  /** If true, `vercel link` does not offer to connect the Git repository of the local folder to the project. */
  skipGitConnectDuringLink?: Input<boolean | undefined>;
  /** Whether functions fail over to another region. */
  serverlessFunctionZeroConfigFailover?: Input<boolean | undefined>;
  /** OpenID Connect tokens with which builds and functions authenticate to other services. */
  oidcTokenConfig?: Input<ProjectOidcTokenConfigArgs | undefined>;
  /** Node.js version of builds and functions. Removing the input keeps the version. */
  nodeVersion?: Input<
    | "24.x"
    | "22.x"
    | "20.x"
    | "18.x"
    | "16.x"
    | "14.x"
    | "12.x"
    | "10.x"
    | "8.10.x"
    | (string & {})
    | undefined
  >;
  /** Whether a new production deployment gets the project's domains automatically. Pausing the project turns this setting off. */
  autoAssignCustomDomains?: Input<boolean | undefined>;
  /** User shown as the last one to change `autoAssignCustomDomains`. Removing the input keeps the user. */
  autoAssignCustomDomainsUpdatedBy?: Input<string | undefined>;
  /** Whether builds and functions get the system environment variables. */
  autoExposeSystemEnvs?: Input<boolean | undefined>;
  /** Whether Vercel's customer support may see the source code. */
  customerSupportCodeVisibility?: Input<boolean | undefined>;
  /** Whether a folder without an index file lists its files. */
  directoryListing?: Input<boolean | undefined>;
  /** Whether visitors can comment on previews; null for the team's setting. */
  enablePreviewFeedback?: Input<boolean | null | undefined>;
  /** Whether visitors can comment on production; null for the team's setting. */
  enableProductionFeedback?: Input<boolean | null | undefined>;
  /** Whether pull requests from forks need approval before they are built. */
  gitForkProtection?: Input<boolean | undefined>;
  /** Whether Git LFS files are fetched. */
  gitLFS?: Input<boolean | undefined>;
  /** Whether preview deployments are turned off. */
  previewDeploymentsDisabled?: Input<boolean | undefined>;
  /** Whether builds can use files outside of `rootDirectory`. */
  sourceFilesOutsideRootDirectory?: Input<boolean | undefined>;
  /** Deployments created before this time (milliseconds since the epoch) have no skew protection. */
  skewProtectionBoundaryAt?: Input<number | undefined>;
  /** Skew protection: how long a client's requests go to the deployment that the client loaded first (seconds). */
  skewProtectionMaxAge?: Input<number | undefined>;
  /** Paths whose OPTIONS requests bypass deployment protection; null for none. */
  optionsAllowlist?: Input<ProjectOptionsAllowlistArgs | null | undefined>;
  /** Password protection of deployments; null for none. Passwords are not compared: the API never returns them. */
  passwordProtection?: Input<ProjectPasswordProtectionArgs | null | undefined>;
  /** Protection of deployments with a login to Vercel; null for none. */
  ssoProtection?: Input<ProjectSsoProtectionArgs | null | undefined>;
  /** IP addresses that may access deployments; null for no restriction. */
  trustedIps?: Input<ProjectTrustedIpsArgs | null | undefined>;
  /** CPU, memory, run time and regions of functions. */
  resourceConfig?: Input<ProjectResourceConfigArgs | undefined>;
  /** Type of the build machine. */
  buildMachineType?: Input<
    "basic" | "enhanced" | "turbo" | "standard" | "elastic" | (string & {}) | undefined
  >;
  /** Whether builds start at once, even beyond the plan's number of concurrent builds. */
  onDemandConcurrentBuilds?: Input<boolean | undefined>;
  /** Whether production builds start before preview builds. */
  prioritiseProductionBuilds?: Input<boolean | undefined>;
  /** Comments about deployments at the Git provider; null for the default. */
  gitComments?: Input<ProjectGitCommentsArgs | null | undefined>;
  /** Options of the connection to the Git provider. */
  gitProviderOptions?: Input<ProjectGitProviderOptionsArgs | undefined>;
  /** Domain suffix of preview URLs; null for the team's suffix. */
  previewDeploymentSuffix?: Input<string | null | undefined>;
  /** Whether only members of the team can access source maps. */
  protectedSourcemaps?: Input<boolean | undefined>;
  /** Callers that bypass deployment protection with a token. */
  trustedSources?: Input<ProjectTrustedSourcesArgs | undefined>;
  /** Whether the responses of external rewrites are cached. */
  enableExternalRewriteCaching?: Input<boolean | undefined>;
  /** Domains of other sites that may load assets with skew protection, such as *.example.com. */
  skewProtectionAllowedDomains?: Input<Input<string>[] | undefined>;
  /** Static IP addresses for the outgoing requests of functions. */
  staticIps?: Input<ProjectStaticIpsArgs | undefined>;
  /** Tracing of requests; null for the default. */
  tracing?: Input<ProjectTracingArgs | null | undefined>;
  /** Protection of deployments with a login by Passport; null for none. */
  passport?: Input<ProjectPassportArgs | null | undefined>;
  /** Where sandboxes of the project run. Removing the input keeps the regions. */
  sandbox?: Input<ProjectSandboxArgs | undefined>;
  /** Which repositories, and which ways to deploy, may create deployments of an environment; null for all. */
  deploymentPolicy?: Input<ProjectDeploymentPolicyArgs | null | undefined>;
  /** Secure Compute networks of environments; null for none. */
  connectConfigurations?: Input<Input<ProjectConnectConfigurationsArgs>[] | null | undefined>;
  /** Git repository to deploy from. Removing the input disconnects the repository. */
  gitRepository?: Input<ProjectGitRepositoryArgs | undefined>;
  /** Deploy hooks, by name, at most 10. Each hook has a URL that deploys a branch: see the output `deployHookUrls`. Requires `gitRepository`. */
  deployHooks?: Input<Record<string, Input<ProjectDeployHooksArgs>> | undefined>;
  /** Whether the project is paused. A paused project does not serve its production deployment. */
  paused?: Input<boolean | undefined>;
  /** Data cache of the project. */
  dataCache?: Input<ProjectDataCacheArgs | undefined>;
  /** Whether the cron jobs of the production deployment run. */
  cronsEnabled?: Input<boolean | undefined>;
  /** How long deployments of each kind are kept. A kind that you do not set keeps its period. */
  deploymentRetention?: Input<ProjectDeploymentRetentionArgs | undefined>;
  /** Secrets that let automation bypass deployment protection, by a label of your choice. */
  protectionBypass?: Input<Record<string, Input<ProjectProtectionBypassArgs>> | undefined>;
  /** If a project with this name exists, takes the project over instead of failing. Default: false. */
  adopt?: Input<boolean | undefined>;
}

export interface ProjectOidcTokenConfig {
  /** Whether tokens are issued. */
  readonly enabled?: boolean | undefined;
  /** Issuer of the tokens: team for an issuer of the team, global for the shared issuer. */
  readonly issuerMode?: "team" | "global" | undefined;
}

export interface ProjectOptionsAllowlistPaths {
  /** Path, such as /api. */
  readonly value: string;
}

export interface ProjectOptionsAllowlist {
  /** The paths. */
  readonly paths: ProjectOptionsAllowlistPaths[];
}

export interface ProjectPasswordProtection {
  /** Which deployments are protected. */
  readonly deploymentType:
    | "all"
    | "preview"
    | "prod_deployment_urls_and_all_previews"
    | "all_except_custom_domains";
  /** The password. */
  readonly password: string;
}

export interface ProjectSsoProtection {
  /** Which deployments are protected. */
  readonly deploymentType:
    | "all"
    | "preview"
    | "prod_deployment_urls_and_all_previews"
    | "all_except_custom_domains";
}

export interface ProjectTrustedIpsAddresses {
  /** IPv4 address, or a range such as 10.0.0.0/8. */
  readonly value: string;
  /** Description of the address. */
  readonly note?: string | undefined;
}

export interface ProjectTrustedIps {
  /** Which deployments are protected. */
  readonly deploymentType:
    | "all"
    | "preview"
    | "prod_deployment_urls_and_all_previews"
    | "all_except_custom_domains"
    | "production";
  /** The addresses. */
  readonly addresses: ProjectTrustedIpsAddresses[];
  /** exclusive: only these addresses have access. additional: these addresses need no login, and all others do. */
  readonly protectionMode: "exclusive" | "additional";
}

export interface ProjectResourceConfig {
  /** Whether an instance of a function serves several requests at a time (fluid compute). */
  readonly fluid?: boolean | undefined;
  /** CPU and memory of a function. */
  readonly functionDefaultMemoryType?:
    | "standard_legacy"
    | "standard"
    | "performance"
    | "performance_xl"
    | (string & {})
    | undefined;
  /** Longest run time of a function (seconds). */
  readonly functionDefaultTimeout?: number | undefined;
  /** Regions in which functions run. Conflicts with `serverlessFunctionRegion`. */
  readonly functionDefaultRegions?:
    | (ProjectResourceConfigFunctionDefaultRegions | (string & {}))[]
    | undefined;
}

export interface ProjectGitComments {
  /** Whether commits get comments. */
  readonly onCommit: boolean;
  /** Whether pull requests get comments. */
  readonly onPullRequest: boolean;
}

export interface ProjectGitProviderOptionsConsolidatedGitCommitStatus {
  /** Whether the statuses are consolidated. */
  readonly enabled: boolean;
  /** Whether the consolidated status fails if one project fails. */
  readonly propagateFailures: boolean;
}

export interface ProjectGitProviderOptions {
  /** Whether a push creates a deployment. */
  readonly createDeployments?: "enabled" | "disabled" | undefined;
  /** Whether the `repository_dispatch` events that Vercel sends to a GitHub repository are turned off. */
  readonly disableRepositoryDispatchEvents?: boolean | undefined;
  /** Whether commits show the status of their deployment. */
  readonly gitCommitStatus?: boolean | undefined;
  /** Whether only commits with a verified signature are deployed. */
  readonly requireVerifiedCommits?: boolean | undefined;
  /** One commit status for all projects of a repository. */
  readonly consolidatedGitCommitStatus?: ProjectGitProviderOptionsConsolidatedGitCommitStatus | undefined;
}

export interface ProjectTrustedSourcesProjectsCustomAllowFrom {
  /** Names of environments: production, preview, or the slug of a custom environment. */
  readonly slugs?: string[] | undefined;
  /** Set of environments: all-custom for all custom environments. */
  readonly preset?: "all-custom" | (string & {}) | undefined;
}

export interface ProjectTrustedSourcesProjectsCustomAllowTo {
  /** Names of environments: production, preview, or the slug of a custom environment. */
  readonly slugs?: string[] | undefined;
  /** Set of environments: all-custom for all custom environments. */
  readonly preset?: "all-custom" | (string & {}) | undefined;
}

export interface ProjectTrustedSourcesProjectsCustomAllow {
  /** Environments of the other project. */
  readonly from: ProjectTrustedSourcesProjectsCustomAllowFrom;
  /** Environments of this project. */
  readonly to: ProjectTrustedSourcesProjectsCustomAllowTo;
}

export interface ProjectTrustedSourcesProjects {
  /** Description of the project. */
  readonly label?: string | undefined;
  /** Which environments of the other project may access which environments of this project. Default: each environment may access the environment of the same name. */
  readonly customAllow?: ProjectTrustedSourcesProjectsCustomAllow[] | undefined;
}

export interface ProjectTrustedSourcesOidcProvidersTo {
  /** Names of environments: production, preview, or the slug of a custom environment. */
  readonly slugs?: string[] | undefined;
  /** Set of environments: all-custom for all custom environments. */
  readonly preset?: "all-custom" | (string & {}) | undefined;
}

export interface ProjectTrustedSourcesOidcProviders {
  /** Description of the caller whose tokens are accepted. */
  readonly label?: string | undefined;
  /** Environments of this project that the caller may access. */
  readonly to: ProjectTrustedSourcesOidcProvidersTo;
  /** Accepted values, by claim name. For each claim, a token must have one of the accepted values. */
  readonly claims: Record<string, string[]>;
}

export interface ProjectTrustedSources {
  /** Whether CI checks of the same team and repository may access previews. */
  readonly enableVercelCiSameRepository?: boolean | undefined;
  /** Projects whose deployments may access this project, by project id. */
  readonly projects?: Record<string, ProjectTrustedSourcesProjects> | undefined;
  /** Trusted OpenID Connect issuers, by URL. */
  readonly oidcProviders?: Record<string, ProjectTrustedSourcesOidcProviders[]> | undefined;
}

export interface ProjectStaticIps {
  /** Whether the project has them. */
  readonly enabled: boolean;
}

export interface ProjectTracingSamplingRules {
  /** Share of the requests, from 0 to 1. */
  readonly rate: number;
  /** Environment of the rule. Default: both. */
  readonly env?: "production" | "preview" | undefined;
  /** Path of the requests. Default: all paths. */
  readonly requestPath?: string | undefined;
  /** Where the traces go: internal for Vercel, external for a drain. Default: both. */
  readonly destination?: "internal" | "external" | undefined;
}

export interface ProjectTracing {
  /** Domains whose requests are traced. */
  readonly domains?: string | undefined;
  /** Paths that are not traced. */
  readonly ignorePaths?: string[] | undefined;
  /** Rules that say which share of the requests is traced. */
  readonly samplingRules?: ProjectTracingSamplingRules[] | undefined;
}

export interface ProjectPassport {
  /** Id of the connector of Passport. */
  readonly connectorId: string;
  /** Which deployments are protected. Default: all. */
  readonly deploymentType?:
    | "all"
    | "preview"
    | "prod_deployment_urls_and_all_previews"
    | "all_except_custom_domains"
    | undefined;
}

export interface ProjectSandbox {
  /** Default region. */
  readonly region?: ProjectSandboxRegion | (string & {}) | undefined;
  /** Regions that are used if the default region is not available. */
  readonly failoverRegions?: (ProjectSandboxFailoverRegions | (string & {}))[] | undefined;
}

export interface ProjectDeploymentPolicyGitSourcesSources {
  /** Git provider. */
  readonly provider: "github" | "gitlab" | "bitbucket";
  /** Organization or workspace, for GitHub and Bitbucket. */
  readonly org?: string | undefined;
  /** Repository, for GitHub and Bitbucket. Default: all repositories of `org`. */
  readonly repo?: string | undefined;
  /** Namespace, for GitLab. */
  readonly namespace?: string | undefined;
  /** Project, for GitLab. Default: all projects of `namespace`. */
  readonly project?: string | undefined;
}

export interface ProjectDeploymentPolicyGitSources {
  /** Whether the rule applies. */
  readonly enabled: boolean;
  /** Environments of the rule: production, preview, or the ids of custom environments. */
  readonly environments: string[];
  /** Repositories that may be deployed. */
  readonly sources: ProjectDeploymentPolicyGitSourcesSources[];
}

export interface ProjectDeploymentPolicyDeploymentSources {
  /** Whether the rule applies. */
  readonly enabled: boolean;
  /** Environments of the rule: production, preview, or the ids of custom environments. */
  readonly environments: string[];
  /** Ways that are allowed. */
  readonly sources: ("git" | "cli" | "rest-api" | "deploy-hook" | "integration" | "v0" | (string & {}))[];
}

export interface ProjectDeploymentPolicy {
  /** Repositories from which environments are deployed; without it, the API does not limit them. */
  readonly gitSources?: ProjectDeploymentPolicyGitSources[] | undefined;
  /** Ways by which environments are deployed; without it, the API does not limit them. */
  readonly deploymentSources?: ProjectDeploymentPolicyDeploymentSources[] | undefined;
}

export interface ProjectConnectConfigurations {
  /** The environment: production, preview, or the id of a custom environment. */
  readonly envId: string;
  /** Id of the network. */
  readonly connectConfigurationId: string;
  /** Whether the network is used only if the active one fails. */
  readonly passive: boolean;
  /** Whether builds use the network too. */
  readonly buildsEnabled: boolean;
}

export interface ProjectGitRepository {
  /** Git provider. */
  readonly type: "github" | "gitlab" | "bitbucket";
  /** Owner and name of the repository, such as acme/web. */
  readonly repo: string;
  /** Branch that production is built from. Default: the default branch of the repository. Removing the input keeps the branch. */
  readonly productionBranch?: string | undefined;
}

export interface ProjectDeployHooks {
  /** Branch that the hook deploys. Changing the branch replaces the hook, so that the URL changes. */
  readonly ref: string;
}

export interface ProjectDataCache {
  /** Whether the data cache is disabled. */
  readonly disabled: boolean;
}

export interface ProjectDeploymentRetention {
  /** Deployments whose target is not production. */
  readonly preview?: "1d" | "1w" | "1m" | "2m" | "3m" | "6m" | "1y" | "unlimited" | (string & {}) | undefined;
  /** Production deployments. */
  readonly production?:
    | "1d"
    | "1w"
    | "1m"
    | "2m"
    | "3m"
    | "6m"
    | "1y"
    | "unlimited"
    | (string & {})
    | undefined;
  /** Canceled deployments. */
  readonly canceled?:
    | "1d"
    | "1w"
    | "1m"
    | "2m"
    | "3m"
    | "6m"
    | "1y"
    | "unlimited"
    | (string & {})
    | undefined;
  /** Deployments whose build failed. */
  readonly errored?: "1d" | "1w" | "1m" | "2m" | "3m" | "6m" | "1y" | "unlimited" | (string & {}) | undefined;
}

export interface ProjectProtectionBypass {
  /** The secret: 32 letters and digits. Default: a generated secret. */
  readonly secret?: string | undefined;
  /** Any text. Changing this text replaces a generated secret with a new one. */
  readonly rotation?: string | undefined;
  /** Description of the secret, which Vercel stores with the secret. */
  readonly note?: string | undefined;
  /** Whether deployments get this secret in the variable VERCEL_AUTOMATION_BYPASS_SECRET. Only one secret can be true; false leaves the choice to Vercel. */
  readonly isEnvVar?: boolean | undefined;
}

/** Outputs of a project, and its current inputs. */
export interface ProjectOutputs {
  /** Name of the project. Default: the name of the resource, converted to a valid name when the project is created. Changing it renames the project. */
  readonly name: Output<string>;
  /** Framework whose build defaults apply; null for none. */
  readonly framework: Output<ProjectFramework | (string & {}) | null | undefined>;
  /** Build command; null for the default of the framework. */
  readonly buildCommand: Output<string | null | undefined>;
  /** Command that decides whether a commit is built: exit code 0 skips the build. */
  readonly commandForIgnoringBuildStep: Output<string | null | undefined>;
  /** Command that starts the development server; null for the default of the framework. */
  readonly devCommand: Output<string | null | undefined>;
  /** Command that installs dependencies; null for the default of the package manager. */
  readonly installCommand: Output<string | null | undefined>;
  /** Folder that contains the build output; null for the default of the framework. */
  readonly outputDirectory: Output<string | null | undefined>;
  /** Folder of the repository that contains the project; null for the root of the repository. */
  readonly rootDirectory: Output<string | null | undefined>;
  /** Region in which functions run, such as iad1; null for the default region. Conflicts with `resourceConfig.functionDefaultRegions`. */
  readonly serverlessFunctionRegion: Output<
    ProjectServerlessFunctionRegion | (string & {}) | null | undefined
  >;
  /** Whether a commit to a monorepo builds the project only if the commit affects the project. */
  readonly enableAffectedProjectsDeployments: Output<boolean | undefined>;
  /** Deprecated: since June 2026, the API ignores this setting, and returns null. Remove it. Whether the source and the logs of deployments are public. */
  readonly publicSource: Output<boolean | null | undefined>;
  /** If true, `vercel link` does not offer to connect the Git repository of the local folder to the project. */
  readonly skipGitConnectDuringLink: Output<boolean | undefined>;
  /** Whether functions fail over to another region. */
  readonly serverlessFunctionZeroConfigFailover: Output<boolean | undefined>;
  /** OpenID Connect tokens with which builds and functions authenticate to other services. */
  readonly oidcTokenConfig: Output<ProjectOidcTokenConfig | undefined>;
  /** Node.js version of builds and functions. Removing the input keeps the version. */
  readonly nodeVersion: Output<
    | "24.x"
    | "22.x"
    | "20.x"
    | "18.x"
    | "16.x"
    | "14.x"
    | "12.x"
    | "10.x"
    | "8.10.x"
    | (string & {})
    | undefined
  >;
  /** Whether a new production deployment gets the project's domains automatically. Pausing the project turns this setting off. */
  readonly autoAssignCustomDomains: Output<boolean | undefined>;
  /** User shown as the last one to change `autoAssignCustomDomains`. Removing the input keeps the user. */
  readonly autoAssignCustomDomainsUpdatedBy: Output<string | undefined>;
  /** Whether builds and functions get the system environment variables. */
  readonly autoExposeSystemEnvs: Output<boolean | undefined>;
  /** Whether Vercel's customer support may see the source code. */
  readonly customerSupportCodeVisibility: Output<boolean | undefined>;
  /** Whether a folder without an index file lists its files. */
  readonly directoryListing: Output<boolean | undefined>;
  /** Whether visitors can comment on previews; null for the team's setting. */
  readonly enablePreviewFeedback: Output<boolean | null | undefined>;
  /** Whether visitors can comment on production; null for the team's setting. */
  readonly enableProductionFeedback: Output<boolean | null | undefined>;
  /** Whether pull requests from forks need approval before they are built. */
  readonly gitForkProtection: Output<boolean | undefined>;
  /** Whether Git LFS files are fetched. */
  readonly gitLFS: Output<boolean | undefined>;
  /** Whether preview deployments are turned off. */
  readonly previewDeploymentsDisabled: Output<boolean | undefined>;
  /** Whether builds can use files outside of `rootDirectory`. */
  readonly sourceFilesOutsideRootDirectory: Output<boolean | undefined>;
  /** Deployments created before this time (milliseconds since the epoch) have no skew protection. */
  readonly skewProtectionBoundaryAt: Output<number | undefined>;
  /** Skew protection: how long a client's requests go to the deployment that the client loaded first (seconds). */
  readonly skewProtectionMaxAge: Output<number | undefined>;
  /** Paths whose OPTIONS requests bypass deployment protection; null for none. */
  readonly optionsAllowlist: Output<ProjectOptionsAllowlist | null | undefined>;
  /** Password protection of deployments; null for none. Passwords are not compared: the API never returns them. */
  readonly passwordProtection: Output<ProjectPasswordProtection | null | undefined>;
  /** Protection of deployments with a login to Vercel; null for none. */
  readonly ssoProtection: Output<ProjectSsoProtection | null | undefined>;
  /** IP addresses that may access deployments; null for no restriction. */
  readonly trustedIps: Output<ProjectTrustedIps | null | undefined>;
  /** CPU, memory, run time and regions of functions. */
  readonly resourceConfig: Output<ProjectResourceConfig | undefined>;
  /** Type of the build machine. */
  readonly buildMachineType: Output<
    "basic" | "enhanced" | "turbo" | "standard" | "elastic" | (string & {}) | undefined
  >;
  /** Whether builds start at once, even beyond the plan's number of concurrent builds. */
  readonly onDemandConcurrentBuilds: Output<boolean | undefined>;
  /** Whether production builds start before preview builds. */
  readonly prioritiseProductionBuilds: Output<boolean | undefined>;
  /** Comments about deployments at the Git provider; null for the default. */
  readonly gitComments: Output<ProjectGitComments | null | undefined>;
  /** Options of the connection to the Git provider. */
  readonly gitProviderOptions: Output<ProjectGitProviderOptions | undefined>;
  /** Domain suffix of preview URLs; null for the team's suffix. */
  readonly previewDeploymentSuffix: Output<string | null | undefined>;
  /** Whether only members of the team can access source maps. */
  readonly protectedSourcemaps: Output<boolean | undefined>;
  /** Callers that bypass deployment protection with a token. */
  readonly trustedSources: Output<ProjectTrustedSources | undefined>;
  /** Whether the responses of external rewrites are cached. */
  readonly enableExternalRewriteCaching: Output<boolean | undefined>;
  /** Domains of other sites that may load assets with skew protection, such as *.example.com. */
  readonly skewProtectionAllowedDomains: Output<string[] | undefined>;
  /** Static IP addresses for the outgoing requests of functions. */
  readonly staticIps: Output<ProjectStaticIps | undefined>;
  /** Tracing of requests; null for the default. */
  readonly tracing: Output<ProjectTracing | null | undefined>;
  /** Protection of deployments with a login by Passport; null for none. */
  readonly passport: Output<ProjectPassport | null | undefined>;
  /** Where sandboxes of the project run. Removing the input keeps the regions. */
  readonly sandbox: Output<ProjectSandbox | undefined>;
  /** Which repositories, and which ways to deploy, may create deployments of an environment; null for all. */
  readonly deploymentPolicy: Output<ProjectDeploymentPolicy | null | undefined>;
  /** Secure Compute networks of environments; null for none. */
  readonly connectConfigurations: Output<ProjectConnectConfigurations[] | null | undefined>;
  /** Git repository to deploy from. Removing the input disconnects the repository. */
  readonly gitRepository: Output<ProjectGitRepository | undefined>;
  /** Deploy hooks, by name, at most 10. Each hook has a URL that deploys a branch: see the output `deployHookUrls`. Requires `gitRepository`. */
  readonly deployHooks: Output<Record<string, ProjectDeployHooks> | undefined>;
  /** Whether the project is paused. A paused project does not serve its production deployment. */
  readonly paused: Output<boolean | undefined>;
  /** Data cache of the project. */
  readonly dataCache: Output<ProjectDataCache | undefined>;
  /** Whether the cron jobs of the production deployment run. */
  readonly cronsEnabled: Output<boolean | undefined>;
  /** How long deployments of each kind are kept. A kind that you do not set keeps its period. */
  readonly deploymentRetention: Output<ProjectDeploymentRetention | undefined>;
  /** Secrets that let automation bypass deployment protection, by a label of your choice. */
  readonly protectionBypass: Output<Record<string, ProjectProtectionBypass> | undefined>;
  /** If a project with this name exists, takes the project over instead of failing. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the team or user that the project belongs to. */
  readonly accountId: Output<string>;
  /** The secrets of `protectionBypass`, set or generated, by label. The whole map is a secret. */
  readonly bypassSecrets: Output<Record<string, string>>;
  /** The URLs of `deployHooks`, by name. A POST to a URL deploys the hook's branch. The whole map is a secret. */
  readonly deployHookUrls: Output<Record<string, string>>;
}

/** Arguments of a project domain. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface ProjectDomainArgs {
  /** Id or name of the project that serves the domain. Changing it replaces the domain. */
  project: Input<string>;
  /** Domain name, such as www.example.com. Changing it replaces the domain. */
  name: Input<string>;
  /** Git branch whose deployments the domain serves. Default: the production branch. Conflicts with `redirect` and `customEnvironmentId`. */
  gitBranch?: Input<string | undefined>;
  /** Domain to which this domain redirects. Conflicts with `gitBranch`. */
  redirect?: Input<string | undefined>;
  /** HTTP status of the redirect. */
  redirectStatusCode?: Input<307 | 301 | 302 | 308 | undefined>;
  /** Id of the custom environment whose deployments the domain serves. Conflicts with `gitBranch`. Changing it replaces the domain. */
  customEnvironmentId?: Input<string | undefined>;
  /** Waits until the domain is verified. Default: false. If the same program publishes the DNS record that verifies the domain, declare a `DomainVerification` that depends on the record instead. */
  waitForVerification?: Input<boolean | undefined>;
  /** How long `waitForVerification` waits (milliseconds). Default: 600000 (ten minutes). After a timeout, the run fails and the domain stays attached. */
  timeoutMs?: Input<number | undefined>;
  /** If the project already has the domain, takes the domain over instead of failing. Default: false. */
  adopt?: Input<boolean | undefined>;
}

export interface ProjectDomainVerification {
  /** Type of the record, such as TXT. */
  readonly type: string;
  /** Name of the record. */
  readonly domain: string;
  /** Value of the record. */
  readonly value: string;
  /** Why Vercel asks for the record, if Vercel gives a reason. */
  readonly reason?: string | undefined;
}

/** Outputs of a project domain, and its current inputs. */
export interface ProjectDomainOutputs {
  /** Id or name of the project that serves the domain. Changing it replaces the domain. */
  readonly project: Output<string>;
  /** Domain name, such as www.example.com. Changing it replaces the domain. */
  readonly name: Output<string>;
  /** Git branch whose deployments the domain serves. Default: the production branch. Conflicts with `redirect` and `customEnvironmentId`. */
  readonly gitBranch: Output<string | undefined>;
  /** Domain to which this domain redirects. Conflicts with `gitBranch`. */
  readonly redirect: Output<string | undefined>;
  /** HTTP status of the redirect. */
  readonly redirectStatusCode: Output<307 | 301 | 302 | 308 | undefined>;
  /** Id of the custom environment whose deployments the domain serves. Conflicts with `gitBranch`. Changing it replaces the domain. */
  readonly customEnvironmentId: Output<string | undefined>;
  /** Waits until the domain is verified. Default: false. If the same program publishes the DNS record that verifies the domain, declare a `DomainVerification` that depends on the record instead. */
  readonly waitForVerification: Output<boolean | undefined>;
  /** How long `waitForVerification` waits (milliseconds). Default: 600000 (ten minutes). After a timeout, the run fails and the domain stays attached. */
  readonly timeoutMs: Output<number | undefined>;
  /** If the project already has the domain, takes the domain over instead of failing. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Apex domain: the registrable part of the name. */
  readonly apexName: Output<string>;
  /** Whether the domain is verified. The project serves the domain only after verification. */
  readonly verified: Output<boolean>;
  /** DNS records that verify the domain. One of the records is enough. Empty if the domain was verified at once. The records stay in the output after verification, so that the resources that publish the records do not change. */
  readonly verification: Output<ProjectDomainVerification[]>;
}

/** Arguments of a domain. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface DomainArgs {
  /** Domain that somebody can register, such as example.com, without a subdomain. Changing it replaces the domain. */
  name: Input<string>;
  /** Whether the service's name servers have the DNS zone of the domain. The newest API does not return this setting, so a change outside of the program is not seen. */
  zone?: Input<boolean | undefined>;
  /** Encrypted Client Hello: `auto` lets the service decide, `disabled` turns it off. */
  echMode?: Input<"auto" | "disabled" | undefined>;
  /** Takes over the domain if the account already has it, and changes its settings as declared. If false, the create fails when the account already has the domain. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a domain, and its current inputs. */
export interface DomainOutputs {
  /** Domain that somebody can register, such as example.com, without a subdomain. Changing it replaces the domain. */
  readonly name: Output<string>;
  /** Whether the service's name servers have the DNS zone of the domain. The newest API does not return this setting, so a change outside of the program is not seen. */
  readonly zone: Output<boolean | undefined>;
  /** Encrypted Client Hello: `auto` lets the service decide, `disabled` turns it off. */
  readonly echMode: Output<"auto" | "disabled" | undefined>;
  /** Takes over the domain if the account already has it, and changes its settings as declared. If false, the create fails when the account already has the domain. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the domain at the service. */
  readonly domainId: Output<string>;
  /** Whether the account has proved that it owns the domain. */
  readonly verified: Output<boolean>;
  /** Name servers that the domain has at its registry; empty if the service knows none. */
  readonly nameservers: Output<string[]>;
  /** Name servers to set at the registrar of a domain whose DNS zone the service has. */
  readonly intendedNameservers: Output<string[]>;
  /** Service that has the DNS of the domain: `zeit.world` (this service), `external`, or `na` (none). */
  readonly serviceType: Output<string>;
}

/** Arguments of a domain verification. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface DomainVerificationArgs {
  /** Id or name of the project that serves the domain. Changing it replaces the verification. */
  project: Input<string>;
  /** Domain to verify. The project must have the domain. Changing it replaces the verification. */
  name: Input<string>;
  /** How long to wait for the verification and the DNS records together (milliseconds). Default: 600000 (ten minutes). */
  timeoutMs?: Input<number | undefined>;
  /** Whether to wait also until the domain's DNS records point at the service, so that the service can issue the domain's TLS certificate. */
  waitForDns?: Input<boolean | undefined>;
}

/** Outputs of a domain verification, and its current inputs. */
export interface DomainVerificationOutputs {
  /** Id or name of the project that serves the domain. Changing it replaces the verification. */
  readonly project: Output<string>;
  /** Domain to verify. The project must have the domain. Changing it replaces the verification. */
  readonly name: Output<string>;
  /** How long to wait for the verification and the DNS records together (milliseconds). Default: 600000 (ten minutes). */
  readonly timeoutMs: Output<number | undefined>;
  /** Whether to wait also until the domain's DNS records point at the service, so that the service can issue the domain's TLS certificate. */
  readonly waitForDns: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Whether the domain is verified. If a refresh finds that the domain is no longer verified, the next `pulumi up` verifies the domain again. */
  readonly verified: Output<boolean>;
  /** Whether the domain's DNS records point at the service. Not set without `waitForDns`. If a refresh finds that the records no longer point at the service, the next `pulumi up` waits again. */
  readonly configured: Output<boolean | undefined>;
}

export interface EnvVarValueFromArgs {
  /** Name of an environment variable of the process that runs Pulumi. It must not be empty. */
  environment?: Input<string | undefined>;
  /** Path of a file, absolute, or relative to the folder of the program. One line break at the end of the file is left out. */
  file?: Input<string | undefined>;
}

/** Arguments of an environment variable. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface EnvVarArgs {
  /** Id or name of the project. Changing it replaces the variable. */
  project: Input<string>;
  /** Name of the variable. Changing it renames the variable. */
  key: Input<string>;
  /** Value of the variable, always a secret. Required, except for type system and with `valueFrom`. Numbers and booleans become text. */
  value?: Input<string | undefined>;
  /** Where the provider reads the value, instead of `value`: the state has only a keyed digest of such a value. Each preview and update reads it again, so a changed value updates the variable. */
  valueFrom?: Input<EnvVarValueFromArgs | undefined>;
  /** How the service stores the value. Default for new variables: encrypted if `target` includes development, otherwise sensitive. Nobody can read a sensitive value, so changing the type of a sensitive variable replaces the variable. */
  type?: Input<"system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined>;
  /** Environments that get the variable. Required, unless `customEnvironmentIds` is given. */
  target?: Input<Input<"production" | "preview" | "development">[] | undefined>;
  /** Git branch whose preview deployments get the variable. Requires preview as the only target, and no `customEnvironmentIds`. */
  gitBranch?: Input<string | undefined>;
  /** Description of the variable. */
  comment?: Input<string | undefined>;
  /** Ids of custom environments that get the variable, in addition to the environments of `target` or instead. */
  customEnvironmentIds?: Input<Input<string>[] | undefined>;
  /** Takes over an existing variable that has this key, this branch and at least one of the declared environments. If false, the create fails when this variable exists. Default: false. */
  adopt?: Input<boolean | undefined>;
}

export interface EnvVarValueFrom {
  /** Name of an environment variable of the process that runs Pulumi. It must not be empty. */
  readonly environment?: string | undefined;
  /** Path of a file, absolute, or relative to the folder of the program. One line break at the end of the file is left out. */
  readonly file?: string | undefined;
}

/** Outputs of an environment variable, and its current inputs. */
export interface EnvVarOutputs {
  /** Id or name of the project. Changing it replaces the variable. */
  readonly project: Output<string>;
  /** Name of the variable. Changing it renames the variable. */
  readonly key: Output<string>;
  /** Value of the variable, always a secret. Required, except for type system and with `valueFrom`. Numbers and booleans become text. */
  readonly value: Output<string | undefined>;
  /** Where the provider reads the value, instead of `value`: the state has only a keyed digest of such a value. Each preview and update reads it again, so a changed value updates the variable. */
  readonly valueFrom: Output<EnvVarValueFrom | undefined>;
  /** How the service stores the value. Default for new variables: encrypted if `target` includes development, otherwise sensitive. Nobody can read a sensitive value, so changing the type of a sensitive variable replaces the variable. */
  readonly type: Output<"system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined>;
  /** Environments that get the variable. Required, unless `customEnvironmentIds` is given. */
  readonly target: Output<("production" | "preview" | "development")[] | undefined>;
  /** Git branch whose preview deployments get the variable. Requires preview as the only target, and no `customEnvironmentIds`. */
  readonly gitBranch: Output<string | undefined>;
  /** Description of the variable. */
  readonly comment: Output<string | undefined>;
  /** Ids of custom environments that get the variable, in addition to the environments of `target` or instead. */
  readonly customEnvironmentIds: Output<string[] | undefined>;
  /** Takes over an existing variable that has this key, this branch and at least one of the declared environments. If false, the create fails when this variable exists. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Time of the last change (milliseconds since the epoch). */
  readonly updatedAt: Output<number>;
  /** Random text for `triggers` of a Deployment. The text changes only when the value, type, key, environments or branch change, and reveals none of them. If an earlier version of Slipway created the variable, `revision` is not set until the variable changes. */
  readonly revision: Output<string>;
  /** Digest of the value, if it comes from `valueFrom`, with which the next run sees a changed value. Always a secret. Otherwise empty. */
  readonly valueDigest: Output<string>;
}

export interface EnvVarsVariablesValueFromArgs {
  /** Name of an environment variable of the process that runs Pulumi. It must not be empty. */
  environment?: Input<string | undefined>;
  /** Path of a file, absolute, or relative to the folder of the program. One line break at the end of the file is left out. */
  file?: Input<string | undefined>;
}

export interface EnvVarsVariablesArgs {
  /** Value of the variable. Required, except for type system and with `valueFrom`. Numbers and booleans become text. */
  value?: Input<string | undefined>;
  /** Where the provider reads the value, instead of `value`: the state has only a keyed digest of such a value. Each preview and update reads it again, so a changed value updates the variable. */
  valueFrom?: Input<EnvVarsVariablesValueFromArgs | undefined>;
  /** How the service stores the value. Default: `type` of the resource. */
  type?: Input<"system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined>;
  /** Environments that get the variable. Default: `target` of the resource, or none if the variable has `customEnvironmentIds`. */
  target?: Input<Input<"production" | "preview" | "development">[] | undefined>;
  /** Git branch whose preview deployments get the variable. Requires preview as the only target, and no `customEnvironmentIds`. */
  gitBranch?: Input<string | undefined>;
  /** Description of the variable. */
  comment?: Input<string | undefined>;
  /** Ids of custom environments that get the variable, in addition to its own `target` or instead. */
  customEnvironmentIds?: Input<Input<string>[] | undefined>;
}

/** Arguments of a set of environment variables. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface EnvVarsArgs {
  /** Id or name of the project. Changing it replaces the variables. */
  project: Input<string>;
  /** Variables by key, at most 1000. The whole map is a secret. Variables of the project outside this map are not changed. */
  variables: Input<Record<string, Input<string | EnvVarsVariablesArgs>>>;
  /** Environments of the variables that set neither `target` nor `customEnvironmentIds`. Default: production, preview and development; for sensitive variables, production and preview. */
  target?: Input<Input<"production" | "preview" | "development">[] | undefined>;
  /** How the service stores the variables that do not set `type`. Default for a new variable: encrypted if its environments include development, otherwise sensitive. */
  type?: Input<"system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined>;
  /** Takes over each existing variable that has the key, the branch and at least one of the environments of a declared variable. If false, the create fails when one of these variables exists. Default: false. */
  adopt?: Input<boolean | undefined>;
}

export interface EnvVarsVariablesValueFrom {
  /** Name of an environment variable of the process that runs Pulumi. It must not be empty. */
  readonly environment?: string | undefined;
  /** Path of a file, absolute, or relative to the folder of the program. One line break at the end of the file is left out. */
  readonly file?: string | undefined;
}

export interface EnvVarsVariables {
  /** Value of the variable. Required, except for type system and with `valueFrom`. Numbers and booleans become text. */
  readonly value?: string | undefined;
  /** Where the provider reads the value, instead of `value`: the state has only a keyed digest of such a value. Each preview and update reads it again, so a changed value updates the variable. */
  readonly valueFrom?: EnvVarsVariablesValueFrom | undefined;
  /** How the service stores the value. Default: `type` of the resource. */
  readonly type?: "system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined;
  /** Environments that get the variable. Default: `target` of the resource, or none if the variable has `customEnvironmentIds`. */
  readonly target?: ("production" | "preview" | "development")[] | undefined;
  /** Git branch whose preview deployments get the variable. Requires preview as the only target, and no `customEnvironmentIds`. */
  readonly gitBranch?: string | undefined;
  /** Description of the variable. */
  readonly comment?: string | undefined;
  /** Ids of custom environments that get the variable, in addition to its own `target` or instead. */
  readonly customEnvironmentIds?: string[] | undefined;
}

export interface EnvVarsRecords {
  /** Id of the variable. */
  readonly id: string;
  /** Time of the last change (milliseconds since the epoch). */
  readonly updatedAt: number;
}

/** Outputs of a set of environment variables, and its current inputs. */
export interface EnvVarsOutputs {
  /** Id or name of the project. Changing it replaces the variables. */
  readonly project: Output<string>;
  /** Variables by key, at most 1000. The whole map is a secret. Variables of the project outside this map are not changed. */
  readonly variables: Output<Record<string, string | EnvVarsVariables>>;
  /** Environments of the variables that set neither `target` nor `customEnvironmentIds`. Default: production, preview and development; for sensitive variables, production and preview. */
  readonly target: Output<("production" | "preview" | "development")[] | undefined>;
  /** How the service stores the variables that do not set `type`. Default for a new variable: encrypted if its environments include development, otherwise sensitive. */
  readonly type: Output<"system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined>;
  /** Takes over each existing variable that has the key, the branch and at least one of the environments of a declared variable. If false, the create fails when one of these variables exists. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** For each key: the id of the variable, and the time of its last change (milliseconds since the epoch). */
  readonly records: Output<Record<string, EnvVarsRecords>>;
  /** Random text for `triggers` of a Deployment. The text changes only when a value, type, key, environment or branch changes, and reveals none of them. If an earlier version of Slipway created the variables, `revision` is not set until a variable changes. */
  readonly revision: Output<string>;
  /** Digests of the values that come from `valueFrom`, with which the next run sees a changed value. Always a secret. Without such values, empty. */
  readonly valueDigest: Output<string>;
}

export type DeploymentProjectSettingsFramework =
  | "blitzjs"
  | "nextjs"
  | "gatsby"
  | "remix"
  | "astro"
  | "hexo"
  | "eleventy"
  | "docusaurus-2"
  | "docusaurus"
  | "preact"
  | "solidstart-1"
  | "solidstart"
  | "dojo"
  | "ember"
  | "vue"
  | "scully"
  | "ionic-angular"
  | "angular"
  | "polymer"
  | "svelte"
  | "sveltekit"
  | "sveltekit-1"
  | "ionic-react"
  | "create-react-app"
  | "gridsome"
  | "umijs"
  | "sapper"
  | "saber"
  | "stencil"
  | "nuxtjs"
  | "redwoodjs"
  | "hugo"
  | "jekyll"
  | "brunch"
  | "middleman"
  | "zola"
  | "hydrogen"
  | "vite"
  | "vitepress"
  | "vuepress"
  | "parcel"
  | "fasthtml"
  | "sanity-v3"
  | "sanity"
  | "storybook"
  | "react-router"
  | "tanstack-start"
  | "tanstack-start-lovable"
  | "sanity-v2"
  | "nitro"
  | "hono"
  | "express"
  | "h3"
  | "koa"
  | "nestjs"
  | "elysia"
  | "fastify"
  | "xmcp"
  | "mastra"
  | "eve"
  | "factory-eve"
  | "ash"
  | "fastapi"
  | "flask"
  | "django"
  | "axum"
  | "actix-web"
  | "python"
  | "ruby"
  | "rust"
  | "go"
  | "bun"
  | "node"
  | "container"
  | "services";

export interface DeploymentProjectSettingsArgs {
  /** Framework whose build defaults apply; null for none. */
  framework?: Input<DeploymentProjectSettingsFramework | (string & {}) | null | undefined>;
  /** Build command; null for the default of the framework. */
  buildCommand?: Input<string | null | undefined>;
  /** Command that decides whether a commit is built: exit code 0 skips the build. */
  commandForIgnoringBuildStep?: Input<string | null | undefined>;
  /** Command that installs dependencies; null for the default of the package manager. */
  installCommand?: Input<string | null | undefined>;
  /** Folder that contains the build output; null for the default of the framework. */
  outputDirectory?: Input<string | null | undefined>;
  /** Folder of the source that contains the project; null for the root of the source. */
  rootDirectory?: Input<string | null | undefined>;
  /** Node.js version of the build and its functions. */
  nodeVersion?: Input<
    | "24.x"
    | "22.x"
    | "20.x"
    | "18.x"
    | "16.x"
    | "14.x"
    | "12.x"
    | "10.x"
    | "8.10.x"
    | (string & {})
    | undefined
  >;
}

/** Arguments of a deployment. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface DeploymentArgs {
  /** Id or name of the project. Changing it replaces the deployment. */
  project: Input<string>;
  /** Branch or commit of the linked repository. Changing it replaces the deployment. A push to the branch does not replace the deployment. Give exactly one of `ref`, `redeploy`, `directory` and `prebuilt`. */
  ref?: Input<string | undefined>;
  /** Id of an existing deployment of the project. The source of that deployment is built again, with the current environment variables. Changing it replaces the deployment. */
  redeploy?: Input<string | undefined>;
  /** Folder whose files are deployed, except files that `.vercelignore` excludes. A relative path is resolved from the folder of the program. A changed file creates a new deployment. If the path changes but the files do not, no deployment is created. */
  directory?: Input<string | undefined>;
  /** Paths of files in `directory`, such as public/index.html. Only these files are deployed, instead of all. A change of the list creates a new deployment. */
  files?: Input<Input<string>[] | undefined>;
  /** Folder with the output of `vercel build`, such as .vercel/output. The output is deployed without another build. A changed file creates a new deployment. */
  prebuilt?: Input<string | undefined>;
  /** Environment of the deployment. Default: preview. Changing it replaces the deployment. */
  target?: Input<"production" | "preview" | undefined>;
  /** Id of the custom environment of the deployment, instead of `target`. Changing it replaces the deployment. */
  customEnvironmentId?: Input<string | undefined>;
  /** List of any values, such as the output `revision` of an `EnvVar`. Changing it replaces the deployment. */
  triggers?: Input<Input<unknown>[] | undefined>;
  /** Environment variables for the build and the functions of this deployment, in addition to the variables of the project. Always secret. A change takes effect with the next deployment. */
  environment?: Input<Record<string, Input<string>> | undefined>;
  /** Build settings of this deployment, which override the settings of the project. A change takes effect with the next deployment. */
  projectSettings?: Input<DeploymentProjectSettingsArgs | undefined>;
  /** Metadata of the deployment, at most 98 members. A request to the API can list the deployments with given metadata. A change takes effect with the next deployment. */
  meta?: Input<Record<string, Input<string>> | undefined>;
  /** Whether to wait until the deployment is built. If true, a failed build fails the run. Default: true. */
  waitUntilReady?: Input<boolean | undefined>;
  /** How long to wait for the build (milliseconds). After a timeout, the run fails, but the build continues. Default: 2700000 (45 minutes). */
  timeoutMs?: Input<number | undefined>;
  /** Whether destroying the resource keeps or deletes its deployment. Earlier deployments, which this deployment replaced, are always kept. Default: keep. */
  onDestroy?: Input<"keep" | "delete" | undefined>;
}

export interface DeploymentProjectSettings {
  /** Framework whose build defaults apply; null for none. */
  readonly framework?: DeploymentProjectSettingsFramework | (string & {}) | null | undefined;
  /** Build command; null for the default of the framework. */
  readonly buildCommand?: string | null | undefined;
  /** Command that decides whether a commit is built: exit code 0 skips the build. */
  readonly commandForIgnoringBuildStep?: string | null | undefined;
  /** Command that installs dependencies; null for the default of the package manager. */
  readonly installCommand?: string | null | undefined;
  /** Folder that contains the build output; null for the default of the framework. */
  readonly outputDirectory?: string | null | undefined;
  /** Folder of the source that contains the project; null for the root of the source. */
  readonly rootDirectory?: string | null | undefined;
  /** Node.js version of the build and its functions. */
  readonly nodeVersion?:
    | "24.x"
    | "22.x"
    | "20.x"
    | "18.x"
    | "16.x"
    | "14.x"
    | "12.x"
    | "10.x"
    | "8.10.x"
    | (string & {})
    | undefined;
}

/** Outputs of a deployment, and its current inputs. */
export interface DeploymentOutputs {
  /** Id or name of the project. Changing it replaces the deployment. */
  readonly project: Output<string>;
  /** Branch or commit of the linked repository. Changing it replaces the deployment. A push to the branch does not replace the deployment. Give exactly one of `ref`, `redeploy`, `directory` and `prebuilt`. */
  readonly ref: Output<string | undefined>;
  /** Id of an existing deployment of the project. The source of that deployment is built again, with the current environment variables. Changing it replaces the deployment. */
  readonly redeploy: Output<string | undefined>;
  /** Folder whose files are deployed, except files that `.vercelignore` excludes. A relative path is resolved from the folder of the program. A changed file creates a new deployment. If the path changes but the files do not, no deployment is created. */
  readonly directory: Output<string | undefined>;
  /** Paths of files in `directory`, such as public/index.html. Only these files are deployed, instead of all. A change of the list creates a new deployment. */
  readonly files: Output<string[] | undefined>;
  /** Folder with the output of `vercel build`, such as .vercel/output. The output is deployed without another build. A changed file creates a new deployment. */
  readonly prebuilt: Output<string | undefined>;
  /** Environment of the deployment. Default: preview. Changing it replaces the deployment. */
  readonly target: Output<"production" | "preview" | undefined>;
  /** Id of the custom environment of the deployment, instead of `target`. Changing it replaces the deployment. */
  readonly customEnvironmentId: Output<string | undefined>;
  /** List of any values, such as the output `revision` of an `EnvVar`. Changing it replaces the deployment. */
  readonly triggers: Output<unknown[] | undefined>;
  /** Environment variables for the build and the functions of this deployment, in addition to the variables of the project. Always secret. A change takes effect with the next deployment. */
  readonly environment: Output<Record<string, string> | undefined>;
  /** Build settings of this deployment, which override the settings of the project. A change takes effect with the next deployment. */
  readonly projectSettings: Output<DeploymentProjectSettings | undefined>;
  /** Metadata of the deployment, at most 98 members. A request to the API can list the deployments with given metadata. A change takes effect with the next deployment. */
  readonly meta: Output<Record<string, string> | undefined>;
  /** Whether to wait until the deployment is built. If true, a failed build fails the run. Default: true. */
  readonly waitUntilReady: Output<boolean | undefined>;
  /** How long to wait for the build (milliseconds). After a timeout, the run fails, but the build continues. Default: 2700000 (45 minutes). */
  readonly timeoutMs: Output<number | undefined>;
  /** Whether destroying the resource keeps or deletes its deployment. Earlier deployments, which this deployment replaced, are always kept. Default: keep. */
  readonly onDestroy: Output<"keep" | "delete" | undefined>;
  /** Id of the deployment. */
  readonly deploymentId: Output<string>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Host name of the deployment, without https://. */
  readonly url: Output<string>;
  /** Domains that served the deployment when the build ended. A later promotion can move a domain to another deployment without changing this output. */
  readonly aliases: Output<string[]>;
  /** State of the deployment when it was last read: QUEUED, INITIALIZING, BUILDING, READY, ERROR, CANCELED or BLOCKED. */
  readonly readyState: Output<string>;
  /** When the deployment was created (milliseconds since the epoch). */
  readonly createdAt: Output<number>;
  /** Hash of the paths and contents of the deployed files; null for `ref` and `redeploy`. */
  readonly sourceDigest: Output<string | null>;
}

/** Arguments of a promotion. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface PromotionArgs {
  /** Id or name of the project. Changing it replaces the promotion. */
  project: Input<string>;
  /** Id of the deployment that serves production. The deployment must be ready, belong to the project, and be built for production. */
  deployment: Input<string>;
  /** Whether to wait until the deployment serves all visitors, if the project has rolling releases. Default: false, which waits until the release of the deployment has started. */
  waitForCompletion?: Input<boolean | undefined>;
  /** How long to wait until the domains serve the deployment (milliseconds). Default: 600000 (ten minutes). */
  timeoutMs?: Input<number | undefined>;
  /** Effect of deleting the promotion. keep: production stays as it is. rollback: promotes `previousDeployment`, the deployment that served production before the promotion was created. A rolling release of the deployment that runs is aborted. Default: keep. */
  onDelete?: Input<"keep" | "rollback" | undefined>;
}

/** Outputs of a promotion, and its current inputs. */
export interface PromotionOutputs {
  /** Id or name of the project. Changing it replaces the promotion. */
  readonly project: Output<string>;
  /** Id of the deployment that serves production. The deployment must be ready, belong to the project, and be built for production. */
  readonly deployment: Output<string>;
  /** Whether to wait until the deployment serves all visitors, if the project has rolling releases. Default: false, which waits until the release of the deployment has started. */
  readonly waitForCompletion: Output<boolean | undefined>;
  /** How long to wait until the domains serve the deployment (milliseconds). Default: 600000 (ten minutes). */
  readonly timeoutMs: Output<number | undefined>;
  /** Effect of deleting the promotion. keep: production stays as it is. rollback: promotes `previousDeployment`, the deployment that served production before the promotion was created. A rolling release of the deployment that runs is aborted. Default: keep. */
  readonly onDelete: Output<"keep" | "rollback" | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the deployment that this resource promoted last. After a refresh, `deployment` is the deployment that serves production, even if somebody else promoted it. */
  readonly promoted: Output<string>;
  /** Id of the deployment that served production before the promotion was created; null if no other deployment served production. */
  readonly previousDeployment: Output<string | null>;
  /** Domains that the promotion has moved to the deployment; none while a rolling release runs. */
  readonly aliases: Output<string[]>;
  /** Share of the visitors of production who get the deployment, in percent. Below 100 while a rolling release runs. */
  readonly trafficPercentage: Output<number>;
}

export interface CustomEnvironmentBranchMatcherArgs {
  /** How the branch name is compared with the pattern. */
  type: Input<"startsWith" | "equals" | "endsWith">;
  /** Text to compare the branch name with. */
  pattern: Input<string>;
}

/** Arguments of a custom environment. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface CustomEnvironmentArgs {
  /** Id or name of the project. Changing it replaces the environment. */
  project: Input<string>;
  /** Name of the environment in URLs: lower case letters, digits, '-' and '_'. Changing it renames the environment. */
  slug: Input<string>;
  /** Description of the environment. */
  description?: Input<string | undefined>;
  /** Git branches that deploy to the environment. */
  branchMatcher?: Input<CustomEnvironmentBranchMatcherArgs | undefined>;
  /** Environment whose variables are copied when this environment is created: a target, such as production, or the slug or id of another custom environment. A later change of `copyEnvVarsFrom` has no effect. */
  copyEnvVarsFrom?: Input<string | undefined>;
}

export interface CustomEnvironmentBranchMatcher {
  /** How the branch name is compared with the pattern. */
  readonly type: "startsWith" | "equals" | "endsWith";
  /** Text to compare the branch name with. */
  readonly pattern: string;
}

/** Outputs of a custom environment, and its current inputs. */
export interface CustomEnvironmentOutputs {
  /** Id or name of the project. Changing it replaces the environment. */
  readonly project: Output<string>;
  /** Name of the environment in URLs: lower case letters, digits, '-' and '_'. Changing it renames the environment. */
  readonly slug: Output<string>;
  /** Description of the environment. */
  readonly description: Output<string | undefined>;
  /** Git branches that deploy to the environment. */
  readonly branchMatcher: Output<CustomEnvironmentBranchMatcher | undefined>;
  /** Environment whose variables are copied when this environment is created: a target, such as production, or the slug or id of another custom environment. A later change of `copyEnvVarsFrom` has no effect. */
  readonly copyEnvVarsFrom: Output<string | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the environment, for `customEnvironmentIds` of an `EnvVar`, or for `customEnvironmentId` of a `ProjectDomain` or `Deployment`. */
  readonly environmentId: Output<string>;
}

export type DnsRecordType = "A" | "AAAA" | "ALIAS" | "CAA" | "CNAME" | "HTTPS" | "MX" | "NS" | "SRV" | "TXT";

export interface DnsRecordSrvArgs {
  /** Priority of the host: the host with the lowest number is tried first. */
  priority: Input<number>;
  /** Share of the requests that the host gets among hosts of the same priority. */
  weight: Input<number>;
  /** Port on which the host listens. */
  port: Input<number>;
  /** Host name of the server. */
  target: Input<string>;
}

export interface DnsRecordHttpsArgs {
  /** Priority of the host: the host with the lowest number is tried first. 0 makes the record an alias of `target`. */
  priority: Input<number>;
  /** Host name of the server. A dot means the name of the record itself. */
  target: Input<string>;
  /** Parameters, such as alpn=h2,h3. */
  params?: Input<string | undefined>;
}

/** Arguments of a dns record. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface DnsRecordArgs {
  /** Domain of the account, without a subdomain, such as example.com. Changing it replaces the record. */
  domain: Input<string>;
  /** Name below the domain, such as www; empty for the domain itself. */
  name: Input<string>;
  /** Type of the record. Changing it replaces the record. */
  type: Input<DnsRecordType>;
  /** Value of the record: an address, a host name or a text, depending on the type. Required, except with the types SRV and HTTPS. */
  value?: Input<string | undefined>;
  /** How long DNS resolvers cache the record (seconds, at least 60). */
  ttl?: Input<number | undefined>;
  /** Priority of the mail server: the server with the lowest number is tried first. Required with the type MX. */
  mxPriority?: Input<number | undefined>;
  /** Settings of a record of type SRV. */
  srv?: Input<DnsRecordSrvArgs | undefined>;
  /** Settings of a record of type HTTPS. */
  https?: Input<DnsRecordHttpsArgs | undefined>;
  /** Comment that says what the record is for. */
  comment?: Input<string | undefined>;
}

export interface DnsRecordSrv {
  /** Priority of the host: the host with the lowest number is tried first. */
  readonly priority: number;
  /** Share of the requests that the host gets among hosts of the same priority. */
  readonly weight: number;
  /** Port on which the host listens. */
  readonly port: number;
  /** Host name of the server. */
  readonly target: string;
}

export interface DnsRecordHttps {
  /** Priority of the host: the host with the lowest number is tried first. 0 makes the record an alias of `target`. */
  readonly priority: number;
  /** Host name of the server. A dot means the name of the record itself. */
  readonly target: string;
  /** Parameters, such as alpn=h2,h3. */
  readonly params?: string | undefined;
}

/** Outputs of a dns record, and its current inputs. */
export interface DnsRecordOutputs {
  /** Domain of the account, without a subdomain, such as example.com. Changing it replaces the record. */
  readonly domain: Output<string>;
  /** Name below the domain, such as www; empty for the domain itself. */
  readonly name: Output<string>;
  /** Type of the record. Changing it replaces the record. */
  readonly type: Output<DnsRecordType>;
  /** Value of the record: an address, a host name or a text, depending on the type. Required, except with the types SRV and HTTPS. */
  readonly value: Output<string | undefined>;
  /** How long DNS resolvers cache the record (seconds, at least 60). */
  readonly ttl: Output<number | undefined>;
  /** Priority of the mail server: the server with the lowest number is tried first. Required with the type MX. */
  readonly mxPriority: Output<number | undefined>;
  /** Settings of a record of type SRV. */
  readonly srv: Output<DnsRecordSrv | undefined>;
  /** Settings of a record of type HTTPS. */
  readonly https: Output<DnsRecordHttps | undefined>;
  /** Comment that says what the record is for. */
  readonly comment: Output<string | undefined>;
  /** Id of the record at the service. It follows the contents, so changes of the name or value change it. */
  readonly recordId: Output<string>;
}

/** Arguments of an attack challenge mode. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface AttackChallengeModeArgs {
  /** Id or name of the project. Changing it replaces the resource. */
  project: Input<string>;
  /** Whether every visitor has to pass a challenge. */
  enabled: Input<boolean>;
  /** Time at which the mode ends (milliseconds since the epoch). Without `activeUntil`, the mode has no end. */
  activeUntil?: Input<number | undefined>;
}

/** Outputs of an attack challenge mode, and its current inputs. */
export interface AttackChallengeModeOutputs {
  /** Id or name of the project. Changing it replaces the resource. */
  readonly project: Output<string>;
  /** Whether every visitor has to pass a challenge. */
  readonly enabled: Output<boolean>;
  /** Time at which the mode ends (milliseconds since the epoch). Without `activeUntil`, the mode has no end. */
  readonly activeUntil: Output<number | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
}

export interface RollingReleaseStagesArgs {
  /** Share of the visitors who get the new deployment, in percent: 100 in the last stage, and only there. */
  targetPercentage: Input<number>;
  /** How long the stage lasts, in minutes. Every stage but the last needs a duration if `advancementType` is automatic. Otherwise, the duration has no effect. */
  duration?: Input<number | undefined>;
  /** Whether the share grows evenly during the stage instead of at once. */
  linearShift?: Input<boolean | undefined>;
}

/** Arguments of a rolling release. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface RollingReleaseArgs {
  /** Id or name of the project. Changing it replaces the resource. */
  project: Input<string>;
  /** How a release goes to its next stage. automatic: after the `duration` of the stage. manual-approval: when somebody approves it, in the dashboard or with `vercel rolling-release approve`. */
  advancementType: Input<"automatic" | "manual-approval">;
  /** Stages of each release, in order. Each stage has a larger share than the one before, and the last one has 100. */
  stages: Input<Input<RollingReleaseStagesArgs>[]>;
}

export interface RollingReleaseStages {
  /** Share of the visitors who get the new deployment, in percent: 100 in the last stage, and only there. */
  readonly targetPercentage: number;
  /** How long the stage lasts, in minutes. Every stage but the last needs a duration if `advancementType` is automatic. Otherwise, the duration has no effect. */
  readonly duration?: number | undefined;
  /** Whether the share grows evenly during the stage instead of at once. */
  readonly linearShift?: boolean | undefined;
}

/** Outputs of a rolling release, and its current inputs. */
export interface RollingReleaseOutputs {
  /** Id or name of the project. Changing it replaces the resource. */
  readonly project: Output<string>;
  /** How a release goes to its next stage. automatic: after the `duration` of the stage. manual-approval: when somebody approves it, in the dashboard or with `vercel rolling-release approve`. */
  readonly advancementType: Output<"automatic" | "manual-approval">;
  /** Stages of each release, in order. Each stage has a larger share than the one before, and the last one has 100. */
  readonly stages: Output<RollingReleaseStages[]>;
  /** Id of the project. */
  readonly projectId: Output<string>;
}

export interface SharedEnvVarValueFromArgs {
  /** Name of an environment variable of the process that runs Pulumi. It must not be empty. */
  environment?: Input<string | undefined>;
  /** Path of a file, absolute, or relative to the folder of the program. One line break at the end of the file is left out. */
  file?: Input<string | undefined>;
}

/** Arguments of a shared env var. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface SharedEnvVarArgs {
  /** Name of the variable. Changing it renames the variable. */
  key: Input<string>;
  /** Value of the variable, always a secret. Required, except with `valueFrom`. Numbers and booleans become text. */
  value?: Input<string | undefined>;
  /** Where the provider reads the value, instead of `value`: the state has only a keyed digest of such a value. Each preview and update reads it again, so a changed value updates the variable. */
  valueFrom?: Input<SharedEnvVarValueFromArgs | undefined>;
  /** How Vercel stores the value. Default for new variables: sensitive, or encrypted if `target` contains development. Changing sensitive to encrypted replaces the variable, because the API never returns a sensitive value. */
  type?: Input<"encrypted" | "sensitive" | undefined>;
  /** Environments that get the variable. Required, unless `applyToAllCustomEnvironments` is true. */
  target?: Input<Input<"production" | "preview" | "development">[] | undefined>;
  /** Whether all custom environments of the linked projects get the variable too. */
  applyToAllCustomEnvironments?: Input<boolean | undefined>;
  /** Description of the variable. */
  comment?: Input<string | undefined>;
  /** Ids of all projects that get the variable. Other projects are unlinked. Without `projectIds`, links are not changed: declare each link as a `SharedEnvVarLink`. */
  projectIds?: Input<Input<string>[] | undefined>;
  /** If the team has a variable with this key and at least one of the declared environments, takes that variable over instead of failing. Default: false. */
  adopt?: Input<boolean | undefined>;
}

export interface SharedEnvVarValueFrom {
  /** Name of an environment variable of the process that runs Pulumi. It must not be empty. */
  readonly environment?: string | undefined;
  /** Path of a file, absolute, or relative to the folder of the program. One line break at the end of the file is left out. */
  readonly file?: string | undefined;
}

/** Outputs of a shared env var, and its current inputs. */
export interface SharedEnvVarOutputs {
  /** Name of the variable. Changing it renames the variable. */
  readonly key: Output<string>;
  /** Value of the variable, always a secret. Required, except with `valueFrom`. Numbers and booleans become text. */
  readonly value: Output<string | undefined>;
  /** Where the provider reads the value, instead of `value`: the state has only a keyed digest of such a value. Each preview and update reads it again, so a changed value updates the variable. */
  readonly valueFrom: Output<SharedEnvVarValueFrom | undefined>;
  /** How Vercel stores the value. Default for new variables: sensitive, or encrypted if `target` contains development. Changing sensitive to encrypted replaces the variable, because the API never returns a sensitive value. */
  readonly type: Output<"encrypted" | "sensitive" | undefined>;
  /** Environments that get the variable. Required, unless `applyToAllCustomEnvironments` is true. */
  readonly target: Output<("production" | "preview" | "development")[] | undefined>;
  /** Whether all custom environments of the linked projects get the variable too. */
  readonly applyToAllCustomEnvironments: Output<boolean | undefined>;
  /** Description of the variable. */
  readonly comment: Output<string | undefined>;
  /** Ids of all projects that get the variable. Other projects are unlinked. Without `projectIds`, links are not changed: declare each link as a `SharedEnvVarLink`. */
  readonly projectIds: Output<string[] | undefined>;
  /** If the team has a variable with this key and at least one of the declared environments, takes that variable over instead of failing. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Ids of the projects that the variable is linked to. */
  readonly linkedProjectIds: Output<string[]>;
  /** Time of the last change (milliseconds since the epoch). */
  readonly updatedAt: Output<number>;
  /** Random text for `triggers` of a Deployment. The text changes whenever the value, type, key, environments or `projectIds` change, and only then. The text does not reveal these inputs. */
  readonly revision: Output<string>;
  /** Digest of the value, if it comes from `valueFrom`, with which the next run sees a changed value. Always a secret. Otherwise empty. */
  readonly valueDigest: Output<string>;
}

/** Arguments of a shared env var link. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface SharedEnvVarLinkArgs {
  /** Id of the shared variable. Changing it replaces the link. */
  sharedEnvVarId: Input<string>;
  /** Id or name of the project that gets the variable. Changing it replaces the link. */
  project: Input<string>;
}

/** Outputs of a shared env var link, and its current inputs. */
export interface SharedEnvVarLinkOutputs {
  /** Id of the shared variable. Changing it replaces the link. */
  readonly sharedEnvVarId: Output<string>;
  /** Id or name of the project that gets the variable. Changing it replaces the link. */
  readonly project: Output<string>;
  /** Id of the project. */
  readonly projectId: Output<string>;
}

/** Arguments of a team member. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface TeamMemberArgs {
  /** Email address to invite, not case-sensitive. Changing it replaces the member, unless the new address belongs to the same user. */
  email: Input<string>;
  /** Role of the member in the team. */
  role: Input<
    "OWNER" | "MEMBER" | "DEVELOPER" | "SECURITY" | "BILLING" | "VIEWER" | "VIEWER_FOR_PLUS" | "CONTRIBUTOR"
  >;
  /** If the team already has or has invited the member, takes the member over instead of failing. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a team member, and its current inputs. */
export interface TeamMemberOutputs {
  /** Email address to invite, not case-sensitive. Changing it replaces the member, unless the new address belongs to the same user. */
  readonly email: Output<string>;
  /** Role of the member in the team. */
  readonly role: Output<
    "OWNER" | "MEMBER" | "DEVELOPER" | "SECURITY" | "BILLING" | "VIEWER" | "VIEWER_FOR_PLUS" | "CONTRIBUTOR"
  >;
  /** If the team already has or has invited the member, takes the member over instead of failing. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the user; null while the invited address has no account. */
  readonly userId: Output<string | null>;
  /** Username of the user; null while the invited address has no account. */
  readonly username: Output<string | null>;
  /** Whether the invitation was accepted. */
  readonly confirmed: Output<boolean>;
  /** Current email address of the user's account. */
  readonly currentEmail: Output<string>;
}

export interface TeamConfigRemoteCachingArgs {
  /** Whether it is so. */
  enabled: Input<boolean>;
}

export interface TeamConfigStrictDeploymentProtectionSettingsArgs {
  /** Whether it is so. */
  enabled: Input<boolean>;
}

export interface TeamConfigStrictShareableLinksArgs {
  /** Whether it is so. */
  enabled: Input<boolean>;
}

export interface TeamConfigStrictPasswordProtectionSettingsArgs {
  /** Whether it is so. */
  enabled: Input<boolean>;
}

export interface TeamConfigSamlRolesArgs {
  /** Role in the team. */
  role?: Input<
    | "OWNER"
    | "MEMBER"
    | "DEVELOPER"
    | "SECURITY"
    | "BILLING"
    | "VIEWER"
    | "VIEWER_FOR_PLUS"
    | "CONTRIBUTOR"
    | (string & {})
    | undefined
  >;
  /** Id of an access group. */
  accessGroupId?: Input<string | undefined>;
}

export interface TeamConfigSamlArgs {
  /** Whether members must use single sign-on. */
  enforced: Input<boolean>;
  /** Role or access group of the members of each directory group, by the id of the group. */
  roles?: Input<Record<string, Input<TeamConfigSamlRolesArgs>> | undefined>;
}

/** Arguments of a team config. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface TeamConfigArgs {
  /** Name of the team. */
  name?: Input<string | undefined>;
  /** Slug of the team, which is part of addresses: lower case letters, digits, and dashes between them. Before you change it, select the team by its id (`slipway:team`). */
  slug?: Input<string | undefined>;
  /** Text that describes the team. */
  description?: Input<string | undefined>;
  /** Domain name whose email addresses join the team when they sign up. Null for none. */
  emailDomain?: Input<string | null | undefined>;
  /** Domain name below which preview deployments get their addresses. Null for the service's own. */
  previewDeploymentSuffix?: Input<string | null | undefined>;
  /** `on`: new variables for production and preview must have the type `sensitive`. */
  sensitiveEnvironmentVariablePolicy?: Input<"on" | "off" | "default" | undefined>;
  /** Whether preview deployments show the toolbar. */
  enablePreviewFeedback?: Input<"on" | "off" | "default" | undefined>;
  /** Whether production deployments show the toolbar. */
  enableProductionFeedback?: Input<"on" | "off" | "default" | undefined>;
  /** Whether builds share their results (Remote Caching). */
  remoteCaching?: Input<TeamConfigRemoteCachingArgs | undefined>;
  /** Whether observability hides the IP addresses of visitors. */
  hideIpAddresses?: Input<boolean | undefined>;
  /** Whether log drains get no IP addresses of visitors. */
  hideIpAddressesInLogDrains?: Input<boolean | undefined>;
  /** Whether only commits with a verified signature are deployed. */
  requireVerifiedCommits?: Input<boolean | undefined>;
  /** Whether deployments send no `repository_dispatch` events to GitHub. */
  disableRepositoryDispatchEvents?: Input<boolean | undefined>;
  /** Whether only owners change the protection of deployments. */
  strictDeploymentProtectionSettings?: Input<TeamConfigStrictDeploymentProtectionSettingsArgs | undefined>;
  /** Whether only owners create shareable links. */
  strictShareableLinks?: Input<TeamConfigStrictShareableLinksArgs | undefined>;
  /** Whether only owners change the password protection of projects. */
  strictPasswordProtectionSettings?: Input<TeamConfigStrictPasswordProtectionSettingsArgs | undefined>;
  /** Single sign-on (SAML), after it was set up in the service's dashboard. */
  saml?: Input<TeamConfigSamlArgs | undefined>;
}

export interface TeamConfigRemoteCaching {
  /** Whether it is so. */
  readonly enabled: boolean;
}

export interface TeamConfigStrictDeploymentProtectionSettings {
  /** Whether it is so. */
  readonly enabled: boolean;
}

export interface TeamConfigStrictShareableLinks {
  /** Whether it is so. */
  readonly enabled: boolean;
}

export interface TeamConfigStrictPasswordProtectionSettings {
  /** Whether it is so. */
  readonly enabled: boolean;
}

export interface TeamConfigSamlRoles {
  /** Role in the team. */
  readonly role?:
    | "OWNER"
    | "MEMBER"
    | "DEVELOPER"
    | "SECURITY"
    | "BILLING"
    | "VIEWER"
    | "VIEWER_FOR_PLUS"
    | "CONTRIBUTOR"
    | (string & {})
    | undefined;
  /** Id of an access group. */
  readonly accessGroupId?: string | undefined;
}

export interface TeamConfigSaml {
  /** Whether members must use single sign-on. */
  readonly enforced: boolean;
  /** Role or access group of the members of each directory group, by the id of the group. */
  readonly roles?: Record<string, TeamConfigSamlRoles> | undefined;
}

/** Outputs of a team config, and its current inputs. */
export interface TeamConfigOutputs {
  /** Name of the team. */
  readonly name: Output<string | undefined>;
  /** Slug of the team, which is part of addresses: lower case letters, digits, and dashes between them. Before you change it, select the team by its id (`slipway:team`). */
  readonly slug: Output<string | undefined>;
  /** Text that describes the team. */
  readonly description: Output<string | undefined>;
  /** Domain name whose email addresses join the team when they sign up. Null for none. */
  readonly emailDomain: Output<string | null | undefined>;
  /** Domain name below which preview deployments get their addresses. Null for the service's own. */
  readonly previewDeploymentSuffix: Output<string | null | undefined>;
  /** `on`: new variables for production and preview must have the type `sensitive`. */
  readonly sensitiveEnvironmentVariablePolicy: Output<"on" | "off" | "default" | undefined>;
  /** Whether preview deployments show the toolbar. */
  readonly enablePreviewFeedback: Output<"on" | "off" | "default" | undefined>;
  /** Whether production deployments show the toolbar. */
  readonly enableProductionFeedback: Output<"on" | "off" | "default" | undefined>;
  /** Whether builds share their results (Remote Caching). */
  readonly remoteCaching: Output<TeamConfigRemoteCaching | undefined>;
  /** Whether observability hides the IP addresses of visitors. */
  readonly hideIpAddresses: Output<boolean | undefined>;
  /** Whether log drains get no IP addresses of visitors. */
  readonly hideIpAddressesInLogDrains: Output<boolean | undefined>;
  /** Whether only commits with a verified signature are deployed. */
  readonly requireVerifiedCommits: Output<boolean | undefined>;
  /** Whether deployments send no `repository_dispatch` events to GitHub. */
  readonly disableRepositoryDispatchEvents: Output<boolean | undefined>;
  /** Whether only owners change the protection of deployments. */
  readonly strictDeploymentProtectionSettings: Output<
    TeamConfigStrictDeploymentProtectionSettings | undefined
  >;
  /** Whether only owners create shareable links. */
  readonly strictShareableLinks: Output<TeamConfigStrictShareableLinks | undefined>;
  /** Whether only owners change the password protection of projects. */
  readonly strictPasswordProtectionSettings: Output<TeamConfigStrictPasswordProtectionSettings | undefined>;
  /** Single sign-on (SAML), after it was set up in the service's dashboard. */
  readonly saml: Output<TeamConfigSaml | undefined>;
  /** Id of the team. */
  readonly teamId: Output<string>;
}

/** Arguments of a project member. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface ProjectMemberArgs {
  /** Id or name of the project. Changing it replaces the member. */
  project: Input<string>;
  /** Email address of a member of the team, such as the input `email` of a `TeamMember`; not case-sensitive. Changing it replaces the member, unless the new address belongs to the same user. */
  email: Input<string>;
  /** Role of the member in the project. */
  role: Input<"ADMIN" | "PROJECT_DEVELOPER" | "PROJECT_VIEWER">;
  /** If the project already has the member, takes the member over instead of failing. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a project member, and its current inputs. */
export interface ProjectMemberOutputs {
  /** Id or name of the project. Changing it replaces the member. */
  readonly project: Output<string>;
  /** Email address of a member of the team, such as the input `email` of a `TeamMember`; not case-sensitive. Changing it replaces the member, unless the new address belongs to the same user. */
  readonly email: Output<string>;
  /** Role of the member in the project. */
  readonly role: Output<"ADMIN" | "PROJECT_DEVELOPER" | "PROJECT_VIEWER">;
  /** If the project already has the member, takes the member over instead of failing. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the user. */
  readonly userId: Output<string>;
  /** Username of the user. */
  readonly username: Output<string | null>;
  /** Current email address of the user's account. */
  readonly currentEmail: Output<string>;
}

/** Arguments of an access group. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface AccessGroupArgs {
  /** Name of the group in the team. Changing it renames the group. */
  name: Input<string>;
  /** Takes over an existing group with this name, with its members and projects. If false, the create fails when the team already has the group. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of an access group, and its current inputs. */
export interface AccessGroupOutputs {
  /** Name of the group in the team. Changing it renames the group. */
  readonly name: Output<string>;
  /** Takes over an existing group with this name, with its members and projects. If false, the create fails when the team already has the group. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the group, the same as `id`, for `accessGroupId` of its members and projects. */
  readonly accessGroupId: Output<string>;
}

/** Arguments of an access group member. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface AccessGroupMemberArgs {
  /** Id of the access group, such as the `id` of an `AccessGroup`. Changing it replaces the member. */
  accessGroupId: Input<string>;
  /** Email address of a member of the team who has accepted the invitation, such as the input `email` of a `TeamMember`; not case-sensitive. Changing it replaces the member, unless the new address belongs to the same user. */
  email: Input<string>;
  /** If the group already has the member, takes the member over instead of failing. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of an access group member, and its current inputs. */
export interface AccessGroupMemberOutputs {
  /** Id of the access group, such as the `id` of an `AccessGroup`. Changing it replaces the member. */
  readonly accessGroupId: Output<string>;
  /** Email address of a member of the team who has accepted the invitation, such as the input `email` of a `TeamMember`; not case-sensitive. Changing it replaces the member, unless the new address belongs to the same user. */
  readonly email: Output<string>;
  /** If the group already has the member, takes the member over instead of failing. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the user. */
  readonly userId: Output<string>;
  /** Username of the user. */
  readonly username: Output<string | null>;
  /** Current email address of the user's account. */
  readonly currentEmail: Output<string>;
}

/** Arguments of an access group project. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface AccessGroupProjectArgs {
  /** Id or name of the project. Changing it replaces the project of the group. */
  project: Input<string>;
  /** Id of the access group, such as the `id` of an `AccessGroup`. Changing it replaces the project of the group. */
  accessGroupId: Input<string>;
  /** Role of the group's members in the project. */
  role: Input<"ADMIN" | "PROJECT_DEVELOPER" | "PROJECT_VIEWER">;
  /** If the group already has the project, takes it over instead of failing. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of an access group project, and its current inputs. */
export interface AccessGroupProjectOutputs {
  /** Id or name of the project. Changing it replaces the project of the group. */
  readonly project: Output<string>;
  /** Id of the access group, such as the `id` of an `AccessGroup`. Changing it replaces the project of the group. */
  readonly accessGroupId: Output<string>;
  /** Role of the group's members in the project. */
  readonly role: Output<"ADMIN" | "PROJECT_DEVELOPER" | "PROJECT_VIEWER">;
  /** If the group already has the project, takes it over instead of failing. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
}

/** Arguments of a microfrontend group. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface MicrofrontendGroupArgs {
  /** Name of the group in the team. Changing it renames the group, and changes its `slug`. */
  name: Input<string>;
  /** Id of the project of the default application, which gets the requests that no other project of the group gets. Changing it makes another project the default application, and removes the one before from the group. */
  defaultAppProjectId: Input<string>;
  /** Path of the default application that is shown in screenshots and links of deployments. Default: /. */
  defaultRoute?: Input<string | undefined>;
  /** Where requests of preview and custom environments go for a project that was not built for a commit. SAME_ENV: the same environment. PRODUCTION: production. Otherwise the slug of a custom environment of the default application. Default: SAME_ENV. */
  fallbackEnvironment?: Input<string | undefined>;
  /** Whether preview deployments lead to branches with the same name in other Git repositories. Default: false. */
  enablePolyrepoBranchRouting?: Input<boolean | undefined>;
  /** Takes over an existing group with this name and default application, with its projects. If false, the create fails when the team already has the group. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a microfrontend group, and its current inputs. */
export interface MicrofrontendGroupOutputs {
  /** Name of the group in the team. Changing it renames the group, and changes its `slug`. */
  readonly name: Output<string>;
  /** Id of the project of the default application, which gets the requests that no other project of the group gets. Changing it makes another project the default application, and removes the one before from the group. */
  readonly defaultAppProjectId: Output<string>;
  /** Path of the default application that is shown in screenshots and links of deployments. Default: /. */
  readonly defaultRoute: Output<string | undefined>;
  /** Where requests of preview and custom environments go for a project that was not built for a commit. SAME_ENV: the same environment. PRODUCTION: production. Otherwise the slug of a custom environment of the default application. Default: SAME_ENV. */
  readonly fallbackEnvironment: Output<string | undefined>;
  /** Whether preview deployments lead to branches with the same name in other Git repositories. Default: false. */
  readonly enablePolyrepoBranchRouting: Output<boolean | undefined>;
  /** Takes over an existing group with this name and default application, with its projects. If false, the create fails when the team already has the group. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the group, the same as `id`, for `microfrontendGroupId` of its other projects. */
  readonly microfrontendGroupId: Output<string>;
  /** Name of the group as in URLs. */
  readonly slug: Output<string>;
}

/** Arguments of a microfrontend group membership. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface MicrofrontendGroupMembershipArgs {
  /** Id or name of the project. Changing it replaces the membership. */
  project: Input<string>;
  /** Id of the group, such as the output `microfrontendGroupId` of a `MicrofrontendGroup`. Changing it replaces the membership. */
  microfrontendGroupId: Input<string>;
  /** Path of the project that is shown in screenshots and links of deployments. Default: /. */
  defaultRoute?: Input<string | undefined>;
  /** Whether observability data of the paths of this project goes to this project instead of the default application. Default: false. */
  routeObservabilityToThisProject?: Input<boolean | undefined>;
  /** Whether the domains of this project serve this project alone, and not the whole group. Default: false. */
  doNotRouteWithMicrofrontendsRouting?: Input<boolean | undefined>;
  /** If the group already has the project, takes it over instead of failing. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a microfrontend group membership, and its current inputs. */
export interface MicrofrontendGroupMembershipOutputs {
  /** Id or name of the project. Changing it replaces the membership. */
  readonly project: Output<string>;
  /** Id of the group, such as the output `microfrontendGroupId` of a `MicrofrontendGroup`. Changing it replaces the membership. */
  readonly microfrontendGroupId: Output<string>;
  /** Path of the project that is shown in screenshots and links of deployments. Default: /. */
  readonly defaultRoute: Output<string | undefined>;
  /** Whether observability data of the paths of this project goes to this project instead of the default application. Default: false. */
  readonly routeObservabilityToThisProject: Output<boolean | undefined>;
  /** Whether the domains of this project serve this project alone, and not the whole group. Default: false. */
  readonly doNotRouteWithMicrofrontendsRouting: Output<boolean | undefined>;
  /** If the group already has the project, takes it over instead of failing. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
}

/** Arguments of a set of firewall bypass. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface FirewallBypassArgs {
  /** Id or name of the project. Changing it replaces the rule. */
  project: Input<string>;
  /** Production domain of the project, or * for all domains of the project. Changing it replaces the rule. */
  domain: Input<string>;
  /** IP address or range (CIDR) whose requests pass, such as 192.0.2.1 or 192.0.2.0/24. Changing it replaces the rule. */
  sourceIp: Input<string>;
  /** Note that says what the rule is for. */
  note?: Input<string | undefined>;
  /** Takes over an existing rule with this domain and address. If false, the create fails when the project already has this rule. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a set of firewall bypass, and its current inputs. */
export interface FirewallBypassOutputs {
  /** Id or name of the project. Changing it replaces the rule. */
  readonly project: Output<string>;
  /** Production domain of the project, or * for all domains of the project. Changing it replaces the rule. */
  readonly domain: Output<string>;
  /** IP address or range (CIDR) whose requests pass, such as 192.0.2.1 or 192.0.2.0/24. Changing it replaces the rule. */
  readonly sourceIp: Output<string>;
  /** Note that says what the rule is for. */
  readonly note: Output<string | undefined>;
  /** Takes over an existing rule with this domain and address. If false, the create fails when the project already has this rule. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the rule at the service. */
  readonly bypassId: Output<string>;
}

export type FirewallConfigRulesConditionGroupConditionsType =
  | "host"
  | "path"
  | "method"
  | "header"
  | "query"
  | "cookie"
  | "target_path"
  | "route"
  | "raw_path"
  | "ip_address"
  | "region"
  | "protocol"
  | "scheme"
  | "environment"
  | "domain_environment"
  | "user_agent"
  | "geo_continent"
  | "geo_country"
  | "geo_country_region"
  | "geo_city"
  | "geo_as_number"
  | "ja4_digest"
  | "ja3_digest"
  | "rate_limit_api_id"
  | "server_action"
  | "bot_name"
  | "bot_category"
  | "bot_status"
  | "bot_protection"
  | "shared_condition"
  | "traffic_source"
  | "ruleset";

export type FirewallConfigRulesConditionGroupConditionsOp =
  | "re"
  | "eq"
  | "neq"
  | "ex"
  | "nex"
  | "inc"
  | "ninc"
  | "pre"
  | "suf"
  | "sub"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "list";

export interface FirewallConfigRulesConditionGroupConditionsArgs {
  /** Part of the request to compare, such as `path`, `method`, `header`, `ip_address` or `geo_country`. */
  type: Input<FirewallConfigRulesConditionGroupConditionsType | (string & {})>;
  /** How it is compared: `eq` (equals), `neq`, `inc` (is one of `values`), `ninc`, `pre` (begins with), `suf` (ends with), `sub` (contains), `re` (matches a regular expression), `ex` (exists), `nex`, `gt`, `gte`, `lt` or `lte`. */
  op: Input<FirewallConfigRulesConditionGroupConditionsOp>;
  /** Whether the condition is reversed. Default: false. */
  neg?: Input<boolean | undefined>;
  /** Name of the header, query parameter or cookie. */
  key?: Input<string | undefined>;
  /** Value to compare with. */
  value?: Input<string | undefined>;
  /** Values to compare with, for `inc` and `ninc`. */
  values?: Input<Input<string>[] | undefined>;
}

export interface FirewallConfigRulesConditionGroupArgs {
  /** Conditions that a request must all meet. */
  conditions: Input<Input<FirewallConfigRulesConditionGroupConditionsArgs>[]>;
}

export interface FirewallConfigRulesActionRateLimitArgs {
  /** How requests are counted. `token_bucket` needs the enterprise plan. */
  algo: Input<"fixed_window" | "token_bucket">;
  /** Length of the window (seconds). More than 600 needs the enterprise plan. */
  window: Input<number>;
  /** Number of requests in a window. */
  limit: Input<number>;
  /** Parts of a request that identify its client, such as `ip` or `ja4`. */
  keys: Input<Input<string>[]>;
  /** Action for requests above the limit. The response has the status 429 by default. */
  action?: Input<"log" | "challenge" | "deny" | "rate_limit" | undefined>;
}

export interface FirewallConfigRulesActionRedirectArgs {
  /** Path or URL. */
  location: Input<string>;
  /** Whether visitors may keep the redirect. */
  permanent: Input<boolean>;
}

export interface FirewallConfigRulesActionArgs {
  /** Action for the requests. */
  action: Input<"log" | "challenge" | "deny" | "bypass" | "rate_limit" | "redirect">;
  /** Limit of requests. Needed for `rate_limit`. */
  rateLimit?: Input<FirewallConfigRulesActionRateLimitArgs | undefined>;
  /** Target of a redirect. Needed for `redirect`. */
  redirect?: Input<FirewallConfigRulesActionRedirectArgs | undefined>;
  /** How long the action goes on for a client after a match, such as `5m`. */
  actionDuration?: Input<"1m" | "5m" | "15m" | "30m" | "1h" | (string & {}) | undefined>;
}

export interface FirewallConfigRulesArgs {
  /** Name of the rule, which no other rule of the list has. */
  name: Input<string>;
  /** Text that describes the rule. */
  description?: Input<string | undefined>;
  /** Whether the rule is applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Groups of conditions. The rule applies to a request that meets all conditions of one of the groups. */
  conditionGroup: Input<Input<FirewallConfigRulesConditionGroupArgs>[]>;
  /** Action for these requests. */
  action: Input<FirewallConfigRulesActionArgs>;
}

export interface FirewallConfigIpRulesArgs {
  /** Host that the rule is for, such as www.example.com or *.example.com, or * for all hosts of the project. */
  hostname: Input<string>;
  /** IP address or range (CIDR). A range has at least /16 (IPv4) or /48 (IPv6). */
  ip: Input<string>;
  /** Note that says what the rule is for. */
  notes?: Input<string | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "challenge" | "log" | "bypass">;
}

export interface FirewallConfigManagedRulesetsOwaspXssArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspSqliArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspSfArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspLfiArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspRfiArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspRceArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspSdArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspMaArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspPhpArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspGenArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspJavaArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"deny" | "log">;
}

export interface FirewallConfigManagedRulesetsOwaspArgs {
  /** Cross-site scripting. */
  xss?: Input<FirewallConfigManagedRulesetsOwaspXssArgs | undefined>;
  /** SQL injection. */
  sqli?: Input<FirewallConfigManagedRulesetsOwaspSqliArgs | undefined>;
  /** Session fixation. */
  sf?: Input<FirewallConfigManagedRulesetsOwaspSfArgs | undefined>;
  /** Inclusion of local files. */
  lfi?: Input<FirewallConfigManagedRulesetsOwaspLfiArgs | undefined>;
  /** Inclusion of remote files. */
  rfi?: Input<FirewallConfigManagedRulesetsOwaspRfiArgs | undefined>;
  /** Remote execution of code. */
  rce?: Input<FirewallConfigManagedRulesetsOwaspRceArgs | undefined>;
  /** Detection of scanners. */
  sd?: Input<FirewallConfigManagedRulesetsOwaspSdArgs | undefined>;
  /** Attacks with multipart bodies. */
  ma?: Input<FirewallConfigManagedRulesetsOwaspMaArgs | undefined>;
  /** Attacks on PHP. */
  php?: Input<FirewallConfigManagedRulesetsOwaspPhpArgs | undefined>;
  /** Generic attacks. */
  gen?: Input<FirewallConfigManagedRulesetsOwaspGenArgs | undefined>;
  /** Attacks on Java. */
  java?: Input<FirewallConfigManagedRulesetsOwaspJavaArgs | undefined>;
}

export interface FirewallConfigManagedRulesetsBotProtectionArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"log" | "challenge" | "deny">;
}

export interface FirewallConfigManagedRulesetsAiBotsArgs {
  /** Whether the rules are applied. Default: true. */
  active?: Input<boolean | undefined>;
  /** Action for the requests. */
  action: Input<"log" | "challenge" | "deny">;
}

export interface FirewallConfigManagedRulesetsArgs {
  /** OWASP core rule set. It needs the enterprise plan. */
  owasp?: Input<FirewallConfigManagedRulesetsOwaspArgs | undefined>;
  /** Requests that do not come from browsers. */
  botProtection?: Input<FirewallConfigManagedRulesetsBotProtectionArgs | undefined>;
  /** Crawlers of AI services. */
  aiBots?: Input<FirewallConfigManagedRulesetsAiBotsArgs | undefined>;
}

/** Arguments of a firewall config. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface FirewallConfigArgs {
  /** Id or name of the project. Changing it replaces the resource. */
  project: Input<string>;
  /** Whether the rules are applied. Default: true; an adopted configuration keeps its value. */
  enabled?: Input<boolean | undefined>;
  /** Custom rules, in the order in which they are applied. */
  rules?: Input<Input<FirewallConfigRulesArgs>[] | undefined>;
  /** Rules for IP addresses. Their order has no meaning. */
  ipRules?: Input<Input<FirewallConfigIpRulesArgs>[] | undefined>;
  /** Sets of rules that the service maintains. Sets that are not declared stay as they are. */
  managedRulesets?: Input<FirewallConfigManagedRulesetsArgs | undefined>;
  /** Effect of deleting the resource. keep: the configuration stays as it is. remove: removes the rules in the state and turns off the sets in the state; other rules stay. After a refresh, the state also has the rules that somebody else added. Default: keep. */
  onDelete?: Input<"keep" | "remove" | undefined>;
  /** Takes over an existing configuration: declared rules are added, or change the rule with their name, and no rule is removed. If false, the create fails when the project has rules already. Default: false. */
  adopt?: Input<boolean | undefined>;
}

export interface FirewallConfigRulesConditionGroupConditions {
  /** Part of the request to compare, such as `path`, `method`, `header`, `ip_address` or `geo_country`. */
  readonly type: FirewallConfigRulesConditionGroupConditionsType | (string & {});
  /** How it is compared: `eq` (equals), `neq`, `inc` (is one of `values`), `ninc`, `pre` (begins with), `suf` (ends with), `sub` (contains), `re` (matches a regular expression), `ex` (exists), `nex`, `gt`, `gte`, `lt` or `lte`. */
  readonly op: FirewallConfigRulesConditionGroupConditionsOp;
  /** Whether the condition is reversed. Default: false. */
  readonly neg?: boolean | undefined;
  /** Name of the header, query parameter or cookie. */
  readonly key?: string | undefined;
  /** Value to compare with. */
  readonly value?: string | undefined;
  /** Values to compare with, for `inc` and `ninc`. */
  readonly values?: string[] | undefined;
}

export interface FirewallConfigRulesConditionGroup {
  /** Conditions that a request must all meet. */
  readonly conditions: FirewallConfigRulesConditionGroupConditions[];
}

export interface FirewallConfigRulesActionRateLimit {
  /** How requests are counted. `token_bucket` needs the enterprise plan. */
  readonly algo: "fixed_window" | "token_bucket";
  /** Length of the window (seconds). More than 600 needs the enterprise plan. */
  readonly window: number;
  /** Number of requests in a window. */
  readonly limit: number;
  /** Parts of a request that identify its client, such as `ip` or `ja4`. */
  readonly keys: string[];
  /** Action for requests above the limit. The response has the status 429 by default. */
  readonly action?: "log" | "challenge" | "deny" | "rate_limit" | undefined;
}

export interface FirewallConfigRulesActionRedirect {
  /** Path or URL. */
  readonly location: string;
  /** Whether visitors may keep the redirect. */
  readonly permanent: boolean;
}

export interface FirewallConfigRulesAction {
  /** Action for the requests. */
  readonly action: "log" | "challenge" | "deny" | "bypass" | "rate_limit" | "redirect";
  /** Limit of requests. Needed for `rate_limit`. */
  readonly rateLimit?: FirewallConfigRulesActionRateLimit | undefined;
  /** Target of a redirect. Needed for `redirect`. */
  readonly redirect?: FirewallConfigRulesActionRedirect | undefined;
  /** How long the action goes on for a client after a match, such as `5m`. */
  readonly actionDuration?: "1m" | "5m" | "15m" | "30m" | "1h" | (string & {}) | undefined;
}

export interface FirewallConfigRules {
  /** Name of the rule, which no other rule of the list has. */
  readonly name: string;
  /** Text that describes the rule. */
  readonly description?: string | undefined;
  /** Whether the rule is applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Groups of conditions. The rule applies to a request that meets all conditions of one of the groups. */
  readonly conditionGroup: FirewallConfigRulesConditionGroup[];
  /** Action for these requests. */
  readonly action: FirewallConfigRulesAction;
}

export interface FirewallConfigIpRules {
  /** Host that the rule is for, such as www.example.com or *.example.com, or * for all hosts of the project. */
  readonly hostname: string;
  /** IP address or range (CIDR). A range has at least /16 (IPv4) or /48 (IPv6). */
  readonly ip: string;
  /** Note that says what the rule is for. */
  readonly notes?: string | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "challenge" | "log" | "bypass";
}

export interface FirewallConfigManagedRulesetsOwaspXss {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwaspSqli {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwaspSf {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwaspLfi {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwaspRfi {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwaspRce {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwaspSd {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwaspMa {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwaspPhp {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwaspGen {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwaspJava {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "deny" | "log";
}

export interface FirewallConfigManagedRulesetsOwasp {
  /** Cross-site scripting. */
  readonly xss?: FirewallConfigManagedRulesetsOwaspXss | undefined;
  /** SQL injection. */
  readonly sqli?: FirewallConfigManagedRulesetsOwaspSqli | undefined;
  /** Session fixation. */
  readonly sf?: FirewallConfigManagedRulesetsOwaspSf | undefined;
  /** Inclusion of local files. */
  readonly lfi?: FirewallConfigManagedRulesetsOwaspLfi | undefined;
  /** Inclusion of remote files. */
  readonly rfi?: FirewallConfigManagedRulesetsOwaspRfi | undefined;
  /** Remote execution of code. */
  readonly rce?: FirewallConfigManagedRulesetsOwaspRce | undefined;
  /** Detection of scanners. */
  readonly sd?: FirewallConfigManagedRulesetsOwaspSd | undefined;
  /** Attacks with multipart bodies. */
  readonly ma?: FirewallConfigManagedRulesetsOwaspMa | undefined;
  /** Attacks on PHP. */
  readonly php?: FirewallConfigManagedRulesetsOwaspPhp | undefined;
  /** Generic attacks. */
  readonly gen?: FirewallConfigManagedRulesetsOwaspGen | undefined;
  /** Attacks on Java. */
  readonly java?: FirewallConfigManagedRulesetsOwaspJava | undefined;
}

export interface FirewallConfigManagedRulesetsBotProtection {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "log" | "challenge" | "deny";
}

export interface FirewallConfigManagedRulesetsAiBots {
  /** Whether the rules are applied. Default: true. */
  readonly active?: boolean | undefined;
  /** Action for the requests. */
  readonly action: "log" | "challenge" | "deny";
}

export interface FirewallConfigManagedRulesets {
  /** OWASP core rule set. It needs the enterprise plan. */
  readonly owasp?: FirewallConfigManagedRulesetsOwasp | undefined;
  /** Requests that do not come from browsers. */
  readonly botProtection?: FirewallConfigManagedRulesetsBotProtection | undefined;
  /** Crawlers of AI services. */
  readonly aiBots?: FirewallConfigManagedRulesetsAiBots | undefined;
}

/** Outputs of a firewall config, and its current inputs. */
export interface FirewallConfigOutputs {
  /** Id or name of the project. Changing it replaces the resource. */
  readonly project: Output<string>;
  /** Whether the rules are applied. Default: true; an adopted configuration keeps its value. */
  readonly enabled: Output<boolean | undefined>;
  /** Custom rules, in the order in which they are applied. */
  readonly rules: Output<FirewallConfigRules[] | undefined>;
  /** Rules for IP addresses. Their order has no meaning. */
  readonly ipRules: Output<FirewallConfigIpRules[] | undefined>;
  /** Sets of rules that the service maintains. Sets that are not declared stay as they are. */
  readonly managedRulesets: Output<FirewallConfigManagedRulesets | undefined>;
  /** Effect of deleting the resource. keep: the configuration stays as it is. remove: removes the rules in the state and turns off the sets in the state; other rules stay. After a refresh, the state also has the rules that somebody else added. Default: keep. */
  readonly onDelete: Output<"keep" | "remove" | undefined>;
  /** Takes over an existing configuration: declared rules are added, or change the rule with their name, and no rule is removed. If false, the create fails when the project has rules already. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Ids of the `rules` at the service, in the same order. */
  readonly ruleIds: Output<string[]>;
}

export interface FeatureFlagVariantsArgs {
  /** Id of the variant, such as `control`, by which environments and rules name it. */
  id: Input<string>;
  /** Name of the variant in the dashboard. */
  label?: Input<string | undefined>;
  /** Purpose of the variant. */
  description?: Input<string | undefined>;
  /** Value that the flag has for an application: of the `kind` of the flag. */
  value: Input<unknown>;
}

export interface FeatureFlagProductionArgs {
  /** Whether the flag is evaluated. If false, every visitor gets the variant `disabledVariantId`. */
  enabled: Input<boolean>;
  /** Id of the variant of visitors to whom no rule and no target applies. */
  defaultVariantId: Input<string>;
  /** Id of the variant of all visitors while the flag is not enabled. */
  disabledVariantId: Input<string>;
}

export interface FeatureFlagPreviewArgs {
  /** Whether the flag is evaluated. If false, every visitor gets the variant `disabledVariantId`. */
  enabled: Input<boolean>;
  /** Id of the variant of visitors to whom no rule and no target applies. */
  defaultVariantId: Input<string>;
  /** Id of the variant of all visitors while the flag is not enabled. */
  disabledVariantId: Input<string>;
}

export interface FeatureFlagDevelopmentArgs {
  /** Whether the flag is evaluated. If false, every visitor gets the variant `disabledVariantId`. */
  enabled: Input<boolean>;
  /** Id of the variant of visitors to whom no rule and no target applies. */
  defaultVariantId: Input<string>;
  /** Id of the variant of all visitors while the flag is not enabled. */
  disabledVariantId: Input<string>;
}

/** Arguments of a feature flag. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface FeatureFlagArgs {
  /** Id or name of the project. Changing it replaces the flag. */
  project: Input<string>;
  /** Key of the flag in the code of applications: letters, digits, '-' and '_'. Changing it replaces the flag. */
  slug: Input<string>;
  /** Kind of the values. Changing it replaces the flag. */
  kind: Input<"boolean" | "string" | "number" | "json">;
  /** All variants of the flag: at least one. A boolean flag has two, one with the value true and one with false. */
  variants: Input<Input<FeatureFlagVariantsArgs>[]>;
  /** Purpose of the flag. */
  description?: Input<string | undefined>;
  /** Archives the flag: it is no longer evaluated, and applications get the default value in their code. Default: false. */
  archived?: Input<boolean | undefined>;
  /** Says that the flag is meant to stay in the code. Default: false. */
  permanent?: Input<boolean | undefined>;
  /** Tags that group flags. */
  tags?: Input<Input<string>[] | undefined>;
  /** Ids of the users who maintain the flag. */
  maintainerIds?: Input<Input<string>[] | undefined>;
  /** Configuration of the flag in production. If you never declare it, the configuration in the dashboard is kept. */
  production?: Input<FeatureFlagProductionArgs | undefined>;
  /** Configuration of the flag in previews. If you never declare it, the configuration in the dashboard is kept. */
  preview?: Input<FeatureFlagPreviewArgs | undefined>;
  /** Configuration of the flag in development. If you never declare it, the configuration in the dashboard is kept. */
  development?: Input<FeatureFlagDevelopmentArgs | undefined>;
  /** Takes over an existing flag with this slug. If false, the create fails when the project already has the flag. Default: false. */
  adopt?: Input<boolean | undefined>;
}

export interface FeatureFlagVariants {
  /** Id of the variant, such as `control`, by which environments and rules name it. */
  readonly id: string;
  /** Name of the variant in the dashboard. */
  readonly label?: string | undefined;
  /** Purpose of the variant. */
  readonly description?: string | undefined;
  /** Value that the flag has for an application: of the `kind` of the flag. */
  readonly value: unknown;
}

export interface FeatureFlagProduction {
  /** Whether the flag is evaluated. If false, every visitor gets the variant `disabledVariantId`. */
  readonly enabled: boolean;
  /** Id of the variant of visitors to whom no rule and no target applies. */
  readonly defaultVariantId: string;
  /** Id of the variant of all visitors while the flag is not enabled. */
  readonly disabledVariantId: string;
}

export interface FeatureFlagPreview {
  /** Whether the flag is evaluated. If false, every visitor gets the variant `disabledVariantId`. */
  readonly enabled: boolean;
  /** Id of the variant of visitors to whom no rule and no target applies. */
  readonly defaultVariantId: string;
  /** Id of the variant of all visitors while the flag is not enabled. */
  readonly disabledVariantId: string;
}

export interface FeatureFlagDevelopment {
  /** Whether the flag is evaluated. If false, every visitor gets the variant `disabledVariantId`. */
  readonly enabled: boolean;
  /** Id of the variant of visitors to whom no rule and no target applies. */
  readonly defaultVariantId: string;
  /** Id of the variant of all visitors while the flag is not enabled. */
  readonly disabledVariantId: string;
}

/** Outputs of a feature flag, and its current inputs. */
export interface FeatureFlagOutputs {
  /** Id or name of the project. Changing it replaces the flag. */
  readonly project: Output<string>;
  /** Key of the flag in the code of applications: letters, digits, '-' and '_'. Changing it replaces the flag. */
  readonly slug: Output<string>;
  /** Kind of the values. Changing it replaces the flag. */
  readonly kind: Output<"boolean" | "string" | "number" | "json">;
  /** All variants of the flag: at least one. A boolean flag has two, one with the value true and one with false. */
  readonly variants: Output<FeatureFlagVariants[]>;
  /** Purpose of the flag. */
  readonly description: Output<string | undefined>;
  /** Archives the flag: it is no longer evaluated, and applications get the default value in their code. Default: false. */
  readonly archived: Output<boolean | undefined>;
  /** Says that the flag is meant to stay in the code. Default: false. */
  readonly permanent: Output<boolean | undefined>;
  /** Tags that group flags. */
  readonly tags: Output<string[] | undefined>;
  /** Ids of the users who maintain the flag. */
  readonly maintainerIds: Output<string[] | undefined>;
  /** Configuration of the flag in production. If you never declare it, the configuration in the dashboard is kept. */
  readonly production: Output<FeatureFlagProduction | undefined>;
  /** Configuration of the flag in previews. If you never declare it, the configuration in the dashboard is kept. */
  readonly preview: Output<FeatureFlagPreview | undefined>;
  /** Configuration of the flag in development. If you never declare it, the configuration in the dashboard is kept. */
  readonly development: Output<FeatureFlagDevelopment | undefined>;
  /** Takes over an existing flag with this slug. If false, the create fails when the project already has the flag. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the flag at the service. */
  readonly flagId: Output<string>;
}

/** Arguments of a feature flag segment. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface FeatureFlagSegmentArgs {
  /** Id or name of the project. Changing it replaces the segment. */
  project: Input<string>;
  /** Key of the segment: letters, digits, '-' and '_'. Changing it replaces the segment. */
  slug: Input<string>;
  /** Name of the segment in the dashboard. */
  label: Input<string>;
  /** Purpose of the segment. */
  description?: Input<string | undefined>;
  /** Hint of the dashboard about the entries, such as `user-email`. Default: none. */
  hint?: Input<string | undefined>;
  /** Visitors who always belong to the segment: values of attributes, by kind of entity and by attribute. In `{ user: { email: ["ada@example.com"] } }`, `user` is the kind of entity. If you never declare it, the entries are kept. If you remove it, they are deleted. */
  include?: Input<Record<string, Input<Record<string, Input<Input<string>[]>>>> | undefined>;
  /** Visitors who never belong to the segment, in the form of `include`. */
  exclude?: Input<Record<string, Input<Record<string, Input<Input<string>[]>>>> | undefined>;
  /** Takes over an existing segment with this slug. If false, the create fails when the project already has the segment. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a feature flag segment, and its current inputs. */
export interface FeatureFlagSegmentOutputs {
  /** Id or name of the project. Changing it replaces the segment. */
  readonly project: Output<string>;
  /** Key of the segment: letters, digits, '-' and '_'. Changing it replaces the segment. */
  readonly slug: Output<string>;
  /** Name of the segment in the dashboard. */
  readonly label: Output<string>;
  /** Purpose of the segment. */
  readonly description: Output<string | undefined>;
  /** Hint of the dashboard about the entries, such as `user-email`. Default: none. */
  readonly hint: Output<string | undefined>;
  /** Visitors who always belong to the segment: values of attributes, by kind of entity and by attribute. In `{ user: { email: ["ada@example.com"] } }`, `user` is the kind of entity. If you never declare it, the entries are kept. If you remove it, they are deleted. */
  readonly include: Output<Record<string, Record<string, string[]>> | undefined>;
  /** Visitors who never belong to the segment, in the form of `include`. */
  readonly exclude: Output<Record<string, Record<string, string[]>> | undefined>;
  /** Takes over an existing segment with this slug. If false, the create fails when the project already has the segment. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the segment at the service, by which rules of flags name it. */
  readonly segmentId: Output<string>;
}

/** Arguments of a feature flag sdk key. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface FeatureFlagSdkKeyArgs {
  /** Id or name of the project. Changing it replaces the key. */
  project: Input<string>;
  /** Environment whose configuration of the flags the key reads. Changing it replaces the key. */
  environment: Input<"production" | "preview" | "development">;
  /** Kind of the application: server, mobile or client. Changing it replaces the key. */
  type: Input<"server" | "mobile" | "client">;
  /** Label that says what the key is for. Changing it replaces the key. */
  label?: Input<string | undefined>;
}

/** Outputs of a feature flag sdk key, and its current inputs. */
export interface FeatureFlagSdkKeyOutputs {
  /** Id or name of the project. Changing it replaces the key. */
  readonly project: Output<string>;
  /** Environment whose configuration of the flags the key reads. Changing it replaces the key. */
  readonly environment: Output<"production" | "preview" | "development">;
  /** Kind of the application: server, mobile or client. Changing it replaces the key. */
  readonly type: Output<"server" | "mobile" | "client">;
  /** Label that says what the key is for. Changing it replaces the key. */
  readonly label: Output<string | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Hash of the key, by which the service names it. */
  readonly hashKey: Output<string>;
  /** The key, with which an application evaluates the flags of the project. Null after an import or `FeatureFlagSdkKey.get`, because the API returns the key only when it is created. */
  readonly sdkKey: Output<string | null>;
  /** The key in the form of the variable `FLAGS`. Null if `sdkKey` is null, or if the service does not return it. */
  readonly connectionString: Output<string | null>;
}

export interface BulkRedirectsRedirectsArgs {
  /** Path to redirect, such as /old. It has no wildcards. */
  source: Input<string>;
  /** Path or URL to which requests are redirected. */
  destination: Input<string>;
  /** Status of the response: 307 (default) or 302 for a temporary redirect, 308 or 301 for a permanent one. */
  statusCode?: Input<307 | 301 | 302 | 308 | undefined>;
  /** Whether upper and lower case differ in the path of a request. Default: false. */
  caseSensitive?: Input<boolean | undefined>;
  /** Whether the query parameters of a request count when it is compared with `source`. Default: false. */
  query?: Input<boolean | undefined>;
  /** Whether the destination gets the query parameters of the request. Default: false. */
  preserveQueryParams?: Input<boolean | undefined>;
}

/** Arguments of a set of bulk redirects. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface BulkRedirectsArgs {
  /** Id or name of the project. Changing it replaces the resource. */
  project: Input<string>;
  /** Redirects of the project, each with another `source`. Their order does not matter. */
  redirects: Input<Input<BulkRedirectsRedirectsArgs>[]>;
  /** Effect of deleting the resource on the redirects. keep: they stay (default). remove: those that the resource declares are removed. */
  onDelete?: Input<"keep" | "remove" | undefined>;
  /** Takes over a project that has redirects. They stay, unless the program declares others with the same `source`. If false, the create fails when the project has redirects. Default: false. */
  adopt?: Input<boolean | undefined>;
}

export interface BulkRedirectsRedirects {
  /** Path to redirect, such as /old. It has no wildcards. */
  readonly source: string;
  /** Path or URL to which requests are redirected. */
  readonly destination: string;
  /** Status of the response: 307 (default) or 302 for a temporary redirect, 308 or 301 for a permanent one. */
  readonly statusCode?: 307 | 301 | 302 | 308 | undefined;
  /** Whether upper and lower case differ in the path of a request. Default: false. */
  readonly caseSensitive?: boolean | undefined;
  /** Whether the query parameters of a request count when it is compared with `source`. Default: false. */
  readonly query?: boolean | undefined;
  /** Whether the destination gets the query parameters of the request. Default: false. */
  readonly preserveQueryParams?: boolean | undefined;
}

/** Outputs of a set of bulk redirects, and its current inputs. */
export interface BulkRedirectsOutputs {
  /** Id or name of the project. Changing it replaces the resource. */
  readonly project: Output<string>;
  /** Redirects of the project, each with another `source`. Their order does not matter. */
  readonly redirects: Output<BulkRedirectsRedirects[]>;
  /** Effect of deleting the resource on the redirects. keep: they stay (default). remove: those that the resource declares are removed. */
  readonly onDelete: Output<"keep" | "remove" | undefined>;
  /** Takes over a project that has redirects. They stay, unless the program declares others with the same `source`. If false, the create fails when the project has redirects. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the version that serves production. Null if the project never had redirects. */
  readonly versionId: Output<string | null>;
}

export interface ProjectRouteRouteHasArgs {
  /** Part of the request that is compared. */
  type: Input<"host" | "header" | "cookie" | "query">;
  /** Name of the header, cookie or query parameter. A condition of the type host has none. */
  key?: Input<string | undefined>;
  /** Value or pattern that must match. Default: every value. Required with the type host. */
  value?: Input<string | undefined>;
}

export interface ProjectRouteRouteMissingArgs {
  /** Part of the request that is compared. */
  type: Input<"host" | "header" | "cookie" | "query">;
  /** Name of the header, cookie or query parameter. A condition of the type host has none. */
  key?: Input<string | undefined>;
  /** Value or pattern that must match. Default: every value. Required with the type host. */
  value?: Input<string | undefined>;
}

export interface ProjectRouteRouteTransformsTargetArgs {
  /** Its name. */
  key: Input<string>;
}

export interface ProjectRouteRouteTransformsArgs {
  /** Part to change: headers or query parameters of the request, or headers of the response. */
  type: Input<"request.headers" | "request.query" | "response.headers">;
  /** How it is changed. */
  op: Input<"append" | "set" | "delete">;
  /** Header or query parameter to change. */
  target: Input<ProjectRouteRouteTransformsTargetArgs>;
  /** New values. Not needed to delete. */
  args?: Input<Input<string>[] | undefined>;
  /** Names of environment variables that the values contain. */
  env?: Input<Input<string>[] | undefined>;
}

export interface ProjectRouteRouteArgs {
  /** Pattern that the path of a request must match, such as /blog/:slug. `srcSyntax` is the form of the pattern. */
  src: Input<string>;
  /** Destination of a redirect or a rewrite: a path or a URL. */
  dest?: Input<string | undefined>;
  /** Status of the response. With `dest`, a status such as 308 makes the route a redirect. */
  status?: Input<number | undefined>;
  /** Headers of the response. */
  headers?: Input<Record<string, Input<string>> | undefined>;
  /** Whether upper and lower case differ in the path of a request. */
  caseSensitive?: Input<boolean | undefined>;
  /** Conditions that a request must meet. */
  has?: Input<Input<ProjectRouteRouteHasArgs>[] | undefined>;
  /** Conditions that a request must not meet. */
  missing?: Input<Input<ProjectRouteRouteMissingArgs>[] | undefined>;
  /** Changes of headers and query parameters. */
  transforms?: Input<Input<ProjectRouteRouteTransformsArgs>[] | undefined>;
  /** Whether the headers of the origin control the cache of a rewrite. */
  respectOriginCacheControl?: Input<boolean | undefined>;
}

export interface ProjectRoutePositionArgs {
  /** Place of the route among all routes of the project. */
  placement: Input<"start" | "end" | "before" | "after">;
  /** Route before or after which it is placed: the output `routeId` of a `ProjectRoute`. */
  referenceId?: Input<string | undefined>;
}

/** Arguments of a project route. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface ProjectRouteArgs {
  /** Id or name of the project. Changing it replaces the route. */
  project: Input<string>;
  /** Name of the route, which no other route of the project should have. */
  name: Input<string>;
  /** Description of the route. */
  description?: Input<string | undefined>;
  /** Whether the route has an effect. Default: true. */
  enabled?: Input<boolean | undefined>;
  /** Form of `route.src`: equals (the whole path), path-to-regexp (with parameters such as :slug) or regex. Without `srcSyntax`, the service infers it for a new route and for a new `src`. */
  srcSyntax?: Input<"equals" | "path-to-regexp" | "regex" | undefined>;
  /** Requests that the route matches, and what it does with them. */
  route: Input<ProjectRouteRouteArgs>;
  /** Where the route is placed when it is created, or when `position` changes. The first route that matches counts. Default: at the end. */
  position?: Input<ProjectRoutePositionArgs | undefined>;
  /** Takes over an existing route with this name. If false, the create fails when the project has a route with this name. Default: false. */
  adopt?: Input<boolean | undefined>;
}

export interface ProjectRouteRouteHas {
  /** Part of the request that is compared. */
  readonly type: "host" | "header" | "cookie" | "query";
  /** Name of the header, cookie or query parameter. A condition of the type host has none. */
  readonly key?: string | undefined;
  /** Value or pattern that must match. Default: every value. Required with the type host. */
  readonly value?: string | undefined;
}

export interface ProjectRouteRouteMissing {
  /** Part of the request that is compared. */
  readonly type: "host" | "header" | "cookie" | "query";
  /** Name of the header, cookie or query parameter. A condition of the type host has none. */
  readonly key?: string | undefined;
  /** Value or pattern that must match. Default: every value. Required with the type host. */
  readonly value?: string | undefined;
}

export interface ProjectRouteRouteTransformsTarget {
  /** Its name. */
  readonly key: string;
}

export interface ProjectRouteRouteTransforms {
  /** Part to change: headers or query parameters of the request, or headers of the response. */
  readonly type: "request.headers" | "request.query" | "response.headers";
  /** How it is changed. */
  readonly op: "append" | "set" | "delete";
  /** Header or query parameter to change. */
  readonly target: ProjectRouteRouteTransformsTarget;
  /** New values. Not needed to delete. */
  readonly args?: string[] | undefined;
  /** Names of environment variables that the values contain. */
  readonly env?: string[] | undefined;
}

export interface ProjectRouteRoute {
  /** Pattern that the path of a request must match, such as /blog/:slug. `srcSyntax` is the form of the pattern. */
  readonly src: string;
  /** Destination of a redirect or a rewrite: a path or a URL. */
  readonly dest?: string | undefined;
  /** Status of the response. With `dest`, a status such as 308 makes the route a redirect. */
  readonly status?: number | undefined;
  /** Headers of the response. */
  readonly headers?: Record<string, string> | undefined;
  /** Whether upper and lower case differ in the path of a request. */
  readonly caseSensitive?: boolean | undefined;
  /** Conditions that a request must meet. */
  readonly has?: ProjectRouteRouteHas[] | undefined;
  /** Conditions that a request must not meet. */
  readonly missing?: ProjectRouteRouteMissing[] | undefined;
  /** Changes of headers and query parameters. */
  readonly transforms?: ProjectRouteRouteTransforms[] | undefined;
  /** Whether the headers of the origin control the cache of a rewrite. */
  readonly respectOriginCacheControl?: boolean | undefined;
}

export interface ProjectRoutePosition {
  /** Place of the route among all routes of the project. */
  readonly placement: "start" | "end" | "before" | "after";
  /** Route before or after which it is placed: the output `routeId` of a `ProjectRoute`. */
  readonly referenceId?: string | undefined;
}

/** Outputs of a project route, and its current inputs. */
export interface ProjectRouteOutputs {
  /** Id or name of the project. Changing it replaces the route. */
  readonly project: Output<string>;
  /** Name of the route, which no other route of the project should have. */
  readonly name: Output<string>;
  /** Description of the route. */
  readonly description: Output<string | undefined>;
  /** Whether the route has an effect. Default: true. */
  readonly enabled: Output<boolean | undefined>;
  /** Form of `route.src`: equals (the whole path), path-to-regexp (with parameters such as :slug) or regex. Without `srcSyntax`, the service infers it for a new route and for a new `src`. */
  readonly srcSyntax: Output<"equals" | "path-to-regexp" | "regex" | undefined>;
  /** Requests that the route matches, and what it does with them. */
  readonly route: Output<ProjectRouteRoute>;
  /** Where the route is placed when it is created, or when `position` changes. The first route that matches counts. Default: at the end. */
  readonly position: Output<ProjectRoutePosition | undefined>;
  /** Takes over an existing route with this name. If false, the create fails when the project has a route with this name. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the route at the service, for `position.referenceId` of another route. */
  readonly routeId: Output<string>;
  /** Kind of the route: rewrite, redirect, set_status or transform. */
  readonly routeType: Output<string | null>;
}

/** Arguments of a set of integration project access. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface IntegrationProjectAccessArgs {
  /** Id or name of the project. Changing it replaces the access. */
  project: Input<string>;
  /** Id of the installation of the integration on the account, such as `icfg_1`. The installation must be limited to selected projects. Changing it replaces the access. */
  installationId: Input<string>;
}

/** Outputs of a set of integration project access, and its current inputs. */
export interface IntegrationProjectAccessOutputs {
  /** Id or name of the project. Changing it replaces the access. */
  readonly project: Output<string>;
  /** Id of the installation of the integration on the account, such as `icfg_1`. The installation must be limited to selected projects. Changing it replaces the access. */
  readonly installationId: Output<string>;
  /** Id of the project. */
  readonly projectId: Output<string>;
}

/** Arguments of an edge config. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface EdgeConfigArgs {
  /** Slug of the Edge Config: letters, digits, '-' and '_'. Changing it renames the Edge Config. */
  slug: Input<string>;
  /** JSON schema of the items. If you never declare `schema`, an existing schema is kept. If you remove a declared `schema` from the program, the schema is deleted. */
  schema?: Input<Record<string, Input<unknown>> | undefined>;
  /** Takes over an existing Edge Config with this slug. If false, the create fails when the account already has an Edge Config with this slug. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of an edge config, and its current inputs. */
export interface EdgeConfigOutputs {
  /** Slug of the Edge Config: letters, digits, '-' and '_'. Changing it renames the Edge Config. */
  readonly slug: Output<string>;
  /** JSON schema of the items. If you never declare `schema`, an existing schema is kept. If you remove a declared `schema` from the program, the schema is deleted. */
  readonly schema: Output<Record<string, unknown> | undefined>;
  /** Takes over an existing Edge Config with this slug. If false, the create fails when the account already has an Edge Config with this slug. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the Edge Config, the same as `id`. With the npm package, use `id`, because the preview of a changed Edge Config knows `id` but not `edgeConfigId`. */
  readonly edgeConfigId: Output<string>;
}

/** Arguments of an edge config item. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface EdgeConfigItemArgs {
  /** Id of the Edge Config, such as the `id` of an `EdgeConfig`. Changing it replaces the item. */
  edgeConfigId: Input<string>;
  /** Key of the item: letters, digits, '-' and '_'. Changing it replaces the item. */
  key: Input<string>;
  /** Value of the item: any JSON. */
  value: Input<unknown>;
  /** Description that says what the item is for. */
  description?: Input<string | undefined>;
  /** Takes over an existing item with this key. If false, the create fails when the Edge Config already has an item with this key. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of an edge config item, and its current inputs. */
export interface EdgeConfigItemOutputs {
  /** Id of the Edge Config, such as the `id` of an `EdgeConfig`. Changing it replaces the item. */
  readonly edgeConfigId: Output<string>;
  /** Key of the item: letters, digits, '-' and '_'. Changing it replaces the item. */
  readonly key: Output<string>;
  /** Value of the item: any JSON. */
  readonly value: Output<unknown>;
  /** Description that says what the item is for. */
  readonly description: Output<string | undefined>;
  /** Takes over an existing item with this key. If false, the create fails when the Edge Config already has an item with this key. Default: false. */
  readonly adopt: Output<boolean | undefined>;
}

/** Arguments of an edge config token. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface EdgeConfigTokenArgs {
  /** Id of the Edge Config, such as the `id` of an `EdgeConfig`. Changing it replaces the token. */
  edgeConfigId: Input<string>;
  /** Label that says what the token is for. Changing it replaces the token. */
  label: Input<string>;
}

/** Outputs of an edge config token, and its current inputs. */
export interface EdgeConfigTokenOutputs {
  /** Id of the Edge Config, such as the `id` of an `EdgeConfig`. Changing it replaces the token. */
  readonly edgeConfigId: Output<string>;
  /** Label that says what the token is for. Changing it replaces the token. */
  readonly label: Output<string>;
  /** Id of the token at the service. */
  readonly tokenId: Output<string>;
  /** Value of the token, with which an application reads the Edge Config. Null after an import or `EdgeConfigToken.get`, because the API returns the value only when the token is created. */
  readonly token: Output<string | null>;
  /** URL of the Edge Config, including the token, for a variable such as EDGE_CONFIG. Null if `token` is null. */
  readonly connectionString: Output<string | null>;
}

export type BlobStoreRegion =
  | "arn1"
  | "bom1"
  | "cdg1"
  | "cle1"
  | "cpt1"
  | "dub1"
  | "dxb1"
  | "fra1"
  | "gru1"
  | "hkg1"
  | "hnd1"
  | "iad1"
  | "icn1"
  | "kix1"
  | "lhr1"
  | "pdx1"
  | "sfo1"
  | "sin1"
  | "syd1"
  | "yul1";

/** Arguments of a blob store. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface BlobStoreArgs {
  /** Name of the store. Changing it renames the store. */
  name: Input<string>;
  /** Readers of the files: everybody with their address (public), or only the project (private). Default for a new store: public. A store keeps its access if you remove `access` from the program. Changing it replaces the store. */
  access?: Input<"public" | "private" | undefined>;
  /** Region of the files. Default for a new store: iad1. A store keeps its region if you remove `region` from the program. Changing it replaces the store. */
  region?: Input<BlobStoreRegion | (string & {}) | undefined>;
  /** Deletes the store also if it has files, or connections that the program does not declare. If false, the deletion then fails, and so does a preview that replaces a store with files. Default: false. */
  forceDestroy?: Input<boolean | undefined>;
  /** Takes over an existing store with this name, with its files. If false, the create fails when the account already has a store with this name. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a blob store, and its current inputs. */
export interface BlobStoreOutputs {
  /** Name of the store. Changing it renames the store. */
  readonly name: Output<string>;
  /** Readers of the files: everybody with their address (public), or only the project (private). Default for a new store: public. A store keeps its access if you remove `access` from the program. Changing it replaces the store. */
  readonly access: Output<"public" | "private" | undefined>;
  /** Region of the files. Default for a new store: iad1. A store keeps its region if you remove `region` from the program. Changing it replaces the store. */
  readonly region: Output<BlobStoreRegion | (string & {}) | undefined>;
  /** Deletes the store also if it has files, or connections that the program does not declare. If false, the deletion then fails, and so does a preview that replaces a store with files. Default: false. */
  readonly forceDestroy: Output<boolean | undefined>;
  /** Takes over an existing store with this name, with its files. If false, the create fails when the account already has a store with this name. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the store, the same as `id`, for `blobStoreId` of its connections. */
  readonly storeId: Output<string>;
  /** Token that reads and writes the files. A token of the provider that may not read it, as in a job that only refreshes, keeps the value of the state. Null if no run could read it. */
  readonly readWriteToken: Output<string | null>;
}

/** Arguments of a blob store connection. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface BlobStoreConnectionArgs {
  /** Id or name of the project. Changing it replaces the connection. */
  project: Input<string>;
  /** Id of the Blob store, such as the `id` of a `BlobStore`. Changing it replaces the connection. */
  blobStoreId: Input<string>;
  /** Beginning of the key of the variable, without the `_` after it: ASSETS for ASSETS_READ_WRITE_TOKEN. */
  envVarPrefix?: Input<string | undefined>;
  /** Environments that get the variable. */
  environments?: Input<Input<"production" | "preview" | "development">[] | undefined>;
  /** If the store is connected to the project already, takes the connection over instead of failing. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a blob store connection, and its current inputs. */
export interface BlobStoreConnectionOutputs {
  /** Id or name of the project. Changing it replaces the connection. */
  readonly project: Output<string>;
  /** Id of the Blob store, such as the `id` of a `BlobStore`. Changing it replaces the connection. */
  readonly blobStoreId: Output<string>;
  /** Beginning of the key of the variable, without the `_` after it: ASSETS for ASSETS_READ_WRITE_TOKEN. */
  readonly envVarPrefix: Output<string | undefined>;
  /** Environments that get the variable. */
  readonly environments: Output<("production" | "preview" | "development")[] | undefined>;
  /** If the store is connected to the project already, takes the connection over instead of failing. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the connection at the service. */
  readonly connectionId: Output<string>;
  /** Key of the variable, such as BLOB_READ_WRITE_TOKEN. */
  readonly envVarKey: Output<string>;
}

export type WebhookEvents =
  | "ai-gateway.auto-reload.limit-reached"
  | "ai-gateway.balance-depleted"
  | "alerts.triggered"
  | "botid.anomaly"
  | "budget.reached"
  | "budget.reset"
  | "comment.created"
  | "comment.deleted"
  | "comment.mentioned"
  | "comment.reaction-added"
  | "comment.reaction-removed"
  | "comment.resolved"
  | "comment.unresolved"
  | "comment.updated"
  | "deployment.blocked"
  | "deployment.build-requested"
  | "deployment.canceled"
  | "deployment.check-rerequested"
  | "deployment.checkrun.cancel"
  | "deployment.checkrun.start"
  | "deployment.checks.failed"
  | "deployment.checks.succeeded"
  | "deployment.cleanup"
  | "deployment.created"
  | "deployment.error"
  | "deployment.integration.action.cancel"
  | "deployment.integration.action.cleanup"
  | "deployment.integration.action.start"
  | "deployment.promoted"
  | "deployment.ready"
  | "deployment.rollback"
  | "deployment.succeeded"
  | "domain.auto-renew.changed"
  | "domain.certificate.add"
  | "domain.certificate.add.failed"
  | "domain.certificate.deleted"
  | "domain.certificate.renew"
  | "domain.certificate.renew.failed"
  | "domain.created"
  | "domain.dns.records.changed"
  | "domain.renewal"
  | "domain.renewal.failed"
  | "domain.transfer-in.completed"
  | "domain.transfer-in.failed"
  | "domain.transfer-in.started"
  | "edge-config.created"
  | "edge-config.deleted"
  | "edge-config.items.updated"
  | "firewall.attack"
  | "firewall.custom-rule-anomaly"
  | "firewall.system-rule-anomaly"
  | "flag.created"
  | "flag.deleted"
  | "flag.segment.created"
  | "flag.segment.deleted"
  | "flag.segment.updated"
  | "flag.updated"
  | "function.archival-required"
  | "function.removal-required"
  | "integration-configuration.permission-upgraded"
  | "integration-configuration.removed"
  | "integration-configuration.scope-change-confirmed"
  | "integration-configuration.transferred"
  | "integration-resource.project-connected"
  | "integration-resource.project-disconnected"
  | "marketplace.invoice.created"
  | "marketplace.invoice.notpaid"
  | "marketplace.invoice.overdue"
  | "marketplace.invoice.paid"
  | "marketplace.invoice.refunded"
  | "marketplace.member.changed"
  | "message.created"
  | "message.deleted"
  | "message.mentioned"
  | "message.reaction-added"
  | "message.reaction-removed"
  | "message.updated"
  | "observability.anomaly"
  | "observability.anomaly-error"
  | "observability.error-anomaly"
  | "observability.usage-anomaly"
  | "project.created"
  | "project.domain.created"
  | "project.domain.deleted"
  | "project.domain.moved"
  | "project.domain.unverified"
  | "project.domain.updated"
  | "project.domain.verified"
  | "project.env-variable.created"
  | "project.env-variable.deleted"
  | "project.env-variable.updated"
  | "project.removed"
  | "project.renamed"
  | "project.rolling-release.aborted"
  | "project.rolling-release.approved"
  | "project.rolling-release.completed"
  | "project.rolling-release.started"
  | "thread.resolved"
  | "thread.unresolved";

/** Arguments of a webhook. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface WebhookArgs {
  /** URL that receives events, http or https. Changing it replaces the webhook. */
  url: Input<string>;
  /** Names of the events to send, such as project.created. Changing it replaces the webhook. */
  events: Input<Input<WebhookEvents | (string & {})>[]>;
  /** Ids of the projects whose events are sent. Default: all projects. Changing it replaces the webhook. */
  projectIds?: Input<Input<string>[] | undefined>;
}

/** Outputs of a webhook, and its current inputs. */
export interface WebhookOutputs {
  /** URL that receives events, http or https. Changing it replaces the webhook. */
  readonly url: Output<string>;
  /** Names of the events to send, such as project.created. Changing it replaces the webhook. */
  readonly events: Output<(WebhookEvents | (string & {}))[]>;
  /** Ids of the projects whose events are sent. Default: all projects. Changing it replaces the webhook. */
  readonly projectIds: Output<string[] | undefined>;
  /** Key that signs each delivery. Null after `Webhook.get`, because the API returns the key only for a new webhook. */
  readonly secret: Output<string | null>;
}

/** Arguments of a log drain. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface LogDrainArgs {
  /** Name of the drain. */
  name: Input<string>;
  /** URL that receives the log lines: http or https, without a user or password. */
  endpoint: Input<string>;
  /** Format of a delivery of several log lines. json: one JSON array. ndjson: one JSON object on each line. */
  deliveryFormat?: Input<"json" | "ndjson" | undefined>;
  /** Sources of the log lines. Default: all. */
  sources?: Input<
    Input<"build" | "edge" | "lambda" | "static" | "external" | "firewall" | "redirect">[] | undefined
  >;
  /** Environments whose log lines are sent. */
  environments?: Input<Input<"production" | "preview">[] | undefined>;
  /** Ids of the projects whose log lines are sent. Default: all projects. */
  projectIds?: Input<Input<string>[] | undefined>;
  /** Share of the log lines that is sent, greater than 0 and at most 1. */
  samplingRate?: Input<number | undefined>;
  /** Headers of each delivery, such as an `authorization` header with a token for the receiver. */
  headers?: Input<Record<string, Input<string>> | undefined>;
  /** Secret of at least 32 characters that signs each delivery. The API does not return the secret, so drift of the secret is not detected. If you remove `secret` from the program, the drain keeps the secret. */
  secret?: Input<string | undefined>;
}

/** Outputs of a log drain, and its current inputs. */
export interface LogDrainOutputs {
  /** Name of the drain. */
  readonly name: Output<string>;
  /** URL that receives the log lines: http or https, without a user or password. */
  readonly endpoint: Output<string>;
  /** Format of a delivery of several log lines. json: one JSON array. ndjson: one JSON object on each line. */
  readonly deliveryFormat: Output<"json" | "ndjson" | undefined>;
  /** Sources of the log lines. Default: all. */
  readonly sources: Output<
    ("build" | "edge" | "lambda" | "static" | "external" | "firewall" | "redirect")[] | undefined
  >;
  /** Environments whose log lines are sent. */
  readonly environments: Output<("production" | "preview")[] | undefined>;
  /** Ids of the projects whose log lines are sent. Default: all projects. */
  readonly projectIds: Output<string[] | undefined>;
  /** Share of the log lines that is sent, greater than 0 and at most 1. */
  readonly samplingRate: Output<number | undefined>;
  /** Headers of each delivery, such as an `authorization` header with a token for the receiver. */
  readonly headers: Output<Record<string, string> | undefined>;
  /** Secret of at least 32 characters that signs each delivery. The API does not return the secret, so drift of the secret is not detected. If you remove `secret` from the program, the drain keeps the secret. */
  readonly secret: Output<string | undefined>;
  /** Status of the drain: enabled, disabled, or errored when deliveries fail. */
  readonly status: Output<string | null>;
}

export interface TraceDrainSamplingRulesArgs {
  /** Share of the traces that is sent, from 0 to 1. */
  rate: Input<number>;
  /** Environment to which the rule applies. Default: both. */
  environment?: Input<"production" | "preview" | undefined>;
  /** Beginning of the paths to which the rule applies, such as `/api`. Default: all paths. */
  requestPath?: Input<string | undefined>;
}

/** Arguments of a trace drain. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface TraceDrainArgs {
  /** Name of the drain. */
  name: Input<string>;
  /** URL that receives the traces in OTLP over HTTP, which usually ends in `/v1/traces`: http or https, without a user or password. */
  endpoint: Input<string>;
  /** Encoding of the traces: json, or proto for protocol buffers. */
  deliveryFormat?: Input<"json" | "proto" | undefined>;
  /** Ids of the projects whose traces are sent. Default: all projects. */
  projectIds?: Input<Input<string>[] | undefined>;
  /** Rules about the share of the traces that is sent, in their order. Default: all traces. */
  samplingRules?: Input<Input<TraceDrainSamplingRulesArgs>[] | undefined>;
  /** Headers of each delivery, such as an `authorization` header with a token for the receiver. */
  headers?: Input<Record<string, Input<string>> | undefined>;
  /** Secret of at least 32 characters that signs each delivery. The API does not return the secret, so drift of the secret is not detected. If you remove `secret` from the program, the drain keeps the secret. */
  secret?: Input<string | undefined>;
}

export interface TraceDrainSamplingRules {
  /** Share of the traces that is sent, from 0 to 1. */
  readonly rate: number;
  /** Environment to which the rule applies. Default: both. */
  readonly environment?: "production" | "preview" | undefined;
  /** Beginning of the paths to which the rule applies, such as `/api`. Default: all paths. */
  readonly requestPath?: string | undefined;
}

/** Outputs of a trace drain, and its current inputs. */
export interface TraceDrainOutputs {
  /** Name of the drain. */
  readonly name: Output<string>;
  /** URL that receives the traces in OTLP over HTTP, which usually ends in `/v1/traces`: http or https, without a user or password. */
  readonly endpoint: Output<string>;
  /** Encoding of the traces: json, or proto for protocol buffers. */
  readonly deliveryFormat: Output<"json" | "proto" | undefined>;
  /** Ids of the projects whose traces are sent. Default: all projects. */
  readonly projectIds: Output<string[] | undefined>;
  /** Rules about the share of the traces that is sent, in their order. Default: all traces. */
  readonly samplingRules: Output<TraceDrainSamplingRules[] | undefined>;
  /** Headers of each delivery, such as an `authorization` header with a token for the receiver. */
  readonly headers: Output<Record<string, string> | undefined>;
  /** Secret of at least 32 characters that signs each delivery. The API does not return the secret, so drift of the secret is not detected. If you remove `secret` from the program, the drain keeps the secret. */
  readonly secret: Output<string | undefined>;
  /** Status of the drain: enabled, disabled, or errored when deliveries fail. */
  readonly status: Output<string | null>;
}

export interface AuditLogDrainS3Args {
  /** ARN of the AWS role that the service assumes to write objects. */
  roleArn: Input<string>;
  /** AWS region of the bucket, such as `eu-central-1`. */
  region: Input<string>;
  /** Encryption of the objects by S3. Default: that of the bucket. */
  serverSideEncryption?: Input<"AES256" | "aws:kms" | "aws:kms:dsse" | undefined>;
  /** Access control list of the objects. Default: that of the bucket. */
  objectAcl?: Input<"private" | "bucket-owner-read" | "bucket-owner-full-control" | undefined>;
}

/** Arguments of an audit log drain. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface AuditLogDrainArgs {
  /** Name of the drain. */
  name: Input<string>;
  /** Receiver of the events: a URL with http or https, without a user or password, or `s3://bucket/prefix` for objects in the bucket of `s3`. */
  endpoint: Input<string>;
  /** Format of several events. json: one JSON array. ndjson: one JSON object on each line. */
  deliveryFormat?: Input<"json" | "ndjson" | undefined>;
  /** Compression of deliveries to a URL. */
  compression?: Input<"gzip" | "none" | undefined>;
  /** The bucket, if `endpoint` begins with `s3://`. */
  s3?: Input<AuditLogDrainS3Args | undefined>;
  /** Headers of each delivery to a URL, such as an `authorization` header with a token for the receiver. */
  headers?: Input<Record<string, Input<string>> | undefined>;
  /** Secret of at least 32 characters that signs each delivery to a URL. The API does not return the secret, so drift of the secret is not detected. If you remove `secret` from the program, the drain keeps the secret. */
  secret?: Input<string | undefined>;
}

export interface AuditLogDrainS3 {
  /** ARN of the AWS role that the service assumes to write objects. */
  readonly roleArn: string;
  /** AWS region of the bucket, such as `eu-central-1`. */
  readonly region: string;
  /** Encryption of the objects by S3. Default: that of the bucket. */
  readonly serverSideEncryption?: "AES256" | "aws:kms" | "aws:kms:dsse" | undefined;
  /** Access control list of the objects. Default: that of the bucket. */
  readonly objectAcl?: "private" | "bucket-owner-read" | "bucket-owner-full-control" | undefined;
}

/** Outputs of an audit log drain, and its current inputs. */
export interface AuditLogDrainOutputs {
  /** Name of the drain. */
  readonly name: Output<string>;
  /** Receiver of the events: a URL with http or https, without a user or password, or `s3://bucket/prefix` for objects in the bucket of `s3`. */
  readonly endpoint: Output<string>;
  /** Format of several events. json: one JSON array. ndjson: one JSON object on each line. */
  readonly deliveryFormat: Output<"json" | "ndjson" | undefined>;
  /** Compression of deliveries to a URL. */
  readonly compression: Output<"gzip" | "none" | undefined>;
  /** The bucket, if `endpoint` begins with `s3://`. */
  readonly s3: Output<AuditLogDrainS3 | undefined>;
  /** Headers of each delivery to a URL, such as an `authorization` header with a token for the receiver. */
  readonly headers: Output<Record<string, string> | undefined>;
  /** Secret of at least 32 characters that signs each delivery to a URL. The API does not return the secret, so drift of the secret is not detected. If you remove `secret` from the program, the drain keeps the secret. */
  readonly secret: Output<string | undefined>;
  /** Status of the drain: enabled, disabled, or errored when deliveries fail. */
  readonly status: Output<string | null>;
}

/** Arguments of a set of alias. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface AliasArgs {
  /** Domain name that points to the deployment, such as docs.example.com or my-preview.vercel.app. The account must own the domain. Changing it replaces the alias. */
  alias: Input<string>;
  /** Id of the deployment, such as the `id` of a `Deployment`. It must be READY. Changing it moves the alias. */
  deploymentId: Input<string>;
  /** Domain name to redirect to, instead of serving the deployment. */
  redirect?: Input<string | undefined>;
  /** Takes over an existing alias with this name, and points it to the deployment. If false, the create fails when the account already has the alias. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a set of alias, and its current inputs. */
export interface AliasOutputs {
  /** Domain name that points to the deployment, such as docs.example.com or my-preview.vercel.app. The account must own the domain. Changing it replaces the alias. */
  readonly alias: Output<string>;
  /** Id of the deployment, such as the `id` of a `Deployment`. It must be READY. Changing it moves the alias. */
  readonly deploymentId: Output<string>;
  /** Domain name to redirect to, instead of serving the deployment. */
  readonly redirect: Output<string | undefined>;
  /** Takes over an existing alias with this name, and points it to the deployment. If false, the create fails when the account already has the alias. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the alias at the service. */
  readonly aliasId: Output<string>;
  /** Id of the project of the deployment; null if the deployment has none. */
  readonly projectId: Output<string | null>;
}

/** Arguments of a deployment protection exception. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface DeploymentProtectionExceptionArgs {
  /** Id or name of the project. Changing it replaces the exception. */
  project: Input<string>;
  /** Alias or URL of a deployment of the project, such as the `alias` of an `Alias` or the `url` of a `Deployment`, without a scheme. Changing it replaces the exception. */
  alias: Input<string>;
  /** Takes over an existing exception. If false, the create fails when the alias already has one. Default: false. */
  adopt?: Input<boolean | undefined>;
}

/** Outputs of a deployment protection exception, and its current inputs. */
export interface DeploymentProtectionExceptionOutputs {
  /** Id or name of the project. Changing it replaces the exception. */
  readonly project: Output<string>;
  /** Alias or URL of a deployment of the project, such as the `alias` of an `Alias` or the `url` of a `Deployment`, without a scheme. Changing it replaces the exception. */
  readonly alias: Output<string>;
  /** Takes over an existing exception. If false, the create fails when the alias already has one. Default: false. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Time of the creation (milliseconds since the epoch). */
  readonly createdAt: Output<number | null>;
  /** Id of the user who created the exception. */
  readonly createdBy: Output<string | null>;
}

/** Arguments of a custom certificate. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface CustomCertificateArgs {
  /** Private key of the certificate, in PEM format and without a passphrase. The API never returns it. Changing it replaces the certificate. */
  privateKey: Input<string>;
  /** The certificate of the domains, in PEM format. Changing it replaces the certificate. */
  certificate: Input<string>;
  /** Certificate of the authority, which its issuer provides, in PEM format: one, or several one after the other. Changing it replaces the certificate. */
  certificateAuthorityCertificate: Input<string>;
}

/** Outputs of a custom certificate, and its current inputs. */
export interface CustomCertificateOutputs {
  /** Private key of the certificate, in PEM format and without a passphrase. The API never returns it. Changing it replaces the certificate. */
  readonly privateKey: Output<string>;
  /** The certificate of the domains, in PEM format. Changing it replaces the certificate. */
  readonly certificate: Output<string>;
  /** Certificate of the authority, which its issuer provides, in PEM format: one, or several one after the other. Changing it replaces the certificate. */
  readonly certificateAuthorityCertificate: Output<string>;
  /** Domains of the certificate, such as `www.example.com` and `*.example.com`. */
  readonly cns: Output<string[]>;
  /** Time at which the certificate expires, in milliseconds since 1970. */
  readonly expiresAt: Output<number>;
}

/** Arguments of an user token. Inputs that you never set are not managed. Inputs that you remove are reset. */
export interface UserTokenArgs {
  /** Name that says what the token is for. Two tokens can have the same name. Changing it replaces the token. */
  name: Input<string>;
  /** Time from which on the token is refused, in milliseconds since 1970, before the year 10000. Default: the token does not expire. Changing it replaces the token. */
  expiresAt?: Input<number | undefined>;
}

/** Outputs of an user token, and its current inputs. */
export interface UserTokenOutputs {
  /** Name that says what the token is for. Two tokens can have the same name. Changing it replaces the token. */
  readonly name: Output<string>;
  /** Time from which on the token is refused, in milliseconds since 1970, before the year 10000. Default: the token does not expire. Changing it replaces the token. */
  readonly expiresAt: Output<number | undefined>;
  /** Id of the token at the service, the same as `id`. It is not secret. */
  readonly tokenId: Output<string>;
  /** Id of the only team that the token acts on. Null for a token with access to all that its user has access to. */
  readonly teamId: Output<string | null>;
  /** The access token itself. Null after an import or `UserToken.get`, because the API returns it only when the token is created. */
  readonly bearerToken: Output<string | null>;
}
