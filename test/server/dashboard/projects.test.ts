import { type DashboardSession, signIn } from "../../support/dashboard-session";
import { beginning, useTestServer } from "../../support/world";
import {
  apex,
  api,
  apiToken,
  greeting,
  live,
  minute,
  populate,
  team,
  token,
  unverified,
  web,
  www,
} from "./account";

const world = useTestServer();
let account: string;
let session: DashboardSession;

beforeEach(async () => {
  account = (await world.call("GET", "/v2/teams")).body.teams[0].id;
  session = await signIn(world);
});

const shown = (name: string, query: Record<string, string> = {}): Promise<unknown> =>
  session.shown(name, { account, ...query });

describe("the list of projects", () => {
  it("has each project with its production deployment and its counts, the last active first", async () => {
    expect(await shown("projects")).toEqual({ items: [], total: 0, next: null });
    await populate(world);
    expect(await shown("projects")).toEqual({ items: [web, api], total: 2, next: null });
    expect(await shown("projects", { search: "WE" })).toEqual({ items: [web], total: 1, next: null });
    for (const search of ["%", "_", "\\"])
      expect(await shown("projects", { search })).toMatchObject({ total: 0 });
  });

  it("shows projects without a deployment, with a repository, and in a transfer", async () => {
    await world.seed({
      teams: [{ slug: "other", members: [{ user: "dev", role: "OWNER" }] }],
      gitProviders: [{ team, type: "github" }],
      projects: [{ team, name: "web", id: "prj_web", gitRepository: { type: "github", repo: "acme/web" } }],
    });
    await world.control.startTransfer("prj_web", { toTeam: "other" });
    expect(await shown("projects")).toMatchObject({
      items: [
        {
          production: null,
          repository: "acme/web",
          transferring: true,
          domains: 0,
          unverified: 0,
          variables: 0,
        },
      ],
    });
  });

  it("comes in pages of fifty", async () => {
    const names = Array.from({ length: 51 }, (_, at) => `p-${at}`);
    await world.seed({ projects: names.slice(0, 50).map((name) => ({ team, name })) });
    expect(await shown("projects")).toMatchObject({ total: 50, next: null });
    await world.seed({ projects: [{ team, name: "p-50" }] });
    const first = (await shown("projects")) as { items: { name: string }[] };
    expect(first.items.map(({ name }) => name)).toHaveLength(50);
    expect(first).toMatchObject({ total: 51, next: "50" });
    const second = (await shown("projects", { until: "50" })) as typeof first;
    expect(second).toMatchObject({ total: 51, next: null });
    expect(second.items).toHaveLength(1);
    const all = [...first.items, ...second.items].map(({ name }) => name);
    expect(all.toSorted()).toEqual(names.toSorted());
    // Other texts are ignored.
    for (const until of ["-1", "soon", "1.5"]) expect(await shown("projects", { until })).toEqual(first);
  });

  it("begins with the last active project, by its newest deployment too, or is sorted by name", async () => {
    await world.seed({ projects: ["b", "a", "c"].map((name) => ({ team, name })) });
    await world.advance(1000);
    await world.call("PATCH", "/v9/projects/c", { body: { framework: "vite" } });
    await world.advance(1000);
    await world.control.deploy({ team, project: "b", target: "preview" });
    const names = async (query = {}) =>
      ((await shown("projects", query)) as { items: { name: string }[] }).items.map(({ name }) => name);
    expect(await names()).toEqual(["b", "c", "a"]);
    expect(await names({ sort: "name" })).toEqual(["a", "b", "c"]);
  });
});

