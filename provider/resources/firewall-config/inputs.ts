import { isIP, isIPv4 } from "node:net";
import { z } from "zod";
import { openList } from "../../core/known-values";
import * as words from "../../vocabulary";
import { projectRef } from "../names";

/** The inputs of the firewall's configuration. */

const keyed: readonly string[] = ["header", "query", "cookie"];
const listed: readonly string[] = ["inc", "ninc"];
const valueless: readonly string[] = ["ex", "nex"];

const condition = z
  .strictObject({
    /** Part of the request to compare, such as `path`, `method`, `header`, `ip_address` or `geo_country`. */
    type: openList(words.firewallConditionTypes),
    /**
     * How it is compared: `eq` (equals), `neq`, `inc` (is one of `values`), `ninc`, `pre` (begins with), `suf` (ends with),
     * `sub` (contains), `re` (matches a regular expression), `ex` (exists), `nex`, `gt`, `gte`, `lt` or `lte`.
     */
    op: z.enum(words.firewallOperators),
    /** Whether the condition is reversed. Default: false. */
    neg: z.boolean().optional(),
    /** Name of the header, query parameter or cookie. */
    key: z.string().min(1).max(4096).optional(),
    /** Value to compare with. */
    value: z.string().max(4096).optional(),
    /** Values to compare with, for `inc` and `ninc`. */
    values: z.array(z.string().max(4096)).min(1).max(1000).optional(),
  })
  .refine(({ type, key }) => !keyed.includes(type) || key !== undefined, "needs a key")
  .refine(
    ({ op, values }) => listed.includes(op) === (values !== undefined),
    "must have values with inc and ninc, and with no other operator",
  )
  .refine(
    ({ op, value }) => (listed.includes(op) || valueless.includes(op)) === (value === undefined),
    "must have a value, except with inc, ninc, ex and nex",
  );

const ruleAction = z
  .strictObject({
    /** Action for the requests. */
    action: z.enum(words.firewallActions),
    /** Limit of requests. Needed for `rate_limit`. */
    rateLimit: z
      .strictObject({
        /** How requests are counted. `token_bucket` needs the enterprise plan. */
        algo: z.enum(words.firewallLimitAlgorithms),
        /** Length of the window (seconds). More than 600 needs the enterprise plan. */
        window: z.int().min(10).max(3600),
        /** Number of requests in a window. */
        limit: z.int().min(1).max(10_000_000),
        /** Parts of a request that identify its client, such as `ip` or `ja4`. */
        keys: z.array(z.string().min(1).max(4096)).min(1).max(100),
        /** Action for requests above the limit. The response has the status 429 by default. */
        action: z.enum(words.firewallLimitActions).optional(),
      })
      .optional(),
    /** Target of a redirect. Needed for `redirect`. */
    redirect: z
      .strictObject({
        /** Path or URL. */
        location: z
          .string()
          .max(4096)
          .regex(/^(\/|https?:\/\/)/, "must begin with /, http:// or https://"),
        /** Whether visitors may keep the redirect. */
        permanent: z.boolean(),
      })
      .optional(),
    /** How long the action goes on for a client after a match, such as `5m`. */
    actionDuration: openList(["1m", "5m", "15m", "30m", "1h"], z.string().min(1).max(16)).optional(),
  })
  .refine(
    ({ action, rateLimit }) => (action === "rate_limit") === (rateLimit !== undefined),
    "must have rateLimit with the action rate_limit, and with no other",
  )
  .refine(
    ({ action, redirect }) => (action === "redirect") === (redirect !== undefined),
    "must have redirect with the action redirect, and with no other",
  );

const rule = z.strictObject({
  /** Name of the rule, which no other rule of the list has. */
  name: z.string().min(1).max(160),
  /** Text that describes the rule. */
  description: z.string().max(260).optional(),
  /** Whether the rule is applied. Default: true. */
  active: z.boolean().optional(),
  /** Groups of conditions. The rule applies to a request that meets all conditions of one of the groups. */
  conditionGroup: z
    .array(
      z.strictObject({
        /** Conditions that a request must all meet. */
        conditions: z.array(condition).min(1).max(100),
      }),
    )
    .min(1)
    .max(100),
  /** Action for these requests. */
  action: ruleAction,
});
export type Rule = z.output<typeof rule>;

