import { z } from "zod";
import { openList } from "../../core/known-values";
import {
  frameworks,
  nodeVersions,
  protectionModes,
  protectionTypes,
  type RetentionPeriod,
  regions,
  retentionPeriods,
  trustedIpTypes,
} from "../../vocabulary";
import { projectName, rootDirectory } from "../names";
import { bypassInput } from "./bypass";
import { deployHooksInput } from "./deploy-hooks";
import { newer } from "./newer";
import { platform } from "./platform";
import { repositoryInput } from "./repository";
import { separateKeys } from "./separate";

const period = openList(Object.keys(retentionPeriods) as RetentionPeriod[]);
const command = z.string().max(256).nullable();
const ipv4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}(\/(3[0-2]|[12]?\d))?$/;

/** Settings of the create and the update request. @source Projects, POST /v10/projects */
const creatable = {
  /** Framework whose build defaults apply; null for none. */
  framework: openList(frameworks).nullable().optional(),
  /** Build command; null for the default of the framework. */
  buildCommand: command.optional(),
  /** Command that decides whether a commit is built: exit code 0 skips the build. */
  commandForIgnoringBuildStep: command.optional(),
  /** Command that starts the development server; null for the default of the framework. */
  devCommand: command.optional(),
  /** Command that installs dependencies; null for the default of the package manager. */
  installCommand: command.optional(),
  /** Folder that contains the build output; null for the default of the framework. */
  outputDirectory: command.optional(),
  /** Folder of the repository that contains the project; null for the root of the repository. */
  rootDirectory: rootDirectory.optional(),
  /**
   * Region in which functions run, such as iad1; null for the default region. Conflicts with
   * `resourceConfig.functionDefaultRegions`.
   */
  serverlessFunctionRegion: openList(regions, z.string().max(4)).nullable().optional(),
  /** Whether a commit to a monorepo builds the project only if the commit affects the project. */
  enableAffectedProjectsDeployments: z.boolean().optional(),
  /**
   * Deprecated: since June 2026, the API ignores this setting, and returns null. Remove it. Whether the source and the
   * logs of deployments are public.
   */
  publicSource: z.boolean().nullable().optional(),
  /** If true, `vercel link` does not offer to connect the Git repository of the local folder to the project. */
  skipGitConnectDuringLink: z.boolean().optional(),
  /** Whether functions fail over to another region. */
  serverlessFunctionZeroConfigFailover: z.boolean().optional(),
  /** OpenID Connect tokens with which builds and functions authenticate to other services. */
  oidcTokenConfig: z
    .strictObject({
      /** Whether tokens are issued. */
      enabled: z.boolean().optional(),
      /** Issuer of the tokens: team for an issuer of the team, global for the shared issuer. */
      issuerMode: z.enum(["team", "global"]).optional(),
    })
    .optional(),
};