describe("a project", () => {
  it("shows its deployments, domains, variables and promotions", async () => {
    await populate(world);
    await world.call("POST", "/v10/projects/prj_web/promote/dpl_old");
    await world.advance(1);
    await world.control.planPromotions({ failAliases: ["example.com"] });
    await world.call("POST", "/v9/projects/prj_web/rollback/dpl_live");
    const old = {
      ...live,
      id: "dpl_old",
      url: "old.example.app",
      branch: null,
      sha: null,
      createdAt: beginning - 3 * minute,
    };
    const step = { id: expect.any(String), status: "succeeded", failedAliases: [], requestedAt: beginning };
    expect(await shown("project", { project: "web" })).toEqual({
      project: web,
      settings: expect.any(Array),
      domains: [apex, unverified("a", "0", true), unverified("b", "1", false)],
      variables: [greeting, token],
      deployments: [
        {
          ...old,
          id: "dpl_broken",
          url: "broken.example.app",
          readyState: "ERROR",
          target: "preview",
          createdAt: beginning - minute,
        },
        live,
        old,
      ],
      outdated: [],
      timeline: [
        {
          ...step,
          kind: "rollback",
          status: "failed",
          from: "dpl_old",
          to: "dpl_live",
          requestedAt: beginning + 1,
          failedAliases: ["example.com"],
        },
        { ...step, kind: "promote", from: "dpl_live", to: "dpl_old" },
      ],
    });
  });

  it("shows failed aliases once the promotion is complete", async () => {
    await populate(world);
    await world.control.planPromotions({ delayMs: 60_000, failAliases: ["example.com"] });
    await world.call("POST", "/v10/projects/prj_web/promote/dpl_old");
    const timeline = async () =>
      ((await shown("project", { project: "prj_web" })) as { timeline: unknown }).timeline;
    expect(await timeline()).toMatchObject([{ failedAliases: [] }]);
    await world.advance(60_000);
    expect(await timeline()).toMatchObject([{ status: "failed", failedAliases: ["example.com"] }]);
  });

  it("is 404 for another account", async () => {
    await populate(world);
    for (const project of ["prj_other", "", "none"]) {
      expect(await session.view("project", { account, project })).toMatchObject({ status: 404 });
    }
  });

  it("names the custom environments of domains and variables", async () => {
    await world.seed({ projects: [{ team, name: "web", id: "prj_web" }] });
    const made = await world.call("POST", "/v1/projects/web/custom-environments", {
      body: { slug: "staging" },
    });
    await world.call("POST", "/v10/projects/web/domains", {
      body: { name: "s.example.com", customEnvironmentId: made.body.id },
    });
    await world.call("POST", "/v10/projects/web/env", {
      body: { key: "K", value: "v", type: "plain", customEnvironmentIds: [made.body.id] },
    });
    expect(await shown("project", { project: "web" })).toMatchObject({
      domains: [{ name: "s.example.com", environment: "staging" }],
      variables: [{ key: "K", target: [], environments: ["staging"] }],
    });
  });
});

describe("the list of domains", () => {
  it("has unverified domains first", async () => {
    await populate(world);
    const items = [unverified("a", "0", true), unverified("b", "1", false), apex, www];
    expect(await shown("domains")).toEqual({ items, total: 4, next: null });
    expect(await shown("domains", { search: "www" })).toEqual({ items: [www], total: 1, next: null });
    expect(await shown("domains", { search: "a%com" })).toEqual({ items: [], total: 0, next: null });
  });

  it("comes in pages of fifty", async () => {
    await world.seed({
      projects: [{ team, name: "web" }],
      domains: Array.from({ length: 51 }, (_, at) => ({
        team,
        project: "web",
        name: `d${String(at).padStart(2, "0")}.example.com`,
        verified: true,
      })),
    });
    const first = (await shown("domains")) as { items: { name: string }[] };
    expect(first.items).toHaveLength(50);
    expect(first).toMatchObject({ total: 51, next: "50" });
    expect(first.items[0]?.name).toBe("d00.example.com");
    expect(await shown("domains", { until: "50" })).toMatchObject({
      items: [{ name: "d50.example.com" }],
      total: 51,
      next: null,
    });
  });
});

describe("the list of variables", () => {
  it("has no values", async () => {
    await populate(world);
    expect(await shown("variables")).toEqual({ items: [greeting, apiToken, token], total: 3, next: null });
    expect(await shown("variables", { search: "GREET" })).toEqual({
      items: [greeting],
      total: 1,
      next: null,
    });
    expect(await shown("variables", { until: "2" })).toEqual({ items: [token], total: 3, next: null });
  });
});

describe("the map", () => {
  it("shows projects and their domains", async () => {
    expect(await shown("map")).toEqual({ projects: [], domains: [], more: 0, bare: 0 });
    await populate(world);
    const line = { projectId: "prj_web", verified: false, redirect: null };
    expect(await shown("map")).toEqual({
      projects: [
        { id: "prj_web", name: "web", paused: false, live: true },
        { id: "prj_api", name: "api", paused: true, live: false },
      ],
      domains: [
        { ...line, name: "a.example.org" },
        { ...line, name: "b.example.org" },
        { ...line, name: "example.com", verified: true },
        { name: "www.example.com", projectId: "prj_api", verified: true, redirect: "example.com" },
      ],
      more: 0,
      bare: 0,
    });
    expect(await shown("map", { search: "AP" })).toMatchObject({ projects: [{ name: "api" }], more: 0 });
  });

  it("has at most two hundred projects with domains, and the numbers of the others", async () => {
    const names = Array.from({ length: 203 }, (_, at) => `p-${at}`);
    await world.seed({
      projects: names.map((name) => ({ team, name })),
      domains: names.slice(1).map((project) => ({ team, project, name: `${project}.example.com` })),
    });
    const map = (await shown("map")) as { projects: { live: boolean }[]; more: number; bare: number };
    expect(map.projects).toHaveLength(200);
    expect([map.more, map.bare]).toEqual([2, 1]);
    expect(map.projects.some(({ live }) => live)).toBe(false);
  });
});

