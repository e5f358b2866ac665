/**
 * What resources are declared with, and what a program reads of them.
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
  /** Whether they get them. */
  enabled?: Input<boolean | undefined>;
  /** Who issues them: team for one of the team's own, global for one of all. */
  issuerMode?: Input<"team" | "global" | undefined>;
}

export interface ProjectOptionsAllowlistPathsArgs {
  /** A path, such as /api. */
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
  /** The password that visitors give. */
  password: Input<string>;
}

export interface ProjectSsoProtectionArgs {
  /** Which deployments are protected. */
  deploymentType: Input<
    "all" | "preview" | "prod_deployment_urls_and_all_previews" | "all_except_custom_domains"
  >;
}

export interface ProjectTrustedIpsAddressesArgs {
  /** An IPv4 address, or a range such as 10.0.0.0/8. */
  value: Input<string>;
  /** Whose address it is. */
  note?: Input<string | undefined>;
}

export interface ProjectTrustedIpsArgs {
  /** Which deployments are protected. */
  deploymentType: Input<
    "all" | "preview" | "prod_deployment_urls_and_all_previews" | "all_except_custom_domains" | "production"
  >;
  /** The addresses. */
  addresses: Input<Input<ProjectTrustedIpsAddressesArgs>[]>;
  /** exclusive: nobody else passes; additional: they pass beside those who log in. */
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
  /** Whether instances serve several requests at a time. */
  fluid?: Input<boolean | undefined>;
  /** Processor and memory of a function. */
  functionDefaultMemoryType?: Input<
    "standard_legacy" | "standard" | "performance" | "performance_xl" | (string & {}) | undefined
  >;
  /** For how long (seconds) a function may run. */
  functionDefaultTimeout?: Input<number | undefined>;
  /** Regions in which functions run. Excludes `serverlessFunctionRegion`. */
  functionDefaultRegions?: Input<
    Input<ProjectResourceConfigFunctionDefaultRegions | (string & {})>[] | undefined
  >;
}

export interface ProjectGitCommentsArgs {
  /** On commits. */
  onCommit: Input<boolean>;
  /** On pull requests. */
  onPullRequest: Input<boolean>;
}

export interface ProjectGitProviderOptionsConsolidatedGitCommitStatusArgs {
  /** Whether there is one. */
  enabled: Input<boolean>;
  /** Whether it fails when one of them does. */
  propagateFailures: Input<boolean>;
}

export interface ProjectGitProviderOptionsArgs {
  /** Whether a push makes a deployment. */
  createDeployments?: Input<"enabled" | "disabled" | undefined>;
  /** Sends the repository no dispatch events. */
  disableRepositoryDispatchEvents?: Input<boolean | undefined>;
  /** Whether commits show the state of their deployment. */
  gitCommitStatus?: Input<boolean | undefined>;
  /** Deploys commits only whose signature is verified. */
  requireVerifiedCommits?: Input<boolean | undefined>;
  /** One state of a commit for all projects of a repository. */
  consolidatedGitCommitStatus?: Input<ProjectGitProviderOptionsConsolidatedGitCommitStatusArgs | undefined>;
}

export interface ProjectTrustedSourcesProjectsCustomAllowFromArgs {
  /** Names of environments, such as production, preview, or the slug of a custom one. */
  slugs?: Input<Input<string>[] | undefined>;
  /** A set of environments: all-custom stands for all custom ones. */
  preset?: Input<"all-custom" | (string & {}) | undefined>;
}

export interface ProjectTrustedSourcesProjectsCustomAllowToArgs {
  /** Names of environments, such as production, preview, or the slug of a custom one. */
  slugs?: Input<Input<string>[] | undefined>;
  /** A set of environments: all-custom stands for all custom ones. */
  preset?: Input<"all-custom" | (string & {}) | undefined>;
}

export interface ProjectTrustedSourcesProjectsCustomAllowArgs {
  /** Environments that may call. */
  from: Input<ProjectTrustedSourcesProjectsCustomAllowFromArgs>;
  /** Environments that may be called. */
  to: Input<ProjectTrustedSourcesProjectsCustomAllowToArgs>;
}

export interface ProjectTrustedSourcesProjectsArgs {
  /** What the project is to this one. */
  label?: Input<string | undefined>;
  /** Which of its environments may call which of these; without it, each the one of the same name. */
  customAllow?: Input<Input<ProjectTrustedSourcesProjectsCustomAllowArgs>[] | undefined>;
}

export interface ProjectTrustedSourcesOidcProvidersToArgs {
  /** Names of environments, such as production, preview, or the slug of a custom one. */
  slugs?: Input<Input<string>[] | undefined>;
  /** A set of environments: all-custom stands for all custom ones. */
  preset?: Input<"all-custom" | (string & {}) | undefined>;
}

export interface ProjectTrustedSourcesOidcProvidersArgs {
  /** Who the bearer is. */
  label?: Input<string | undefined>;
  /** Environments that the bearer may call. */
  to: Input<ProjectTrustedSourcesOidcProvidersToArgs>;
  /** Values of which a token has to have one, by the claim's name. */
  claims: Input<Record<string, Input<Input<string>[]>>>;
}