/** Settings of the update request only. @source Projects, PATCH /v9/projects/{idOrName} */
const updatable = {
  /** Node.js version of builds and functions. Removing the input keeps the version. */
  nodeVersion: openList(nodeVersions).optional(),
  /**
   * Whether a new production deployment gets the project's domains automatically. Pausing the project turns this setting
   * off.
   */
  autoAssignCustomDomains: z.boolean().optional(),
  /** User shown as the last one to change `autoAssignCustomDomains`. Removing the input keeps the user. */
  autoAssignCustomDomainsUpdatedBy: z.string().max(256).optional(),
  /** Whether builds and functions get the system environment variables. */
  autoExposeSystemEnvs: z.boolean().optional(),
  /** Whether Vercel's customer support may see the source code. */
  customerSupportCodeVisibility: z.boolean().optional(),
  /** Whether a folder without an index file lists its files. */
  directoryListing: z.boolean().optional(),
  /** Whether visitors can comment on previews; null for the team's setting. */
  enablePreviewFeedback: z.boolean().nullable().optional(),
  /** Whether visitors can comment on production; null for the team's setting. */
  enableProductionFeedback: z.boolean().nullable().optional(),
  /** Whether pull requests from forks need approval before they are built. */
  gitForkProtection: z.boolean().optional(),
  /** Whether Git LFS files are fetched. */
  gitLFS: z.boolean().optional(),
  /** Whether preview deployments are turned off. */
  previewDeploymentsDisabled: z.boolean().optional(),
  /** Whether builds can use files outside of `rootDirectory`. */
  sourceFilesOutsideRootDirectory: z.boolean().optional(),
  /** Deployments created before this time (milliseconds since the epoch) have no skew protection. */
  skewProtectionBoundaryAt: z.int().min(0).optional(),
  /** Skew protection: how long a client's requests go to the deployment that the client loaded first (seconds). */
  skewProtectionMaxAge: z.int().min(0).optional(),
  /** Paths whose OPTIONS requests bypass deployment protection; null for none. */
  optionsAllowlist: z
    .strictObject({
      /** The paths. */
      paths: z
        .array(
          z.strictObject({
            /** Path, such as /api. */
            value: z.string().max(1000).regex(/^\//, "must begin with /"),
          }),
        )
        .min(1)
        .max(5),
    })
    .nullable()
    .optional(),
  /** Password protection of deployments; null for none. Passwords are not compared: the API never returns them. */
  passwordProtection: z
    .strictObject({
      /** Which deployments are protected. */
      deploymentType: z.enum(protectionTypes),
      /** The password. */
      password: z.string().min(1).max(72),
    })
    .nullable()
    .optional(),
  /** Protection of deployments with a login to Vercel; null for none. */
  ssoProtection: z
    .strictObject({
      /** Which deployments are protected. */
      deploymentType: z.enum(protectionTypes),
    })
    .nullable()
    .optional(),
  /** IP addresses that may access deployments; null for no restriction. */
  trustedIps: z
    .strictObject({
      /** Which deployments are protected. */
      deploymentType: z.enum(trustedIpTypes),
      /** The addresses. */
      addresses: z
        .array(
          z.strictObject({
            /** IPv4 address, or a range such as 10.0.0.0/8. */
            value: z.string().regex(ipv4, "must be an IPv4 address, or a range such as 10.0.0.0/8"),
            /** Description of the address. */
            note: z.string().max(20).optional(),
          }),
        )
        .min(1)
        .max(1000),
      /** exclusive: only these addresses have access. additional: these addresses need no login, and all others do. */
      protectionMode: z.enum(protectionModes),
    })
    .nullable()
    .optional(),
};

/** Inputs that are not given are not managed. Inputs that are removed go back to their default. */
export const inputs = z.strictObject({
  /**
   * Name of the project. Default: the name of the resource, converted to a valid name when the project is created.
   * Changing it renames the project.
   */
  name: projectName,
  ...creatable,
  ...updatable,
  ...platform,
  ...newer,
  /** Git repository to deploy from. Removing the input disconnects the repository. */
  gitRepository: repositoryInput.optional(),
  /**
   * Deploy hooks, by name, at most 10. Each hook has a URL that deploys a branch: see the output `deployHookUrls`.
   * Requires `gitRepository`.
   */
  deployHooks: deployHooksInput.optional(),
  /** Whether the project is paused. A paused project does not serve its production deployment. */
  paused: z.boolean().optional(),
  /** Data cache of the project. */
  dataCache: z
    .strictObject({
      /** Whether the data cache is disabled. */
      disabled: z.boolean(),
    })
    .optional(),
  /** Whether the cron jobs of the production deployment run. */
  cronsEnabled: z.boolean().optional(),
  /** How long deployments of each kind are kept. A kind that you do not set keeps its period. */
  deploymentRetention: z
    .strictObject({
      /** Deployments whose target is not production. */
      preview: period.optional(),
      /** Production deployments. */
      production: period.optional(),
      /** Canceled deployments. */
      canceled: period.optional(),
      /** Deployments whose build failed. */
      errored: period.optional(),
    })
    .optional(),
  /** Secrets that let automation bypass deployment protection, by a label of your choice. */
  protectionBypass: bypassInput.optional(),
  /** If a project with this name exists, takes the project over instead of failing. Default: false. */
  adopt: z.boolean().optional(),
});

export type Inputs = z.output<typeof inputs>;

/** Settings that the create request takes. */
export const creatableKeys = Object.keys(creatable) as (keyof typeof creatable)[];
const updates = { ...updatable, ...platform, ...newer };

/** Settings that the update request takes. */
export const patchable: readonly (keyof Inputs)[] = [
  "name",
  ...creatableKeys,
  ...(Object.keys(updates) as (keyof typeof updates)[]),
];

/** Settings that the service sets if the program does not. The API never returns passwords. */
export const computed: readonly (keyof Inputs)[] = [
  ...patchable.filter((key) => key !== "name" && key !== "passwordProtection"),
  "gitRepository",
  "paused",
  ...separateKeys,
];
