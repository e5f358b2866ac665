import { addIntegration, installWithToken } from "../../support/integrations";
import { ownersOfAcme } from "../../support/owners";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const add = (project: string, name: string) =>
  world.call("POST", `/v10/projects/${project}/domains`, { body: { name } });
const list = async (query = {}) => (await world.call("GET", "/v5/domains", { query })).body;

beforeEach(async () => {
  await world.seed({
    projects: [
      { team: "acme", name: "web" },
      { team: "acme", name: "docs" },
    ],
    domains: [{ team: "acme", project: "web", name: "example.com", verified: true }],
  });
});

it("are the apexes of what its projects have, the newest first", async () => {
  await add("docs", "docs.example.com");
  await add("docs", "www.example.org");
  await add("web", "shop.vercel.app");
  const { domains, pagination } = await list();
  expect(domains).toMatchObject([
    { name: "example.org", verified: false, serviceType: "external" },
    { name: "example.com", verified: true, creator: { username: "dev" } },
  ]);
  expect(pagination).toMatchObject({ count: 2, next: null });
});

it("are walked page by page", async () => {
  for (const tld of ["org", "net", "dev"]) await add("docs", `example.${tld}`);
  const seen: string[] = [];
  let until: number | null = null;
  do {
    const page = await list({ limit: 1, ...(until === null ? {} : { until }) });
    seen.push(...page.domains.map(({ name }: { name: string }) => name));
    until = page.pagination.next;
  } while (until !== null);
  expect(seen).toEqual(["example.dev", "example.net", "example.org", "example.com"]);
});

it("keep their times if the account gets them as domains of its own too, as in a copy of it", async () => {
  for (const tld of ["org", "net", "dev"]) await add("docs", `example.${tld}`);
  const { domains } = await list();
  const given = domains.map(({ name, createdAt }: { name: string; createdAt: number }) => ({
    team: "acme",
    name,
    createdAt,
  }));
  await world.seed({ accountDomains: given });
  expect((await list()).domains).toEqual(domains);
});

it("are found by their apex, and by the names below it", async () => {
  const { body, status } = await world.call("GET", "/v5/domains/EXAMPLE.com");
  expect(status).toBe(200);
  expect(body.domain).toEqual((await list()).domains[0]);
  for (const unknown of ["example.net", "www.example.net", "no domain"])
    expect((await world.call("GET", `/v5/domains/${encodeURIComponent(unknown)}`)).status).toBe(404);
  expect((await world.call("GET", "/v5/domains/www.example.com")).body).toEqual(body);
  const token = await world.team("other");
  expect((await world.call("GET", "/v5/domains/example.com", { token, team: "other" })).status).toBe(404);
});

it("are verified once their apex is, and as old as the first of their names", async () => {
  const { body: first } = await add("docs", "docs.example.org");
  await world.advance(1000);
  await world.seed({ domains: [{ team: "acme", project: "web", name: "example.org", verified: true }] });
  const { domain } = (await world.call("GET", "/v5/domains/example.org")).body;
  expect(domain).toMatchObject({ verified: true, createdAt: first.createdAt });
});

it("are as old as the first of their records, if they have nothing else", async () => {
  for (const name of ["a", "b"]) {
    const record = { team: "acme", domain: "example.net", name, type: "A" as const, value: "192.0.2.1" };
    await world.seed({ dnsRecords: [record] });
    await world.advance(1000);
  }
  const { domain } = (await world.call("GET", "/v5/domains/example.net")).body;
  const { records } = (await world.call("GET", "/v4/domains/example.net/records")).body;
  const times = (records as { name: string; createdAt: number }[])
    .filter(({ name }) => name === "a" || name === "b")
    .map(({ createdAt }) => createdAt);
  expect(new Set(times).size).toBe(2);
  // Domains of an account have different times.
  expect(domain.createdAt - Math.min(...times)).toBeLessThan(1000);
});

it("are created by the confirmed owner who joined the team first, or by their own user", async () => {
  await world.seed({
    ...ownersOfAcme,
    projects: [{ user: "dev", name: "mine" }],
    domains: [{ user: "dev", project: "mine", name: "example.dev", verified: true }],
  });
  const creator = { id: "user_z", username: "zoe", email: "zoe@example.com" };
  expect((await list()).domains).toMatchObject([
    { creator, userId: "user_z", teamId: expect.stringMatching(/^team_/) },
  ]);
  const { body } = await world.call("GET", "/v5/domains", { team: null });
  const { user } = (await world.call("GET", "/v2/user")).body;
  expect(body.domains).toMatchObject([
    { name: "example.dev", creator: { id: user.id, username: "dev" }, userId: user.id, teamId: null },
  ]);
});