export interface ProjectTrustedSourcesArgs {
  /** Lets checks of the same team and repository reach previews. */
  enableVercelCiSameRepository?: Input<boolean | undefined>;
  /** Projects whose deployments may call those of this one, by id. */
  projects?: Input<Record<string, Input<ProjectTrustedSourcesProjectsArgs>> | undefined>;
  /** Issuers whose tokens are taken, by address. */
  oidcProviders?: Input<Record<string, Input<Input<ProjectTrustedSourcesOidcProvidersArgs>[]>> | undefined>;
}

export interface ProjectGitRepositoryArgs {
  /** The service that hosts it. */
  type: Input<"github" | "gitlab" | "bitbucket">;
  /** Owner and name, such as acme/web. */
  repo: Input<string>;
  /** Branch that production is built from; the repository's default branch at first. Removed, it stays as it is. */
  productionBranch?: Input<string | undefined>;
}

export interface ProjectDataCacheArgs {
  /** Whether it is turned off. */
  disabled: Input<boolean>;
}

export interface ProjectProtectionBypassArgs {
  /** The secret, 32 letters and digits; generated when it is not given. */
  secret?: Input<string | undefined>;
  /** Any text: another one makes a new secret in the place of a generated one. */
  rotation?: Input<string | undefined>;
  /** What the secret is for, as the service shows it. */
  note?: Input<string | undefined>;
}

/** What a project is declared with. An input that is not given is not managed; one that leaves the program is reset. */
export interface ProjectArgs {
  /** Name of the project; by default a new one is called like the resource, made valid, and keeps that name. Changing it renames the project. */
  name?: Input<string | undefined>;
  /** Framework whose defaults the build follows; null for none. */
  framework?: Input<ProjectFramework | (string & {}) | null | undefined>;
  /** Command that builds; null to let the framework decide. */
  buildCommand?: Input<string | null | undefined>;
  /** Command that decides whether a commit is built: it is left out when the command exits with 0. */
  commandForIgnoringBuildStep?: Input<string | null | undefined>;
  /** Command that starts the development server; null to let the framework decide. */
  devCommand?: Input<string | null | undefined>;
  /** Command that installs dependencies; null to let the package manager decide. */
  installCommand?: Input<string | null | undefined>;
  /** Folder that holds the result of a build; null to let the framework decide. */
  outputDirectory?: Input<string | null | undefined>;
  /** Folder of the repository in which the project lives; null for its root. */
  rootDirectory?: Input<string | null | undefined>;
  /** Region in which functions run, such as iad1; null for the default one. */
  serverlessFunctionRegion?: Input<ProjectServerlessFunctionRegion | (string & {}) | null | undefined>;
  /** Builds a monorepo's project only when a commit affects it. */
  enableAffectedProjectsDeployments?: Input<boolean | undefined>;
  /** Whether anyone may see the source and the logs of deployments. */
  publicSource?: Input<boolean | null | undefined>;
  /** Leaves Git alone when the project is linked from a folder. */
  skipGitConnectDuringLink?: Input<boolean | undefined>;
  /** Moves functions to another region when theirs fails. */
  serverlessFunctionZeroConfigFailover?: Input<boolean | undefined>;
  /** Whether builds and functions get tokens that prove who they are to others. */
  oidcTokenConfig?: Input<ProjectOidcTokenConfigArgs | undefined>;
  /** Version of Node.js for builds and functions. Removed from the program, it stays as it is. */
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
  /** Whether a production deployment gets the project's domains by itself. Pausing turns it off. */
  autoAssignCustomDomains?: Input<boolean | undefined>;
  /** Who is shown to have last changed `autoAssignCustomDomains`. Removed from the program, it stays as it is. */
  autoAssignCustomDomainsUpdatedBy?: Input<string | undefined>;
  /** Whether builds and functions see the system's environment variables. */
  autoExposeSystemEnvs?: Input<boolean | undefined>;
  /** Whether the service's support may see the code. */
  customerSupportCodeVisibility?: Input<boolean | undefined>;
  /** Whether a folder without an index file shows its files. */
  directoryListing?: Input<boolean | undefined>;
  /** Whether comments can be left on previews; null for the team's setting. */
  enablePreviewFeedback?: Input<boolean | null | undefined>;
  /** Whether comments can be left on production; null for the team's setting. */
  enableProductionFeedback?: Input<boolean | null | undefined>;
  /** Whether a pull request from a fork has to be approved before it is built. */
  gitForkProtection?: Input<boolean | undefined>;
  /** Whether Git LFS files are fetched. */
  gitLFS?: Input<boolean | undefined>;
  /** Builds no previews. */
  previewDeploymentsDisabled?: Input<boolean | undefined>;
  /** Whether a build may use files outside of `rootDirectory`. */
  sourceFilesOutsideRootDirectory?: Input<boolean | undefined>;
  /** Moment (milliseconds since the epoch) before which deployments have no skew protection. */
  skewProtectionBoundaryAt?: Input<number | undefined>;
  /** For how long (seconds) a client keeps being served by its own deployment. */
  skewProtectionMaxAge?: Input<number | undefined>;
  /** Paths whose OPTIONS requests pass the deployment protection. */
  optionsAllowlist?: Input<ProjectOptionsAllowlistArgs | null | undefined>;
  /** Protects deployments with a password. The service never tells it, so that no drift of it is seen. */
  passwordProtection?: Input<ProjectPasswordProtectionArgs | null | undefined>;
  /** Protects deployments with a log-in at the service. */
  ssoProtection?: Input<ProjectSsoProtectionArgs | null | undefined>;
  /** Addresses that pass the protection, or alone may pass. */
  trustedIps?: Input<ProjectTrustedIpsArgs | null | undefined>;
  /** Machines that serve the functions. */
  resourceConfig?: Input<ProjectResourceConfigArgs | undefined>;
  /** Machine that builds. */
  buildMachineType?: Input<
    "basic" | "enhanced" | "turbo" | "standard" | "elastic" | (string & {}) | undefined
  >;
  /** Whether builds begin at once, beyond those that the plan lets run together. */
  onDemandConcurrentBuilds?: Input<boolean | undefined>;
  /** Whether builds for production come before those of previews. */
  prioritiseProductionBuilds?: Input<boolean | undefined>;
  /** Where the Git provider is told of deployments by comments; null for what is usual. */
  gitComments?: Input<ProjectGitCommentsArgs | null | undefined>;
  /** What passes between the project and its Git provider. */
  gitProviderOptions?: Input<ProjectGitProviderOptionsArgs | undefined>;
  /** Domain under which previews get their addresses; null for the team's. */
  previewDeploymentSuffix?: Input<string | null | undefined>;
  /** Whether source maps are shown to members of the team alone. */
  protectedSourcemaps?: Input<boolean | undefined>;
  /** Who passes the deployment protection by a token of theirs. */
  trustedSources?: Input<ProjectTrustedSourcesArgs | undefined>;
  /** Repository whose commits are deployed. Removed from the program, it is disconnected. */
  gitRepository?: Input<ProjectGitRepositoryArgs | undefined>;
  /** Whether the project is paused: its production deployment then is blocked. */
  paused?: Input<boolean | undefined>;
  /** The data cache of the project. */
  dataCache?: Input<ProjectDataCacheArgs | undefined>;
  /** Secrets with which automation passes the deployment protection, each under a label of your own. */
  protectionBypass?: Input<Record<string, Input<ProjectProtectionBypassArgs>> | undefined>;
  /** Takes over a project that has the name already, instead of failing. */
  adopt?: Input<boolean | undefined>;
}

