import { domainsOf } from "../../support/domains";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const web = domainsOf(world);

beforeEach(() =>
  world.seed({
    projects: [
      { team: "acme", name: "web" },
      { team: "acme", name: "other" },
    ],
  }),
);

const addMany = async (count: number): Promise<void> => {
  for (let n = 1; n <= count; n++) await web.add(`d${n}.example.com`);
};

// DO-01, DO-28, X-12
it("the list without a match is empty and paginated", async () => {
  const answer = await web.list({ target: "preview" });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ domains: [], pagination: { count: 0, next: null, prev: null } });
});

describe("the default domain", () => {
  const own = "web.vercel.app";
  const listed = async (query = {}) => (await web.list(query)).body.domains;

  // DO-28
  it("is listed with a new project, verified, and created with it", async () => {
    const { createdAt, id } = (await world.call("GET", "/v9/projects/web")).body;
    const domain = {
      name: own,
      apexName: "vercel.app",
      projectId: id,
      redirect: null,
      redirectStatusCode: null,
      gitBranch: null,
      customEnvironmentId: null,
      createdAt,
      updatedAt: createdAt,
      verified: true,
    };
    expect((await web.list()).body).toEqual({
      domains: [domain],
      pagination: { count: 1, next: null, prev: createdAt },
    });
    expect((await web.get(own)).body).toEqual(domain);
    expect((await web.verify(own)).body).toEqual(domain);
    expect((await world.call("GET", `/project-domains/${own}`)).body).toEqual(domain);
  });

  it("is the oldest, and on its own page", async () => {
    await addMany(2);
    const names = async (query: object) => (await listed(query)).map(({ name }: { name: string }) => name);
    expect(await names({})).toEqual(["d2.example.com", "d1.example.com", own]);
    expect(await names({ order: "ASC" })).toEqual([own, "d1.example.com", "d2.example.com"]);
    const first = (await web.list({ limit: 2 })).body;
    expect(await names({ limit: 2, until: first.pagination.next })).toEqual([own]);
  });

  it.each<[query: Record<string, string | boolean>, isListed: boolean]>([
    [{ production: true }, true],
    [{ redirects: false }, true],
    [{ target: "production", verified: true }, true],
    [{ target: "preview" }, false],
    [{ gitBranch: "main" }, false],
    [{ customEnvironmentId: "env_1" }, false],
    [{ redirect: "example.com" }, false],
    [{ verified: false }, false],
  ])("is selected by %j: %j", async (query, isListed) => {
    expect(await listed(query)).toHaveLength(isListed ? 1 : 0);
  });

  it("follows the name of the project", async () => {
    await world.call("PATCH", "/v9/projects/web", { body: { name: "shop" } });
    const shop = await domainsOf(world, "shop").list();
    expect(shop.body.domains).toMatchObject([{ name: "shop.vercel.app" }]);
    expect((await domainsOf(world, "shop").get(own)).status).toBe(404);
  });

  it("is neither changed nor removed, and leads to the service", async () => {
    for (const answer of [await web.update(own, { redirect: null }), await web.remove(own)])
      expect(answer).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
    expect(await listed()).toMatchObject([{ name: own }]);
    const config = await world.call("GET", `/v6/domains/${own}/config`);
    expect(config.body).toMatchObject({ misconfigured: false });
  });

  it("is in use for other projects, and named in the refusal of its own project", async () => {
    const inUse = { status: 400, body: { error: { code: "domain_already_in_use" } } };
    expect(await domainsOf(world, "other").add(own)).toMatchObject(inUse);
    const { body } = await web.add(own);
    expect(body.error).toMatchObject({ code: "existing_project_domain", domain: { name: own } });
  });

  it("is not listed when the name was added to a project before", async () => {
    await domainsOf(world, "other").add("late.vercel.app");
    await world.call("POST", "/v10/projects", { body: { name: "late" } });
    expect((await domainsOf(world, "late").list()).body.domains).toEqual([]);
    await world.call("PATCH", "/v9/projects/other", { body: { name: "renamed" } });
    await world.call("DELETE", "/v9/projects/late");
    await world.call("PATCH", "/v9/projects/renamed", { body: { name: "late" } });
    const { domains } = (await domainsOf(world, "late").list()).body;
    expect(domains).toMatchObject([{ name: "late.vercel.app" }]);
    expect((await domainsOf(world, "late").remove("late.vercel.app")).status).toBe(200);
  });

  it("does not count against the limit of the free plan", async () => {
    await world.control.changeTeam("acme", { plan: "hobby" });
    await addMany(50);
    expect((await web.add("one-more.example.com")).status).toBe(400);
    expect(await listed({ limit: 100 })).toHaveLength(51);
  });

  it("is left out of a seed, which need not have it", async () => {
    await world.seed({ domains: [{ team: "acme", project: "web", name: own }] });
    expect((await world.control.snapshot()).domains).toEqual([]);
    expect(await listed()).toHaveLength(1);
  });
});

// DO-28, X-14
it("the list has that project's domains alone, the newest first", async () => {
  await addMany(3);
  await domainsOf(world, "other").add("other.example.com");
  expect(await web.names()).toEqual(["d3.example.com", "d2.example.com", "d1.example.com"]);
});