describe("a deployment", () => {
  it("shows its commit, its creator, its domains and its promotions", async () => {
    await populate(world);
    await world.call("POST", "/v10/projects/prj_web/promote/dpl_old");
    await world.call("POST", "/v9/projects/prj_web/rollback/dpl_live");
    expect(await shown("deployment", { deployment: "dpl_live" })).toEqual({
      deployment: live,
      projectName: "web",
      project: { ...web, production: live },
      creator: "dev",
      meta: {},
      aliases: expect.arrayContaining(["example.com"]),
      log: expect.arrayContaining([{ createdAt: expect.any(Number), text: "Deployment completed" }]),
      timeline: [
        expect.objectContaining({ kind: "rollback", from: "dpl_old", to: "dpl_live" }),
        expect.objectContaining({ kind: "promote", from: "dpl_live", to: "dpl_old" }),
      ],
    });
    expect(await shown("deployment", { deployment: "dpl_old" })).toMatchObject({ aliases: [] });
  });

  it("shows no domain while its project is paused", async () => {
    await populate(world);
    expect(await shown("deployment", { deployment: "dpl_apis" })).toMatchObject({
      project: { name: "api", paused: true, production: { id: "dpl_apis" } },
      aliases: [],
    });
  });

  it("shows one whose project does not exist yet", async () => {
    await world.seed({ deployments: [{ team, id: "dpl_early", project: "later" }] });
    expect(await shown("deployment", { deployment: "dpl_early" })).toMatchObject({
      projectName: "later",
      project: null,
      aliases: [],
      timeline: [],
    });
  });

  it("is 404 for another account", async () => {
    await populate(world);
    for (const deployment of ["dpl_foreign", "none"])
      expect(await session.view("deployment", { account, deployment })).toMatchObject({ status: 404 });
  });
});

describe("the settings of a project", () => {
  type Groups = { title: string; settings: { name: string; value: string | null }[] }[];
  async function settings(): Promise<Record<string, string | null>> {
    const { settings } = (await shown("project", { project: "web" })) as { settings: Groups };
    return Object.fromEntries(
      settings.flatMap(({ settings }) => settings.map(({ name, value }) => [name, value])),
    );
  }

  it("are the defaults of a project that sets none", async () => {
    await world.seed({ projects: [{ team, name: "web" }] });
    expect(await settings()).toMatchObject({
      Framework: null,
      "Build command": null,
      Repository: "none",
      "Vercel Authentication": "off",
      Password: "off",
      "Trusted IPs": "off",
      "Assign domains to production builds": "on",
      "Data cache": "on",
    });
  });

  it("are what a program has set", async () => {
    await world.seed({
      gitProviders: [{ team, type: "github" }],
      projects: [
        {
          team,
          name: "web",
          framework: "nextjs",
          buildCommand: "npm run build",
          rootDirectory: "apps/web",
          nodeVersion: "22.x",
          gitForkProtection: false,
          autoAssignCustomDomains: false,
          gitRepository: { type: "github", repo: "acme/web" },
          passwordProtection: { deploymentType: "preview", password: "hidden" },
          ssoProtection: { deploymentType: "all" },
          trustedIps: {
            deploymentType: "production",
            protectionMode: "additional",
            addresses: [{ value: "192.0.2.1" }],
          },
          optionsAllowlist: { paths: [{ value: "/api" }] },
        },
      ],
    });
    expect(await settings()).toMatchObject({
      Framework: "nextjs",
      "Build command": "npm run build",
      "Root directory": "apps/web",
      "Node.js version": "22.x",
      Repository: "github: acme/web",
      "Fork protection": "off",
      "Assign domains to production builds": "off",
      Password: "preview",
      "Vercel Authentication": "all",
      "Trusted IPs": "production, 1 address",
      "Unprotected OPTIONS requests": "/api",
    });
    expect(JSON.stringify(await shown("project", { project: "web" }))).not.toContain("hidden");
  });

  it("are shown each under its own name", async () => {
    await world.seed({
      projects: [
        {
          team,
          name: "web",
          id: "prj_settings",
          installCommand: "install",
          buildCommand: "build",
          outputDirectory: "output",
          devCommand: "develop",
          commandForIgnoringBuildStep: "ignore",
          rootDirectory: "root",
          gitLFS: true,
          resourceConfig: { functionDefaultRegions: ["fra1", "iad1"] },
          gitRepository: { type: "github", repo: "acme/web" },
        },
      ],
    });
    await world.call("PATCH", "/v1/data-cache/projects/prj_settings", { body: { disabled: true } });
    expect(await settings()).toMatchObject({
      "Root directory": "root",
      "Install command": "install",
      "Build command": "build",
      "Output directory": "output",
      "Development command": "develop",
      "Ignore command": "ignore",
      "Production branch": "main",
      "Fork protection": "on",
      "Large file storage": "on",
      "Function regions": "fra1, iad1",
      "Directory listing": "off",
      "System variables": "on",
      "Data cache": "off",
    });
  });
});

