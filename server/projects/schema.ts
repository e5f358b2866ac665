import * as z from "zod";
import {
  frameworks,
  gitProviders,
  nodeVersions,
  otherLinkTypes,
  protectionModes,
  protectionTypes,
  trustedIpTypes,
} from "../../provider/vocabulary";
import { projectName } from "../access/projects";
import { deploymentSummary } from "../deployments/schema";
import { envInProject, envRecord, largestBatch } from "../env/schema";
import { security } from "../firewall/schema";
import { flag, pagination } from "../http/query";
import { member as microfrontends } from "../microfrontends/schema";
import { config as rollingRelease } from "../rolling-releases/schema";
import { newerAnswer, newerCommon, newerUpdate } from "./newer-settings";
import { resourceConfig, resourceConfigBody } from "./resource-config";

/**
 * Bodies and answers of projects. The schemas refuse unknown members of bodies, and list every member of answers.
 * @source Project; POST and PATCH projects; wire-shapes 3
 */

const ssoProtection = z.strictObject({ deploymentType: z.enum(protectionTypes) }).nullable();

const command = z.string().max(256).nullable();
const region = z.string().max(4).nullable();
const framework = z.enum(frameworks).nullable();

/** Members of both create and update. */
const common = {
  buildCommand: command.optional(),
  commandForIgnoringBuildStep: command.optional(),
  devCommand: command.optional(),
  installCommand: command.optional(),
  outputDirectory: command.optional(),
  rootDirectory: command.optional(),
  serverlessFunctionRegion: region.optional(),
  enableAffectedProjectsDeployments: z.boolean().optional(),
  publicSource: z.boolean().nullable().optional(),
  skipGitConnectDuringLink: z.boolean().optional(),
  /** Accepts any JSON. @choice A truthy value is stored as true, any other value as false. */
  serverlessFunctionZeroConfigFailover: z.unknown().transform(Boolean).optional(),
  framework: framework.optional(),
  /** `enabled` is true by default, because current clients omit it. */
  oidcTokenConfig: z
    .strictObject({ enabled: z.boolean().default(true), issuerMode: z.enum(["team", "global"]).optional() })
    .optional(),
  enablePreviewFeedback: z.boolean().nullable().optional(),
  enableProductionFeedback: z.boolean().nullable().optional(),
  ssoProtection: ssoProtection.optional(),
  resourceConfig: resourceConfigBody.optional(),
};

export const gitRepository = z.strictObject({
  type: z.enum(gitProviders),
  repo: z
    .string()
    .max(500)
    .regex(/^[^/\s]+(\/[^/\s]+)+$/, "must be owner/name"),
});

export const createProject = z.strictObject({
  ...common,
  ...newerCommon,
  name: projectName,
  gitRepository: gitRepository.optional(),
  environmentVariables: z.array(envInProject).max(largestBatch).optional(),
});

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$|\/)|(?=$|\/))){4}(?:\/(?:3[0-2]|[12]?\d))?$/;

const trustedIps = z.strictObject({
  deploymentType: z.enum(trustedIpTypes),
  addresses: z
    .array(
      z.strictObject({
        value: z.string().regex(ipv4, "must be an IPv4 address or a range in CIDR form"),
        note: z.string().max(20).optional(),
      }),
    )
    .min(1)
    .max(1000),
  protectionMode: z.enum(protectionModes),
});
const allowedPath = z.string().max(1000).regex(/^\//, "must begin with '/'");
const optionsAllowlist = z.strictObject({
  paths: z
    .array(z.strictObject({ value: allowedPath }))
    .min(1)
    .max(5),
});

export const updateProject = z.strictObject({
  ...common,
  ...newerUpdate,
  name: projectName.optional(),
  nodeVersion: z.enum(nodeVersions).optional(),
  autoAssignCustomDomains: z.boolean().optional(),
  autoAssignCustomDomainsUpdatedBy: z.string().max(256).nullable().optional(),
  autoExposeSystemEnvs: z.boolean().optional(),
  customerSupportCodeVisibility: z.boolean().optional(),
  directoryListing: z.boolean().optional(),
  gitForkProtection: z.boolean().optional(),
  gitLFS: z.boolean().optional(),
  sourceFilesOutsideRootDirectory: z.boolean().optional(),
  skewProtectionBoundaryAt: z.int().min(0).nullable().optional(),
  skewProtectionMaxAge: z.int().min(0).nullable().optional(),
  optionsAllowlist: optionsAllowlist.nullable().optional(),
  passwordProtection: z
    .strictObject({
      deploymentType: z.enum(protectionTypes),
      password: z.string().min(1).max(72).nullable().optional(),
    })
    .nullable()
    .optional(),
  trustedIps: trustedIps.nullable().optional(),
});

export type CreateProject = z.infer<typeof createProject>;
export type UpdateProject = z.infer<typeof updateProject>;

export const newDeployHook = z.strictObject({
  name: z.string().trim().min(1).max(180),
  /** The branch that the hook deploys. */
  ref: z.string().trim().min(1).max(250),
});

/** The answer of a deploy hook's URL. */
export const hookJob = z.strictObject({
  job: z.strictObject({ id: z.string(), state: z.literal("PENDING"), createdAt: z.number() }),
});

const common_link = {
  deployHooks: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      ref: z.string(),
      url: z.string(),
      createdAt: z.number(),
    }),
  ),
  createdAt: z.number(),
  updatedAt: z.number(),
  gitCredentialId: z.string(),
  productionBranch: z.string(),
  sourceless: z.boolean(),
};

