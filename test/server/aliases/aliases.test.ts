import { installation } from "../../support/domains";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const web = { team: "acme", project: "web" };
const name = "docs.vercel.app";

beforeEach(async () => {
  await world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] });
  await world.control.deploy(
    { ...web, id: "dpl_first", target: "production" },
    { ...web, id: "dpl_second", target: "production" },
    { ...web, id: "dpl_broken", readyState: "ERROR" },
  );
});

const assign = (deployment: string, body: object = { alias: name }, options: object = {}) =>
  world.call("POST", `/v2/deployments/${deployment}/aliases`, { body, ...options });
const read = (alias: string, query: Record<string, string> = {}) =>
  world.call("GET", `/v4/aliases/${alias}`, { query });
const list = async (query: Record<string, string> = {}): Promise<string[]> =>
  (await world.call("GET", "/v4/aliases", { query })).body.aliases.map(
    ({ alias }: { alias: string }) => alias,
  );
const refusal = ({ status, body }: { status: number; body: { error: { code: string } } }) => [
  status,
  body.error?.code,
];

describe("an alias", () => {
  it("leads to its deployment, whatever serves production", async () => {
    const { status, body } = await assign("dpl_first", { alias: "DOCS.vercel.app" });
    expect({ status, body }).toEqual({
      status: 200,
      body: { uid: expect.any(String), alias: name, created: new Date(world.clock.now()).toISOString() },
    });
    expect((await read(name)).body).toMatchObject({
      uid: body.uid,
      alias: name,
      deploymentId: "dpl_first",
      deployment: { id: "dpl_first" },
      projectId: "prj_web",
      creator: { username: "dev" },
      redirect: null,
    });
    expect((await read(body.uid)).body.alias).toBe(name);
  });

  it("moves to another deployment, and names the one before", async () => {
    const { uid } = (await assign("dpl_first")).body;
    expect((await assign("dpl_second")).body).toMatchObject({ uid, oldDeploymentId: "dpl_first" });
    expect((await read(name)).body.deploymentId).toBe("dpl_second");
    expect(await list()).toEqual([name, "web.vercel.app"]);
  });

  it("may redirect to a domain", async () => {
    await assign("dpl_first", { alias: name, redirect: "Example.com" });
    expect((await read(name)).body.redirect).toBe("example.com");
  });

  it("that is assigned again without a redirect serves its deployment again", async () => {
    await assign("dpl_first", { alias: name, redirect: "example.com" });
    expect((await assign("dpl_second")).status).toBe(200);
    expect((await read(name)).body).toMatchObject({ redirect: null, deploymentId: "dpl_second" });
  });

  it("that leads to the deployment already gets, changes and loses its redirect", async () => {
    const { uid } = (await assign("dpl_first")).body;
    for (const redirect of ["example.com", "example.org", null]) {
      const { status, body } = await assign("dpl_first", { alias: name, redirect });
      expect([status, body]).toMatchObject([200, { uid, oldDeploymentId: "dpl_first" }]);
      expect((await read(name)).body).toMatchObject({ redirect, deploymentId: "dpl_first" });
      expect((await assign("dpl_first", { alias: name, redirect })).status).toBe(409);
    }
  });

  it("is removed by its id or its name", async () => {
    const { uid } = (await assign("dpl_first")).body;
    expect((await world.call("DELETE", `/v2/aliases/${uid}`)).body).toEqual({ status: "SUCCESS" });
    expect((await read(name)).status).toBe(404);
    await assign("dpl_first");
    expect((await world.call("DELETE", `/now/aliases/${name}`)).status).toBe(200);
    expect((await world.call("DELETE", `/v2/aliases/${name}`)).status).toBe(404);
  });

  it("goes with its project", async () => {
    await assign("dpl_first");
    await world.call("DELETE", "/v9/projects/web");
    expect((await read(name)).status).toBe(404);
  });

  it("moves to another account with its project", async () => {
    await assign("dpl_first");
    const token = await world.team("other");
    await world.control.startTransfer("prj_web", { toTeam: "other" });
    await world.control.completeTransfer("prj_web");
    expect((await read(name)).status).toBe(404);
    expect((await world.call("GET", `/v4/aliases/${name}`, { token, team: "other" })).status).toBe(200);
  });

  it.each<[string, string, object, [number, string]]>([
    ["an invalid name", "dpl_first", { alias: "docs" }, [400, "invalid_alias"]],
    ["a wildcard", "dpl_first", { alias: "*.vercel.app" }, [400, "invalid_alias"]],
    ["no name", "dpl_first", {}, [400, "invalid_alias"]],
    ["an invalid redirect", "dpl_first", { alias: name, redirect: "nothing" }, [400, "bad_request"]],
    ["a redirect to a wildcard", "dpl_first", { alias: name, redirect: "*.a.com" }, [400, "bad_request"]],
    ["a deployment that failed", "dpl_broken", { alias: name }, [400, "deployment_not_ready"]],
    ["the name of a project", "dpl_first", { alias: "web.vercel.app" }, [403, "alias_in_use"]],
    ["a domain that is not proved", "dpl_first", { alias: "docs.example.com" }, [403, "forbidden"]],
    ["a deployment that does not exist", "dpl_none", { alias: name }, [404, "not_found"]],
  ])("is refused for %s", async (_what, deployment, body, refused) => {
    expect(refusal(await assign(deployment, body))).toEqual(refused);
  });

  it("is refused with its id where it leads to the deployment already", async () => {
    const { uid } = (await assign("dpl_first")).body;
    const answer = await assign("dpl_first");
    expect(answer).toMatchObject({ status: 409, body: { error: { code: "conflict", uid, alias: name } } });
  });

  it("is refused where another account has it", async () => {
    await assign("dpl_first");
    const token = await world.team("other");
    await world.control.deploy({ team: "other", project: "api", id: "dpl_other" });
    expect(refusal(await assign("dpl_other", { alias: name }, { token, team: "other" }))).toEqual([
      403,
      "alias_in_use",
    ]);
  });

  it("goes with its domain when the account removes it", async () => {
    await world.seed({ accountDomains: [{ team: "acme", name: "example.com", verified: true }] });
    for (const alias of ["example.com", "docs.example.com", name]) await assign("dpl_first", { alias });
    expect((await world.call("DELETE", "/v6/domains/example.com")).status).toBe(200);
    expect((await read("example.com")).status).toBe(404);
    expect((await read("docs.example.com")).status).toBe(404);
    expect((await read(name)).status).toBe(200);
  });

  it("may be any name below a domain that the account has proved, except one of a project", async () => {
    await world.seed({
      domains: [
        { ...web, name: "example.com", verified: true },
        { ...web, name: "www.example.com", verified: true },
      ],
    });
    expect((await assign("dpl_first", { alias: "docs.example.com" })).status).toBe(200);
    expect(refusal(await assign("dpl_first", { alias: "www.example.com" }))).toEqual([403, "alias_in_use"]);
  });

  it("is no domain of a project of the account, also while that is not verified", async () => {
    await world.seed({
      domains: [
        { ...web, name: "example.com", verified: true },
        { ...web, name: "www.example.com", verified: false },
      ],
    });
    expect(refusal(await assign("dpl_first", { alias: "www.example.com" }))).toEqual([403, "alias_in_use"]);
  });

  it("is no domain that another account has verified, also below a proved one of the account", async () => {
    await world.team("other");
    await world.seed({
      projects: [{ team: "other", name: "api" }],
      domains: [
        { ...web, name: "example.com", verified: true },
        { team: "other", project: "api", name: "www.example.com", verified: true },
      ],
    });
    expect(refusal(await assign("dpl_first", { alias: "www.example.com" }))).toEqual([403, "alias_in_use"]);
  });

  it.each([
    ["blocked", { softBlocked: true }],
    ["without a valid payment method", { paymentMethodNeedsUpdate: true }],
  ])("is refused with 402 to an account that is %s", async (_what, fields) => {
    await world.askControl("PATCH", "/teams/acme", fields);
    expect((await assign("dpl_first")).status).toBe(402);
  });
});