it("tell what the projects have of them, name by name", async () => {
  await add("docs", "docs.example.com");
  await add("docs", "docs.example.org");
  const path = "/v1/domains/example.com/project-domains";
  const { body } = await world.call("GET", path);
  expect(body.projectDomains.map(({ name }: { name: string }) => name)).toEqual([
    "docs.example.com",
    "example.com",
  ]);
  expect((await world.call("GET", path, { query: { limit: 1 } })).body.pagination.next).not.toBeNull();
  expect((await world.call("GET", "/v1/domains/example.net/project-domains")).status).toBe(404);
});

it("have no price: none is sold here", async () => {
  const answer = await world.call("GET", "/v1/registrar/domains/example.com/price");
  expect(answer).toMatchObject({ status: 400, body: { error: { code: "tld_not_supported" } } });
});

it("of an installation are those of the projects that it covers", async () => {
  await addIntegration(world, ["domain"]);
  const { token, id } = await installWithToken(world);
  const { body: web } = await world.call("GET", "/v9/projects/web");
  expect((await world.call("GET", "/v5/domains", { token })).body.domains).toHaveLength(1);
  const access = `/v1/integrations/configuration/${id}/project/${web.id}`;
  await world.call("POST", access, {
    body: { allowed: false },
  });
  expect((await world.call("GET", "/v5/domains", { token })).body.domains).toEqual([]);
});

describe("the removal of a domain from the account", () => {
  const remove = (domain: string, token?: string) =>
    world.call("DELETE", `/v3/domains/${domain}`, token === undefined ? {} : { token });

  beforeEach(async () => {
    await add("docs", "docs.example.com");
    await add("docs", "example.org");
  });

  it("takes it from all projects, with the names below it", async () => {
    const { id } = (await world.call("GET", "/v5/domains/example.com")).body.domain;
    const { status, body } = await remove("EXAMPLE.com");
    expect({ status, body }).toEqual({ status: 200, body: { uid: id } });
    expect((await list()).domains).toMatchObject([{ name: "example.org" }]);
    for (const [project, name] of [
      ["web", "example.com"],
      ["docs", "docs.example.com"],
    ])
      expect((await world.call("GET", `/v9/projects/${project}/domains/${name}`)).status).toBe(404);
    const deleted = (await world.control.events()).filter(({ type }) => type === "project.domain.deleted");
    expect(deleted).toHaveLength(2);
  });

  it("leaves the names and records that another account has of it", async () => {
    const theirs = { token: await world.team("other"), team: "other" };
    const record = { domain: "example.com", type: "TXT" as const, value: "v" };
    await world.seed({
      projects: [{ team: "other", name: "site" }],
      domains: [{ team: "other", project: "site", name: "www.example.com" }],
      dnsRecords: ["acme", "other"].map((team) => ({ ...record, team })),
    });
    expect((await remove("example.com")).status).toBe(200);
    const { dnsRecords, domains } = await world.control.snapshot();
    const { id } = (await world.call("GET", "/v2/teams/other", theirs)).body;
    expect(dnsRecords).toMatchObject([{ accountId: id }]);
    expect(domains.map(({ name }) => name).sort()).toEqual(["example.org", "www.example.com"]);
  });

  it("is refused with 404 for a domain that the account does not have, or a name below one", async () => {
    for (const name of ["example.net", "docs.example.com"]) {
      expect(await remove(name)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    }
  });

  it("is refused with 403 to an installation that does not cover all of its projects", async () => {
    await addIntegration(world, ["project", "domain"]);
    const { token } = await installWithToken(world, { projects: ["web"] });
    expect(await remove("example.com", token)).toMatchObject({
      status: 403,
      body: { error: { code: "forbidden" } },
    });
    expect((await list()).domains).toHaveLength(2);
  });

  it("is refused with 403 to an installation that does not cover the projects of all of its aliases", async () => {
    await addIntegration(world, ["project", "domain"]);
    const { token } = await installWithToken(world, { projects: ["docs"] });
    const team = "acme";
    await world.seed({
      deployments: ["web", "docs"].map((project) => ({ team, project, id: `dpl_${project}` })),
      aliases: ["web", "docs"].map((name) => ({
        team,
        alias: `${name}.example.org`,
        deployment: `dpl_${name}`,
      })),
    });
    expect((await remove("example.org", token)).status).toBe(403);
    expect((await world.call("GET", "/v4/aliases/web.example.org")).status).toBe(200);
    await world.call("DELETE", "/v2/aliases/web.example.org");
    expect((await remove("example.org", token)).status).toBe(200);
  });

  it("is refused with 409 while one of its projects is transferred", async () => {
    await world.team("other");
    const { id } = (await world.call("GET", "/v9/projects/docs")).body;
    await world.control.startTransfer(id, { toTeam: "other" });
    expect(await remove("example.com")).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
    expect((await list()).domains).toHaveLength(2);
  });
});

it("cannot be bought, so no domain is available", async () => {
  const { status, body } = await world.call("GET", "/v1/registrar/domains/free.example/availability");
  expect([status, body]).toEqual([200, { available: false }]);
});