export const projectLink = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("github"),
    org: z.string(),
    repo: z.string(),
    repoId: z.number(),
    repoOwnerId: z.number(),
    ...common_link,
  }),
  z.strictObject({
    type: z.literal("gitlab"),
    projectId: z.string(),
    projectName: z.string(),
    projectNameWithNamespace: z.string(),
    projectNamespace: z.string(),
    projectUrl: z.string(),
    ...common_link,
  }),
  z.strictObject({
    type: z.literal("bitbucket"),
    name: z.string(),
    slug: z.string(),
    owner: z.string(),
    uuid: z.string(),
    workspaceUuid: z.string(),
    ...common_link,
  }),
]);

/** A link that only the seed of a copied project has. Its members are those of the API that was copied. */
const copiedLink = z.looseObject({
  type: z.enum(otherLinkTypes),
  deployHooks: common_link.deployHooks,
  productionBranch: z.string().optional(),
});
export type ProjectLink = z.infer<typeof projectLink>;

/** @choice Lacks the members of the specification's Project that this server never sets. */
export const project = z.strictObject({
  ...newerAnswer,
  id: z.string(),
  name: z.string(),
  accountId: z.string(),
  directoryListing: z.boolean(),
  nodeVersion: z.enum(nodeVersions),
  framework,
  buildCommand: command,
  commandForIgnoringBuildStep: command,
  devCommand: command,
  installCommand: command,
  outputDirectory: command,
  rootDirectory: command,
  serverlessFunctionRegion: region,
  connectConfigurationId: z.null(),
  passiveConnectConfigurationId: z.null(),
  autoAssignCustomDomains: z.boolean(),
  autoAssignCustomDomainsUpdatedBy: z.string().optional(),
  autoExposeSystemEnvs: z.boolean(),
  customerSupportCodeVisibility: z.boolean().optional(),
  enableAffectedProjectsDeployments: z.boolean().optional(),
  enablePreviewFeedback: z.boolean().nullable().optional(),
  enableProductionFeedback: z.boolean().nullable().optional(),
  gitForkProtection: z.boolean(),
  gitLFS: z.boolean(),
  hasActiveBranches: z.boolean(),
  live: z.boolean(),
  paused: z.boolean(),
  publicSource: z.boolean().nullable().optional(),
  serverlessFunctionZeroConfigFailover: z.boolean().optional(),
  skipGitConnectDuringLink: z.boolean().optional(),
  sourceFilesOutsideRootDirectory: z.boolean(),
  skewProtectionBoundaryAt: z.number().optional(),
  skewProtectionMaxAge: z.number().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  transferStartedAt: z.number().optional(),
  transferCompletedAt: z.number().optional(),
  transferToAccountId: z.string().optional(),
  transferredFromAccountId: z.string().optional(),
  dataCache: z.strictObject({ userDisabled: z.boolean() }),
  oidcTokenConfig: z.strictObject({ enabled: z.boolean(), issuerMode: z.enum(["team", "global"]) }),
  /** Absent for callers who may not see variables. */
  protectionBypass: z
    .record(
      z.string(),
      z.strictObject({
        createdAt: z.number(),
        createdBy: z.string(),
        scope: z.literal("automation-bypass"),
        /** True for the secret that deployments get as a variable. */
        isEnvVar: z.boolean(),
        note: z.string().optional(),
      }),
    )
    .optional(),
  resourceConfig,
  defaultResourceConfig: resourceConfig,
  /** In days; absent for deployments that are kept forever. */
  deploymentExpiration: z.strictObject({
    expirationDays: z.number().optional(),
    expirationDaysProduction: z.number().optional(),
    expirationDaysCanceled: z.number().optional(),
    expirationDaysErrored: z.number().optional(),
  }),
  security: security.optional(),
  /** These two are absent if the project is in no microfrontend group, and if rolling releases are disabled. */
  microfrontends: microfrontends.optional(),
  rollingRelease: rollingRelease.optional(),
  /** Absent until cron jobs are turned on or off. */
  crons: z
    .strictObject({
      enabledAt: z.number(),
      disabledAt: z.number().nullable(),
      updatedAt: z.number(),
      deploymentId: z.string().nullable(),
      definitions: z.array(z.looseObject({})),
    })
    .optional(),
  lastAliasRequest: z
    .strictObject({
      fromDeploymentId: z.string(),
      toDeploymentId: z.string(),
      jobStatus: z.enum(["succeeded", "failed", "skipped", "pending", "in-progress"]),
      requestedAt: z.number(),
      type: z.enum(["promote", "rollback"]),
    })
    .nullable(),
  lastRollbackTarget: z.looseObject({}).nullable(),
  optionsAllowlist: optionsAllowlist.nullable(),
  passwordProtection: z.strictObject({ deploymentType: z.enum(protectionTypes) }).nullable(),
  ssoProtection,
  trustedIps: trustedIps.nullable(),
  alias: z.array(z.looseObject({ domain: z.string() })),
  customEnvironments: z.array(z.looseObject({ id: z.string(), slug: z.string() })).optional(),
  env: z.array(envRecord).optional(),
  latestDeployments: z.array(deploymentSummary),
  targets: z.record(z.string(), deploymentSummary.nullable()),
  link: z.union([projectLink, copiedLink]).optional(),
});
export type Project = z.infer<typeof project>;

export const projectList = z.strictObject({ projects: z.array(project), pagination });

/**
 * The query parameters of a read of one project. Without `rollbackInfo`, `lastAliasRequest` is null.
 * @source recorded answers of the hosted API, and the official command line
 */
export const projectOptions = z.object({ rollbackInfo: flag.optional() });