export interface ProjectOidcTokenConfig {
  /** Whether they get them. */
  readonly enabled?: boolean | undefined;
  /** Who issues them: team for one of the team's own, global for one of all. */
  readonly issuerMode?: "team" | "global" | undefined;
}

export interface ProjectOptionsAllowlistPaths {
  /** A path, such as /api. */
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
  /** The password that visitors give. */
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
  /** An IPv4 address, or a range such as 10.0.0.0/8. */
  readonly value: string;
  /** Whose address it is. */
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
  /** exclusive: nobody else passes; additional: they pass beside those who log in. */
  readonly protectionMode: "exclusive" | "additional";
}

export interface ProjectResourceConfig {
  /** Whether instances serve several requests at a time. */
  readonly fluid?: boolean | undefined;
  /** Processor and memory of a function. */
  readonly functionDefaultMemoryType?:
    | "standard_legacy"
    | "standard"
    | "performance"
    | "performance_xl"
    | (string & {})
    | undefined;
  /** For how long (seconds) a function may run. */
  readonly functionDefaultTimeout?: number | undefined;
  /** Regions in which functions run. Excludes `serverlessFunctionRegion`. */
  readonly functionDefaultRegions?:
    | (ProjectResourceConfigFunctionDefaultRegions | (string & {}))[]
    | undefined;
}

export interface ProjectGitComments {
  /** On commits. */
  readonly onCommit: boolean;
  /** On pull requests. */
  readonly onPullRequest: boolean;
}

export interface ProjectGitProviderOptionsConsolidatedGitCommitStatus {
  /** Whether there is one. */
  readonly enabled: boolean;
  /** Whether it fails when one of them does. */
  readonly propagateFailures: boolean;
}

export interface ProjectGitProviderOptions {
  /** Whether a push makes a deployment. */
  readonly createDeployments?: "enabled" | "disabled" | undefined;
  /** Sends the repository no dispatch events. */
  readonly disableRepositoryDispatchEvents?: boolean | undefined;
  /** Whether commits show the state of their deployment. */
  readonly gitCommitStatus?: boolean | undefined;
  /** Deploys commits only whose signature is verified. */
  readonly requireVerifiedCommits?: boolean | undefined;
  /** One state of a commit for all projects of a repository. */
  readonly consolidatedGitCommitStatus?: ProjectGitProviderOptionsConsolidatedGitCommitStatus | undefined;
}

