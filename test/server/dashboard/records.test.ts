import { type DashboardSession, signIn } from "../../support/dashboard-session";
import { useReceivers } from "../../support/receiver";
import { beginning, useTestServer } from "../../support/world";
import { populate, team } from "./account";

const world = useTestServer();
const openReceiver = useReceivers();
let account: string;
let session: DashboardSession;

beforeEach(async () => {
  account = (await world.call("GET", "/v2/teams")).body.teams[0].id;
  session = await signIn(world);
});

const shown = (name: string, query: Record<string, string> = {}): Promise<unknown> =>
  session.shown(name, { account, ...query });

describe("the state of the server", () => {
  it("shows accounts and time", async () => {
    await populate(world);
    await world.advance(5);
    expect(await shown("state")).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      now: beginning + 5,
      offsetMs: 5,
      engine: world.services.store.engine,
      profile: "specification",
      isControlled: true,
      accounts: [
        { id: account, kind: "team", slug: "acme", name: "Acme", plan: "enterprise", projects: 2 },
        { id: expect.any(String), kind: "team", slug: "other", name: null, plan: "pro", projects: 1 },
        { id: expect.any(String), kind: "user", slug: "dev", name: null, plan: "hobby", projects: 0 },
      ],
    });
  });

  it("shows TXT records and faults", async () => {
    await populate(world);
    await world.control.addFaults(
      { path: "/v9/projects", kind: "status", status: 429, times: 2, method: "get" },
      { path: "/v9/projects/web", kind: "drop-after" },
    );
    await world.call("GET", "/v9/projects");
    expect(await shown("simulation")).toEqual({
      now: beginning,
      offsetMs: 0,
      dns: [
        { name: "_vercel.example.net", type: "TXT", values: ["third"] },
        {
          name: "_vercel.example.org",
          type: "TXT",
          values: ["another", `vc-domain-verify=a.example.org,${"0".repeat(20)}`],
        },
      ],
      builds: { buildMs: 1000, error: null, isBlocked: false },
      faults: [
        { id: 1, requests: "GET /v9/projects", kind: "status", status: 429, times: 2, met: 1 },
        { id: 2, requests: "any /v9/projects/web", kind: "drop-after", status: 503, times: 1, met: 0 },
      ],
    });
  });
});

