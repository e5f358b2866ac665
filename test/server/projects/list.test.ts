import { useTestServer } from "../../support/world";

const world = useTestServer();
const create = (name: string, body: object = {}) =>
  world.call("POST", "/v10/projects", { body: { name, ...body } });
const list = (query: Record<string, string> = {}) => world.call("GET", "/v9/projects", { query });
const names = async (query: Record<string, string> = {}): Promise<string[]> =>
  (await list(query)).body.projects.map(({ name }: { name: string }) => name);

describe("the list of projects", () => {
  // PR-01, PR-22, X-12
  it("has projects and pagination, when empty too", async () => {
    expect(await list()).toMatchObject({
      status: 200,
      body: { projects: [], pagination: { count: 0, next: null, prev: null } },
    });
  });

  it("shows of each project what it has itself, as a request for it alone does", async () => {
    await world.seed({
      projects: ["a", "b", "c"].map((name) => ({ team: "acme", name })),
      deployments: ["a", "b"].map((project) => ({
        team: "acme",
        id: `dpl_${project}`,
        project,
        target: "production" as const,
      })),
    });
    for (const name of ["a", "b"]) {
      const at = `/v9/projects/${name}`;
      await world.call("POST", `${at}/custom-environments`, { body: { slug: `stage-${name}` } });
      await world.call("POST", `${at}/domains`, { body: { name: `${name}.vercel.app` } });
      for (const key of ["FIRST", "SECOND"])
        await world.call("POST", `${at}/env`, {
          body: { key, value: name, type: "plain", target: ["production"] },
        });
    }
    const { projects } = (await list()).body;
    expect(projects).toHaveLength(3);
    for (const project of projects) {
      expect((await world.call("GET", `/v9/projects/${project.name}`)).body).toEqual(project);
      const owned = project.name === "c" ? [] : [project.name, project.name];
      expect(project.env.map(({ value }: { value: string }) => value)).toEqual(owned);
    }
  });

  //
  it("shows what changed last first", async () => {
    for (const name of ["a", "b", "c"]) await create(name);
    expect(await names()).toEqual(["c", "b", "a"]);
    await world.call("PATCH", "/v9/projects/a", { body: { gitLFS: true } });
    expect(await names()).toEqual(["a", "c", "b"]);
  });

  // PR-23, PR-24, AU-06, AU-07, AU-08, AU-12
  it("shows one account's projects alone", async () => {
    const { body } = await create("team");
    await world.call("POST", "/v10/projects", { body: { name: "own" }, team: null });
    expect(await names()).toEqual(["team"]);
    expect(await names({ teamId: body.accountId })).toEqual(["team"]);
    const own = await world.call("GET", "/v9/projects", { team: null });
    expect(own.body.projects).toMatchObject([{ name: "own" }]);
  });

  // X-16, LI-06, PR-31
  it("holds 20 without a limit, what the limit says, and at most 100", async () => {
    for (let i = 0; i < 101; i++) await create(`p-${i}`);
    expect(await names()).toHaveLength(20);
    expect(await names({ limit: "3" })).toEqual(["p-100", "p-99", "p-98"]);
    expect(await names({ limit: "1000" })).toHaveLength(100);
  });

  // PR-36, X-13
  it("is walked by until = next: each once, while others come and go", async () => {
    for (let i = 0; i < 9; i++) await create(`p-${i}`);
    const seen: string[] = [];
    let until: string | undefined;
    for (let step = 0; ; step++) {
      const { projects, pagination } = (await list({ limit: "4", ...(until ? { until } : {}) })).body;
      seen.push(...projects.map(({ name }: { name: string }) => name));
      if (pagination.next === null) break;
      until = String(pagination.next);
      if (step === 0) {
        await create("comes");
        await world.call("DELETE", "/v9/projects/p-8");
      }
    }
    expect(seen).toEqual(["p-8", "p-7", "p-6", "p-5", "p-4", "p-3", "p-2", "p-1", "p-0"]);
  });

  //
  it("shows with since what is newer, the newest first", async () => {
    for (let i = 0; i < 6; i++) await create(`p-${i}`);
    const { pagination } = (
      await list({ limit: "2", until: String((await list()).body.projects[3].updatedAt) })
    ).body;
    expect(await names({ limit: "2", since: String(pagination.prev) })).toEqual(["p-5", "p-4"]);
    expect(await names({ since: String(pagination.prev) })).toEqual(["p-5", "p-4", "p-3", "p-2"]);
  });

  // PR-29
  it("shows with from only what was updated after the time", async () => {
    const { updatedAt } = (await create("a")).body;
    await create("b");
    expect(await names({ from: String(updatedAt) })).toEqual(["b"]);
  });

  // PR-35, X-38
  it("searches in names, whatever the case, and takes no pattern", async () => {
    for (const name of ["web-shop", "shop", "docs"]) await create(name);
    expect(await names({ search: "SHOP" })).toEqual(["shop", "web-shop"]);
    expect(await names({ search: "docs" })).toEqual(["docs"]);
    expect(await names({ search: "%" })).toEqual([]);
    expect(await names({ search: "_" })).toEqual([]);
  });

  // PR-32, PR-33, PR-34, PR-28
  it("filters by repository", async () => {
    const { body } = await create("linked", { gitRepository: { type: "github", repo: "acme/web" } });
    await create("other", { gitRepository: { type: "gitlab", repo: "acme/docs" } });
    await create("none");
    expect(await names({ repo: "acme/web" })).toEqual(["linked"]);
    expect(await names({ repo: "web" })).toEqual(["linked"]);
    expect(await names({ repo: "Web" })).toEqual(["linked"]);
    expect(await names({ repo: "ACME/web" })).toEqual(["linked"]);
    expect(await names({ repoId: String(body.link.repoId) })).toEqual(["linked"]);
    expect(await names({ repoUrl: "https://github.com/acme/web.git" })).toEqual(["linked"]);
    expect(await names({ repoUrl: "https://GitHub.com/Acme/Web" })).toEqual(["linked"]);
    for (const repo of ["acme/web", "web", "ACME/Web"]) {
      expect(await names({ excludeRepos: repo })).toEqual(["none", "other"]);
    }
    expect(await names({ excludeRepos: "web,docs" })).toEqual(["none"]);
  });

  it("leaves out many repositories, and refuses more than a query can hold", async () => {
    await create("web", { gitRepository: { type: "github", repo: "acme/web" } });
    await create("none");
    const repos = (count: number) =>
      ["web", ...Array.from({ length: count - 1 }, (_, at) => `r${at}`)].join();
    expect(await names({ excludeRepos: repos(100) })).toEqual(["none"]);
    expect(await names({ excludeRepos: Array(500).fill("web").join() })).toEqual(["none"]);
    expect(await list({ excludeRepos: repos(2000) })).toMatchObject({
      status: 400,
      body: { error: { code: "bad_request", message: expect.stringContaining("excludeRepos") } },
    });
  });

  // PR-30
  it("filters by protection of forks", async () => {
    await create("open");
    await world.call("PATCH", "/v9/projects/open", { body: { gitForkProtection: false } });
    await create("closed");
    expect(await names({ gitForkProtection: "1" })).toEqual(["closed"]);
    expect(await names({ gitForkProtection: "0" })).toEqual(["open"]);
  });

  // PR-25, X-37
  it("tells deprecated ones apart: true and false together are all", async () => {
    await create("old");
    await world.call("PATCH", "/v9/projects/old", { body: { nodeVersion: "14.x" } });
    await create("new");
    expect(await names({ deprecated: "true" })).toEqual(["old"]);
    expect(await names({ deprecated: "false" })).toEqual(["new"]);
    expect(await names()).toEqual(["new", "old"]);
  });

  // PR-26, PR-27
  it("filters by connected edge config and its token", async () => {
    const { id } = (await create("connected")).body;
    await create("other");
    await world.services.store.write((tx) =>
      tx
        .insertInto("edge_connections")
        .values({ project_id: id, edge_config_id: "ecfg_1", token_id: "tok_1" })
        .execute(),
    );
    expect(await names({ edgeConfigId: "ecfg_1" })).toEqual(["connected"]);
    expect(await names({ edgeConfigTokenId: "tok_1" })).toEqual(["connected"]);
    expect(await names({ edgeConfigId: "ecfg_2" })).toEqual([]);
  });

  describe("by their machines", () => {
    beforeEach(async () => {
      for (const [name, resourceConfig] of Object.entries({
        none: {},
        turbo: { buildMachineType: "turbo" },
        selected: { buildMachineType: "turbo", buildMachineSelection: "elastic" },
        "set-elastic": { buildMachineType: "elastic" },
      })) {
        await world.call("POST", "/v10/projects", { body: { name, resourceConfig } });
      }
    });

    it.each([
      ["default", ["none"]],
      ["turbo", ["turbo"]],
      ["elastic", ["set-elastic", "selected"]],
      ["turbo,default", ["turbo", "none"]],
      ["enhanced", []],
    ])("finds those with buildMachineTypes=%s", async (buildMachineTypes, found) => {
      expect(await names({ buildMachineTypes })).toEqual(found);
    });

    it("counts a project without a build queue among those that skip it", async () => {
      expect(await names({ buildQueueConfiguration: "SKIP_NAMESPACE_QUEUE" })).toHaveLength(4);
      expect(await names({ buildQueueConfiguration: "WAIT_FOR_NAMESPACE_QUEUE" })).toEqual([]);
    });

    it("finds no setting in a text that spells one", async () => {
      const text = `"elasticConcurrencyEnabled":true`;
      await world.call("PATCH", "/v9/projects/none", { body: { buildCommand: text } });
      expect(await names({ elasticConcurrencyEnabled: "1" })).toEqual([]);
      expect(await names({ elasticConcurrencyEnabled: "0" })).toHaveLength(4);
    });
  });

  it.each([
    ["elasticConcurrencyEnabled", "1", "0"],
    ["staticIpsEnabled", "1", "0"],
    ["buildQueueConfiguration", "WAIT_FOR_NAMESPACE_QUEUE", "SKIP_NAMESPACE_QUEUE"],
  ])("tells projects apart by %s, whose setting can be switched off again", async (filter, on, off) => {
    await create("off");
    await create("on");
    const change = (isOn: boolean) => {
      const configuration = isOn ? "WAIT_FOR_NAMESPACE_QUEUE" : "SKIP_NAMESPACE_QUEUE";
      const resourceConfig = { elasticConcurrencyEnabled: isOn, buildQueue: { configuration } };
      const body = { resourceConfig, staticIps: { enabled: isOn } };
      return world.call("PATCH", "/v9/projects/on", { body });
    };
    await change(true);
    expect([await names({ [filter]: on }), await names({ [filter]: off })]).toEqual([["on"], ["off"]]);
    await change(false);
    expect([await names({ [filter]: on }), await names({ [filter]: off })]).toEqual([[], ["on", "off"]]);
  });

  it.each([
    ["a build machine that does not exist", { buildMachineTypes: "turbo,abacus" }],
    ["a limit that is no number", { limit: "many" }], // PR-31
    ["a limit of nothing", { limit: "0" }], // PR-31
    ["deprecated", { deprecated: "maybe" }], // PR-25
    ["gitForkProtection", { gitForkProtection: "2" }], // PR-30
    ["from", { from: "yesterday" }], // PR-37
    ["until", { until: "-1" }], // PR-37
  ])("refuses an invalid value of %s with 400", async (_, query) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
  });
});
