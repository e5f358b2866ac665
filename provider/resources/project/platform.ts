import { z } from "zod";
import type * as responses from "../../client/responses";
import { openList } from "../../core/known-values";
import { isPlain, type Plain } from "../../core/values";
import { buildMachineTypes, functionMemoryTypes, regions } from "../../vocabulary";
import { memberDefaults, projectDefaults } from "./defaults";

/** Settings of a project that are newer than the specification: machines, Git provider, trusted sources. */

const environments = z
  .strictObject({
    /** Names of environments, such as production, preview, or the slug of a custom one. */
    slugs: z.array(z.string().min(1)).optional(),
    /** A set of environments: all-custom stands for all custom ones. */
    preset: openList(["all-custom"]).optional(),
  })
  .refine(({ slugs, preset }) => slugs !== undefined || preset !== undefined, "must have slugs or a preset")
  .meta({ minProperties: 1 });

const trustedSources = z.strictObject({
  /** Lets checks of the same team and repository reach previews. */
  enableVercelCiSameRepository: z.boolean().optional(),
  /** Projects whose deployments may call those of this one, by id. */
  projects: z
    .record(
      z.string(),
      z.strictObject({
        /** What the project is to this one. */
        label: z.string().optional(),
        /** Which of its environments may call which of these; without it, each the one of the same name. */
        customAllow: z
          .array(
            z.strictObject({
              /** Environments that may call. */
              from: environments,
              /** Environments that may be called. */
              to: environments,
            }),
          )
          .optional(),
      }),
    )
    .optional(),
  /** Issuers whose tokens are taken, by address. */
  oidcProviders: z
    .record(
      z.string(),
      z.array(
        z.strictObject({
          /** Who the bearer is. */
          label: z.string().optional(),
          /** Environments that the bearer may call. */
          to: environments,
          /** Values of which a token has to have one, by the claim's name. */
          claims: z.record(z.string(), z.array(z.string())),
        }),
      ),
    )
    .optional(),
});

/** Settings in updates only. @source the newest official client */
export const platform = {
  /** Machines that serve the functions. */
  resourceConfig: z
    .strictObject({
      /** Whether instances serve several requests at a time. */
      fluid: z.boolean().optional(),
      /** Processor and memory of a function. */
      functionDefaultMemoryType: openList(functionMemoryTypes).optional(),
      /** For how long (seconds) a function may run. */
      functionDefaultTimeout: z.int().min(1).optional(),
      /** Regions in which functions run. Excludes `serverlessFunctionRegion`. */
      functionDefaultRegions: z
        .array(openList(regions, z.string().min(1).max(4)))
        .min(1)
        .optional(),
    })
    .optional(),
  /** Machine that builds. */
  buildMachineType: openList(buildMachineTypes).optional(),
  /** Whether builds begin at once, beyond those that the plan lets run together. */
  onDemandConcurrentBuilds: z.boolean().optional(),
  /** Whether builds for production come before those of previews. */
  prioritiseProductionBuilds: z.boolean().optional(),
  /** Where the Git provider is told of deployments by comments; null for what is usual. */
  gitComments: z
    .strictObject({
      /** On commits. */
      onCommit: z.boolean(),
      /** On pull requests. */
      onPullRequest: z.boolean(),
    })
    .nullable()
    .optional(),
  /** What passes between the project and its Git provider. */
  gitProviderOptions: z
    .strictObject({
      /** Whether a push makes a deployment. */
      createDeployments: z.enum(["enabled", "disabled"]).optional(),
      /** Sends the repository no dispatch events. */
      disableRepositoryDispatchEvents: z.boolean().optional(),
      /** Whether commits show the state of their deployment. */
      gitCommitStatus: z.boolean().optional(),
      /** Deploys commits only whose signature is verified. */
      requireVerifiedCommits: z.boolean().optional(),
      /** One state of a commit for all projects of a repository. */
      consolidatedGitCommitStatus: z
        .strictObject({
          /** Whether there is one. */
          enabled: z.boolean(),
          /** Whether it fails when one of them does. */
          propagateFailures: z.boolean(),
        })
        .optional(),
    })
    .optional(),
  /** Domain under which previews get their addresses; null for the team's. */
  previewDeploymentSuffix: z.string().min(1).max(253).nullable().optional(),
  /** Whether source maps are shown to members of the team alone. */
  protectedSourcemaps: z.boolean().optional(),
  /** Who passes the deployment protection by a token of theirs. */
  trustedSources: trustedSources.optional(),
};

/** Inputs with another path in the API. */
const elsewhere = {
  prioritiseProductionBuilds: "productionDeploymentsFastLane",
  buildMachineType: "buildMachineType",
  onDemandConcurrentBuilds: "elasticConcurrencyEnabled",
} as const;

/** The settings of a project by the names of inputs. Settings that the service omits while unset are null. */
export function toldOf(remote: responses.Project): Plain {
  const machines = isPlain(remote.resourceConfig) ? remote.resourceConfig : {};
  return {
    gitComments: null,
    previewDeploymentSuffix: null,
    trustedSources: null,
    ...remote,
    prioritiseProductionBuilds: remote[elsewhere.prioritiseProductionBuilds],
    buildMachineType: machines[elsewhere.buildMachineType],
    onDemandConcurrentBuilds: machines[elsewhere.onDemandConcurrentBuilds],
  };
}

/** Makes the body of a request from inputs. */
export function bodyOf(inputs: Plain): Plain {
  const { prioritiseProductionBuilds, buildMachineType, onDemandConcurrentBuilds, ...body } = inputs;
  if (prioritiseProductionBuilds !== undefined)
    body[elsewhere.prioritiseProductionBuilds] = prioritiseProductionBuilds;
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
 * The value to send for a setting. Members that were removed from the program are reset, since the service keeps
 * members that an update omits.
 * @param before the managed value @param after the declared value, or the default of a removed setting
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

/** Drops members that equal the defaults of a new project, for an import. */
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
