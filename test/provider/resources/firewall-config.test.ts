import type { Plain } from "../../../provider/core/values";
import { firewallConfig } from "../../../provider/resources/firewall-config";
import { type Harness, recordStack, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  await w.server.control.changeTeam("acme", { plan: "enterprise" });
  web = String(((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id);
});
afterEach(() => w.close());

const path = "/v1/security/firewall/config";
interface Config {
  version: number;
  firewallEnabled: boolean;
  rules: (Plain & { id: string; name: string })[];
  ips: (Plain & { ip: string })[];
  managedRules?: Plain;
  crs: Plain;
}
const config = () => w.curl("GET", `${path}/active?projectId=${web}`) as unknown as Promise<Config>;
const names = async () => (await config()).rules.map(({ name }) => name);
const patch = (body: object) => w.curl("PATCH", `${path}?projectId=${web}`, body);

const rule = (name: string, value = `/${name}`, action: Plain = { action: "deny" }) => ({
  ...{ name, conditionGroup: [{ conditions: [{ type: "path", op: "eq", value }] }], action },
});
const sent = (name: string) => ({
  ...{ name, active: true, action: { mitigate: { action: "log" } } },
  conditionGroup: [{ conditions: [{ type: "path", op: "pre", value: "/by-hand" }] }],
});
const ip = (last: number, action = "deny") => ({ hostname: "*", ip: `192.0.2.${last}`, action });
const insert = (name: string) => patch({ action: "rules.insert", value: sent(name) });
const declaring = (...rules: object[]) => ({ project: "web", rules });

it("creates the configuration, keeps it, and keeps the ids of rules that change, move or are renamed", async () => {
  const firewall = w.stack(firewallConfig);
  await firewall.up(declaring(rule("a"), rule("b"), rule("c")));
  expect(firewall.id).toBe(`${web}/firewall`);
  const [a, b, c] = (await config()).rules.map(({ id }) => id);
  expect(firewall.state).toMatchObject({ projectId: web, ruleIds: [a, b, c] });
  await firewall.refresh(w.another());
  expect(await firewall.up(declaring(rule("a"), rule("b"), rule("c")))).toBe("same");
  const changed = declaring(rule("c"), rule("b", "/other"), rule("a renamed", "/a"), rule("d"));
  expect(await firewall.up(changed)).toBe("update");
  const { rules } = await config();
  expect(rules.map(({ id, name }) => [id, name])).toEqual([
    [c, "c"],
    [b, "b"],
    [a, "a renamed"],
    [expect.any(String), "d"],
  ]);
  expect(firewall.state).toMatchObject({ ruleIds: rules.map(({ id }) => id) });
});

it("sees a changed order of the rules as a change, in the program and at the service", async () => {
  const firewall = w.stack(firewallConfig);
  await firewall.up(declaring(rule("a"), rule("b")));
  expect(await firewall.up(declaring(rule("b"), rule("a")))).toBe("update");
  expect(await names()).toEqual(["b", "a"]);
  const [{ id = "" } = {}] = (await config()).rules;
  await patch({ action: "rules.priority", id, value: 1 });
  await firewall.refresh(w.another());
  expect(await firewall.up(declaring(rule("b"), rule("a")))).toBe("update");
  expect(await names()).toEqual(["b", "a"]);
});

it("keeps rules that somebody added, in their place, until a refresh has shown them", async () => {
  const firewall = w.stack(firewallConfig);
  await firewall.up({ ...declaring(rule("a"), rule("b"), rule("c")), ipRules: [ip(1)] });
  await insert("by hand");
  const { rules } = await config();
  await patch({ action: "rules.priority", id: rules.at(-1)?.id, value: 1 });
  await insert("last");
  await patch({ action: "ip.insert", value: ip(9) });
  const changed = { ...declaring(rule("a", "/other"), rule("c")), ipRules: [ip(1, "log"), ip(2)] };
  await firewall.up(changed);
  expect(await names()).toEqual(["a", "by hand", "c", "last"]);
  expect((await config()).ips).toMatchObject([ip(1, "log"), ip(9), ip(2)]);
  await firewall.refresh(w.another());
  expect(firewall.state).toMatchObject({
    rules: [{ name: "a" }, { name: "by hand" }, { name: "c" }, { name: "last" }],
  });
  expect(await firewall.up(changed)).toBe("update");
  expect(await names()).toEqual(["a", "c"]);
  expect((await config()).ips).toMatchObject([ip(1, "log"), ip(2)]);
});

it("does not change the parts that the program does not declare", async () => {
  const firewall = w.stack(firewallConfig);
  await firewall.up({ project: "web", ipRules: [ip(1)] });
  await insert("by hand");
  await patch({
    action: "managedRules.update",
    id: "bot_protection",
    value: { active: true, action: "log" },
  });
  await patch({ action: "crs.update", id: "sqli", value: { active: true, action: "deny" } });
  await patch({ action: "botId.toggle", value: true });
  await patch({ action: "firewallEnabled", value: false });
  await firewall.up({
    ...{ project: "web", ipRules: [ip(2)] },
    managedRulesets: { aiBots: { action: "deny" }, owasp: { xss: { action: "log" } } },
  });
  expect(await config()).toMatchObject({
    ...{ firewallEnabled: false, botIdEnabled: true, rules: [sent("by hand")], ips: [ip(2)] },
    crs: { xss: { active: true, action: "log" }, sqli: { active: true, action: "deny" } },
    managedRules: {
      bot_protection: { active: true, action: "log" },
      ai_bots: { active: true, action: "deny" },
      owasp: { active: true },
    },
  });
  await firewall.up({ project: "web", ipRules: [ip(2)], managedRulesets: {} });
  expect(await config()).toMatchObject({
    crs: { xss: { active: false }, sqli: { active: true, action: "deny" } },
    managedRules: { bot_protection: { active: true }, ai_bots: { active: false }, owasp: { active: true } },
  });
  await firewall.refresh(w.another());
  expect(await firewall.up({ project: "web", ipRules: [ip(2)], managedRulesets: {} })).toBe("same");
});

it("needs adopt for a project that has rules, and removes none of them", async () => {
  await insert("a");
  await insert("by hand");
  const [{ id } = { id: "" }] = (await config()).rules;
  const firewall = w.stack(firewallConfig);
  await expect(firewall.up(declaring(rule("a")))).rejects.toThrow(
    /The configuration of the firewall already exists.*Adopt it with \{ adopt: true \}/,
  );
  await firewall.up({ ...declaring(rule("a"), rule("b")), adopt: true });
  expect(await names()).toEqual(["a", "by hand", "b"]);
  expect((await config()).rules[0]).toMatchObject({ id, action: { mitigate: { action: "deny" } } });
});

it("needs no adopt for a configuration without rules", async () => {
  await patch({ action: "firewallEnabled", value: false });
  await w.stack(firewallConfig).up(declaring(rule("a")));
  expect(await config()).toMatchObject({ firewallEnabled: true, rules: [{ name: "a" }] });
});

it("keeps settings of a rule that cannot be declared", async () => {
  const firewall = w.stack(firewallConfig);
  await firewall.up(declaring(rule("a", "/a", { action: "bypass" })));
  const [{ id, ...first } = { id: "" }] = (await config()).rules;
  const action = { mitigate: { action: "bypass", bypassSystem: true } };
  await patch({ action: "rules.update", id, value: { ...first, action } });
  await firewall.refresh(w.another());
  expect(await firewall.up(declaring(rule("a", "/a", { action: "bypass" })))).toBe("same");
  await firewall.up(declaring(rule("a", "/b", { action: "bypass" })));
  expect((await config()).rules).toMatchObject([{ id, action }]);
});

it("keeps the configuration when it is deleted", async () => {
  const firewall = w.stack(firewallConfig);
  await firewall.up(declaring(rule("a")));
  await firewall.destroy();
  expect(await names()).toEqual(["a"]);
});

it("removes what it declares when it is deleted with onDelete: remove", async () => {
  const firewall = w.stack(firewallConfig);
  await firewall.up({
    ...{ ...declaring(rule("a")), ipRules: [ip(1)], onDelete: "remove" },
    managedRulesets: { aiBots: { action: "deny" } },
  });
  await insert("by hand");
  await firewall.destroy();
  expect(await config()).toMatchObject({
    ...{ firewallEnabled: true, rules: [{ name: "by hand" }], ips: [] },
    managedRules: { ai_bots: { active: false } },
  });
});

it("is imported with its rules, and without defaults", async () => {
  await insert("a");
  await patch({ action: "ip.insert", value: ip(1) });
  await patch({ action: "managedRules.update", id: "ai_bots", value: { active: true, action: "log" } });
  await patch({ action: "crs.update", id: "xss", value: { active: true, action: "deny" } });
  const read = await firewallConfig.read(w.runOf(w.another()), "web", undefined);
  expect(read?.inputs).toEqual({
    project: web,
    rules: [
      {
        ...{ name: "a", action: { action: "log" } },
        conditionGroup: [{ conditions: [{ type: "path", op: "pre", value: "/by-hand" }] }],
      },
    ],
    ipRules: [ip(1)],
    managedRulesets: { aiBots: { action: "log" }, owasp: { xss: { action: "deny" } } },
  });
});

it("passes to another resource of the program", async () => {
  const before = w.stack(firewallConfig, "before");
  await before.up({ ...declaring(rule("a")), onDelete: "remove" });
  const run = w.another();
  recordStack([{ type: "FirewallConfig", name: "before", outputs: before.state }]);
  before.use(run);
  const after = w.stack(firewallConfig, "after");
  after.use(run);
  await after.up(declaring(rule("a")));
  await before.destroy();
  expect(await names()).toEqual(["a"]);
});

it("removes, for the resource that takes it over, what the old one declared and would remove", async () => {
  const before = w.stack(firewallConfig, "before");
  const sets = { managedRulesets: { aiBots: { action: "deny" } } };
  await before.up({ ...declaring(rule("a"), rule("b")), ipRules: [ip(1)], ...sets, onDelete: "remove" });
  await insert("by hand");
  const run = w.another();
  recordStack([{ type: "FirewallConfig", name: "before", outputs: before.state }]);
  before.use(run);
  const after = w.stack(firewallConfig, "after");
  after.use(run);
  await after.up(declaring(rule("a"), rule("c")));
  await before.destroy();
  expect((await names()).sort()).toEqual(["a", "by hand", "c"]);
  expect(await config()).toMatchObject({ ips: [], managedRules: { ai_bots: { active: false } } });
  await after.refresh(w.another());
  expect(await after.up(declaring(rule("a"), rule("c")))).toBe("update");
  expect(await names()).toEqual(["a", "c"]);
});

it("leaves what the program does not change as the service has it, until a refresh has shown it", async () => {
  const firewall = w.stack(firewallConfig);
  const declared = (value: string) => ({
    ...declaring(rule("a", value), rule("b")),
    ipRules: [ip(1), ip(2, value === "/1" ? "deny" : "log")],
    managedRulesets: {
      aiBots: { action: "deny" },
      botProtection: { action: value === "/1" ? "log" : "challenge" },
    },
  });
  await firewall.up(declared("/1"));
  const { rules, ips } = (await config()) as Config & { ips: { id: string }[] };
  const off = { ...sent("b"), active: false };
  await patch({ action: "rules.update", id: rules[1]?.id, value: off });
  await patch({ action: "ip.update", id: ips[0]?.id, value: ip(1, "log") });
  await patch({ action: "managedRules.update", id: "ai_bots", value: { active: false, action: "deny" } });
  expect(await firewall.up(declared("/2"))).toBe("update");
  expect(await config()).toMatchObject({
    rules: [{ name: "a", conditionGroup: [{ conditions: [{ value: "/2" }] }] }, off],
    ips: [{ action: "log" }, { action: "log" }],
    managedRules: { ai_bots: { active: false }, bot_protection: { action: "challenge" } },
  });
  await firewall.refresh(w.another());
  expect(await firewall.up(declared("/2"))).toBe("update");
  expect(await config()).toMatchObject({
    rules: [{ name: "a" }, { name: "b", active: true, action: { mitigate: { action: "deny" } } }],
    ips: [{ action: "deny" }, { action: "log" }],
    managedRules: { ai_bots: { active: true } },
  });
});

it("cannot be read when the project never had a configuration", async () => {
  const reading = firewallConfig.read(w.runOf(w.another()), "web", undefined);
  await expect(reading).rejects.toThrow(/has no configuration of its firewall/);
});

it.each([
  ["two rules with a name", declaring(rule("a"), rule("a", "/b")), /two rules with the same name/],
  ["two rules for an address", { project: "web", ipRules: [ip(1), ip(1, "log")] }, /same ip and hostname/],
  [
    "a range that is too large",
    { project: "web", ipRules: [{ ...ip(1), ip: "10.0.0.0/8" }] },
    /at least \/16/,
  ],
  ["a limit that is missing", declaring(rule("a", "/a", { action: "rate_limit" })), /must have rateLimit/],
  [
    "a header without a name",
    declaring({ ...rule("a"), conditionGroup: [{ conditions: [{ type: "header", op: "ex" }] }] }),
    /needs a key/,
  ],
])("refuses %s", async (_, inputs, reason) => {
  await expect(w.stack(firewallConfig).up(inputs)).rejects.toThrow(reason);
});
