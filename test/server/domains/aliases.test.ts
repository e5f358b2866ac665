import { domainsOf, installation, publish, transfer } from "../../support/domains";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const web = domainsOf(world);
const name = "www.example.com";

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

describe("the client's own way to add and remove a domain", () => {
  const path = "/projects/web/alias";

  it("adds, and answers all domains of the project", async () => {
    await web.add("example.com");
    const answer = await world.call("POST", path, {
      body: { domain: "WWW.example.com", target: "PRODUCTION" },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.map(({ domain }: { domain: string }) => domain)).toEqual(["example.com", name]);
    expect(answer.body[1]).toEqual({
      domain: name,
      target: "PRODUCTION",
      redirect: null,
      createdAt: beginning + 1,
      configuredBy: null,
    });
    expect((await web.get(name)).body.verified).toBe(false);
  });

  it("answers a domain with a branch as one of staging", async () => {
    await web.add("next.example.com", { gitBranch: "next" });
    const { body } = await world.call("POST", path, { body: { domain: "example.com" } });
    expect(body).toMatchObject([
      { domain: "next.example.com", target: "STAGING" },
      { domain: "example.com", target: "PRODUCTION" },
    ]);
  });

  it.each<[string, unknown, number, string]>([
    ["an invalid name", { domain: "nothing" }, 400, "invalid_domain"],
    ["a redirect to itself", { domain: name, redirect: name }, 400, "bad_request"],
    ["a domain that is there", { domain: "example.com" }, 409, "ALIAS_DOMAIN_EXIST"],
    [
      "a redirect to a domain that is not there",
      { domain: name, redirect: "none.example.com" },
      400,
      "bad_request",
    ],
    ["a name of the service", { domain: "a.b.vercel.app" }, 403, "forbidden"],
    ["another target", { domain: name, target: "STAGING" }, 400, "bad_request"],
    ["no domain", {}, 400, "bad_request"],
  ])("refuses %s as the domain add does", async (_what, body, status, code) => {
    await web.add("example.com");
    const answer = await world.call("POST", path, { body });
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(code);
  });

  describe("a domain that the account uses already", () => {
    const add = (project: string, token?: string) =>
      world.call("POST", `/projects/${project}/alias`, {
        body: { domain: name },
        ...(token === undefined ? {} : { token }),
      });
    const idOf = async (project: string): Promise<string> =>
      (await world.call("GET", `/v9/projects/${project}`)).body.id;

    beforeEach(async () => {
      await world.seed({ projects: [{ team: "acme", name: "other" }] });
      await web.add(name);
    });

    it("is refused with the project that has it", async () => {
      const { status, body } = await add("other");
      expect(status).toBe(409);
      expect(body.error).toMatchObject({
        code: "ALIAS_DOMAIN_EXIST",
        project: { id: await idOf("web"), name: "web" },
      });
    });

    it("is refused with the project that has it verified", async () => {
      await publish(world, await web.get(name));
      expect((await web.verify(name)).body.verified).toBe(true);
      expect((await add("other")).body.error).toMatchObject({
        ...{ code: "ALIAS_DOMAIN_EXIST", message: expect.stringContaining("is verified") },
        project: { name: "web" },
      });
    });

    it("is refused with the project itself where that has it", async () => {
      const { body } = await add("web");
      expect(body.error).toMatchObject({
        code: "ALIAS_DOMAIN_EXIST",
        project: { id: await idOf("web"), name: "web" },
      });
    });

    it("is refused without the project to an installation, which may not see it", async () => {
      const token = await installation(world, ["read-write:project", "read-write:domain"], {
        projects: ["other"],
      });
      const { body } = await add("other", token);
      expect(body.error.code).toBe("ALIAS_DOMAIN_EXIST");
      expect(body.error).not.toHaveProperty("project");
    });

    it("is refused with another code where another account has it verified", async () => {
      const owner = await world.team("other");
      await world.seed({
        projects: [{ team: "other", name: "theirs" }],
        domains: [{ team: "other", project: "theirs", name: "taken.example.org", verified: true }],
      });
      expect(owner).toBeDefined();
      const { body } = await world.call("POST", "/projects/web/alias", {
        body: { domain: "taken.example.org" },
      });
      expect(body.error.code).toBe("domain_already_in_use");
    });
  });

  it("removes, and answers what is left", async () => {
    await web.add("example.com");
    await web.add(name);
    const answer = await world.call("DELETE", path, { query: { domain: name } });
    expect(answer.status).toBe(200);
    expect(answer.body.map(({ domain }: { domain: string }) => domain)).toEqual(["example.com"]);
    expect((await web.get(name)).status).toBe(404);
  });

  it("does not find what is not there", async () => {
    expect((await world.call("DELETE", path, { query: { domain: name } })).status).toBe(404);
    expect((await world.call("DELETE", "/projects/nobody/alias", { query: { domain: name } })).status).toBe(
      404,
    );
    expect((await world.call("DELETE", path)).status).toBe(400);
  });

  it("is refused while the project is transferred", async () => {
    await web.add(name);
    await transfer(world, "web", "x");
    expect((await world.call("DELETE", path, { query: { domain: name } })).status).toBe(409);
    expect((await world.call("POST", path, { body: { domain: "example.com" } })).status).toBe(409);
  });
});

describe("a domain by its name alone", () => {
  it("is found on whichever project of the account it is", async () => {
    const added = await web.add(name);
    const answer = await world.call("GET", `/project-domains/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(added.body);
  });

  it("is not found for another account, and refused to an installation that does not cover its project", async () => {
    await web.add(name);
    const token = await world.team("other");
    expect((await world.call("GET", `/project-domains/${name}`, { token, team: "other" })).status).toBe(404);
    await world.seed({ projects: [{ team: "acme", name: "other" }] });
    const limited = await installation(world, ["read:project"], { projects: ["other"] });
    expect((await world.call("GET", `/project-domains/${name}`, { token: limited })).status).toBe(403);
  });
});

describe("the configuration of a domain", () => {
  it("is not well until the account holds the domain verified", async () => {
    const added = await web.add(name);
    const before = await world.call("GET", `/v6/domains/${name}/config`, { query: { strict: true } });
    expect(before.status).toBe(200);
    expect(before.body).toMatchObject({ configuredBy: null, misconfigured: true, acceptedChallenges: [] });
    await publish(world, added, await web.add("example.com"));
    await web.verify(name);
    await web.verify("example.com");
    const after = await world.call("GET", `/v6/domains/${name}/config`, {
      query: { projectIdOrName: "web" },
    });
    expect(after.body).toMatchObject({ configuredBy: "CNAME", misconfigured: false });
    expect((await world.call("GET", "/v6/domains/example.com/config")).body.configuredBy).toBe("A");
  });

  const config = async (domain: string) => (await world.call("GET", `/v6/domains/${domain}/config`)).body;
  const here = { A: "192.0.2.1", CNAME: "cname.slipway.app" };

  it.each([
    ["A", "example.com"],
    ["A", name],
    ["CNAME", name],
  ] as const)("is that of its %s record, verified or not: %s", async (type, domain) => {
    await world.control.setRecords(domain, type, [here[type]]);
    expect(await config(domain)).toMatchObject({
      configuredBy: type,
      misconfigured: false,
      acceptedChallenges: ["http-01", "dns-01"],
      aValues: type === "A" ? [here.A] : [],
      cnames: type === "CNAME" ? [here.CNAME] : [],
      conflicts: [],
    });
    await world.control.setRecords(domain, type, []);
    expect(await config(domain)).toMatchObject({ configuredBy: null, misconfigured: true });
  });

  it("is not well when the records of a verified domain point elsewhere", async () => {
    await publish(world, await web.add(name));
    await web.verify(name);
    expect(await config(name)).toMatchObject({ configuredBy: "CNAME", misconfigured: false });
    await world.control.setRecords(name, "CNAME", ["elsewhere.example.net"]);
    expect(await config(name)).toMatchObject({
      configuredBy: null,
      misconfigured: true,
      acceptedChallenges: [],
      cnames: ["elsewhere.example.net"],
      conflicts: [],
    });
    // TXT records say nothing about it, and have a list of their own.
    await world.control.setTxt(name, "text");
    await world.control.setTxt(name);
    expect(await config(name)).toMatchObject({ misconfigured: true });
  });

  it("names the records that conflict with those that point at the service", async () => {
    await world.control.setRecords("example.com", "A", ["198.51.100.7", here.A]);
    expect(await config("example.com")).toMatchObject({
      configuredBy: "A",
      misconfigured: true,
      aValues: [here.A, "198.51.100.7"],
      conflicts: [{ name: "example.com", type: "A", value: "198.51.100.7" }],
    });
  });

  it("is refused for what is no domain", async () => {
    const answer = await world.call("GET", "/v6/domains/nothing/config");
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("invalid_domain");
  });
});