export interface ProjectTrustedSourcesProjectsCustomAllowFrom {
  /** Names of environments, such as production, preview, or the slug of a custom one. */
  readonly slugs?: string[] | undefined;
  /** A set of environments: all-custom stands for all custom ones. */
  readonly preset?: "all-custom" | (string & {}) | undefined;
}

export interface ProjectTrustedSourcesProjectsCustomAllowTo {
  /** Names of environments, such as production, preview, or the slug of a custom one. */
  readonly slugs?: string[] | undefined;
  /** A set of environments: all-custom stands for all custom ones. */
  readonly preset?: "all-custom" | (string & {}) | undefined;
}

export interface ProjectTrustedSourcesProjectsCustomAllow {
  /** Environments that may call. */
  readonly from: ProjectTrustedSourcesProjectsCustomAllowFrom;
  /** Environments that may be called. */
  readonly to: ProjectTrustedSourcesProjectsCustomAllowTo;
}

export interface ProjectTrustedSourcesProjects {
  /** What the project is to this one. */
  readonly label?: string | undefined;
  /** Which of its environments may call which of these; without it, each the one of the same name. */
  readonly customAllow?: ProjectTrustedSourcesProjectsCustomAllow[] | undefined;
}

export interface ProjectTrustedSourcesOidcProvidersTo {
  /** Names of environments, such as production, preview, or the slug of a custom one. */
  readonly slugs?: string[] | undefined;
  /** A set of environments: all-custom stands for all custom ones. */
  readonly preset?: "all-custom" | (string & {}) | undefined;
}

export interface ProjectTrustedSourcesOidcProviders {
  /** Who the bearer is. */
  readonly label?: string | undefined;
  /** Environments that the bearer may call. */
  readonly to: ProjectTrustedSourcesOidcProvidersTo;
  /** Values of which a token has to have one, by the claim's name. */
  readonly claims: Record<string, string[]>;
}

export interface ProjectTrustedSources {
  /** Lets checks of the same team and repository reach previews. */
  readonly enableVercelCiSameRepository?: boolean | undefined;
  /** Projects whose deployments may call those of this one, by id. */
  readonly projects?: Record<string, ProjectTrustedSourcesProjects> | undefined;
  /** Issuers whose tokens are taken, by address. */
  readonly oidcProviders?: Record<string, ProjectTrustedSourcesOidcProviders[]> | undefined;
}

export interface ProjectGitRepository {
  /** The service that hosts it. */
  readonly type: "github" | "gitlab" | "bitbucket";
  /** Owner and name, such as acme/web. */
  readonly repo: string;
  /** Branch that production is built from; the repository's default branch at first. Removed, it stays as it is. */
  readonly productionBranch?: string | undefined;
}

export interface ProjectDataCache {
  /** Whether it is turned off. */
  readonly disabled: boolean;
}

export interface ProjectProtectionBypass {
  /** The secret, 32 letters and digits; generated when it is not given. */
  readonly secret?: string | undefined;
  /** Any text: another one makes a new secret in the place of a generated one. */
  readonly rotation?: string | undefined;
  /** What the secret is for, as the service shows it. */
  readonly note?: string | undefined;
}

