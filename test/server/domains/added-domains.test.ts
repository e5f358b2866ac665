import { addIntegration, installWithToken } from "../../support/integrations";
import { TestServer, useTestServer } from "../../support/world";

/** Domains that are added to an account, without a project. */

const world = useTestServer();
const add = (name: string, options: object = {}) =>
  world.call("POST", "/v7/domains", { body: { name, method: "add", ...options } });
const read = (name: string) => world.call("GET", `/v5/domains/${name}`);
const patch = (name: string, body: object, options: object = {}) =>
  world.call("PATCH", `/v3/domains/${name}`, { body, ...options });
const names = async () =>
  (await world.call("GET", "/v5/domains")).body.domains.map(({ name }: { name: string }) => name);
const attach = (name: string, options: object = {}) =>
  world.call("POST", "/v10/projects/web/domains", { body: { name }, ...options });

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

describe("a domain that is added to an account", () => {
  it("is read, listed, and has DNS records", async () => {
    const { status, body } = await add("Example.com");
    expect(status).toBe(200);
    expect(body.domain).toMatchObject({ name: "example.com", verified: false, echMode: "auto" });
    expect((await read("example.com")).body).toEqual(body);
    await add("example.org");
    expect(await names()).toEqual(["example.org", "example.com"]);
    const record = { name: "a", type: "A", value: "192.0.2.1" };
    expect((await world.call("POST", "/v2/domains/example.com/records", { body: record })).status).toBe(200);
    expect((await read("example.com")).body).toEqual(body);
  });

  it("is added once, however its name is written", async () => {
    expect((await add("example.com")).status).toBe(200);
    expect(await add("Example.COM")).toMatchObject({
      status: 409,
      body: { error: { code: "domain_already_exists" } },
    });
  });

  it("takes the members that newer clients send", async () => {
    expect((await add("example.com", { cdnEnabled: true })).status).toBe(200);
  });

  it("is served under the versions of older clients", async () => {
    for (const [at, path] of ["/v4/domains", "/v5/domains", "/domains"].entries())
      expect((await world.call("POST", path, { body: { name: `example${at}.com` } })).status).toBe(200);
  });

  it("emits domain.created once, also when a project gets a name below it", async () => {
    await add("example.com");
    await attach("www.example.com");
    const created = (await world.control.events()).filter(({ type }) => type === "domain.created");
    expect(created).toMatchObject([{ payload: { domain: { name: "example.com" } } }]);
  });

  it("stays when its last project domain is removed, with the time of its addition", async () => {
    const { body } = await add("example.com");
    await world.advance(1000);
    await attach("www.example.com");
    await world.call("DELETE", "/v9/projects/web/domains/www.example.com");
    expect((await read("example.com")).body).toEqual(body);
  });

  it("is removed with its records", async () => {
    await add("example.com");
    const body = { name: "a", type: "A", value: "192.0.2.1" };
    await world.call("POST", "/v2/domains/example.com/records", { body });
    expect((await world.call("DELETE", "/v6/domains/example.com")).status).toBe(200);
    expect((await read("example.com")).status).toBe(404);
    const { accountDomains, dnsRecords } = await world.control.snapshot();
    expect([accountDomains, dnsRecords]).toEqual([[], []]);
    expect((await add("example.com")).status).toBe(200);
  });

  it.each([
    ["text that is no domain", "example", 400, "invalid_name"],
    ["a name below a domain", "www.example.com", 400, "invalid_name"],
    ["a zone of the service", "vercel.app", 403, "forbidden"],
    ["a name in a zone of the service", "shop.vercel.app", 403, "forbidden"],
  ])("is refused if its name is %s", async (_, name, status, code) => {
    const answer = await add(name);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(await names()).toEqual([]);
  });

  it("is refused if the account has it, also because of a project or of a record", async () => {
    await add("example.com");
    await attach("www.example.org");
    await world.seed({ dnsRecords: [{ team: "acme", domain: "example.net", type: "TXT", value: "v" }] });
    for (const name of ["example.com", "example.org", "example.net"])
      expect(await add(name)).toMatchObject({
        status: 409,
        body: { error: { code: "domain_already_exists" } },
      });
  });

  it("is refused if the account may not have it, or another account owns it", async () => {
    await world.control.changeTeam("acme", { deniedDomains: ["example.com"] });
    expect((await add("example.com")).body.error.code).toBe("domain_not_allowed");
    await world.seed({
      teams: [{ slug: "other" }],
      projects: [{ team: "other", name: "site" }],
      domains: [{ team: "other", project: "site", name: "example.org", verified: true }],
      accountDomains: [{ team: "other", name: "example.net", verified: true }],
    });
    for (const name of ["example.org", "example.net"])
      expect((await add(name)).body.error.code).toBe("domain_already_exists");
    expect((await attach("example.net")).body.error.code).toBe("domain_already_in_use");
  });

  it("verifies the names below it that are added later, if it is verified", async () => {
    await world.seed({
      accountDomains: [
        { team: "acme", name: "example.com", verified: true },
        { team: "acme", name: "example.org" },
      ],
    });
    expect((await attach("www.example.com")).body.verified).toBe(true);
    expect((await attach("www.example.org")).body.verified).toBe(false);
  });

  it("is neither seen nor changed by an installation on selected projects", async () => {
    await addIntegration(world, ["project", "domain"]);
    const { token } = await installWithToken(world, { projects: ["web"] });
    await add("example.com");
    await attach("www.example.com");
    await attach("www.example.org");
    expect((await world.call("POST", "/v7/domains", { token, body: { name: "example.net" } })).status).toBe(
      403,
    );
    for (const name of ["example.com", "example.org"])
      expect((await patch(name, { zone: true }, { token })).status).toBe(403);
  });

  it("is not removed by an installation on selected projects, which may remove what is of these alone", async () => {
    await addIntegration(world, ["project", "domain"]);
    const { token } = await installWithToken(world, { projects: ["web"] });
    await add("example.com");
    await attach("www.example.com");
    await attach("www.example.org");
    expect((await world.call("DELETE", "/v6/domains/example.com", { token })).status).toBe(403);
    expect((await world.call("DELETE", "/v6/domains/example.org", { token })).status).toBe(200);
    expect(await names()).toEqual(["example.com"]);
  });

  it("verifies no name that an installation on selected projects adds below it", async () => {
    await world.seed({ accountDomains: [{ team: "acme", name: "example.com", verified: true }] });
    await addIntegration(world, ["project", "domain"]);
    const { token } = await installWithToken(world, { projects: ["web"] });
    expect((await attach("www.example.com", { token })).body.verified).toBe(false);
    expect((await attach("docs.example.com")).body.verified).toBe(true);
  });

  it("moves with the project that has it to another account", async () => {
    const token = await world.team("other");
    await add("example.com");
    await add("example.org");
    const { body } = await attach("example.com");
    await world.control.startTransfer(body.projectId, { toTeam: "other" });
    await world.control.completeTransfer(body.projectId);
    const theirs = await world.call("GET", "/v5/domains", { token, team: "other" });
    expect(theirs.body.domains).toMatchObject([{ name: "example.com" }]);
    expect(await names()).toEqual(["example.org"]);
  });

  it("cannot come from another account or go there", async () => {
    await add("example.com");
    for (const answer of [
      await add("example.org", { method: "move-in", token: "t" }),
      await patch("example.com", { op: "move-out", destination: "other" }),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([501, "not_implemented"]);
    expect(await names()).toEqual(["example.com"]);
  });
});

describe("the settings of a domain of the account", () => {
  it("are changed, and absent members keep their value", async () => {
    await add("example.com", { zone: true });
    expect((await patch("example.com", { op: "update" })).body).toEqual({ echMode: "auto", zone: true });
    expect((await patch("EXAMPLE.com", { echMode: "disabled" })).body).toEqual({
      echMode: "disabled",
      zone: true,
    });
    expect((await patch("example.com", { zone: false })).body).toEqual({ echMode: "disabled", zone: false });
    expect((await read("example.com")).body.domain.echMode).toBe("disabled");
  });

  it("are kept for a domain that only a project has", async () => {
    await attach("www.example.com");
    const before = (await read("example.com")).body.domain;
    expect((await patch("example.com", { echMode: "disabled" })).status).toBe(200);
    expect((await read("example.com")).body.domain).toEqual({ ...before, echMode: "disabled" });
    expect(await names()).toEqual(["example.com"]);
  });

  it("are refused for an unknown domain, and where a domain would have to be bought", async () => {
    expect((await patch("example.com", { zone: true })).status).toBe(404);
    await add("example.com");
    for (const body of [{ renew: true }, { customNameservers: ["ns1.example.net"] }, { echMode: "enabled" }])
      expect((await patch("example.com", body)).status).toBe(400);
    expect((await patch("example.com", { renew: false, customNameservers: [] })).status).toBe(200);
  });
});

describe("with the profile hosted", () => {
  const hosted = new TestServer();
  beforeEach(() => hosted.open("memory", { profile: "hosted" }));
  afterEach(() => hosted.close());

  it("a domain is verified at once, unless another account has a domain under it", async () => {
    const token = await hosted.team("other");
    const addTo = (options: object) => hosted.call("POST", "/v7/domains", options);
    expect((await addTo({ body: { name: "example.com" } })).body.domain.verified).toBe(true);
    const theirs = await addTo({ body: { name: "example.com" }, token, team: "other" });
    expect(theirs.body.error.code).toBe("domain_already_exists");
    await hosted.seed({
      projects: [{ team: "other", name: "site" }],
      domains: [{ team: "other", project: "site", name: "www.example.org" }],
    });
    expect((await addTo({ body: { name: "example.org" } })).body.domain.verified).toBe(false);
  });
});
