import * as z from "zod";
import { protectionTypes } from "../../provider/vocabulary";

/**
 * Settings that current official clients send and the specification does not list. They are stored and returned.
 * @source the newest official client, and the requests of the Terraform provider
 */

const region = z.string().min(1).max(4);
const text = z.string().max(256);
const hostname = z.string().min(1).max(253);
const name = z.string().min(1);

/** @choice The maximum length of a setting with many parts, as JSON. The public API documents no limit. */
const largestSetting = 65_536;

/** Limits the length of a setting with many parts. */
const bounded = <T extends z.ZodType>(schema: T): T =>
  schema.refine((value) => JSON.stringify(value).length <= largestSetting, {
    message: `must have at most ${largestSetting} characters as JSON`,
  });

/** A set of environments, named by slug, by preset or by both. */
const environments = z
  .strictObject({ slugs: z.array(z.string()).optional(), preset: z.literal("all-custom").optional() })
  .refine(({ slugs, preset }) => slugs !== undefined || preset !== undefined, "needs slugs or a preset");

const trustedSources = z.strictObject({
  enableVercelCiSameRepository: z.boolean().optional(),
  projects: z
    .record(
      z.string(),
      z.strictObject({
        label: z.string().optional(),
        customAllow: z.array(z.strictObject({ from: environments, to: environments })).optional(),
      }),
    )
    .optional(),
  oidcProviders: z
    .record(
      z.string(),
      z.array(
        z.strictObject({
          label: z.string().optional(),
          to: environments,
          claims: z.record(z.string(), z.array(z.string())),
        }),
      ),
    )
    .optional(),
});

const gitProviderOptions = z.strictObject({
  createDeployments: z.enum(["enabled", "disabled"]),
  consolidatedGitCommitStatus: z
    .strictObject({ enabled: z.boolean(), propagateFailures: z.boolean() })
    .optional(),
  disableRepositoryDispatchEvents: z.boolean().optional(),
  gitCommitStatus: z.boolean().optional(),
  requireVerifiedCommits: z.boolean().optional(),
});

const gitComments = z.strictObject({ onCommit: z.boolean(), onPullRequest: z.boolean() });

const policyScope = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("system"), target: z.enum(["production", "preview"]) }),
  z.strictObject({ type: z.literal("custom"), environmentId: name }),
]);
const policyRule = { enabled: z.boolean(), environments: z.array(policyScope) };
const deploymentPolicy = z.strictObject({
  gitSources: z
    .array(
      z.strictObject({
        ...policyRule,
        sources: z.array(
          z.discriminatedUnion("provider", [
            z.strictObject({
              provider: z.enum(["github", "bitbucket"]),
              org: name,
              repo: name.optional(),
            }),
            z.strictObject({
              provider: z.literal("gitlab"),
              namespace: name,
              project: name.optional(),
            }),
          ]),
        ),
      }),
    )
    .nullable()
    .optional(),
  deploymentSources: z
    .array(
      z.strictObject({
        ...policyRule,
        sources: z.array(z.enum(["git", "cli", "rest-api", "deploy-hook", "integration", "v0"])),
      }),
    )
    .nullable()
    .optional(),
});

const tracing = z.strictObject({
  domains: z.string().optional(),
  ignorePaths: z.array(z.string()).optional(),
  samplingRules: z
    .array(
      z.strictObject({
        rate: z.number().min(0).max(1),
        env: z.enum(["production", "preview"]).optional(),
        requestPath: z.string().optional(),
        destination: z.enum(["internal", "external"]).optional(),
      }),
    )
    .optional(),
});

const networkOfEnvironment = z.strictObject({
  envId: name,
  connectConfigurationId: name,
  passive: z.boolean(),
  buildsEnabled: z.boolean(),
});

const scalar = z.union([z.string().max(1000), z.number(), z.boolean()]);
const dismissedToast = {
  key: z.string().max(256),
  dismissedAt: z.number(),
};
const toastValue = z
  .union([scalar, z.strictObject({ previousValue: scalar, currentValue: scalar })])
  .nullable();

/** @choice The maximum number of networks, and of dismissed toasts, of a project. */
const mostListed = 100;

/** Accepted by create and update, and returned unchanged. */
export const newerCommon = {
  previewDeploymentsDisabled: z.boolean().nullable().optional(),
  previewDeploymentSuffix: z.string().min(1).max(253).nullable().optional(),
  sandbox: z
    .strictObject({ region: region.optional(), failoverRegions: z.array(region).max(100).optional() })
    .optional(),
};

/** Accepted only by update, and returned unchanged. */
const updateOnly = {
  enableExternalRewriteCaching: z.boolean().optional(),
  gitComments: gitComments.nullable().optional(),
  passport: z
    .strictObject({ connectorId: text.min(1), deploymentType: z.enum(protectionTypes).default("all") })
    .nullable()
    .optional(),
  productionDeploymentsFastLane: z.boolean().optional(),
  protectedSourcemaps: z.boolean().optional(),
  skewProtectionAllowedDomains: z.array(hostname).max(100).optional(),
  tracing: bounded(tracing).nullable().optional(),
  trustedSources: bounded(trustedSources).nullable().optional(),
  deploymentPolicy: bounded(deploymentPolicy).nullable().optional(),
};