describe("the variables that production was built with", () => {
  const outdated = async () =>
    ((await shown("project", { project: "web" })) as { outdated: object[] }).outdated;
  const set = (body: object) =>
    world.call("POST", "/v10/projects/web/env", {
      query: { upsert: "true" },
      body: { target: ["production"], ...body },
    });
  const deploy = async (body: object = {}) => {
    await world.call("POST", "/v13/deployments", { body: { project: "web", target: "production", ...body } });
    await world.advance(1000);
  };

  it("include the shared ones, unless the project has its own", async () => {
    await world.seed({ projects: [{ team, name: "web", id: "prj_web" }] });
    const change = async (update: object) => {
      const [{ id }] = (await world.call("GET", "/v1/env")).body.data;
      await world.call("PATCH", "/v1/env", { body: { updates: { [id]: update } } });
    };
    const evs = [{ key: "SHARED", value: "1" }];
    await world.call("POST", "/v1/env", { body: { evs, target: ["production"], projectId: ["prj_web"] } });
    await deploy();
    expect(await outdated()).toEqual([]);
    await change({ value: "2" });
    expect(await outdated()).toEqual([{ key: "SHARED", change: "changed" }]);
    await change({ projectId: [] });
    expect(await outdated()).toEqual([{ key: "SHARED", change: "removed" }]);
    await set({ key: "SHARED", value: "own", type: "encrypted" });
    await deploy();
    await change({ projectId: ["prj_web"] });
    expect(await outdated()).toEqual([]);
  });

  it("are compared with the current ones, which a redeployment gets", async () => {
    await world.seed({ projects: [{ team, name: "web" }] });
    for (const key of ["KEPT", "CHANGED", "REMOVED"]) await set({ key, value: "1", type: "encrypted" });
    expect(await outdated()).toEqual([]);
    await deploy();
    expect(await outdated()).toEqual([]);
    await set({ key: "CHANGED", value: "2", type: "encrypted" });
    await set({ key: "KEPT", value: "1", type: "encrypted", comment: "the same value" });
    await set({ key: "ADDED", value: "1", type: "sensitive" });
    await set({ key: "PREVIEW", value: "1", type: "encrypted", target: ["preview"] });
    const { body } = await world.call("GET", "/v10/projects/web/env");
    const removed = body.envs.find(({ key }: { key: string }) => key === "REMOVED");
    await world.call("DELETE", `/v9/projects/web/env/${removed.id}`);
    expect(await outdated()).toEqual([
      { key: "ADDED", change: "added" },
      { key: "CHANGED", change: "changed" },
      { key: "REMOVED", change: "removed" },
    ]);
    const { deployments } = (await world.call("GET", "/v6/deployments")).body;
    await deploy({ project: undefined, name: "web", deploymentId: deployments[0].uid });
    expect(await outdated()).toEqual([]);
  });

  it("are those of the branch where a preview was promoted", async () => {
    await world.seed({ projects: [{ team, name: "web" }] });
    const preview = { key: "KEY", type: "encrypted", target: ["preview"] };
    const ofBranch = { ...preview, gitBranch: "next" };
    await set({ ...preview, value: "1" });
    await set({ ...ofBranch, value: "1 of next" });
    const { body } = await world.call("POST", "/v13/deployments", {
      body: { project: "web", gitSource: { type: "github", ref: "next" } },
    });
    await world.advance(1000);
    expect((await world.call("POST", `/v10/projects/web/promote/${body.id}`)).status).toBe(201);
    await set({ ...preview, value: "2" });
    expect(await outdated()).toEqual([]);
    await set({ ...ofBranch, value: "2 of next" });
    expect(await outdated()).toEqual([{ key: "KEY", change: "changed" }]);
  });

  it("are recorded without their values", async () => {
    await world.seed({ projects: [{ team, name: "web" }] });
    await set({ key: "KEY", value: "a-secret-value", type: "sensitive" });
    await deploy();
    const rows = await world.services.store.read((tx) =>
      tx.selectFrom("deployment_variables").selectAll().execute(),
    );
    expect(JSON.parse(rows[0]?.revisions ?? "")).toEqual({ KEY: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(JSON.stringify(rows)).not.toContain("a-secret-value");
    await world.call("DELETE", "/v9/projects/web");
    const left = await world.services.store.read((tx) =>
      tx.selectFrom("deployment_variables").selectAll().execute(),
    );
    expect(left).toEqual([]);
  });
});
