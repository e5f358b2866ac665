import { z } from "zod";
import type * as responses from "../../client/responses";
import { openList } from "../../core/known-values";
import { isPlain, type Plain } from "../../core/values";
import { buildMachineTypes, functionMemoryTypes, regions } from "../../vocabulary";
import { memberDefaults, projectDefaults } from "./defaults";
import { bounded, sentPolicy, toldPolicy } from "./newer";

/** Project settings that are newer than the specification: machines, Git provider, trusted sources. */

const environments = z
  .strictObject({
    /** Names of environments: production, preview, or the slug of a custom environment. */
    slugs: z.array(z.string().min(1)).optional(),
    /** Set of environments: all-custom for all custom environments. */
    preset: openList(["all-custom"]).optional(),
  })
  .refine(({ slugs, preset }) => slugs !== undefined || preset !== undefined, "must have slugs or a preset")
  .meta({ minProperties: 1 });

const trustedSources = bounded(
  z.strictObject({
    /** Whether CI checks of the same team and repository may access previews. */
    enableVercelCiSameRepository: z.boolean().optional(),
    /** Projects whose deployments may access this project, by project id. */
    projects: z
      .record(
        z.string(),
        z.strictObject({
          /** Description of the project. */
          label: z.string().optional(),
          /**
           * Which environments of the other project may access which environments of this project. Default: each
           * environment may access the environment of the same name.
           */
          customAllow: z
            .array(
              z.strictObject({
                /** Environments of the other project. */
                from: environments,
                /** Environments of this project. */
                to: environments,
              }),
            )
            .optional(),
        }),
      )
      .optional(),
    /** Trusted OpenID Connect issuers, by URL. */
    oidcProviders: z
      .record(
        z.string(),
        z.array(
          z.strictObject({
            /** Description of the caller whose tokens are accepted. */
            label: z.string().optional(),
            /** Environments of this project that the caller may access. */
            to: environments,
            /** Accepted values, by claim name. For each claim, a token must have one of the accepted values. */
            claims: z.record(z.string(), z.array(z.string())),
          }),
        ),
      )
      .optional(),
  }),
  "Shorten the lists or the labels",
);

/** Settings of the update request only. @source the newest official client */
export const platform = {
  /** CPU, memory, run time and regions of functions. */
  resourceConfig: z
    .strictObject({
      /** Whether an instance of a function serves several requests at a time (fluid compute). */
      fluid: z.boolean().optional(),
      /** CPU and memory of a function. */
      functionDefaultMemoryType: openList(functionMemoryTypes).optional(),
      /** Longest run time of a function (seconds). */
      functionDefaultTimeout: z.int().min(1).max(900).optional(),
      /** Regions in which functions run. Conflicts with `serverlessFunctionRegion`. */
      functionDefaultRegions: z
        .array(openList(regions, z.string().min(1).max(4)))
        .min(1)
        .max(100)
        .optional(),
    })
    .optional(),
  /** Type of the build machine. */
  buildMachineType: openList(buildMachineTypes).optional(),
  /** Whether builds start at once, even beyond the plan's number of concurrent builds. */
  onDemandConcurrentBuilds: z.boolean().optional(),
  /** Whether production builds start before preview builds. */
  prioritiseProductionBuilds: z.boolean().optional(),
  /** Comments about deployments at the Git provider; null for the default. */
  gitComments: z
    .strictObject({
      /** Whether commits get comments. */
      onCommit: z.boolean(),
      /** Whether pull requests get comments. */
      onPullRequest: z.boolean(),
    })
    .nullable()
    .optional(),
  /** Options of the connection to the Git provider. */
  gitProviderOptions: z
    .strictObject({
      /** Whether a push creates a deployment. */
      createDeployments: z.enum(["enabled", "disabled"]).optional(),
      /** Whether the `repository_dispatch` events that Vercel sends to a GitHub repository are turned off. */
      disableRepositoryDispatchEvents: z.boolean().optional(),
      /** Whether commits show the status of their deployment. */
      gitCommitStatus: z.boolean().optional(),
      /** Whether only commits with a verified signature are deployed. */
      requireVerifiedCommits: z.boolean().optional(),
      /** One commit status for all projects of a repository. */
      consolidatedGitCommitStatus: z
        .strictObject({
          /** Whether the statuses are consolidated. */
          enabled: z.boolean(),
          /** Whether the consolidated status fails if one project fails. */
          propagateFailures: z.boolean(),
        })
        .optional(),
    })
    .optional(),
  /** Domain suffix of preview URLs; null for the team's suffix. */
  previewDeploymentSuffix: z.string().min(1).max(253).nullable().optional(),
  /** Whether only members of the team can access source maps. */
  protectedSourcemaps: z.boolean().optional(),
  /** Callers that bypass deployment protection with a token. */
  trustedSources: trustedSources.optional(),
};

