import { type DashboardSession, signIn } from "../../support/dashboard-session";
import { useReceivers } from "../../support/receiver";
import { beginning, useWorld } from "../../support/world";

const world = useWorld();
const openReceiver = useReceivers();
const team = "acme";
const minute = 60_000;
let account: string;
let session: DashboardSession;

beforeEach(async () => {
  account = (await world.call("GET", "/v2/teams")).body.teams[0].id;
  session = await signIn(world);
});

async function shown(name: string, query: Record<string, string> = {}): Promise<unknown> {
  const { status, body } = await session.view(name, { account, ...query });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

async function populate(): Promise<void> {
  const deployment = (id: string, minutes: number, more: object = {}) => ({
    id: `dpl_${id}`,
    team,
    project: "web",
    target: "production" as const,
    url: `${id}.example.app`,
    createdAt: beginning - minutes * minute,
    ...more,
  });
  await world.seed({
    teams: [{ slug: "other", members: [{ user: "dev", role: "OWNER" }] }],
    projects: [
      { team, name: "api", id: "prj_api", paused: true, createdAt: beginning - 3_000 },
      { team, name: "web", id: "prj_web", framework: "nextjs", createdAt: beginning - 2_000 },
      { team: "other", name: "web", id: "prj_other", createdAt: beginning - 1_000 },
    ],
    deployments: [
      deployment("old", 3),
      deployment("live", 2, { gitBranch: "main", gitSha: "a".repeat(40) }),
      deployment("broken", 1, { readyState: "ERROR", target: "preview" }),
      deployment("apis", 4, { project: "api" }),
      { ...deployment("foreign", 1), team: "other" },
    ],
    domains: [
      { team, project: "web", name: "example.com", verified: true },
      { team, project: "web", name: "a.example.org", verified: false, challenge: "0".repeat(20) },
      { team, project: "web", name: "b.example.org", verified: false, challenge: "1".repeat(20) },
      {
        team,
        project: "api",
        name: "www.example.com",
        redirect: "example.com",
        redirectStatusCode: 308,
        verified: true,
      },
      { team: "other", project: "web", name: "example.net", verified: true },
    ],
    dns: [
      {
        name: "_vercel.example.org",
        type: "TXT",
        value: `vc-domain-verify=a.example.org,${"0".repeat(20)}`,
      },
      { name: "_vercel.example.org", type: "TXT", value: "another" },
      { name: "_vercel.example.net", type: "TXT", value: "third" },
    ],
    env: [
      { team, project: "web", key: "Token", value: "secret", type: "sensitive", target: ["production"] },
      {
        team,
        project: "web",
        key: "Greeting",
        value: "hello",
        type: "plain",
        target: ["preview"],
        gitBranch: "next",
        comment: "for the next one",
      },
      { team, project: "api", key: "Token", value: "secret", type: "encrypted", target: ["preview"] },
      { team: "other", project: "web", key: "Token", value: "x", type: "plain", target: ["preview"] },
    ],
  });
}

const live = {
  id: "dpl_live",
  url: "live.example.app",
  readyState: "READY",
  target: "production",
  branch: "main",
  sha: "a".repeat(40),
  createdAt: beginning - 2 * minute,
};
const web = {
  id: "prj_web",
  name: "web",
  framework: "nextjs",
  paused: false,
  transferring: false,
  production: live,
  repository: null,
  domains: 3,
  unverified: 2,
  variables: 2,
  updatedAt: expect.any(Number),
};
const api = {
  ...web,
  id: "prj_api",
  name: "api",
  framework: null,
  paused: true,
  production: {
    ...live,
    id: "dpl_apis",
    url: "apis.example.app",
    branch: null,
    sha: null,
    createdAt: beginning - 4 * minute,
  },
  domains: 1,
  unverified: 0,
  variables: 1,
};
const domain = {
  apexName: "example.com",
  projectId: "prj_web",
  project: "web",
  verified: true,
  redirect: null,
  redirectStatusCode: null,
  gitBranch: null,
  environment: null,
  records: [],
};
const unproved = (letter: string, digit: string, published: boolean) => ({
  ...domain,
  name: `${letter}.example.org`,
  apexName: "example.org",
  verified: false,
  records: [
    {
      type: "TXT",
      name: "_vercel.example.org",
      value: `vc-domain-verify=${letter}.example.org,${digit.repeat(20)}`,
      published,
    },
  ],
});
const apex = { ...domain, name: "example.com" };
const www = {
  ...domain,
  name: "www.example.com",
  projectId: "prj_api",
  project: "api",
  redirect: "example.com",
  redirectStatusCode: 308,
};
const token = {
  id: expect.any(String),
  projectId: "prj_web",
  project: "web",
  key: "Token",
  type: "sensitive",
  target: ["production"],
  environments: [],
  gitBranch: null,
  comment: null,
  updatedAt: expect.any(Number),
};
const greeting = {
  ...token,
  key: "Greeting",
  type: "plain",
  target: ["preview"],
  gitBranch: "next",
  comment: "for the next one",
};
const apiToken = { ...token, projectId: "prj_api", project: "api", type: "encrypted", target: ["preview"] };

describe("of projects", () => {
  it("shows an account's, what serves them and how much hangs on them, the last changed first", async () => {
    expect(await shown("projects")).toEqual({ projects: [], total: 0, next: null });
    await populate();
    expect(await shown("projects")).toEqual({ projects: [web, api], total: 2, next: null });
    expect(await shown("projects", { search: "WE" })).toEqual({ projects: [web], total: 1, next: null });
    for (const search of ["%", "_", "\\"])
      expect(await shown("projects", { search })).toMatchObject({ total: 0 });
  });

  it("shows what is not deployed, is linked, and is on its way to another account", async () => {
    await world.seed({
      teams: [{ slug: "other", members: [{ user: "dev", role: "OWNER" }] }],
      gitProviders: [{ team, type: "github" }],
      projects: [{ team, name: "web", id: "prj_web", gitRepository: { type: "github", repo: "acme/web" } }],
    });
    await world.control.startTransfer("prj_web", { toTeam: "other" });
    expect(await shown("projects")).toMatchObject({
      projects: [
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
    const first = (await shown("projects")) as { projects: { name: string; updatedAt: number }[] };
    expect(first.projects.map(({ name }) => name)).toHaveLength(50);
    expect(first).toMatchObject({ total: 51, next: first.projects.at(-1)?.updatedAt });
    const until = String(first.projects.at(-1)?.updatedAt);
    const second = (await shown("projects", { until })) as typeof first;
    expect(second).toMatchObject({ total: 51, next: null });
    expect(second.projects).toHaveLength(1);
    const all = [...first.projects, ...second.projects].map(({ name }) => name);
    expect(all.toSorted()).toEqual(names.toSorted());
    // What is no time is none.
    for (const until of ["-1", "soon", "1.5"]) expect(await shown("projects", { until })).toEqual(first);
  });
});

describe("of one project", () => {
  it("shows its deployments, domains, variables and promotions", async () => {
    await populate();
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
      domains: [apex, unproved("a", "0", true), unproved("b", "1", false)],
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

  it("does not show a failure before the promotion is over", async () => {
    await populate();
    await world.control.planPromotions({ delayMs: 60_000, failAliases: ["example.com"] });
    await world.call("POST", "/v10/projects/prj_web/promote/dpl_old");
    const timeline = async () =>
      ((await shown("project", { project: "prj_web" })) as { timeline: unknown }).timeline;
    expect(await timeline()).toMatchObject([{ failedAliases: [] }]);
    await world.advance(60_000);
    expect(await timeline()).toMatchObject([{ status: "failed", failedAliases: ["example.com"] }]);
  });

  it("does not show another account's", async () => {
    await populate();
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

describe("of domains", () => {
  it("shows an account's, those that wait for their proof first", async () => {
    await populate();
    const items = [unproved("a", "0", true), unproved("b", "1", false), apex, www];
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

describe("of variables", () => {
  it("shows where an account's are set, without their values", async () => {
    await populate();
    expect(await shown("variables")).toEqual({ items: [greeting, apiToken, token], total: 3, next: null });
    expect(await shown("variables", { search: "GREET" })).toEqual({
      items: [greeting],
      total: 1,
      next: null,
    });
    expect(await shown("variables", { until: "2" })).toEqual({ items: [token], total: 3, next: null });
  });
});

describe("as a map", () => {
  it("shows projects and their domains", async () => {
    expect(await shown("map")).toEqual({ projects: [], domains: [], more: 0 });
    await populate();
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
    });
    expect(await shown("map", { search: "AP" })).toMatchObject({ projects: [{ name: "api" }], more: 0 });
  });

  it("draws sixty projects, and tells how many more there are", async () => {
    await world.seed({ projects: Array.from({ length: 62 }, (_, at) => ({ team, name: `p-${at}` })) });
    const map = (await shown("map")) as { projects: { live: boolean }[]; more: number };
    expect(map.projects).toHaveLength(60);
    expect(map.more).toBe(2);
    expect(map.projects.some(({ live }) => live)).toBe(false);
  });
});

describe("of the whole server", () => {
  it("shows accounts and time", async () => {
    await populate();
    await world.advance(5);
    expect(await shown("state")).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      now: beginning + 5,
      offsetMs: 5,
      engine: world.services.store.engine,
      accounts: [
        { id: account, kind: "team", slug: "acme", name: "Acme", plan: "enterprise", projects: 2 },
        { id: expect.any(String), kind: "team", slug: "other", name: null, plan: "pro", projects: 1 },
        { id: expect.any(String), kind: "user", slug: "dev", name: null, plan: "hobby", projects: 0 },
      ],
    });
  });

  it("shows the zone and the faults", async () => {
    await populate();
    await world.control.addFaults(
      { path: "/v9/projects", kind: "status", status: 429, times: 2, method: "get" },
      { path: "/v9/projects/web", kind: "drop-after" },
    );
    await world.call("GET", "/v9/projects");
    expect(await shown("surroundings")).toEqual({
      now: beginning,
      offsetMs: 0,
      dns: [
        { name: "_vercel.example.net", values: ["third"] },
        {
          name: "_vercel.example.org",
          values: ["another", `vc-domain-verify=a.example.org,${"0".repeat(20)}`],
        },
      ],
      faults: [
        { method: "GET", path: "/v9/projects", kind: "status", status: 429, times: 2, met: 1 },
        { method: null, path: "/v9/projects/web", kind: "drop-after", status: 503, times: 1, met: 0 },
      ],
    });
  });
});

describe("of installations", () => {
  it("shows what they may do, on which projects, and what waits to be confirmed", async () => {
    await populate();
    const installation = { integration: "cron", team, scopes: ["read-write:project" as const] };
    await world.seed({
      integrations: [
        {
          clientId: "oac_cron",
          clientSecret: "s",
          slug: "cron",
          name: "Nightly jobs",
          owner: "dev",
          redirectUrl: "https://cron.example.com/callback",
          scopes: ["read-write:project"],
        },
      ],
      installations: [
        { ...installation, id: "icfg_a", installedBy: "dev" },
        { ...installation, id: "icfg_b", installedBy: "dev", projects: ["web", "api"] },
        { ...installation, id: "icfg_foreign", team: "other" },
      ],
    });
    await world.control.requestScopes("cron", "read-write:project", "read:team");
    const item = {
      id: "icfg_a",
      integration: "cron",
      name: "Nightly jobs",
      user: "dev",
      scopes: ["read-write:project"],
      pending: ["read:team"],
      projects: null,
      disabledReason: null,
      deleteAt: null,
      createdAt: expect.any(Number),
    };
    expect(await shown("integrations")).toEqual(
      expect.arrayContaining([item, { ...item, id: "icfg_b", projects: ["api", "web"] }]),
    );
    expect(await shown("integrations")).toHaveLength(2);
  });
});

describe("of events and mail", () => {
  it("shows events with where they went, the newest first", async () => {
    const receiver = await openReceiver();
    await world.call("POST", "/v1/webhooks", { body: { url: receiver.url, events: ["project.created"] } });
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    await world.call("POST", "/v10/projects", { body: { name: "api" } });
    await world.call("POST", "/v10/projects", { body: { name: "mine" }, team: null });
    await world.call("PATCH", "/v9/projects/web", { body: { name: "web-2" } });
    const all = (await shown("events")) as { items: { sequence: number; type: string }[] };
    expect(all.items.map(({ type }) => type)).toEqual([
      "project.renamed",
      "project.created",
      "project.created",
    ]);
    const created = await shown("events", { search: "created" });
    expect(created).toMatchObject({ total: 2, next: null });
    expect(created).toEqual({
      total: 2,
      next: null,
      items: ["api", "web"].map((name) => ({
        id: expect.any(String),
        type: "project.created",
        sequence: expect.any(Number),
        createdAt: beginning,
        payload: expect.objectContaining({ project: expect.objectContaining({ name }) }),
        deliveries: [
          {
            receiver: expect.any(String),
            url: receiver.url,
            state: expect.any(String),
            attempts: expect.any(Number),
            lastError: null,
          },
        ],
      })),
    });
    const until = String(all.items[0]?.sequence);
    expect(await shown("events", { until })).toMatchObject({ items: [{}, {}], total: 3, next: null });
  });

  it("comes in pages of fifty", async () => {
    for (let at = 0; at < 26; at++) {
      await world.call("POST", "/v10/projects", { body: { name: "web" } });
      await world.call("DELETE", "/v9/projects/web");
    }
    const first = (await shown("events")) as { items: { sequence: number }[] };
    expect(first.items).toHaveLength(50);
    expect(first).toMatchObject({ total: 52, next: String(first.items.at(-1)?.sequence) });
    const until = String(first.items.at(-1)?.sequence);
    expect(await shown("events", { until })).toMatchObject({ items: [{}, {}], total: 52, next: null });
  });
});

describe("of requests", () => {
  it("shows those that came, and those that were refused", async () => {
    await world.call("GET", "/v9/projects", { headers: { "x-slipway-resource": "Project web" } });
    await world.call("GET", "/v9/projects/none");
    const read = {
      sequence: expect.any(Number),
      at: beginning,
      method: "GET",
      path: "/v9/projects",
      status: 200,
      ms: expect.any(Number),
      code: null,
      message: null,
      resource: "Project web",
      dashboard: false,
    };
    const refused = {
      ...read,
      path: "/v9/projects/none",
      status: 404,
      code: "not_found",
      message: expect.any(String),
      resource: null,
    };
    const { items } = (await shown("requests")) as { items: unknown[] };
    expect(items.slice(0, 2)).toEqual([refused, read]);
    expect(await shown("requests", { refused: "1" })).toEqual({ items: [refused], total: 1, next: null });
    for (const search of ["not_FOUND", "404", "get /v9/projects/n"]) {
      expect(await shown("requests", { search })).toEqual({ items: [refused], total: 1, next: null });
    }
    expect(await shown("requests", { search: "project WEB" })).toEqual({
      items: [read],
      total: 1,
      next: null,
    });
  });

  it("comes in pages of fifty", async () => {
    for (let at = 0; at < 51; at++) await world.call("GET", "/v9/projects/none");
    const query = { refused: "1" };
    const first = (await shown("requests", query)) as { items: { sequence: number }[] };
    expect(first.items).toHaveLength(50);
    const until = String(first.items.at(-1)?.sequence);
    expect(first).toMatchObject({ total: 51, next: until });
    expect(await shown("requests", { ...query, until })).toMatchObject({
      items: [{}],
      total: 51,
      next: null,
    });
  });
});