/** What a program reads of a project: its outputs, and its inputs as they hold. */
export interface ProjectOutputs {
  /** Name of the project; by default a new one is called like the resource, made valid, and keeps that name. Changing it renames the project. */
  readonly name: Output<string>;
  /** Framework whose defaults the build follows; null for none. */
  readonly framework: Output<ProjectFramework | (string & {}) | null | undefined>;
  /** Command that builds; null to let the framework decide. */
  readonly buildCommand: Output<string | null | undefined>;
  /** Command that decides whether a commit is built: it is left out when the command exits with 0. */
  readonly commandForIgnoringBuildStep: Output<string | null | undefined>;
  /** Command that starts the development server; null to let the framework decide. */
  readonly devCommand: Output<string | null | undefined>;
  /** Command that installs dependencies; null to let the package manager decide. */
  readonly installCommand: Output<string | null | undefined>;
  /** Folder that holds the result of a build; null to let the framework decide. */
  readonly outputDirectory: Output<string | null | undefined>;
  /** Folder of the repository in which the project lives; null for its root. */
  readonly rootDirectory: Output<string | null | undefined>;
  /** Region in which functions run, such as iad1; null for the default one. */
  readonly serverlessFunctionRegion: Output<
    ProjectServerlessFunctionRegion | (string & {}) | null | undefined
  >;
  /** Builds a monorepo's project only when a commit affects it. */
  readonly enableAffectedProjectsDeployments: Output<boolean | undefined>;
  /** Whether anyone may see the source and the logs of deployments. */
  readonly publicSource: Output<boolean | null | undefined>;
  /** Leaves Git alone when the project is linked from a folder. */
  readonly skipGitConnectDuringLink: Output<boolean | undefined>;
  /** Moves functions to another region when theirs fails. */
  readonly serverlessFunctionZeroConfigFailover: Output<boolean | undefined>;
  /** Whether builds and functions get tokens that prove who they are to others. */
  readonly oidcTokenConfig: Output<ProjectOidcTokenConfig | undefined>;
  /** Version of Node.js for builds and functions. Removed from the program, it stays as it is. */
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
  /** Whether a production deployment gets the project's domains by itself. Pausing turns it off. */
  readonly autoAssignCustomDomains: Output<boolean | undefined>;
  /** Who is shown to have last changed `autoAssignCustomDomains`. Removed from the program, it stays as it is. */
  readonly autoAssignCustomDomainsUpdatedBy: Output<string | undefined>;
  /** Whether builds and functions see the system's environment variables. */
  readonly autoExposeSystemEnvs: Output<boolean | undefined>;
  /** Whether the service's support may see the code. */
  readonly customerSupportCodeVisibility: Output<boolean | undefined>;
  /** Whether a folder without an index file shows its files. */
  readonly directoryListing: Output<boolean | undefined>;
  /** Whether comments can be left on previews; null for the team's setting. */
  readonly enablePreviewFeedback: Output<boolean | null | undefined>;
  /** Whether comments can be left on production; null for the team's setting. */
  readonly enableProductionFeedback: Output<boolean | null | undefined>;
  /** Whether a pull request from a fork has to be approved before it is built. */
  readonly gitForkProtection: Output<boolean | undefined>;
  /** Whether Git LFS files are fetched. */
  readonly gitLFS: Output<boolean | undefined>;
  /** Builds no previews. */
  readonly previewDeploymentsDisabled: Output<boolean | undefined>;
  /** Whether a build may use files outside of `rootDirectory`. */
  readonly sourceFilesOutsideRootDirectory: Output<boolean | undefined>;
  /** Moment (milliseconds since the epoch) before which deployments have no skew protection. */
  readonly skewProtectionBoundaryAt: Output<number | undefined>;
  /** For how long (seconds) a client keeps being served by its own deployment. */
  readonly skewProtectionMaxAge: Output<number | undefined>;
  /** Paths whose OPTIONS requests pass the deployment protection. */
  readonly optionsAllowlist: Output<ProjectOptionsAllowlist | null | undefined>;
  /** Protects deployments with a password. The service never tells it, so that no drift of it is seen. */
  readonly passwordProtection: Output<ProjectPasswordProtection | null | undefined>;
  /** Protects deployments with a log-in at the service. */
  readonly ssoProtection: Output<ProjectSsoProtection | null | undefined>;
  /** Addresses that pass the protection, or alone may pass. */
  readonly trustedIps: Output<ProjectTrustedIps | null | undefined>;
  /** Machines that serve the functions. */
  readonly resourceConfig: Output<ProjectResourceConfig | undefined>;
  /** Machine that builds. */
  readonly buildMachineType: Output<
    "basic" | "enhanced" | "turbo" | "standard" | "elastic" | (string & {}) | undefined
  >;
  /** Whether builds begin at once, beyond those that the plan lets run together. */
  readonly onDemandConcurrentBuilds: Output<boolean | undefined>;
  /** Whether builds for production come before those of previews. */
  readonly prioritiseProductionBuilds: Output<boolean | undefined>;
  /** Where the Git provider is told of deployments by comments; null for what is usual. */
  readonly gitComments: Output<ProjectGitComments | null | undefined>;
  /** What passes between the project and its Git provider. */
  readonly gitProviderOptions: Output<ProjectGitProviderOptions | undefined>;
  /** Domain under which previews get their addresses; null for the team's. */
  readonly previewDeploymentSuffix: Output<string | null | undefined>;
  /** Whether source maps are shown to members of the team alone. */
  readonly protectedSourcemaps: Output<boolean | undefined>;
  /** Who passes the deployment protection by a token of theirs. */
  readonly trustedSources: Output<ProjectTrustedSources | undefined>;
  /** Repository whose commits are deployed. Removed from the program, it is disconnected. */
  readonly gitRepository: Output<ProjectGitRepository | undefined>;
  /** Whether the project is paused: its production deployment then is blocked. */
  readonly paused: Output<boolean | undefined>;
  /** The data cache of the project. */
  readonly dataCache: Output<ProjectDataCache | undefined>;
  /** Secrets with which automation passes the deployment protection, each under a label of your own. */
  readonly protectionBypass: Output<Record<string, ProjectProtectionBypass> | undefined>;
  /** Takes over a project that has the name already, instead of failing. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the team or user that the project belongs to. */
  readonly accountId: Output<string>;
  /** The secrets of `protectionBypass`, given and generated, by label. Secret as a whole. */
  readonly bypassSecrets: Output<Record<string, string>>;
}

