import { useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v1/security/firewall/bypass";
const query = { projectId: "prj_web" };

beforeEach(() =>
  world.seed({
    projects: [
      { team: "acme", id: "prj_web", name: "web" },
      { team: "acme", id: "prj_other", name: "other" },
    ],
    environments: [{ team: "acme", project: "web", id: "env_stage", slug: "stage" }],
    domains: [
      { team: "acme", project: "web", name: "www.example.com" },
      { team: "acme", project: "web", name: "next.example.com", gitBranch: "next" },
      { team: "acme", project: "web", name: "stage.example.com", customEnvironmentId: "env_stage" },
    ],
  }),
);

const add = (body: object, options: object = {}) => world.call("POST", path, { query, body, ...options });
const remove = (body: object) => world.call("DELETE", path, { query, body });
const list = async (filters: object = {}) =>
  (await world.call("GET", path, { query: { ...query, ...filters } })).body;
const rule = { domain: "www.example.com", sourceIp: "192.0.2.1" };

describe("a rule", () => {
  it("is created for a domain, and listed", async () => {
    const answer = await add({ ...rule, note: "monitoring" });
    const at = new Date(world.clock.now()).toISOString();
    const shown = {
      OwnerId: (await world.call("GET", "/v2/teams/acme")).body.id,
      Id: "prj_web#www.example.com#192.0.2.1",
      ProjectId: "prj_web",
      Domain: "www.example.com",
      Ip: "192.0.2.1",
      Action: "bypass",
      IsProjectRule: false,
      Note: "monitoring",
      ActorId: (await world.call("GET", "/v2/user")).body.user.id,
      CreatedAt: at,
      UpdatedAt: at,
      UpdatedAtHour: "2025-01-01T00:00:00.000Z",
      ExpiresAt: null,
    };
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(answer.body.result).toEqual([shown]);
    expect(await list()).toEqual({ result: [shown] });
  });

  it.each([
    ["the whole project", { projectScope: true, sourceIp: "192.0.2.0/24" }, "*", "192.0.2.0/24"],
    ["the domain *", { domain: "*", sourceIp: "192.0.2.1" }, "*", "192.0.2.1"],
    ["both", { domain: "*", projectScope: true, sourceIp: "192.0.2.1" }, "*", "192.0.2.1"],
    ["all sources", { domain: "www.example.com", allSources: true }, "www.example.com", "0.0.0.0/0"],
    ["the project's own name", { domain: "web.vercel.app", sourceIp: "::1" }, "web.vercel.app", "::1"],
    [
      "an IPv6 range",
      { domain: "WWW.Example.com", sourceIp: "2001:DB8::/32" },
      "www.example.com",
      "2001:db8::/32",
    ],
  ])("is created for %s", async (_, body, domain, ip) => {
    const id = domain === "*" ? `prj_web#${ip}` : `prj_web#${domain}#${ip}`;
    expect((await add(body)).body.result).toMatchObject([
      { Id: id, Domain: domain, Ip: ip, IsProjectRule: domain === "*" },
    ]);
  });

  it("exists once in a project, and again after it was deleted", async () => {
    await add(rule);
    expect(await add({ ...rule, note: "again" })).toMatchObject({
      status: 409,
      body: { error: { code: "conflict" } },
    });
    expect((await list()).result).toHaveLength(1);
    expect((await add(rule, { query: { projectId: "other" } })).status).toBe(400);
    expect((await add({ ...rule, domain: "*" }, { query: { projectId: "other" } })).status).toBe(200);
    expect(await remove(rule)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await remove(rule)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect((await add({ ...rule, note: "again" })).body.result).toMatchObject([{ Note: "again" }]);
  });

  it("is gone when its time has passed", async () => {
    await add({ ...rule, ttl: 1000 });
    expect((await list()).result).toMatchObject([{ ExpiresAt: world.clock.now() + 1000 }]);
    world.clock.advance(1000);
    expect((await list()).result).toEqual([]);
    expect((await remove(rule)).status).toBe(404);
    expect((await add(rule)).body.result).toMatchObject([{ ExpiresAt: null }]);
  });

  it("stays when its domain leaves the project, and goes with the project", async () => {
    await add(rule);
    await world.call("DELETE", "/v9/projects/web/domains/www.example.com", { body: {} });
    expect((await list()).result).toHaveLength(1);
    await world.call("DELETE", "/v9/projects/web");
    expect((await world.call("GET", path, { query })).status).toBe(404);
    expect((await world.control.snapshot()).firewallBypasses).toEqual([]);
  });
});

it("lists rules by what they are for, page by page", async () => {
  for (const at of [1, 2, 3, 4, 5]) await add({ ...rule, sourceIp: `192.0.2.${at}` });
  await add({ projectScope: true, sourceIp: "192.0.2.1" });
  expect((await list({ sourceIp: "192.0.2.1" })).result).toHaveLength(2);
  expect((await list({ sourceIp: "192.0.2.1", domain: rule.domain })).result).toHaveLength(1);
  expect((await list({ projectScope: true })).result).toHaveLength(1);
  expect((await list({ projectScope: false })).result).toHaveLength(5);
  const seen: string[] = [];
  let page = await list({ limit: 4 });
  expect(page.pagination).toEqual({ OwnerId: expect.any(String), Id: page.result[3].Id });
  for (; ; page = await list({ limit: 4, offset: page.pagination.Id })) {
    seen.push(...page.result.map(({ Id }: { Id: string }) => Id));
    if (!page.pagination) break;
  }
  expect(new Set(seen).size).toBe(6);
  expect(seen).toHaveLength(6);
});

it("lists at most 100 rules on a page, in the order of their ids, and finds an address in any case", async () => {
  const addresses = Array.from({ length: 101 }, (_, at) => `2001:db8::${at.toString(16)}`);
  await world.seed({
    firewallBypasses: addresses.map((sourceIp) => ({ team: "acme", project: "web", domain: "*", sourceIp })),
  });
  const { result, pagination } = await list();
  const ids = addresses.map((address) => `prj_web#${address}`).sort();
  expect(result.map(({ Id }: { Id: string }) => Id)).toEqual(ids.slice(0, 100));
  expect(pagination.Id).toBe(ids[99]);
  expect((await list({ sourceIp: "2001:DB8::4A" })).result).toMatchObject([{ Ip: "2001:db8::4a" }]);
});

it.each([
  [{ sourceIp: "192.0.2.1" }, /a domain or projectScope is missing/],
  [{ ...rule, projectScope: true }, /either a domain or projectScope/],
  [{ domain: rule.domain }, /sourceIp or allSources is missing/],
  [{ ...rule, allSources: true }, /either sourceIp or allSources/],
  [{ ...rule, sourceIp: "everybody" }, /neither an IP address nor a range/],
  [{ ...rule, sourceIp: "192.0.2.0/33" }, /neither an IP address nor a range/],
  [{ ...rule, sourceIp: "192.0.2.0/24/8" }, /neither an IP address nor a range/],
  [{ ...rule, sourceIp: "fe80::1%eth0" }, /neither an IP address nor a range/],
  [{ ...rule, domain: "elsewhere.example.com" }, /has no production domain elsewhere.example.com/],
  [{ ...rule, domain: "next.example.com" }, /has no production domain next.example.com/],
  [{ ...rule, domain: "stage.example.com" }, /has no production domain stage.example.com/],
  [{ ...rule, note: "n".repeat(501) }, /note/],
  [{ ...rule, ttl: 0 }, /ttl/],
  [{ ...rule, more: 1 }, /more/],
])("refuses %j", async (body, message) => {
  expect(await add(body)).toMatchObject({
    status: 400,
    body: { error: { code: "bad_request", message: expect.stringMatching(message) } },
  });
  expect((await list()).result).toEqual([]);
});

it.each([
  [{ sourceIp: "192.0.2.1" }, /a domain or projectScope is missing/],
  [{ ...rule, sourceIp: "everybody" }, /neither an IP address nor a range/],
])("refuses to delete %j", async (body, message) => {
  await add(rule);
  expect(await remove(body)).toMatchObject({
    status: 400,
    body: { error: { code: "bad_request", message: expect.stringMatching(message) } },
  });
  expect((await list()).result).toHaveLength(1);
});

it("refuses an unknown project, and one that is being transferred", async () => {
  expect((await add(rule, { query: { projectId: "nope" } })).status).toBe(404);
  expect((await world.call("GET", path)).status).toBe(400);
  await add(rule);
  await world.seed({ teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }] });
  await world.control.startTransfer("prj_web", { toTeam: "beta" });
  expect((await add({ ...rule, sourceIp: "192.0.2.2" })).status).toBe(409);
  expect((await remove(rule)).status).toBe(409);
});

it("is refused to an account that is blocked or has to pay", async () => {
  await world.control.changeTeam("acme", { softBlocked: true });
  expect((await add(rule)).status).toBe(402);
  await world.control.changeTeam("acme", { softBlocked: false, paymentMethodNeedsUpdate: true });
  expect((await add(rule)).status).toBe(402);
});

it("is restored from a seed, once, past the rules about domains", async () => {
  const seeded = {
    ...{ team: "acme", project: "web", domain: "gone.example.com", sourceIp: "192.0.2.1", note: "why" },
    ...{ actor: "user_1", createdAt: 5, updatedAt: 6 },
  };
  for (const _ of [1, 2]) await world.seed({ firewallBypasses: [seeded] });
  expect((await list()).result).toMatchObject([
    { Domain: "gone.example.com", ActorId: "user_1", CreatedAt: "1970-01-01T00:00:00.005Z", Note: "why" },
  ]);
  await expect(world.seed({ firewallBypasses: [{ ...seeded, sourceIp: "x" }] })).rejects.toThrow(
    /neither an IP address nor a range/,
  );
});
