import * as z from "zod";
import {
  coreRuleActions,
  coreRules,
  firewallActions,
  firewallConditionTypes,
  firewallIpActions,
  firewallLimitActions,
  firewallLimitAlgorithms,
  firewallOperators,
  hostPattern,
  managedRuleActions,
} from "../../provider/vocabulary";

/**
 * Bodies and answers of the firewall's configuration.
 * @choice Shared conditions and rule sets of the team are not accepted. The lengths of texts and lists that the sources
 *   do not name.
 * @source the newest official client: /v1/security/firewall/config; the Terraform provider; the official command line
 */

const text = z.string().max(4096);
const id = z.string().min(1).max(256);
const logHeaders = z.union([z.literal("*"), z.array(text).max(100)]);

/** @choice What the operators need. The Terraform provider sends an empty key or value instead of none. */
const condition = z
  .strictObject({
    type: z.enum(firewallConditionTypes),
    op: z.enum(firewallOperators),
    neg: z.boolean().optional(),
    key: text.optional(),
    value: z.union([text, z.array(text).max(1000), z.number()]).optional(),
  })
  .refine(({ type, key }) => !["header", "query", "cookie"].includes(type) || Boolean(key), "needs a key")
  .refine(
    ({ op, value }) => !["inc", "ninc"].includes(op) || (Array.isArray(value) && value.length > 0),
    "needs a list of values",
  )
  .refine(({ op, value }) => !["ex", "nex"].includes(op) || !value, "must not have a value");

const mitigate = z
  .strictObject({
    action: z.enum(firewallActions),
    rateLimit: z
      .strictObject({
        algo: z.enum(firewallLimitAlgorithms),
        /** Seconds. */
        window: z.int().min(10).max(3600),
        limit: z.int().min(1).max(10_000_000),
        keys: z.array(text.min(1)).min(1).max(100),
        action: z.enum(firewallLimitActions).nullable().optional(),
      })
      .nullable()
      .optional(),
    redirect: z
      .strictObject({ location: text.regex(/^(\/|https?:\/\/)/), permanent: z.boolean() })
      .nullable()
      .optional(),
    actionDuration: z.string().min(1).max(16).nullable().optional(),
    bypassSystem: z.boolean().nullable().optional(),
    logHeaders: logHeaders.optional(),
  })
  .refine(({ action, rateLimit }) => action !== "rate_limit" || rateLimit, "needs a rateLimit")
  .refine(({ action, redirect }) => action !== "redirect" || redirect, "needs a redirect");

const ruleMembers = {
  name: z.string().min(1).max(160),
  description: z.string().max(260).optional(),
  active: z.boolean(),
  conditionGroup: z
    .array(z.strictObject({ conditions: z.array(condition).min(1).max(100) }))
    .min(1)
    .max(100),
  action: z.strictObject({ mitigate: mitigate.optional() }),
};
/** Results of earlier checks, which clients send back. They are ignored. */
const checked = {
  valid: z.boolean().optional(),
  validationErrors: z
    .union([z.array(text).max(100), text])
    .nullable()
    .optional(),
};
const newRule = z.strictObject({ id: id.optional(), ...ruleMembers, ...checked });
const rule = z.strictObject({ id, ...ruleMembers });

const ipMembers = {
  hostname: z.string().max(255).regex(hostPattern, "must be a host, *. and a domain, or *"),
  ip: z.string().min(1).max(64),
  notes: z.string().min(1).max(500).optional(),
  action: z.enum(firewallIpActions),
};
const newIpRule = z.strictObject({ id: id.optional(), ...ipMembers });
const ipRule = z.strictObject({ id, ...ipMembers });

const coreRule = z.strictObject({ active: z.boolean(), action: z.enum(coreRuleActions) });
const crs = z.partialRecord(z.enum(coreRules), coreRule);

const managedIds = [
  ...["ai_bots", "bot_filter", "bot_protection", "traffic_sources", "vercel_ruleset", "owasp"],
] as const;
const managedRule = z.strictObject({ active: z.boolean(), action: z.enum(managedRuleActions).optional() });
const managedRules = z.partialRecord(z.enum(managedIds), managedRule);

const shared = {
  firewallEnabled: z.boolean(),
  managedRules: managedRules.optional(),
  crs: crs.optional(),
  botIdEnabled: z.boolean().optional(),
  logHeaders: logHeaders.optional(),
};
/** @source the public documentation of the service: at most 1000 rules of each kind */
const mostRules = 1000;

export const putConfig = z.strictObject({
  ...shared,
  rules: z.array(newRule).max(mostRules).optional(),
  ips: z.array(newIpRule).max(mostRules).optional(),
});
export type PutConfig = z.infer<typeof putConfig>;
export type NewRule = z.infer<typeof newRule>;
export type NewIpRule = z.infer<typeof newIpRule>;

/** A configuration as it is stored. */
export interface Settings extends Omit<PutConfig, "rules" | "ips" | "crs"> {
  /** All parts. */
  crs: Config["crs"];
  rules: z.infer<typeof rule>[];
  ips: z.infer<typeof ipRule>[];
}

const none = z.union([z.null(), text]).optional();
const change = <const Action extends string, Id extends z.ZodType, Value extends z.ZodType>(
  action: Action,
  id: Id,
  value: Value,
) => z.strictObject({ action: z.literal(action), id, value });

export const patchConfig = z.discriminatedUnion("action", [
  change("firewallEnabled", none, z.boolean()),
  change("rules.insert", none, newRule),
  change("rules.update", id, newRule),
  change("rules.remove", id, none),
  change("rules.priority", id, z.int().min(0).max(mostRules)),
  change("ip.insert", none, newIpRule),
  change("ip.update", id, newIpRule),
  change("ip.remove", id, none),
  change("crs.update", z.enum(coreRules), coreRule),
  change("crs.disable", none, none),
  change("managedRules.update", z.enum(managedIds), managedRule),
  change("botId.toggle", none, z.boolean()),
  change("logHeaders.update", none, logHeaders),
]);
export type ConfigChange = z.infer<typeof patchConfig>;

export const config = z.strictObject({
  id: z.string(),
  /** The id of the account. */
  ownerId: z.string(),
  /** The id of the project. */
  projectKey: z.string(),
  /** 0 for the draft. */
  version: z.int(),
  updatedAt: z.string(),
  ...shared,
  /** All parts of the core rule set. */
  crs: z.record(z.enum(coreRules), coreRule),
  rules: z.array(rule),
  ips: z.array(ipRule),
  /** The changes of the draft since the active version. */
  changes: z.array(z.looseObject({ action: z.string() })),
});
export type Config = z.infer<typeof config>;

export const putResult = z.strictObject({ active: config });
export const configList = z.strictObject({
  active: config.nullable(),
  draft: config.nullable(),
  versions: z.array(config),
});