// DO-31, X-14
it.each([
  ["ASC", ["d1.example.com", "d2.example.com"]],
  ["DESC", ["d2.example.com", "d1.example.com"]],
])("order %s orders by the time of adding", async (order, names) => {
  await addMany(2);
  expect(await web.names({ order })).toEqual(names);
});

describe("a flag of the query", () => {
  it.each([
    ["true", ["d1.example.com"]],
    ["false", ["d2.example.com"]],
  ])("is %s", async (verified, names) => {
    const project = { team: "acme", project: "web" };
    await world.seed({
      domains: [
        { ...project, name: "d1.example.com", verified: true },
        { ...project, name: "d2.example.com", verified: false },
      ],
    });
    expect(await web.names({ verified })).toEqual(names);
  });

  it.each(["yes", "TRUE", "", "1", "0"])("is not %j", async (verified) => {
    const { status, body } = await web.list({ verified });
    expect([status, body.error.code]).toEqual([400, "bad_request"]);
  });
});

describe("limit", () => {
  // DO-30, LI-07, X-12
  it("caps the list", async () => {
    await addMany(3);
    const { body } = await web.list({ limit: 2 });
    expect(body.domains).toHaveLength(2);
    expect(body.pagination).toMatchObject({ count: 2, next: expect.any(Number) });
  });

  //
  it("is 20 when not given and 100 at most", async () => {
    await addMany(101);
    expect((await web.list()).body.domains).toHaveLength(20);
    expect((await web.list({ limit: 500 })).body.domains).toHaveLength(100);
  });
});

describe("pagination", () => {
  //
  it.each(["until", "since"] as const)(
    "followed by %s visits each domain once while others come and go",
    async (by) => {
      await addMany(7);
      const order = by === "until" ? "DESC" : "ASC";
      const seen: string[] = [];
      let next: number | null = null;
      do {
        const { body } = await web.list({ limit: 2, order, ...(next === null ? {} : { [by]: next }) });
        seen.push(...body.domains.map(({ name }: { name: string }) => name));
        next = body.pagination.next;
        if (seen.length === 2) {
          await web.remove(seen[by === "until" ? 0 : 1] ?? "");
          if (by === "until") await web.add("late.example.com");
        }
      } while (next !== null);
      const expected = [...[7, 6, 5, 4, 3, 2, 1].map((n) => `d${n}.example.com`), "web.vercel.app"];
      expect(seen).toEqual(by === "until" ? expected : expected.reverse());
    },
  );

  // X-15, DO-35, DO-36
  it("until is strictly older and since strictly newer", async () => {
    await addMany(3);
    expect(await web.names({ until: beginning + 1 })).toEqual(["d1.example.com"]);
    expect(await web.names({ since: beginning + 1 })).toEqual(["d3.example.com"]);
    expect(await web.names({ since: beginning, until: beginning + 2 })).toEqual(["d2.example.com"]);
  });
});

describe("filters", () => {
  beforeEach(async () => {
    const of = { team: "acme", project: "web" };
    await world.seed({
      domains: [
        { ...of, name: "example.com", verified: true },
        { ...of, name: "www.example.com", redirect: "example.com", verified: false },
        { ...of, name: "next.example.com", gitBranch: "next", verified: false },
        { ...of, name: "env.example.org" },
      ],
    });
    await world.services.store.write((tx) =>
      tx
        .updateTable("domains")
        .set({ custom_environment_id: "env_1" })
        .where("name", "=", "env.example.org")
        .execute(),
    );
  });

  const all = ["env.example.org", "next.example.com", "www.example.com", "example.com"];
  it.each<[query: Record<string, string | boolean>, names: string[]]>([
    [{ gitBranch: "next" }, ["next.example.com"]], // DO-29, X-55
    [{ gitBranch: "nex" }, []], // DO-29, X-55
    [{ production: true }, ["www.example.com", "example.com"]], // DO-32, X-52
    [{ production: false }, all], // DO-32, X-52
    [{ redirect: "Example.com" }, ["www.example.com"]], // DO-33, X-55
    [{ redirect: "www.example.com" }, []], // DO-33, X-55
    [{ redirects: true }, all], // DO-34, X-54
    [{ redirects: false }, ["env.example.org", "next.example.com", "example.com"]], // DO-34, X-54
    [{ target: "production" }, ["www.example.com", "example.com"]], // DO-37, X-53
    [{ target: "preview" }, ["next.example.com"]], // DO-37, X-53
    [{ verified: true }, ["example.com"]], // DO-38, X-55
    [{ verified: false }, ["env.example.org", "next.example.com", "www.example.com"]], // DO-38, X-55
    [{ production: true, redirects: false }, ["example.com"]],
  ])("by %j", async (query, names) => {
    expect(await web.names(query)).toEqual(names);
  });

  it("says what a limit may be", async () => {
    expect((await web.list({ limit: 0 })).body.error.message).toContain("limit: must be at least 1");
  });

  // DO-39
  it.each([
    ["limit", "many"], // DO-30
    ["limit", "0"], // DO-30
    ["order", "UP"], // DO-31
    ["production", "maybe"], // DO-32
    ["redirects", "maybe"], // DO-34
    ["since", "yesterday"], // DO-35
    ["until", "1.5"], // DO-36
    ["target", "staging"], // DO-37
    ["verified", "2"], // DO-38
  ])("%s=%s is refused with 400", async (member, value) => {
    const answer = await web.list({ [member]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("bad_request");
    expect(answer.body.error.message).toContain(member);
  });
});
