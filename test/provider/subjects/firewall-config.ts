import { isPlain, type Plain } from "../../../provider/core/values";
import { firewallConfig } from "../../../provider/resources/firewall-config";
import { coreRules } from "../../../provider/vocabulary";
import { ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Row, type Subject } from "../subject";

const path = "/v1/security/firewall/config";
const projectOf = (id: string): string => id.split("/")[0] ?? "";
const put = (w: Harness, project: string, body: object) =>
  w.curl("PUT", `${path}?projectId=${project}`, { firewallEnabled: true, ...body });

const condition = { type: "path", op: "eq", value: "/a" };
const limit = { algo: "fixed_window", window: 60, limit: 10, keys: ["ip"] };
const ruleWith = (first: Plain = condition, action: Plain = { action: "deny" }, more: Plain = {}): Plain => ({
  ...{ name: "first", conditionGroup: [{ conditions: [first] }], action },
  ...more,
});
const ipRule = { hostname: "*", ip: "192.0.2.1", action: "deny" };

/** A rule that was changed by hand. */
const byHand = (w: Harness, id: string) =>
  put(w, projectOf(id), {
    rules: [
      {
        ...ruleWith({ ...condition, value: "/by-hand" }),
        active: true,
        action: { mitigate: { action: "log" } },
      },
    ],
  });
const noIps = (w: Harness, id: string) => put(w, projectOf(id), {});

/** The first rule, flattened, as rows show it. */
const flat = (value: unknown): Plain =>
  isPlain(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, item]) => [[key, item], ...Object.entries(flat(item))]),
      )
    : Array.isArray(value)
      ? flat(value[0])
      : {};

interface Given {
  rule?: Plain;
  first: unknown;
  second: unknown;
  cleared?: Row["cleared"];
  shown?: (value: unknown) => Plain;
}

const inRule = (
  name: string,
  { rule = ruleWith(), first, second, cleared = "update", shown }: Given,
): Row => {
  const last = name.split(/[.[\]]+/).at(-1) ?? "";
  return {
    path: `rules[].${name}`,
    given: { rules: [rule] },
    ...{ first, second, changed: "update", cleared },
    shown:
      shown ?? ((value) => (value === undefined ? {} : { flat: expect.objectContaining({ [last]: value }) })),
    drift: byHand,
  };
};
const missing = /is missing/;
const conditionPath = "conditionGroup[].conditions[]";
const limited = ruleWith(condition, { action: "rate_limit", rateLimit: limit });
const redirected = ruleWith(condition, {
  action: "redirect",
  redirect: { location: "/bye", permanent: false },
});
const ofHeader = { type: "header", key: "x-a", op: "ex" };

const inIpRule = (name: string, first: unknown, second: unknown, cleared: Row["cleared"]): Row => ({
  path: `ipRules[].${name}`,
  given: { ipRules: [ipRule] },
  ...{ first, second, changed: "update", cleared },
  shown: (value) => ({
    ips: [value === undefined ? expect.any(Object) : expect.objectContaining({ [name]: value })],
  }),
  drift: noIps,
});

/** Turns the sets of bots on that are off, and off those that are on. */
async function toggleSets(w: Harness, id: string): Promise<unknown> {
  const { managedRules } = (await subject.look(w, id, {})) as {
    managedRules: Record<string, { active: boolean }>;
  };
  const toggled = Object.entries(managedRules).map(([name, set]) => [name, { ...set, active: !set.active }]);
  return put(w, projectOf(id), { managedRules: Object.fromEntries(toggled) });
}

