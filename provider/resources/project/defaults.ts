import { newerDefaults } from "./newer";

/**
 * Defaults of members that the service keeps if an update omits them.
 * @choice The values of a new project.
 */
export const memberDefaults = {
  oidcTokenConfig: { enabled: true, issuerMode: "global" },
  resourceConfig: {
    fluid: true,
    functionDefaultMemoryType: "standard",
    functionDefaultTimeout: 300,
    functionDefaultRegions: ["iad1"],
  },
  gitProviderOptions: {
    createDeployments: "enabled",
    disableRepositoryDispatchEvents: false,
    gitCommitStatus: true,
    requireVerifiedCommits: false,
    consolidatedGitCommitStatus: { enabled: false, propagateFailures: false },
  },
  trustedSources: { enableVercelCiSameRepository: true },
  deploymentRetention: {
    preview: "unlimited",
    production: "unlimited",
    canceled: "unlimited",
    errored: "unlimited",
  },
} as const;

/**
 * Values that inputs go back to when they are removed from the program: null if the API accepts null, otherwise the
 * value of a new project. Inputs that are not listed keep their value and are no longer managed.
 * @source Project; wire-shapes 3, defaults on create
 */
export const projectDefaults = {
  framework: null,
  buildCommand: null,
  commandForIgnoringBuildStep: null,
  devCommand: null,
  installCommand: null,
  outputDirectory: null,
  rootDirectory: null,
  serverlessFunctionRegion: null,
  publicSource: null,
  enablePreviewFeedback: null,
  enableProductionFeedback: null,
  optionsAllowlist: null,
  passwordProtection: null,
  ssoProtection: null,
  trustedIps: null,
  autoAssignCustomDomains: true,
  autoExposeSystemEnvs: true,
  customerSupportCodeVisibility: false,
  directoryListing: false,
  enableAffectedProjectsDeployments: false,
  gitForkProtection: true,
  gitLFS: false,
  oidcTokenConfig: memberDefaults.oidcTokenConfig,
  resourceConfig: memberDefaults.resourceConfig,
  buildMachineType: "standard",
  onDemandConcurrentBuilds: false,
  prioritiseProductionBuilds: false,
  gitComments: null,
  gitProviderOptions: memberDefaults.gitProviderOptions,
  previewDeploymentSuffix: null,
  protectedSourcemaps: false,
  trustedSources: null,
  ...newerDefaults,
  previewDeploymentsDisabled: false,
  serverlessFunctionZeroConfigFailover: false,
  skewProtectionBoundaryAt: 0,
  skewProtectionMaxAge: 0,
  skipGitConnectDuringLink: false,
  sourceFilesOutsideRootDirectory: true,
  paused: false,
  dataCache: { disabled: false },
  cronsEnabled: true,
  deploymentRetention: memberDefaults.deploymentRetention,
} as const;