/** @source the official command line: a range has at least /16 (IPv4) or /48 (IPv6) */
function isAddress(text: string): boolean {
  const [address = "", length, ...rest] = text.split("/");
  if (isIP(address) === 0 || address.includes("%") || rest.length > 0) return false;
  const [least, most] = isIPv4(address) ? [16, 32] : [48, 128];
  return (
    length === undefined || (/^\d{1,3}$/.test(length) && Number(length) >= least && Number(length) <= most)
  );
}

const ipRule = z.strictObject({
  /** Host that the rule is for, such as www.example.com or *.example.com, or * for all hosts of the project. */
  hostname: z.string().max(255).regex(words.hostPattern, "must be a host, *. and a domain, or *"),
  /** IP address or range (CIDR). A range has at least /16 (IPv4) or /48 (IPv6). */
  ip: z
    .string()
    .max(64)
    .refine(isAddress, "must be an IP address, or a range of at least /16 (IPv4) or /48 (IPv6)"),
  /** Note that says what the rule is for. */
  notes: z.string().min(1).max(500).optional(),
  /** Action for the requests. */
  action: z.enum(words.firewallIpActions),
});
export type IpRule = z.output<typeof ipRule>;

const coreRule = z.strictObject({
  /** Whether the rules are applied. Default: true. */
  active: z.boolean().optional(),
  /** Action for the requests. */
  action: z.enum(words.coreRuleActions),
});
const managedRule = z.strictObject({
  /** Whether the rules are applied. Default: true. */
  active: z.boolean().optional(),
  /** Action for the requests. */
  action: z.enum(words.managedRuleActions),
});

export const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the resource. */
  project: projectRef,
  /** Whether the rules are applied. Default: true; an adopted configuration keeps its value. */
  enabled: z.boolean().optional(),
  /** Custom rules, in the order in which they are applied. */
  rules: z.array(rule).max(1000).optional(),
  /** Rules for IP addresses. Their order has no meaning. */
  ipRules: z.array(ipRule).max(1000).optional(),
  /** Sets of rules that the service maintains. Sets that are not declared stay as they are. */
  managedRulesets: z
    .strictObject({
      /** OWASP core rule set. It needs the enterprise plan. */
      owasp: z
        .strictObject({
          /** Cross-site scripting. */
          xss: coreRule.optional(),
          /** SQL injection. */
          sqli: coreRule.optional(),
          /** Session fixation. */
          sf: coreRule.optional(),
          /** Inclusion of local files. */
          lfi: coreRule.optional(),
          /** Inclusion of remote files. */
          rfi: coreRule.optional(),
          /** Remote execution of code. */
          rce: coreRule.optional(),
          /** Detection of scanners. */
          sd: coreRule.optional(),
          /** Attacks with multipart bodies. */
          ma: coreRule.optional(),
          /** Attacks on PHP. */
          php: coreRule.optional(),
          /** Generic attacks. */
          gen: coreRule.optional(),
          /** Attacks on Java. */
          java: coreRule.optional(),
        })
        .optional(),
      /** Requests that do not come from browsers. */
      botProtection: managedRule.optional(),
      /** Crawlers of AI services. */
      aiBots: managedRule.optional(),
    })
    .optional(),
  /**
   * Effect of deleting the resource. keep: the configuration stays as it is. remove: removes the rules in the state and
   * turns off the sets in the state; other rules stay. After a refresh, the state also has the rules that somebody else
   * added. Default: keep.
   */
  onDelete: z.enum(["keep", "remove"]).optional(),
  /**
   * Takes over an existing configuration: declared rules are added, or change the rule with their name, and no rule is
   * removed. If false, the create fails when the project has rules already. Default: false.
   */
  adopt: z.boolean().optional(),
});
export type Inputs = z.output<typeof inputs>;
export type ManagedRulesets = NonNullable<Inputs["managedRulesets"]>;
