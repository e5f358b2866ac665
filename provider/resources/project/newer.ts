import { z } from "zod";
import type * as responses from "../../client/responses";
import { openList } from "../../core/known-values";
import { asDeclared, isPlain, type Plain } from "../../core/values";
import { protectionTypes, regions } from "../../vocabulary";

/** Project settings of the newest API: caching, networks, tracing, Passport, sandboxes, deployment policy. */

/** The largest length of a setting with many parts, as JSON. */
const largest = 65_536;

/** Limits the length of a setting with many parts. */
export const bounded = <T extends z.ZodType>(schema: T, hint = "Shorten the lists"): T =>
  schema.refine(
    (value) => JSON.stringify(value).length <= largest,
    `must have at most ${largest} characters as JSON. ${hint}`,
  );

const hostname = z.string().min(1).max(253);
const region = openList(regions, z.string().min(1).max(4));

const tracing = z.strictObject({
  /** Domains whose requests are traced. */
  domains: z.string().optional(),
  /** Paths that are not traced. */
  ignorePaths: z.array(z.string()).optional(),
  /** Rules that say which share of the requests is traced. */
  samplingRules: z
    .array(
      z.strictObject({
        /** Share of the requests, from 0 to 1. */
        rate: z.number().min(0).max(1),
        /** Environment of the rule. Default: both. */
        env: z.enum(["production", "preview"]).optional(),
        /** Path of the requests. Default: all paths. */
        requestPath: z.string().optional(),
        /** Where the traces go: internal for Vercel, external for a drain. Default: both. */
        destination: z.enum(["internal", "external"]).optional(),
      }),
    )
    .optional(),
});

const repositories = z.array(
  z
    .strictObject({
      /** Git provider. */
      provider: z.enum(["github", "gitlab", "bitbucket"]),
      /** Organization or workspace, for GitHub and Bitbucket. */
      org: z.string().min(1).optional(),
      /** Repository, for GitHub and Bitbucket. Default: all repositories of `org`. */
      repo: z.string().min(1).optional(),
      /** Namespace, for GitLab. */
      namespace: z.string().min(1).optional(),
      /** Project, for GitLab. Default: all projects of `namespace`. */
      project: z.string().min(1).optional(),
    })
    .refine(
      ({ provider, org, repo, namespace, project }) =>
        provider === "gitlab"
          ? namespace !== undefined && org === undefined && repo === undefined
          : org !== undefined && namespace === undefined && project === undefined,
      "must have org and repo for GitHub and Bitbucket, and namespace and project for GitLab",
    ),
);

const deploymentPolicy = z.strictObject({
  /** Repositories from which environments are deployed; without it, the API does not limit them. */
  gitSources: z
    .array(
      z.strictObject({
        /** Whether the rule applies. */
        enabled: z.boolean(),
        /** Environments of the rule: production, preview, or the ids of custom environments. */
        environments: z.array(z.string().min(1)),
        /** Repositories that may be deployed. */
        sources: repositories,
      }),
    )
    .optional(),
  /** Ways by which environments are deployed; without it, the API does not limit them. */
  deploymentSources: z
    .array(
      z.strictObject({
        /** Whether the rule applies. */
        enabled: z.boolean(),
        /** Environments of the rule: production, preview, or the ids of custom environments. */
        environments: z.array(z.string().min(1)),
        /** Ways that are allowed. */
        sources: z.array(openList(["git", "cli", "rest-api", "deploy-hook", "integration", "v0"])),
      }),
    )
    .optional(),
});