it.each([
  ["from", String(beginning + 1)],
  ["since", String(beginning + 1)],
  ["until", String(beginning)],
  ["projectId", "prj_other"],
])("an alias is not found when %s leaves it out", async (parameter, value) => {
  await assign("dpl_first");
  expect((await read(name, { [parameter]: value })).status).toBe(404);
});

describe("the names that lead to production", () => {
  beforeEach(() =>
    world.seed({
      domains: [
        { ...web, name: "example.com", verified: true },
        { ...web, name: "next.example.com", gitBranch: "next", verified: true },
        { ...web, name: "unverified.example.org" },
      ],
    }),
  );

  it("are listed with the aliases, and move with a promotion", async () => {
    expect((await list()).sort()).toEqual(["example.com", "web.vercel.app"]);
    await world.call("POST", "/v10/projects/web/promote/dpl_first");
    const { body } = await world.call("GET", "/v2/deployments/dpl_first/aliases");
    expect(body.aliases.map(({ alias }: { alias: string }) => alias).sort()).toEqual([
      "example.com",
      "web.vercel.app",
    ]);
    expect((await world.call("GET", "/v2/deployments/dpl_second/aliases")).body.aliases).toEqual([]);
  });

  it("are none while the project is paused", async () => {
    await world.call("POST", "/v1/projects/prj_web/pause");
    expect(await list()).toEqual([]);
  });

  it("are removed from their project alone", async () => {
    expect(refusal(await world.call("DELETE", "/v2/aliases/example.com"))).toEqual([400, "bad_request"]);
    expect((await read("example.com")).status).toBe(200);
  });
});