/** What a project domain is declared with. An input that is not given is not managed; one that leaves the program is reset. */
export interface ProjectDomainArgs {
  /** Id or name of the project that serves the domain. Changing it replaces the domain. */
  project: Input<string>;
  /** The domain name. Changing it replaces the domain. */
  name: Input<string>;
  /** Git branch whose deployments the domain serves; the production branch when it is not given. Excludes `redirect` and `customEnvironmentId`. */
  gitBranch?: Input<string | undefined>;
  /** Domain that requests are redirected to. Excludes `gitBranch`. */
  redirect?: Input<string | undefined>;
  /** Status of the redirect. */
  redirectStatusCode?: Input<307 | 301 | 302 | 308 | undefined>;
  /** Id of the custom environment whose deployments the domain serves. Changing it replaces the domain. */
  customEnvironmentId?: Input<string | undefined>;
  /** Waits until the domain is verified. For a challenge that was published before: one that the same program publishes needs `DomainVerification`, which runs after it. */
  waitForVerification?: Input<boolean | undefined>;
  /** How long to wait (milliseconds); by default ten minutes. The domain is kept when the time is up. */
  timeoutMs?: Input<number | undefined>;
  /** Takes over a domain that is on the project already, instead of failing. */
  adopt?: Input<boolean | undefined>;
}

export interface ProjectDomainVerification {
  /** Kind of the record, such as TXT. */
  readonly type: string;
  /** Name of the record. */
  readonly domain: string;
  /** Value of the record. */
  readonly value: string;
  /** Why it is asked for, when the service says. */
  readonly reason?: string | undefined;
}

/** What a program reads of a project domain: its outputs, and its inputs as they hold. */
export interface ProjectDomainOutputs {
  /** Id or name of the project that serves the domain. Changing it replaces the domain. */
  readonly project: Output<string>;
  /** The domain name. Changing it replaces the domain. */
  readonly name: Output<string>;
  /** Git branch whose deployments the domain serves; the production branch when it is not given. Excludes `redirect` and `customEnvironmentId`. */
  readonly gitBranch: Output<string | undefined>;
  /** Domain that requests are redirected to. Excludes `gitBranch`. */
  readonly redirect: Output<string | undefined>;
  /** Status of the redirect. */
  readonly redirectStatusCode: Output<307 | 301 | 302 | 308 | undefined>;
  /** Id of the custom environment whose deployments the domain serves. Changing it replaces the domain. */
  readonly customEnvironmentId: Output<string | undefined>;
  /** Waits until the domain is verified. For a challenge that was published before: one that the same program publishes needs `DomainVerification`, which runs after it. */
  readonly waitForVerification: Output<boolean | undefined>;
  /** How long to wait (milliseconds); by default ten minutes. The domain is kept when the time is up. */
  readonly timeoutMs: Output<number | undefined>;
  /** Takes over a domain that is on the project already, instead of failing. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** The registrable domain above the name. */
  readonly apexName: Output<string>;
  /** Whether the domain is verified, and so is served by the project. */
  readonly verified: Output<boolean>;
  /** DNS records of which one has to exist for the domain to be verified; empty when it was verified at once. They stay here when that is done, so that what publishes them does not change. */
  readonly verification: Output<ProjectDomainVerification[]>;
}

/** What a domain verification is declared with. An input that is not given is not managed; one that leaves the program is reset. */
export interface DomainVerificationArgs {
  /** Id or name of the project that has the domain. Changing it replaces the verification. */
  project: Input<string>;
  /** The domain to verify, which is on the project already. Changing it replaces the verification. */
  name: Input<string>;
  /** How long to wait for the challenge to be met (milliseconds); by default ten minutes. */
  timeoutMs?: Input<number | undefined>;
}

/** What a program reads of a domain verification: its outputs, and its inputs as they hold. */
export interface DomainVerificationOutputs {
  /** Id or name of the project that has the domain. Changing it replaces the verification. */
  readonly project: Output<string>;
  /** The domain to verify, which is on the project already. Changing it replaces the verification. */
  readonly name: Output<string>;
  /** How long to wait for the challenge to be met (milliseconds); by default ten minutes. */
  readonly timeoutMs: Output<number | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** True once the domain is verified; false when it was found to be verified no more, and so is verified again. */
  readonly verified: Output<boolean>;
}

/** What an environment variable is declared with. An input that is not given is not managed; one that leaves the program is reset. */
export interface EnvVarArgs {
  /** Id or name of the project. Changing it replaces the variable. */
  project: Input<string>;
  /** Name of the variable. Changing it renames the variable. */
  key: Input<string>;
  /** Value of the variable; always kept as a secret. Every type but system has one. */
  value?: Input<string | undefined>;
  /** How the service keeps the value; encrypted by default. A sensitive one can be read by nobody any more, so it becomes another type only by being replaced. */
  type?: Input<"system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined>;
  /** Environments that get the variable. Not given, it is for custom environments alone. */
  target?: Input<Input<"production" | "preview" | "development">[] | undefined>;
  /** Git branch whose previews alone get the variable. Needs the target preview, and no other. */
  gitBranch?: Input<string | undefined>;
  /** What the variable is for. */
  comment?: Input<string | undefined>;
  /** Ids of custom environments that get the variable, beside those of `target` or alone. */
  customEnvironmentIds?: Input<Input<string>[] | undefined>;
  /** Takes over a variable of the same key, environments and branch that exists already, instead of failing. */
  adopt?: Input<boolean | undefined>;
}