export const newerUpdate = {
  ...newerCommon,
  ...updateOnly,
  gitProviderOptions: gitProviderOptions.partial().optional(),
  staticIps: z.strictObject({ enabled: z.boolean() }).optional(),
  connectConfigurations: z.array(networkOfEnvironment).max(mostListed).nullable().optional(),
  dismissedToasts: z
    .array(
      z.strictObject({
        ...dismissedToast,
        action: z.enum(["cancel", "accept", "delete"]),
        value: toastValue.optional(),
      }),
    )
    .max(mostListed)
    .optional(),
};

/** Since when insights are on or off. Only a request of their own sets them. */
const insights = z.strictObject({
  id: z.string(),
  enabledAt: z.number().optional(),
  disabledAt: z.number().optional(),
});

/** The newer settings in an answer. A setting without a value is absent, unless clients accept null for it. */
export const newerAnswer = {
  ...newerCommon,
  ...updateOnly,
  previewDeploymentsDisabled: z.boolean().optional(),
  gitComments: gitComments.optional(),
  tracing: tracing.optional(),
  gitProviderOptions: gitProviderOptions.optional(),
  staticIps: z
    .strictObject({ enabled: z.boolean(), builds: z.boolean(), regions: z.array(z.string()) })
    .optional(),
  connectConfigurations: z
    .array(networkOfEnvironment.extend({ createdAt: z.number(), updatedAt: z.number() }))
    .nullable()
    .optional(),
  webAnalytics: insights.optional(),
  speedInsights: insights.optional(),
  dismissedToasts: z
    .array(z.strictObject({ ...dismissedToast, action: z.enum(["cancel", "accept"]), value: toastValue }))
    .optional(),
};

type Body = z.infer<z.ZodObject<typeof newerUpdate>>;
type Kept = z.infer<z.ZodObject<typeof newerAnswer>>;

/**
 * Merges the settings of an update that cannot be stored exactly as they were sent.
 * @choice If clients do not accept null in answers for a setting, null removes it. A partial `gitProviderOptions` keeps
 *   the other options. Clearing the trusted sources keeps `enableVercelCiSameRepository`, as the client documents.
 */
export function mergeNewer(before: Kept, body: Body, now: number): Kept {
  const merged: Kept = {};
  if (body.previewDeploymentsDisabled === null) merged.previewDeploymentsDisabled = undefined;
  if (body.gitComments === null) merged.gitComments = undefined;
  if (body.tracing === null) merged.tracing = undefined;
  if (body.gitProviderOptions) {
    const { createDeployments = before.gitProviderOptions?.createDeployments ?? "enabled" } =
      body.gitProviderOptions;
    merged.gitProviderOptions = {
      ...before.gitProviderOptions,
      ...body.gitProviderOptions,
      createDeployments,
    };
  }
  if (body.connectConfigurations)
    merged.connectConfigurations = mergeNetworks(
      before.connectConfigurations,
      body.connectConfigurations,
      now,
    );
  if (body.dismissedToasts)
    merged.dismissedToasts = mergeToasts(before.dismissedToasts, body.dismissedToasts);
  if (body.staticIps) merged.staticIps = { ...staticIpsOf(before), enabled: body.staticIps.enabled };
  const sameRepository = before.trustedSources?.enableVercelCiSameRepository;
  if (body.trustedSources !== undefined && sameRepository !== undefined)
    merged.trustedSources = { enableVercelCiSameRepository: sameRepository, ...body.trustedSources };
  return merged;
}

/** The static IPs of a project. `enabled` is the first member, as lists of projects search for it in the text. */
export const staticIpsOf = ({ staticIps }: Pick<Kept, "staticIps">): NonNullable<Kept["staticIps"]> => ({
  ...{ enabled: false, builds: false, regions: [] },
  ...staticIps,
});

/** The networks of a body replace the networks of the project. An unchanged network keeps its times. */
function mergeNetworks(
  before: Kept["connectConfigurations"],
  body: NonNullable<Body["connectConfigurations"]>,
  now: number,
): Kept["connectConfigurations"] {
  return body.map((network) => {
    const known = before?.find(
      ({ envId, connectConfigurationId }) =>
        envId === network.envId && connectConfigurationId === network.connectConfigurationId,
    );
    const isSame = known?.passive === network.passive && known.buildsEnabled === network.buildsEnabled;
    return { ...network, createdAt: known?.createdAt ?? now, updatedAt: isSame ? known.updatedAt : now };
  });
}

/** Adds or replaces toasts by key. The action `delete` removes a toast. If the list is full, the oldest are removed. */
function mergeToasts(
  before: Kept["dismissedToasts"] = [],
  body: NonNullable<Body["dismissedToasts"]>,
): Kept["dismissedToasts"] {
  const toasts = new Map(before.map((toast) => [toast.key, toast]));
  for (const { action, value = null, ...toast } of body) {
    toasts.delete(toast.key);
    if (action !== "delete") toasts.set(toast.key, { ...toast, action, value });
  }
  return [...toasts.values()].slice(-mostListed);
}
