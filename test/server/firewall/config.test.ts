import { useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v1/security/firewall/config";
const query = { projectId: "prj_web" };

beforeEach(() => world.seed({ projects: [{ team: "acme", id: "prj_web", name: "web" }] }));

const put = async (body: object) =>
  world.call("PUT", path, { query, body: { firewallEnabled: true, ...body } });
const patch = (body: object, version = "") => world.call("PATCH", path + version, { query, body });
const get = (version: string) => world.call("GET", `${path}/${version}`, { query });
const active = async () => (await get("active")).body;
const change = (plan: "enterprise" | "hobby" | "pro") => world.control.changeTeam("acme", { plan });

const conditionGroup = [{ conditions: [{ type: "path", op: "pre", value: "/api" }] }];
const rule = (name: string, mitigate: object = { action: "deny" }) => ({
  ...{ name, active: true, conditionGroup, action: { mitigate } },
});
const ip = { hostname: "*", ip: "192.0.2.1", action: "deny" };
const limit = { algo: "fixed_window", window: 60, limit: 10, keys: ["ip"] };
const names = async () => (await active()).rules.map(({ name }: { name: string }) => name);

describe("a configuration", () => {
  it("does not exist until it is set", async () => {
    expect(await get("active")).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect((await world.call("GET", path, { query })).body).toEqual({
      active: null,
      draft: null,
      versions: [],
    });
  });

  it("is set as a whole, and gives its rules ids", async () => {
    const { body } = await put({
      rules: [{ ...rule("Deny API"), description: "why" }],
      ips: [ip],
      managedRules: { ai_bots: { active: true, action: "deny" } },
    });
    const shown = {
      id: expect.stringMatching(/^waf_/),
      ownerId: (await world.call("GET", "/v2/teams/acme")).body.id,
      projectKey: "prj_web",
      version: 1,
      updatedAt: new Date(world.clock.now()).toISOString(),
      firewallEnabled: true,
      managedRules: { ai_bots: { active: true, action: "deny" } },
      crs: expect.objectContaining({ xss: { active: false, action: "log" } }),
      rules: [
        { ...rule("Deny API"), description: "why", id: expect.stringMatching(/^rule_deny_api_\w{6}$/) },
      ],
      ips: [{ ...ip, id: expect.stringMatching(/^ip_/) }],
      changes: [],
    };
    expect(body).toEqual({ active: shown });
    expect(await active()).toEqual(shown);
    await put({});
    expect(await active()).toMatchObject({ version: 2, rules: [], ips: [] });
    expect((await get("1")).body).toEqual(shown);
  });

  it("keeps the ids that a request names, and the order of the rules", async () => {
    await put({ rules: [rule("a"), rule("b")] });
    const [a, b] = (await active()).rules;
    await put({ rules: [b, { ...a, name: "renamed" }, rule("c")] });
    const { rules } = await active();
    expect(rules).toMatchObject([{ id: b.id }, { id: a.id, name: "renamed" }, { name: "c" }]);
    expect(await put({ rules: [a, { ...b, id: a.id }] })).toMatchObject({ status: 400 });
  });

  it("keeps a limited number of versions", async () => {
    for (let at = 0; at < 22; at++) await put({});
    const { versions } = (await world.call("GET", path, { query })).body;
    expect(versions).toHaveLength(20);
    expect(versions[0].version).toBe(22);
  });

  it("is deleted with its project", async () => {
    await put({ ips: [ip] });
    await world.call("DELETE", "/v9/projects/web");
    expect((await world.control.snapshot()).firewallConfigs).toEqual([]);
  });
});

describe("a change", () => {
  it("adds, changes, moves and removes rules", async () => {
    for (const name of ["a", "b", "c"]) await patch({ action: "rules.insert", id: null, value: rule(name) });
    const [a, b] = (await active()).rules;
    await patch({ action: "rules.update", id: b.id, value: { ...rule("b2"), active: false } });
    await patch({ action: "rules.priority", id: b.id, value: 0 });
    expect((await active()).rules[0]).toMatchObject({ id: b.id, name: "b2", active: false });
    expect(await names()).toEqual(["b2", "a", "c"]);
    await patch({ action: "rules.remove", id: a.id, value: null });
    expect(await names()).toEqual(["b2", "c"]);
    expect(await patch({ action: "rules.remove", id: a.id })).toMatchObject({ status: 404 });
  });

  it("changes rules of addresses, sets of rules and settings", async () => {
    await change("enterprise");
    await patch({ action: "ip.insert", value: ip });
    const [{ id }] = (await active()).ips;
    await patch({ action: "ip.update", id, value: { ...ip, action: "log", notes: "why" } });
    await patch({ action: "crs.update", id: "xss", value: { active: true, action: "deny" } });
    await patch({ action: "managedRules.update", id: "owasp", value: { active: true } });
    await patch({ action: "botId.toggle", value: true });
    await patch({ action: "logHeaders.update", value: ["x-id"] });
    await patch({ action: "firewallEnabled", value: false });
    expect(await active()).toMatchObject({
      firewallEnabled: false,
      ips: [{ id, action: "log", notes: "why" }],
      crs: { xss: { active: true, action: "deny" } },
      managedRules: { owasp: { active: true } },
      botIdEnabled: true,
      logHeaders: ["x-id"],
    });
    await patch({ action: "ip.remove", id });
    await patch({ action: "crs.disable" });
    expect(await active()).toMatchObject({ ips: [], crs: { xss: { active: false, action: "log" } } });
  });
});

describe("a draft", () => {
  it("collects changes, and becomes active", async () => {
    await put({ ips: [ip] });
    const insert = { action: "rules.insert", value: rule("a") };
    expect(await patch(insert, "/draft")).toMatchObject({ status: 200, body: { version: 0 } });
    await patch({ action: "firewallEnabled", value: false }, "/draft");
    expect((await get("draft")).body).toMatchObject({
      ips: [ip],
      rules: [{ name: "a" }],
      changes: [insert, { action: "firewallEnabled" }],
    });
    expect(await active()).toMatchObject({ rules: [], firewallEnabled: true });
    await world.call("POST", `${path}/draft/activate`, { query, body: {} });
    expect(await active()).toMatchObject({ version: 2, rules: [{ name: "a" }], changes: [] });
    expect((await get("draft")).status).toBe(404);
    await world.call("POST", `${path}/1/activate`, { query });
    expect(await active()).toMatchObject({ version: 3, rules: [], ips: [ip] });
  });

  it("can be discarded; a version cannot be changed or deleted", async () => {
    await put({});
    await patch({ action: "ip.insert", value: ip }, "/draft");
    expect((await world.call("DELETE", `${path}/draft`, { query })).status).toBe(204);
    expect((await world.call("DELETE", `${path}/draft`, { query })).status).toBe(404);
    expect((await world.call("DELETE", `${path}/1`, { query })).status).toBe(400);
    expect((await patch({ action: "ip.insert", value: ip }, "/1")).status).toBe(400);
    expect((await world.call("POST", `${path}/7/activate`, { query })).status).toBe(404);
  });
});

describe("is refused", () => {
  it.each([
    ["an unknown type", { type: "nope", op: "eq", value: "x" }],
    ["an unknown operator", { type: "path", op: "is", value: "x" }],
    ["a header without a key", { type: "header", op: "ex" }],
    ["one value for a list", { type: "path", op: "inc", value: "x" }],
    ["a value for what exists", { type: "header", key: "x", op: "ex", value: "x" }],
  ])("with %s", async (_, condition) => {
    const invalid = { ...rule("a"), conditionGroup: [{ conditions: [condition] }] };
    expect((await put({ rules: [invalid] })).status).toBe(400);
  });

  it.each([
    ["a limit that is missing", { action: "rate_limit" }],
    ["a window that is too short", { action: "rate_limit", rateLimit: { ...limit, window: 5 } }],
    ["a redirect without a target", { action: "redirect" }],
    ["an unknown action", { action: "allow" }],
  ])("with %s", async (_, mitigate) => {
    expect((await put({ rules: [rule("a", mitigate)] })).status).toBe(400);
  });

  it.each(["192.0.2", "10.0.0.0/8", "2001:db8::/32", "10.0.0.0/33"])(
    "with the address %s",
    async (address) => {
      expect(await put({ ips: [{ ...ip, ip: address }] })).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining(address) } },
      });
    },
  );

  it.each([
    ["The OWASP core rule set", { crs: { xss: { active: true, action: "log" } } }],
    ["The OWASP core rule set", { managedRules: { owasp: { active: true } } }],
    [
      "The algorithm token_bucket",
      { rules: [rule("a", { action: "rate_limit", rateLimit: { ...limit, algo: "token_bucket" } })] },
    ],
    [
      "A window of more than 600 seconds",
      { rules: [rule("a", { action: "rate_limit", rateLimit: { ...limit, window: 601 } })] },
    ],
    [
      "A condition of the type ja3_digest",
      {
        rules: [
          { ...rule("a"), conditionGroup: [{ conditions: [{ type: "ja3_digest", op: "eq", value: "x" }] }] },
        ],
      },
    ],
  ])("without the plan: %s", async (part, body) => {
    await change("pro");
    expect(await put(body)).toMatchObject({
      status: 402,
      body: {
        error: { code: "payment_required", message: `${part} is only available on the enterprise plan.` },
      },
    });
    await change("enterprise");
    expect((await put(body)).status).toBe(200);
  });

  it("for a project that the account does not have", async () => {
    expect((await world.call("GET", path, { query: { projectId: "nope" } })).status).toBe(404);
    expect((await world.call("GET", path)).status).toBe(400);
  });
});

it("comes from a seed once, with the same ids every time", async () => {
  const seeded = { team: "acme", project: "web", firewallEnabled: true, ips: [ip] };
  await world.seed({ firewallConfigs: [seeded as never] });
  const before = await active();
  expect(before).toMatchObject({ version: 1, ips: [ip] });
  await world.seed({ firewallConfigs: [{ ...seeded, ips: [] } as never] });
  expect(await active()).toEqual(before);
});