/** What a program reads of an environment variable: its outputs, and its inputs as they hold. */
export interface EnvVarOutputs {
  /** Id or name of the project. Changing it replaces the variable. */
  readonly project: Output<string>;
  /** Name of the variable. Changing it renames the variable. */
  readonly key: Output<string>;
  /** Value of the variable; always kept as a secret. Every type but system has one. */
  readonly value: Output<string | undefined>;
  /** How the service keeps the value; encrypted by default. A sensitive one can be read by nobody any more, so it becomes another type only by being replaced. */
  readonly type: Output<"system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined>;
  /** Environments that get the variable. Not given, it is for custom environments alone. */
  readonly target: Output<("production" | "preview" | "development")[] | undefined>;
  /** Git branch whose previews alone get the variable. Needs the target preview, and no other. */
  readonly gitBranch: Output<string | undefined>;
  /** What the variable is for. */
  readonly comment: Output<string | undefined>;
  /** Ids of custom environments that get the variable, beside those of `target` or alone. */
  readonly customEnvironmentIds: Output<string[] | undefined>;
  /** Takes over a variable of the same key, environments and branch that exists already, instead of failing. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** When the variable was last written (milliseconds since the epoch). */
  readonly updatedAt: Output<number>;
}

export interface EnvVarsVariablesArgs {
  /** Value of the variable. Every type but system has one. */
  value?: Input<string | undefined>;
  /** How the service keeps the value; by default the `type` of all. */
  type?: Input<"system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined>;
  /** Environments that get the variable; by default the `target` of all, unless it is for custom environments. */
  target?: Input<Input<"production" | "preview" | "development">[] | undefined>;
  /** Git branch whose previews alone get the variable. Needs the target preview, and no other. */
  gitBranch?: Input<string | undefined>;
  /** What the variable is for. */
  comment?: Input<string | undefined>;
  /** Ids of custom environments that get the variable, beside those of its own `target` or alone. */
  customEnvironmentIds?: Input<Input<string>[] | undefined>;
}

/** What a set of environment variables is declared with. An input that is not given is not managed; one that leaves the program is reset. */
export interface EnvVarsArgs {
  /** Id or name of the project. Changing it replaces the variables. */
  project: Input<string>;
  /** The variables by name. Secret as a whole. Others of the project are left alone. */
  variables: Input<Record<string, Input<string | EnvVarsVariablesArgs>>>;
  /** Environments that get those that do not say; all by default, and for sensitive ones all but development. */
  target?: Input<Input<"production" | "preview" | "development">[] | undefined>;
  /** How the service keeps those that do not say; encrypted by default. */
  type?: Input<"system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined>;
  /** Takes over variables of the same key, environments and branch that exist already, instead of failing. */
  adopt?: Input<boolean | undefined>;
}

export interface EnvVarsVariables {
  /** Value of the variable. Every type but system has one. */
  readonly value?: string | undefined;
  /** How the service keeps the value; by default the `type` of all. */
  readonly type?: "system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined;
  /** Environments that get the variable; by default the `target` of all, unless it is for custom environments. */
  readonly target?: ("production" | "preview" | "development")[] | undefined;
  /** Git branch whose previews alone get the variable. Needs the target preview, and no other. */
  readonly gitBranch?: string | undefined;
  /** What the variable is for. */
  readonly comment?: string | undefined;
  /** Ids of custom environments that get the variable, beside those of its own `target` or alone. */
  readonly customEnvironmentIds?: string[] | undefined;
}

export interface EnvVarsRecords {
  /** Id of the variable. */
  readonly id: string;
  /** When it was last written (milliseconds since the epoch). */
  readonly updatedAt: number;
}

/** What a program reads of a set of environment variables: its outputs, and its inputs as they hold. */
export interface EnvVarsOutputs {
  /** Id or name of the project. Changing it replaces the variables. */
  readonly project: Output<string>;
  /** The variables by name. Secret as a whole. Others of the project are left alone. */
  readonly variables: Output<Record<string, string | EnvVarsVariables>>;
  /** Environments that get those that do not say; all by default, and for sensitive ones all but development. */
  readonly target: Output<("production" | "preview" | "development")[] | undefined>;
  /** How the service keeps those that do not say; encrypted by default. */
  readonly type: Output<"system" | "secret" | "encrypted" | "plain" | "sensitive" | undefined>;
  /** Takes over variables of the same key, environments and branch that exist already, instead of failing. */
  readonly adopt: Output<boolean | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of each variable, and when it was last written (milliseconds since the epoch), by name. */
  readonly records: Output<Record<string, EnvVarsRecords>>;
}

