import { z } from "zod";
import { openList } from "../../core/known-values";
import {
  frameworks,
  nodeVersions,
  protectionModes,
  protectionTypes,
  regions,
  trustedIpTypes,
} from "../../vocabulary";
import { projectName } from "../names";
import { bypassInput } from "./bypass";
import { platform } from "./platform";
import { repositoryInput } from "./repository";

const command = z.string().max(256).nullable();
const ipv4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}(\/(3[0-2]|[12]?\d))?$/;

/** Settings in both create and update. @source Projects, POST /v10/projects */
const creatable = {
  /** Framework whose defaults the build follows; null for none. */
  framework: openList(frameworks).nullable().optional(),
  /** Command that builds; null to let the framework decide. */
  buildCommand: command.optional(),
  /** Command that decides whether a commit is built: it is left out when the command exits with 0. */
  commandForIgnoringBuildStep: command.optional(),
  /** Command that starts the development server; null to let the framework decide. */
  devCommand: command.optional(),
  /** Command that installs dependencies; null to let the package manager decide. */
  installCommand: command.optional(),
  /** Folder that holds the result of a build; null to let the framework decide. */
  outputDirectory: command.optional(),
  /** Folder of the repository in which the project lives; null for its root. */
  rootDirectory: command.optional(),
  /** Region in which functions run, such as iad1; null for the default one. */
  serverlessFunctionRegion: openList(regions, z.string().max(4)).nullable().optional(),
  /** Builds a monorepo's project only when a commit affects it. */
  enableAffectedProjectsDeployments: z.boolean().optional(),
  /** Whether anyone may see the source and the logs of deployments. */
  publicSource: z.boolean().nullable().optional(),
  /** Leaves Git alone when the project is linked from a folder. */
  skipGitConnectDuringLink: z.boolean().optional(),
  /** Moves functions to another region when theirs fails. */
  serverlessFunctionZeroConfigFailover: z.boolean().optional(),
  /** Whether builds and functions get tokens that prove who they are to others. */
  oidcTokenConfig: z
    .strictObject({
      /** Whether they get them. */
      enabled: z.boolean().optional(),
      /** Who issues them: team for one of the team's own, global for one of all. */
      issuerMode: z.enum(["team", "global"]).optional(),
    })
    .optional(),
};

/** Settings in updates only. @source Projects, PATCH /v9/projects/{idOrName} */
const updatable = {
  /** Version of Node.js for builds and functions. Removed from the program, it stays as it is. */
  nodeVersion: openList(nodeVersions).optional(),
  /** Whether a production deployment gets the project's domains by itself. Pausing turns it off. */
  autoAssignCustomDomains: z.boolean().optional(),
  /** Who is shown to have last changed `autoAssignCustomDomains`. Removed from the program, it stays as it is. */
  autoAssignCustomDomainsUpdatedBy: z.string().optional(),
  /** Whether builds and functions see the system's environment variables. */
  autoExposeSystemEnvs: z.boolean().optional(),
  /** Whether the service's support may see the code. */
  customerSupportCodeVisibility: z.boolean().optional(),
  /** Whether a folder without an index file shows its files. */
  directoryListing: z.boolean().optional(),
  /** Whether comments can be left on previews; null for the team's setting. */
  enablePreviewFeedback: z.boolean().nullable().optional(),
  /** Whether comments can be left on production; null for the team's setting. */
  enableProductionFeedback: z.boolean().nullable().optional(),
  /** Whether a pull request from a fork has to be approved before it is built. */
  gitForkProtection: z.boolean().optional(),
  /** Whether Git LFS files are fetched. */
  gitLFS: z.boolean().optional(),
  /** Builds no previews. */
  previewDeploymentsDisabled: z.boolean().optional(),
  /** Whether a build may use files outside of `rootDirectory`. */
  sourceFilesOutsideRootDirectory: z.boolean().optional(),
  /** Moment (milliseconds since the epoch) before which deployments have no skew protection. */
  skewProtectionBoundaryAt: z.int().min(0).optional(),
  /** For how long (seconds) a client keeps being served by its own deployment. */
  skewProtectionMaxAge: z.int().min(0).optional(),
  /** Paths whose OPTIONS requests pass the deployment protection. */
  optionsAllowlist: z
    .strictObject({
      /** The paths. */
      paths: z.array(
        z.strictObject({
          /** A path, such as /api. */
          value: z.string().min(1),
        }),
      ),
    })
    .nullable()
    .optional(),
  /** Protects deployments with a password. The service never tells it, so that no drift of it is seen. */
  passwordProtection: z
    .strictObject({
      /** Which deployments are protected. */
      deploymentType: z.enum(protectionTypes),
      /** The password that visitors give. */
      password: z.string().min(1).max(72),
    })
    .nullable()
    .optional(),
  /** Protects deployments with a log-in at the service. */
  ssoProtection: z
    .strictObject({
      /** Which deployments are protected. */
      deploymentType: z.enum(protectionTypes),
    })
    .nullable()
    .optional(),
  /** Addresses that pass the protection, or alone may pass. */
  trustedIps: z
    .strictObject({
      /** Which deployments are protected. */
      deploymentType: z.enum(trustedIpTypes),
      /** The addresses. */
      addresses: z
        .array(
          z.strictObject({
            /** An IPv4 address, or a range such as 10.0.0.0/8. */
            value: z.string().regex(ipv4, "must be an IPv4 address, or a range such as 10.0.0.0/8"),
            /** Whose address it is. */
            note: z.string().max(20).optional(),
          }),
        )
        .min(1),
      /** exclusive: nobody else passes; additional: they pass beside those who log in. */
      protectionMode: z.enum(protectionModes),
    })
    .nullable()
    .optional(),
};

/** The inputs. Undeclared inputs are not managed; removed ones are reset. */
export const inputs = z.strictObject({
  /**
   * Name of the project; by default a new one is called like the resource, made valid, and keeps that name. Changing
   * it renames the project.
   */
  name: projectName,
  ...creatable,
  ...updatable,
  ...platform,
  /** Repository whose commits are deployed. Removed from the program, it is disconnected. */
  gitRepository: repositoryInput.optional(),
  /** Whether the project is paused: its production deployment then is blocked. */
  paused: z.boolean().optional(),
  /** The data cache of the project. */
  dataCache: z
    .strictObject({
      /** Whether it is turned off. */
      disabled: z.boolean(),
    })
    .optional(),
  /** Secrets with which automation passes the deployment protection, each under a label of your own. */
  protectionBypass: bypassInput.optional(),
  /** Takes over a project that has the name already, instead of failing. */
  adopt: z.boolean().optional(),
});

export type Inputs = z.output<typeof inputs>;

/** Settings in the body of a create. */
export const creatableKeys = Object.keys(creatable) as (keyof typeof creatable)[];
/** Settings in the body of an update. */
export const patchable: readonly (keyof Inputs)[] = [
  "name",
  ...creatableKeys,
  ...(Object.keys({ ...updatable, ...platform }) as (keyof typeof updatable | keyof typeof platform)[]),
];

/** Settings that the service fills. It tells no password. */
export const computed: readonly (keyof Inputs)[] = [
  ...patchable.filter((key) => key !== "name" && key !== "passwordProtection"),
  "gitRepository",
  "paused",
  "dataCache",
];