describe("the list of installations", () => {
  it("shows scopes, projects and pending scopes", async () => {
    await populate(world);
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

describe("the lists of events and mail", () => {
  it("show events with their deliveries, the newest first", async () => {
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
        subject: name,
        // The name that the project has now.
        project: { id: expect.any(String), name: name === "web" ? "web-2" : name },
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

  it("show mail, the newest first, and what is older than a page", async () => {
    for (const email of ["ada@example.net", "bob@example.net"])
      await world.call("POST", "/v2/teams/acme/members", { body: { email } });
    const mail = (to: string) => ({
      id: expect.any(String),
      to,
      subject: expect.stringContaining("Join the team"),
      body: expect.stringContaining("dev has invited you"),
      createdAt: beginning,
      sentAt: null,
    });
    const [newer, older] = [mail("bob@example.net"), mail("ada@example.net")];
    expect(await shown("mail")).toEqual({ items: [newer, older], total: 2, next: null });
    expect(await shown("mail", { until: "2" })).toEqual({ items: [older], total: 2, next: null });
  });

  it("name the subject of each event", async () => {
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    await world.call("POST", "/v10/projects/web/domains", { body: { name: "example.com" } });
    for (const key of ["KEPT", "REMOVED"]) {
      await world.call("POST", "/v10/projects/web/env", {
        body: { key, value: "v", type: "plain", target: ["preview"] },
      });
    }
    const { body } = await world.call("GET", "/v9/projects/web/env");
    const removed = body.envs.find((one: { key: string }) => one.key === "REMOVED").id;
    await world.call("DELETE", `/v9/projects/web/env/${removed}`);
    await world.control.deploy({ team, project: "web", id: "dpl_1", target: "production" });
    const { items } = (await shown("events")) as { items: { type: string; subject: string }[] };
    expect(items.map(({ type, subject }) => `${type} ${subject}`)).toEqual(
      expect.arrayContaining([
        "project.created web",
        "project.domain.created example.com",
        "project.env-variable.created KEPT",
        // Its key is not in the event, and no longer in the store.
        `project.env-variable.deleted ${removed}`,
        "deployment.succeeded dpl_1",
      ]),
    );
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

describe("the list of requests", () => {
  it("shows all requests, or the refused ones", async () => {
    await world.call("GET", "/v9/projects", { headers: { "x-slipway-resource": "Project web" } });
    await world.call("GET", "/v9/projects/none");
    const read = {
      sequence: expect.any(Number),
      at: beginning,
      method: "GET",
      path: "/v9/projects",
      status: 200,
      outcome: "answered",
      ms: expect.any(Number),
      code: null,
      message: null,
      resource: "Project web",
      project: null,
      dashboard: false,
    };
    const refused = {
      ...read,
      path: "/v9/projects/none",
      status: 404,
      outcome: "refused",
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

  it.each([
    ["GET", "Project web", 404, "absent"],
    // A program that reads an object without declaring it, and a write to a deleted object, are told so.
    ["GET", undefined, 404, "refused"],
    ["DELETE", "Project web", 404, "refused"],
    ["GET", "Project web", 401, "refused"],
    ["GET", "Project web", 503, "failed"],
  ])("shows %s by %s, answered %i, as %s", async (method, resource, status, outcome) => {
    if (status === 503) await world.control.addFaults({ path: "/v9/projects/none", kind: "status", status });
    const headers: Record<string, string> = resource === undefined ? {} : { "x-slipway-resource": resource };
    await world.call(method, "/v9/projects/none", {
      headers,
      ...(status === 401 ? { token: "unknown" } : {}),
    });
    expect(await shown("requests")).toMatchObject({ items: [{ status, outcome }, {}] });
    expect(await shown("requests", { refused: "1" })).toMatchObject({ total: outcome === "absent" ? 0 : 1 });
  });

  it("names the project in the path, by its id or its name", async () => {
    await populate(world);
    const project = { id: "prj_web", name: "web", account };
    for (const key of ["prj_web", "web", "prj_gone"]) await world.call("GET", `/v9/projects/${key}/env`);
    expect(await shown("requests")).toMatchObject({
      items: [{ project: null }, { project }, { project }, {}],
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

describe("a request", () => {
  interface Detail {
    body: string | null;
    answer: string | null;
  }
  /** The last request as the dashboard shows it. */
  async function latest(): Promise<Detail> {
    const { items } = (await shown("requests")) as { items: { sequence: number }[] };
    return (await shown("request", { sequence: String(items[0]?.sequence) })) as Detail;
  }

  it("shows what was sent and answered", async () => {
    const { headers } = await world.call("POST", "/v10/projects", {
      body: { name: "web", framework: "nextjs" },
      query: { teamId: account },
    });
    const detail = await latest();
    expect(detail).toMatchObject({
      method: "POST",
      status: 200,
      requestId: headers["x-request-id"],
      query: `teamId=${account}`,
      caller: "dev",
      account: "acme",
    });
    expect(JSON.parse(detail.body ?? "")).toEqual({ name: "web", framework: "nextjs" });
    expect(JSON.parse(detail.answer ?? "")).toMatchObject({ name: "web", framework: "nextjs" });
  });

  it("shows a refusal, and an unknown caller as none", async () => {
    await world.call("GET", "/v9/projects/web", { token: "unknown" });
    const detail = await latest();
    expect(detail).toMatchObject({ status: 401, caller: null, account: null, body: null });
    expect(JSON.parse(detail.answer ?? "")).toMatchObject({ error: { code: "forbidden" } });
  });

  it.each([
    ["POST", "/v10/projects/web/env", { key: "K", value: "hidden", type: "encrypted", target: ["preview"] }],
    ["GET", "/v9/projects/web/env?decrypt=true", undefined],
    ["GET", "/v3/env/pull/web/production", undefined],
    ["PATCH", "/v9/projects/web", { passwordProtection: { deploymentType: "all", password: "hidden" } }],
    ["PATCH", "/v1/projects/web/protection-bypass", { generate: { secret: "hidden".padEnd(32, "x") } }],
    ["GET", "/v9/projects/web", undefined],
    [
      "POST",
      "/v1/log-drains",
      {
        url: "https://logs.example.com",
        deliveryFormat: "json",
        sources: ["build"],
        secret: "hidden",
        headers: { authorization: "hidden" },
      },
    ],
    ["POST", "/v1/env", { evs: [{ key: "SHARED", value: "hidden" }], target: ["preview"] }],
    [
      "POST",
      "/v13/deployments",
      { name: "web", env: { RUN: "hidden" }, build: { env: { BUILD: "hidden" } } },
    ],
    ["POST", "/v2/oauth/access_token", "client_id=oac_1&client_secret=hidden&code=hidden&redirect_uri=x"],
    ["POST", "/v1/edge-config", { slug: "more", items: { text: "hidden", deep: { list: ["hidden"] } } }],
    [
      "PATCH",
      "/v1/edge-config/ecfg_1/items",
      { items: [{ operation: "create", key: "k", value: { deep: ["hidden"] } }] },
    ],
    ["GET", "/v1/edge-config/ecfg_1/items", undefined],
    ["DELETE", "/v1/edge-config/ecfg_1/tokens", { tokens: ["hidden"] }],
  ])("masks the secrets of %s %s", async (method, path, body) => {
    await world.seed({
      projects: [{ team, name: "web" }],
      edgeConfigs: [
        { id: "ecfg_1", team, slug: "flags", items: [{ key: "seen", value: { deep: ["hidden"] } }] },
      ],
    });
    await world.call("POST", "/v10/projects/web/env", {
      body: { key: "SEEN", value: "hidden", type: "encrypted", target: ["production"] },
    });
    await world.call("PATCH", "/v1/projects/web/protection-bypass", {
      body: { generate: { secret: "hidden".padEnd(32, "y") } },
    });
    await world.call(method, path, { body });
    const detail = await latest();
    expect(`${detail.body}${detail.answer}`).not.toContain("hidden");
    expect(`${detail.body}${detail.answer}`).toContain("•••");
  });

  it.each(["/ecfg_1/items", "/ecfg_1/item/seen"])(
    "shows no values of the Edge Config in %s",
    async (path) => {
      const tokens = [{ label: "web", token: "hidden" }];
      const items = [{ key: "seen", value: "hidden" }];
      await world.seed({ edgeConfigs: [{ id: "ecfg_1", team, slug: "flags", items, tokens }] });
      const { status } = await world.call("GET", path, { token: null, query: { token: "hidden" } });
      expect([status, JSON.stringify(await latest())]).toEqual([200, expect.not.stringContaining("hidden")]);
    },
  );

  // biome-ignore lint/suspicious/noExplicitAny: the shape of an answer, which the server has checked
  it.each<[string, string, object, (answer: any) => string]>([
    [
      "a deploy hook",
      "/v2/projects/web/deploy-hooks",
      { name: "cms", ref: "main" },
      ({ link }) => link.deployHooks[0].url,
    ],
    [
      "a webhook",
      "/v1/webhooks",
      { url: "https://example.org", events: ["project.created"] },
      ({ secret }) => secret,
    ],
    ["an Edge Config", "/v1/edge-config/ecfg_1/token", { label: "production" }, ({ token }) => token],
  ])("masks the secret that an answer shows of %s", async (_what, path, body, secretIn) => {
    await world.seed({
      projects: [{ team, name: "web", gitRepository: { type: "github", repo: "acme/web" } }],
      edgeConfigs: [{ id: "ecfg_1", team, slug: "flags" }],
    });
    const secret = secretIn((await world.call("POST", path, { body })).body);
    expect(secret).toMatch(/\S{20}/);
    const { answer } = await latest();
    expect(answer).not.toContain(secret);
    expect(answer).toContain("•••");
  });

  it.each([
    ["broken JSON", '{"key":"K","value":"hidden"'],
    ["text", "the value is hidden"],
    ["a form with JSON in it", 'key={"value":"hidden"}'],
  ])("shows no body that is %s, since it cannot find the secrets there", async (_what, body) => {
    await world.call("POST", "/v10/projects/web/env", { body });
    const detail = await latest();
    expect(detail).toMatchObject({ status: 400, body: null });
    expect(detail.answer).not.toContain("hidden");
  });

  it("keeps no body that is larger than 32 KB", async () => {
    const description = (length: number) => ({
      key: "K",
      value: "v",
      type: "plain",
      target: ["preview"],
      comment: "x".repeat(length),
    });
    await world.call("POST", "/v10/projects/none/env", { body: description(32 * 1024) });
    expect(await latest()).toMatchObject({ status: 404, body: null });
  });

  it("is 404 for a request that is not in the log", async () => {
    for (const sequence of ["0", "999999", "none"])
      expect(await session.view("request", { sequence })).toMatchObject({ status: 404 });
  });
});