/** What a promotion is declared with. An input that is not given is not managed; one that leaves the program is reset. */
export interface PromotionArgs {
  /** Id or name of the project. Changing it replaces the promotion. */
  project: Input<string>;
  /** Id of the deployment that serves production. It has to be ready, and one of the project's. */
  deployment: Input<string>;
  /** How long to wait until the project's domains lead to the deployment (milliseconds); by default ten minutes. */
  timeoutMs?: Input<number | undefined>;
  /** What deleting the promotion does: keep (the default) leaves production as it is; rollback promotes what had served before the promotion was made. */
  onDelete?: Input<"keep" | "rollback" | undefined>;
}

/** What a program reads of a promotion: its outputs, and its inputs as they hold. */
export interface PromotionOutputs {
  /** Id or name of the project. Changing it replaces the promotion. */
  readonly project: Output<string>;
  /** Id of the deployment that serves production. It has to be ready, and one of the project's. */
  readonly deployment: Output<string>;
  /** How long to wait until the project's domains lead to the deployment (milliseconds); by default ten minutes. */
  readonly timeoutMs: Output<number | undefined>;
  /** What deleting the promotion does: keep (the default) leaves production as it is; rollback promotes what had served before the promotion was made. */
  readonly onDelete: Output<"keep" | "rollback" | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the deployment that was promoted last; `deployment` tells what serves by now. */
  readonly promoted: Output<string>;
  /** What served production when the promotion was made; null when nothing did. */
  readonly previousDeployment: Output<string | null>;
  /** The domains that lead to the deployment. */
  readonly aliases: Output<string[]>;
}

export interface CustomEnvironmentBranchMatcherArgs {
  /** How a branch is compared with the pattern. */
  type: Input<"startsWith" | "equals" | "endsWith">;
  /** Text that the name of a branch is compared with. */
  pattern: Input<string>;
}

/** What a custom environment is declared with. An input that is not given is not managed; one that leaves the program is reset. */
export interface CustomEnvironmentArgs {
  /** Id or name of the project. Changing it replaces the environment. */
  project: Input<string>;
  /** Name of the environment in paths: lower case letters, digits, '-' and '_'. Changing it renames the environment. */
  slug: Input<string>;
  /** What the environment is for. */
  description?: Input<string | undefined>;
  /** Branches whose deployments go to the environment. */
  branchMatcher?: Input<CustomEnvironmentBranchMatcherArgs | undefined>;
  /** Target, or slug or id of a custom environment, whose variables the new environment gets at its creation. A later change of this input alters nothing at the service. */
  copyEnvVarsFrom?: Input<string | undefined>;
}

export interface CustomEnvironmentBranchMatcher {
  /** How a branch is compared with the pattern. */
  readonly type: "startsWith" | "equals" | "endsWith";
  /** Text that the name of a branch is compared with. */
  readonly pattern: string;
}

/** What a program reads of a custom environment: its outputs, and its inputs as they hold. */
export interface CustomEnvironmentOutputs {
  /** Id or name of the project. Changing it replaces the environment. */
  readonly project: Output<string>;
  /** Name of the environment in paths: lower case letters, digits, '-' and '_'. Changing it renames the environment. */
  readonly slug: Output<string>;
  /** What the environment is for. */
  readonly description: Output<string | undefined>;
  /** Branches whose deployments go to the environment. */
  readonly branchMatcher: Output<CustomEnvironmentBranchMatcher | undefined>;
  /** Target, or slug or id of a custom environment, whose variables the new environment gets at its creation. A later change of this input alters nothing at the service. */
  readonly copyEnvVarsFrom: Output<string | undefined>;
  /** Id of the project. */
  readonly projectId: Output<string>;
  /** Id of the environment, as `customEnvironmentIds` and `customEnvironmentId` take it. */
  readonly environmentId: Output<string>;
}

/** What a webhook is declared with. An input that is not given is not managed; one that leaves the program is reset. */
export interface WebhookArgs {
  /** Address that events are posted to, with http or https. Changing it replaces the webhook. */
  url: Input<string>;
  /** Names of the events, such as project.created. Changing it replaces the webhook. */
  events: Input<Input<string>[]>;
  /** Ids of the projects whose events are posted; without it, those of all. Changing it replaces the webhook. */
  projectIds?: Input<Input<string>[] | undefined>;
}

/** What a program reads of a webhook: its outputs, and its inputs as they hold. */
export interface WebhookOutputs {
  /** Address that events are posted to, with http or https. Changing it replaces the webhook. */
  readonly url: Output<string>;
  /** Names of the events, such as project.created. Changing it replaces the webhook. */
  readonly events: Output<string[]>;
  /** Ids of the projects whose events are posted; without it, those of all. Changing it replaces the webhook. */
  readonly projectIds: Output<string[] | undefined>;
  /** Key of the signature of each delivery; null for a webhook that was only read, since no request tells it again. */
  readonly secret: Output<string | null>;
}