/** The rows of a set of rules, with its members. @param shown the set at the service */
const ofSet = (
  path: string,
  shown: (set: Plain) => Plain,
  actions: [string, string],
  drift: Row["drift"] = noIps,
): Row[] => {
  const given = (set: Plain): Plain =>
    path.split(".").reduceRight<Plain>((inner, name) => ({ [name]: inner }), set);
  const row = (more: Omit<Row, "changed" | "drift">): Row => ({ ...more, changed: "update", drift });
  return [
    row({
      path,
      ...{ first: { action: actions[0] }, second: { action: actions[1] }, cleared: "update" },
      shown: (set) => shown(set === undefined ? { active: false } : { active: true, ...(set as Plain) }),
    }),
    row({
      path: `${path}.active`,
      given: given({ action: actions[0] }),
      ...{ first: true, second: false, cleared: "update" },
      shown: (active = true) => shown({ active }),
    }),
    row({
      path: `${path}.action`,
      ...{ first: actions[0], second: actions[1], cleared: /is missing|must be/ },
      shown: (action) => shown({ action }),
    }),
  ];
};

export const subject: Subject = {
  resource: firewallConfig,
  handler: "firewall",
  async prepare(w) {
    const known = await projects(w);
    return { given: { project: known.web, onDelete: "remove" }, known };
  },
  async look(w, id) {
    const config = await w.curl("GET", `${path}/active?projectId=${projectOf(id)}`);
    const [rule] = (config.rules ?? []) as unknown as Plain[];
    return { ...config, flat: flat(rule) };
  },
  listed: {
    query: { project: "web" },
    names: ["web firewall"],
    async prepare(w) {
      const { id } = await w.curl("GET", "/v9/projects/web");
      await put(w, String(id), { ips: [ipRule] });
    },
  },
  managed: {
    inputs: () => ({ project: "prj_web", ipRules: [ipRule], onDelete: "remove" }),
    changed: { ipRules: [{ ...ipRule, action: "log" }] },
  },
  rows: [
    ofProject,
    {
      path: "enabled",
      ...{ first: false, second: true, changed: "update", cleared: "update" },
      shown: (firewallEnabled = true) => ({ firewallEnabled }),
      async drift(w, id) {
        const { firewallEnabled } = await subject.look(w, id, {});
        return put(w, projectOf(id), { firewallEnabled: !firewallEnabled });
      },
    },
    {
      path: "rules",
      first: [ruleWith()],
      second: [
        ruleWith({ ...condition, value: "/b" }),
        ruleWith(condition, { action: "log" }, { name: "second" }),
      ],
      ...{ changed: "update", cleared: "update" },
      shown: (rules = []) => ({
        rules: (rules as Plain[]).map(({ name }) => expect.objectContaining({ name })),
      }),
      drift: byHand,
    },
    inRule("name", { first: "first", second: "other", cleared: missing }),
    inRule("description", { first: "why", second: "why else" }),
    inRule("active", {
      first: true,
      second: false,
      shown: (active = true) => ({ rules: [expect.objectContaining({ active })] }),
    }),
    inRule("conditionGroup", {
      first: [{ conditions: [condition] }],
      second: [{ conditions: [condition] }, { conditions: [{ ...condition, value: "/b" }] }],
      cleared: missing,
    }),
    inRule("conditionGroup[].conditions", {
      first: [condition],
      second: [condition, { ...condition, type: "host" }],
      cleared: missing,
    }),
    inRule(`${conditionPath}.type`, { first: "path", second: "host", cleared: missing }),
    inRule(`${conditionPath}.op`, { first: "eq", second: "pre", cleared: missing }),
    inRule(`${conditionPath}.neg`, { first: true, second: false }),
    inRule(`${conditionPath}.key`, {
      rule: ruleWith(ofHeader),
      ...{ first: "x-a", second: "x-b", cleared: /needs a key/ },
    }),
    inRule(`${conditionPath}.value`, { first: "/a", second: "/b", cleared: /must have a value/ }),
    inRule(`${conditionPath}.values`, {
      rule: ruleWith({ type: "path", op: "inc", values: ["/a"] }),
      ...{ first: ["/a"], second: ["/a", "/b"], cleared: /must have values/ },
      shown: (value) => ({ flat: expect.objectContaining({ value }) }),
    }),
    inRule("action", {
      ...{ first: { action: "deny" }, second: { action: "log" }, cleared: missing },
      shown: (mitigate) => ({ flat: expect.objectContaining({ mitigate }) }),
    }),
    inRule("action.action", {
      ...{ first: "deny", second: "challenge", cleared: missing },
      shown: (action) => ({ flat: expect.objectContaining({ action }) }),
    }),
    inRule("action.rateLimit", {
      rule: limited,
      ...{ first: limit, second: { ...limit, limit: 20 }, cleared: /must have rateLimit/ },
    }),
    inRule("action.rateLimit.algo", {
      rule: limited,
      first: "fixed_window",
      second: "token_bucket",
      cleared: missing,
    }),
    inRule("action.rateLimit.window", { rule: limited, first: 60, second: 3600, cleared: missing }),
    inRule("action.rateLimit.limit", { rule: limited, first: 10, second: 20, cleared: missing }),
    inRule("action.rateLimit.keys", {
      rule: limited,
      first: ["ip"],
      second: ["ip", "ja4"],
      cleared: missing,
    }),
    inRule("action.rateLimit.action", {
      ...{ rule: limited, first: "deny", second: "log" },
      shown: () => ({}),
    }),
    inRule("action.redirect", {
      rule: redirected,
      first: { location: "/a", permanent: false },
      second: { location: "/b", permanent: true },
      cleared: /must have redirect/,
    }),
    inRule("action.redirect.location", {
      rule: redirected,
      first: "/a",
      second: "https://example.com",
      cleared: missing,
    }),
    inRule("action.redirect.permanent", { rule: redirected, first: true, second: false, cleared: missing }),
    inRule("action.actionDuration", { first: "5m", second: "1h" }),
    {
      path: "ipRules",
      first: [ipRule],
      second: [ipRule, { ...ipRule, ip: "192.0.2.0/24" }],
      ...{ changed: "update", cleared: "update" },
      shown: (rules = []) => ({ ips: (rules as Plain[]).map((rule) => expect.objectContaining(rule)) }),
      drift: noIps,
    },
    inIpRule("hostname", "*", "www.example.com", missing),
    inIpRule("ip", "192.0.2.1", "2001:db8::/48", missing),
    inIpRule("notes", "why", "why else", "update"),
    inIpRule("action", "deny", "log", missing),
    {
      path: "managedRulesets",
      first: { aiBots: { action: "deny" } },
      second: { aiBots: { action: "log" } },
      ...{ changed: "update", cleared: "update" },
      shown: (sets) => ({
        managedRules: { ai_bots: expect.objectContaining({ active: sets !== undefined }) },
      }),
      drift: noIps,
    },
    {
      path: "managedRulesets.owasp",
      first: { xss: { action: "deny" } },
      second: { xss: { action: "log" }, sqli: { action: "deny" } },
      ...{ changed: "update", cleared: "update" },
      shown: (owasp) => ({ managedRules: { owasp: { active: owasp !== undefined } } }),
      drift: noIps,
    },
    ...coreRules.flatMap((part) =>
      ofSet(
        `managedRulesets.owasp.${part}`,
        (set) => ({ crs: expect.objectContaining({ [part]: expect.objectContaining(set) }) }),
        ["deny", "log"],
      ),
    ),
    ...Object.entries({ botProtection: "bot_protection", aiBots: "ai_bots" }).flatMap(([name, id]) =>
      ofSet(
        `managedRulesets.${name}`,
        (set) => ({ managedRules: expect.objectContaining({ [id]: expect.objectContaining(set) }) }),
        ["challenge", "deny"],
        toggleSets,
      ),
    ),
    own("onDelete", "keep", "remove"),
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      firewallConfig,
      () => ({ project: "web", rules: [ruleWith()], onDelete: "remove" }),
      () => ({ project: "web", rules: [ruleWith(condition, { action: "log" })], onDelete: "remove" }),
    ),
    {
      name: "FirewallConfig: adopt",
      resource: firewallConfig,
      async prepare(w) {
        const { id } = await w.curl("GET", "/v9/projects/web");
        await put(w, String(id), { ips: [ipRule] });
        return {};
      },
      step: "up",
      inputs: () => ({ project: "web", ipRules: [{ ...ipRule, notes: "why" }], adopt: true }),
    },
  ],
};