/** Settings of the update request only. @source the newest official client */
export const newer = {
  /** Whether the responses of external rewrites are cached. */
  enableExternalRewriteCaching: z.boolean().optional(),
  /** Domains of other sites that may load assets with skew protection, such as *.example.com. */
  skewProtectionAllowedDomains: z.array(hostname).max(100).optional(),
  /** Static IP addresses for the outgoing requests of functions. */
  staticIps: z
    .strictObject({
      /** Whether the project has them. */
      enabled: z.boolean(),
    })
    .optional(),
  /** Tracing of requests; null for the default. */
  tracing: bounded(tracing).nullable().optional(),
  /** Protection of deployments with a login by Passport; null for none. */
  passport: z
    .strictObject({
      /** Id of the connector of Passport. */
      connectorId: z.string().min(1).max(256),
      /** Which deployments are protected. Default: all. */
      deploymentType: z.enum(protectionTypes).optional(),
    })
    .nullable()
    .optional(),
  /** Where sandboxes of the project run. Removing the input keeps the regions. */
  sandbox: z
    .strictObject({
      /** Default region. */
      region: region.optional(),
      /** Regions that are used if the default region is not available. */
      failoverRegions: z.array(region).max(100).optional(),
    })
    .optional(),
  /** Which repositories, and which ways to deploy, may create deployments of an environment; null for all. */
  deploymentPolicy: bounded(deploymentPolicy).nullable().optional(),
  /** Secure Compute networks of environments; null for none. */
  connectConfigurations: z
    .array(
      z.strictObject({
        /** The environment: production, preview, or the id of a custom environment. */
        envId: z.string().min(1),
        /** Id of the network. */
        connectConfigurationId: z.string().min(1),
        /** Whether the network is used only if the active one fails. */
        passive: z.boolean(),
        /** Whether builds use the network too. */
        buildsEnabled: z.boolean(),
      }),
    )
    .max(100)
    .nullable()
    .optional(),
};

/** Values to which these settings go back when they are removed from the program. `sandbox` keeps its value. */
export const newerDefaults = {
  enableExternalRewriteCaching: false,
  skewProtectionAllowedDomains: [],
  staticIps: { enabled: false },
  tracing: null,
  passport: null,
  deploymentPolicy: null,
  connectConfigurations: null,
} as const;

/** Settings that the service replaces as a whole. Members that the program does not set keep their value. */
export const replacedAsWhole = ["tracing", "passport", "sandbox", "deploymentPolicy"] as const;

/** A declared setting with the members that the program neither sets nor had set. @param remote as inputs have it */
export function keptMembers(remote: unknown, state: unknown, declared: Plain): Plain {
  const left = isPlain(state) ? state : {};
  const others = Object.entries(isPlain(remote) ? remote : {}).filter(
    ([member]) => left[member] === undefined,
  );
  return { ...Object.fromEntries(others), ...declared };
}

const targets = ["production", "preview"];

/** The policy as the API has it, where each environment is an object. */
export const sentPolicy = (policy: unknown): unknown =>
  withEnvironments(policy, (environment) =>
    targets.includes(String(environment))
      ? { type: "system", target: environment }
      : { type: "custom", environmentId: environment },
  );

/** The policy of the API as inputs have it. Rules that are null are left out. */
export const toldPolicy = (policy: unknown): unknown =>
  withEnvironments(policy, (environment) =>
    isPlain(environment) ? (environment.target ?? environment.environmentId) : environment,
  );

function withEnvironments(policy: unknown, convert: (environment: unknown) => unknown): unknown {
  if (!isPlain(policy)) return policy;
  const rules = Object.entries(policy).flatMap(([kind, list]) =>
    Array.isArray(list) ? [[kind, list] as const] : [],
  );
  return Object.fromEntries(
    rules.map(([kind, list]) => [
      kind,
      list.map((rule: Plain) => ({ ...rule, environments: (rule.environments as unknown[]).map(convert) })),
    ]),
  );
}

/** For an import: these settings without the members that only the service has. */
export function importableNewer({ staticIps, connectConfigurations }: responses.Project): Plain {
  const network = { envId: "", connectConfigurationId: "", passive: false, buildsEnabled: false };
  return {
    ...(staticIps !== undefined && { staticIps: asDeclared({ enabled: false }, staticIps) }),
    ...(connectConfigurations !== undefined && {
      connectConfigurations: asDeclared([network], connectConfigurations),
    }),
  };
}