describe("the list of aliases", () => {
  it("is walked page by page, names of one time together", async () => {
    for (const alias of ["a.vercel.app", "b.vercel.app", "c.vercel.app"])
      await assign("dpl_first", { alias });
    await world.advance(5);
    await assign("dpl_first", { alias: "d.vercel.app" });
    const page = async (query: Record<string, string>) =>
      (await world.call("GET", "/v4/aliases", { query: { limit: "2", ...query } })).body;
    const first = await page({});
    const found = first.aliases.map(({ alias }: { alias: string }) => alias);
    expect(found[0]).toBe("d.vercel.app");
    expect(new Set(found)).toEqual(
      new Set(["d.vercel.app", "a.vercel.app", "b.vercel.app", "c.vercel.app", "web.vercel.app"]),
    );
    expect(first.pagination.next).toBeNull();
  });

  it("continues from the time that its page names, and then ends", async () => {
    for (const alias of ["a.vercel.app", "b.vercel.app"]) {
      await world.advance(5);
      await assign("dpl_first", { alias });
    }
    const page = async (query: Record<string, string>) => {
      const { aliases, pagination } = (await world.call("GET", "/v4/aliases", { query })).body;
      return { names: aliases.map(({ alias }: { alias: string }) => alias), pagination };
    };
    expect(await page({ limit: "2" })).toEqual({
      names: ["b.vercel.app", "a.vercel.app"],
      pagination: { count: 2, next: beginning + 5, prev: beginning + 10 },
    });
    expect(await page({ limit: "2", until: String(beginning + 5) })).toEqual({
      names: ["web.vercel.app"],
      pagination: { count: 1, next: null, prev: beginning },
    });
  });

  it("has the names of a domain and those below it, where one is given", async () => {
    await world.seed({
      domains: ["example.com", "myexample.com"].map((domain) => ({ ...web, name: domain, verified: true })),
    });
    await assign("dpl_first", { alias: "docs.example.com" });
    expect((await list({ domain: "example.com" })).sort()).toEqual(["docs.example.com", "example.com"]);
  });

  it("names the project of the account, also if another account has a project of the same name", async () => {
    await world.team("other");
    await world.seed({ projects: [{ id: "prj_other", team: "other", name: "web" }] });
    await assign("dpl_first");
    const { body } = await world.call("GET", "/v4/aliases");
    expect(
      body.aliases.map((one: { alias: string; projectId: string }) => [one.alias, one.projectId]),
    ).toEqual([name, "web.vercel.app"].map((alias) => [alias, "prj_web"]));
  });

  it("is not shown to an installation beyond its projects", async () => {
    await world.seed({ projects: [{ team: "acme", name: "other" }] });
    await assign("dpl_first");
    const token = await installation(world, ["read:deployment"], { projects: ["other"] });
    const { body } = await world.call("GET", "/v4/aliases", { token });
    expect(body.aliases).toEqual([]);
    expect((await world.call("GET", `/v4/aliases/${name}`, { token })).status).toBe(404);
  });
});