/** The API's names of inputs. There, `buildMachineType` and `onDemandConcurrentBuilds` are in `resourceConfig`. */
const elsewhere = {
  prioritiseProductionBuilds: "productionDeploymentsFastLane",
  buildMachineType: "buildMachineType",
  onDemandConcurrentBuilds: "elasticConcurrencyEnabled",
} as const;

/** Returns the settings of a project by input name. Unset settings that the service omits are null. */
export function returnedSettings(remote: responses.Project): Plain {
  const machines = isPlain(remote.resourceConfig) ? remote.resourceConfig : {};
  return {
    gitComments: null,
    previewDeploymentSuffix: null,
    trustedSources: null,
    tracing: null,
    passport: null,
    connectConfigurations: null,
    ...remote,
    deploymentPolicy: toldPolicy(remote.deploymentPolicy ?? null),
    prioritiseProductionBuilds: remote[elsewhere.prioritiseProductionBuilds],
    buildMachineType: machines[elsewhere.buildMachineType],
    onDemandConcurrentBuilds: machines[elsewhere.onDemandConcurrentBuilds],
  };
}

/** Builds the body of a request from inputs. */
export function bodyOf(inputs: Plain): Plain {
  const { prioritiseProductionBuilds, buildMachineType, onDemandConcurrentBuilds, ...body } = inputs;
  if (prioritiseProductionBuilds !== undefined)
    body[elsewhere.prioritiseProductionBuilds] = prioritiseProductionBuilds;
  if (body.deploymentPolicy !== undefined) body.deploymentPolicy = sentPolicy(body.deploymentPolicy);
  const machines = {
    ...(isPlain(body.resourceConfig) && body.resourceConfig),
    ...(buildMachineType !== undefined && { [elsewhere.buildMachineType]: buildMachineType }),
    ...(onDemandConcurrentBuilds !== undefined && {
      [elsewhere.onDemandConcurrentBuilds]: onDemandConcurrentBuilds,
    }),
  };
  return Object.keys(machines).length === 0 ? body : { ...body, resourceConfig: machines };
}

/**
 * The value to send for a setting. Members that were removed from the program are sent with their defaults, since the
 * service keeps members that an update omits.
 * @param before the value in the state @param after the declared value, or the default of a removed setting
 */
export function withResets(key: string, before: unknown, after: unknown, isDeclared: boolean): unknown {
  const usual: Plain | undefined = Object.hasOwn(memberDefaults, key)
    ? memberDefaults[key as keyof typeof memberDefaults]
    : undefined;
  if (!usual || !isPlain(before)) return after;
  const declared = isDeclared && isPlain(after) ? after : {};
  const left = Object.keys(before).filter((member) => member in usual && declared[member] === undefined);
  const whole = { ...Object.fromEntries(left.map((member) => [member, usual[member]])), ...declared };
  return Object.keys(whole).length === 0 ? after : whole;
}

/** For an import: `resourceConfig` and `gitProviderOptions` without members that have the value of a new project. */
export function particularOf(told: Plain): Plain {
  const found: Plain = { resourceConfig: undefined, gitProviderOptions: undefined };
  for (const key of ["resourceConfig", "gitProviderOptions"] as const) {
    const [remote, usual]: [unknown, Plain] = [told[key], projectDefaults[key]];
    if (!isPlain(remote)) continue;
    const members = Object.entries(remote).filter(
      ([member, value]) => member in usual && JSON.stringify(value) !== JSON.stringify(usual[member]),
    );
    // A single region is also in `serverlessFunctionRegion`.
    const kept = members.filter(([member, value]) => !(member === "functionDefaultRegions" && one(value)));
    if (kept.length > 0) found[key] = Object.fromEntries(kept);
  }
  return found;
}

const one = (list: unknown): boolean => Array.isArray(list) && list.length === 1;
