import { once } from "node:events";
import { get } from "node:http";
import type { AddressInfo } from "node:net";
import type { Tx } from "../../../server/store/store";
import { type DashboardSession, pageHeaders, signIn } from "../../support/dashboard-session";
import { engine } from "../../support/engine";
import { useReceivers } from "../../support/receiver";
import { until } from "../../support/until";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const openReceiver = useReceivers();
const team = "acme";
const day = 86_400_000;
let account: string;
let session: DashboardSession;

beforeEach(async () => {
  account = (await world.call("GET", "/v2/teams")).body.teams[0].id;
  session = await signIn(world);
  await world.seed({
    projects: [{ team, name: "web", id: "prj_web" }],
    deployments: ["dpl_old", "dpl_new"].map((id, at) => ({
      id,
      team,
      project: "web",
      target: "production" as const,
      createdAt: beginning - day + at,
    })),
  });
});

const done = { status: 200, body: {} };
const act = (name: string, body: object = {}) => session.act(name, { account, project: "prj_web", ...body });
const web = async () => (await world.call("GET", "/v9/projects/web")).body;
const lastRequests = async () =>
  ((await session.view("requests")).body as { items: object[] }).items.slice(0, 2);

describe("actions on a project", () => {
  it("promote and roll back", async () => {
    expect(await act("promote", { deployment: "dpl_old" })).toEqual(done);
    expect((await web()).targets.production.id).toBe("dpl_old");
    expect(await act("roll-back", { deployment: "dpl_new" })).toEqual(done);
    expect((await web()).targets.production.id).toBe("dpl_new");
    expect((await web()).lastRollbackTarget).toMatchObject({ deploymentId: "dpl_new" });
  });

  it("pause and unpause", async () => {
    expect(await act("pause")).toEqual(done);
    expect((await web()).paused).toBe(true);
    expect(await act("unpause")).toEqual(done);
    expect((await web()).paused).toBe(false);
  });

  it("are logged among the requests, refused ones included", async () => {
    await act("promote", { deployment: "dpl_old" });
    await act("promote", { deployment: "dpl_gone/" });
    const noted = {
      sequence: expect.any(Number),
      at: beginning,
      method: "POST",
      path: "/v10/projects/prj_web/promote/dpl_old",
      status: 201,
      ms: expect.any(Number),
      code: null,
      message: null,
      resource: null,
      outcome: "answered",
      project: { id: "prj_web", name: "web", account: expect.any(String) },
      dashboard: true,
    };
    const path = "/v10/projects/prj_web/promote/dpl_gone%2F";
    expect(await lastRequests()).toEqual([
      {
        ...noted,
        path,
        status: 404,
        outcome: "refused",
        code: "not_found",
        message: expect.stringContaining("dpl_gone/"),
      },
      noted,
    ]);
  });

  it("run as an owner of the team, and are refused without one", async () => {
    await world.user("ada");
    await world.seed({
      teams: [
        {
          slug: "crew",
          members: [
            { user: "dev", role: "MEMBER" },
            { user: "ada", role: "OWNER" },
          ],
        },
        { slug: "orphans", members: [{ user: "dev", role: "MEMBER" }] },
      ],
      projects: ["crew", "orphans"].map((slug) => ({ team: slug, name: "web", id: `prj_${slug}` })),
    });
    const { body } = await session.view("state");
    const accounts = (body as { accounts: { id: string; slug: string }[] }).accounts;
    const idOf = (slug: string) => accounts.find((one) => one.slug === slug)?.id;
    expect(await act("pause", { account: idOf("crew"), project: "prj_crew" })).toEqual(done);
    expect(await act("pause", { account: idOf("orphans"), project: "prj_orphans" })).toMatchObject({
      status: 409,
      body: { error: { code: "conflict" } },
    });
    expect(await act("pause", { account: "team_none" })).toMatchObject({
      status: 404,
      body: { error: { code: "not_found" } },
    });
    await world.seed({ projects: [{ user: "dev", name: "mine", id: "prj_mine" }] });
    expect(await act("pause", { account: idOf("dev"), project: "prj_mine" })).toEqual(done);
  });

  it("run as the confirmed owner who joined the team first", async () => {
    const owner = { role: "OWNER" as const };
    await world.seed({
      users: ["ada", "bob", "guest"].map((username) => ({ username, id: `user_${username}` })),
      teams: [
        {
          slug: "crew",
          id: "team_crew",
          members: [
            { ...owner, user: "ada", createdAt: beginning - 1 },
            { ...owner, user: "bob", createdAt: beginning - 2 },
            { ...owner, user: "guest", createdAt: beginning - 3, confirmed: false },
          ],
        },
      ],
      projects: [{ team: "crew", name: "web", id: "prj_crew" }],
      deployments: [{ team: "crew", project: "web", id: "dpl_crew" }],
    });
    const given = { account: "team_crew", project: "prj_crew", deployment: "dpl_crew" };
    expect(await act("promote", given)).toEqual(done);
    const [event] = await world.control.events();
    expect(event).toMatchObject({ type: "deployment.promoted", payload: { user: { id: "user_bob" } } });
  });

  it("and views refuse the character U+0000, which PostgreSQL cannot store", async () => {
    const refused = { status: 400, body: { error: { message: expect.stringContaining("U+0000") } } };
    expect(await act("pause", { account: "\0", project: "prj_web" })).toMatchObject(refused);
    expect(await session.view("projects", { account: "team", search: "\0" })).toMatchObject(refused);
  });

  it("show the value of a variable", async () => {
    const made = await world.call("POST", "/v10/projects/web/env", {
      body: { key: "K", value: "the value", type: "encrypted", target: ["preview"] },
    });
    const variable = made.body.created.id;
    expect(await act("reveal", { variable })).toEqual({ status: 200, body: { value: "the value" } });
    expect(await lastRequests()).toMatchObject([
      { method: "GET", path: `/v1/projects/prj_web/env/${variable}` },
      {},
    ]);
  });

  it("publish a domain's record and verify it", async () => {
    await world.seed({
      domains: [{ team, project: "web", name: "example.com", verified: false, challenge: "0".repeat(20) }],
    });
    expect(await act("verify", { domain: "example.com" })).toMatchObject({ status: 400 });
    const record = { name: "_vercel.example.com", value: `vc-domain-verify=example.com,${"0".repeat(20)}` };
    expect(await session.act("publish-record", record)).toEqual(done);
    expect(await act("verify", { domain: "example.com" })).toEqual(done);
    expect((await world.call("GET", "/v9/projects/web/domains/example.com")).body.verified).toBe(true);
    expect(await session.act("publish-record", { ...record, value: "" })).toMatchObject({ status: 400 });
    expect(await session.act("publish-record", { ...record, name: "a..b" })).toMatchObject({ status: 400 });
  });
});

it("the log of actions names what they change, and not its values", async () => {
  const info = jest.spyOn(world.services.log, "info");
  await act("pause");
  const record = { name: "_vercel.example.com", value: "vc-domain-verify=example.com,0" };
  expect(await session.act("publish-record", record)).toEqual(done);
  const said = info.mock.calls.filter(([, text]) => text === "done on the dashboard");
  expect(said.map(([about]) => about)).toEqual([
    { action: "pause", account, project: "prj_web" },
    { action: "publish-record" },
  ]);
});

describe("actions of the simulation", () => {
  it("redeliver an event", async () => {
    const receiver = await openReceiver();
    receiver.react = () => 500;
    await world.call("POST", "/v1/webhooks", { body: { url: receiver.url, events: ["project.created"] } });
    await world.call("POST", "/v10/projects", { body: { name: "api" } });
    for (let hour = 0; hour < 60; hour++) await world.advance(3_600_000);
    const events = async () => (await session.view("events", { account, search: "project.created" })).body;
    const { items } = (await events()) as {
      items: { id: string; deliveries: { receiver: string; state: string }[] }[];
    };
    const [event] = items;
    expect(event?.deliveries).toMatchObject([{ state: "dead", lastError: expect.stringContaining("500") }]);
    const given = { event: event?.id, receiver: event?.deliveries[0]?.receiver };
    receiver.react = () => 200;
    expect(await session.act("redeliver", given)).toEqual(done);
    await world.advance(1);
    await receiver.waitForAccepted(1);
    expect(await session.act("redeliver", { ...given, event: "evt_none" })).toMatchObject({ status: 404 });
  });

  it("confirm scopes and enable an installation", async () => {
    await world.seed({
      integrations: [
        {
          clientId: "oac_cron",
          clientSecret: "s",
          slug: "cron",
          owner: "dev",
          redirectUrl: "https://cron.example.com/callback",
          scopes: ["read-write:project"],
        },
      ],
      installations: [{ id: "icfg_a", integration: "cron", team, installedBy: "dev" }],
    });
    await world.control.requestScopes("cron", "read-write:project", "read:team");
    const installed = async () => (await session.view("integrations", { account })).body;
    expect(await installed()).toMatchObject([{ pending: ["read:team"] }]);
    expect(await session.act("confirm-scopes", { installation: "icfg_a" })).toMatchObject({ status: 200 });
    expect(await installed()).toMatchObject([{ pending: [], scopes: ["read-write:project", "read:team"] }]);
    const disable = (tx: Tx) =>
      tx.updateTable("configurations").set({ disabled_at: beginning, disabled_reason: null }).execute();
    await world.services.store.write(disable);
    expect(await installed()).toMatchObject([{ disabledReason: "disabled" }]);
    expect(await session.act("enable", { installation: "icfg_none" })).toMatchObject({ status: 404 });
    expect(await session.act("enable", { installation: "icfg_a" })).toMatchObject({ status: 200 });
    expect(await installed()).toMatchObject([{ disabledReason: null }]);
  });

  it("send a request again, with its secrets, as the owner of the account", async () => {
    const newest = async (): Promise<Record<string, unknown>> =>
      ((await world.control.requests())[0] ?? {}) as Record<string, unknown>;
    await world.control.addFaults({ operation: "createProjectEnv", kind: "status" });
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    const variable = { key: "TOKEN", value: "canary", type: "encrypted", target: ["production"] };
    await world.call("POST", "/v10/projects/web/env?upsert=true", { body: variable });
    const { sequence } = await newest();
    expect(await session.act("send-again", { sequence })).toEqual({ status: 200, body: {} });
    expect(await newest()).toMatchObject({
      method: "POST",
      path: "/v10/projects/web/env",
      query: "upsert=true",
      operation: "createProjectEnv",
      status: 201,
      dashboard: true,
    });
    const { body } = await world.call("GET", "/v9/projects/web/env?decrypt=true");
    expect(body.envs).toMatchObject([{ key: "TOKEN", value: "canary" }]);
    // With its query, so that it is no conflict.
    expect(await session.act("send-again", { sequence })).toMatchObject({ status: 200 });
    await world.call("DELETE", "/v9/projects/web");
    expect(await session.act("send-again", { sequence })).toMatchObject({ status: 404 });
  });

  it("send a request again to the account that it was about, whichever account the page shows", async () => {
    await world.seed({
      teams: [{ slug: "another", plan: "pro", members: [{ user: "dev", role: "OWNER" }] }],
    });
    await world.control.addFaults({ operation: "createProject", kind: "status" });
    await world.call("POST", "/v10/projects", { team: "another", body: { name: "elsewhere" } });
    const [{ sequence } = {}] = await world.control.requests();
    expect(await session.act("send-again", { sequence })).toMatchObject({ status: 200 });
    expect((await world.call("GET", "/v9/projects/elsewhere", { team: "another" })).status).toBe(200);
    expect((await world.call("GET", "/v9/projects/elsewhere")).status).toBe(404);
  });

  it("refuse to send again what is unknown, or is not kept as it was", async () => {
    const again = async () => {
      const [{ sequence } = {}] = await world.control.requests();
      return session.act("send-again", { sequence });
    };
    expect(await session.act("send-again", { sequence: 4711 })).toMatchObject({ status: 404 });
    const search = "a".repeat(1000);
    for (const path of ["/v9/projects?token=secret", `/v9/projects?search=${search}`, "/none"]) {
      await world.call("GET", path);
      expect([path, await again()]).toMatchObject([path, { status: 409 }]);
    }
    await world.call("POST", "/v10/projects", { token: "unknown", body: { name: "web" } });
    expect(await again()).toMatchObject({ status: 409 });
    const body = { name: "web", buildCommand: "x".repeat(40_000) };
    await world.call("POST", "/v10/projects", { body });
    expect(await again()).toMatchObject({ status: 409 });
    // An action on the dashboard, whose body is not kept.
    await session.act("pause", { account, project: "none" });
    expect(await again()).toMatchObject({ status: 409 });
  });

  it("set and remove records, and advance the clock", async () => {
    const zone = async () => ((await session.view("simulation")).body as { dns: unknown }).dns;
    const name = "a.example.com";
    expect(await session.act("set-records", { name, values: ["x", "y"] })).toMatchObject({ status: 200 });
    expect(await zone()).toEqual([{ name, type: "TXT", values: ["x", "y"] }]);
    expect(await session.act("set-records", { name, values: [] })).toMatchObject({ status: 200 });
    expect(await zone()).toEqual([]);
    expect(await session.act("advance-clock", { advanceMs: 5 })).toMatchObject({ status: 200 });
    expect(world.clock.now()).toBe(beginning + 5);
    expect(await session.act("advance-clock", { advanceMs: 0.5 })).toMatchObject({ status: 400 });
  });

  it("show and set the records of one type, and keep the others of a name", async () => {
    const name = "a.example.com";
    const zone = async () => ((await session.view("simulation")).body as { dns: unknown }).dns;
    await world.control.setRecords(name, "A", ["192.0.2.1"]);
    await session.act("set-records", { name, values: ["x"] });
    const address = { name, type: "A", values: ["192.0.2.1"] };
    expect(await zone()).toEqual([address, { name, type: "TXT", values: ["x"] }]);
    await session.act("set-records", { name, values: [] });
    expect(await zone()).toEqual([address]);
    expect((await world.control.snapshot()).dns).toEqual([{ name, type: "A", value: "192.0.2.1" }]);
  });

  it("publish records of each type, of a CNAME one", async () => {
    const zone = async () => ((await session.view("simulation")).body as { dns: unknown }).dns;
    const name = "b.example.com";
    for (const value of ["192.0.2.1", "192.0.2.2"])
      await session.act("publish-record", { name, type: "A", value });
    for (const value of ["one.test", "two.test"])
      await session.act("publish-record", { name, type: "CNAME", value });
    expect(await zone()).toEqual([
      { name, type: "A", values: ["192.0.2.1", "192.0.2.2"] },
      { name, type: "CNAME", values: ["two.test"] },
    ]);
    expect(await session.act("publish-record", { name, type: "A", value: "none" })).toMatchObject({
      status: 400,
    });
    expect(await session.act("publish-record", { name, type: "MX", value: "x" })).toMatchObject({
      status: 400,
    });
  });

  it("plan the next builds", async () => {
    const builds = async () => ((await session.view("simulation")).body as { builds: unknown }).builds;
    expect(await builds()).toEqual({ buildMs: 1000, error: null, isBlocked: false });
    expect(await session.act("plan-builds", { buildMs: 0, error: { message: "no" } })).toMatchObject({
      status: 200,
    });
    expect(await builds()).toEqual({ buildMs: 0, error: "no", isBlocked: false });
    expect(await session.act("plan-builds", { buildMs: -1 })).toMatchObject({ status: 400 });
  });

  it("save states, go back to them and delete them", async () => {
    const names = async () =>
      ((await session.view("states")).body as { name: string }[]).map(({ name }) => name);
    const projects = async () => (await world.control.snapshot()).projects.map(({ name }) => name);
    const before = await projects();
    expect(await session.act("save-state", { name: "before" })).toMatchObject({ status: 200 });
    expect(await names()).toEqual(["before"]);
    await world.call("POST", "/v10/projects", { body: { name: "later" } });
    expect(await session.act("load-state", { name: "before" })).toMatchObject({ status: 200 });
    expect(await projects()).toEqual(before);
    expect(await session.act("load-state", { name: "none" })).toMatchObject({ status: 404 });
    expect(await session.act("remove-state", { name: "before" })).toMatchObject({ status: 200 });
    expect(await names()).toEqual([]);
  });

  it("apply a seed in YAML or JSON, and reset all data but the saved states", async () => {
    const projects = async () => (await world.control.snapshot()).projects.map(({ name }) => name);
    const before = await projects();
    await session.act("save-state", { name: "kept" });
    const added = await session.act("seed", { text: "projects:\n  - { team: acme, name: seeded }\n" });
    expect(added).toMatchObject({ status: 200, body: { added: { projects: 1 } } });
    await session.act("seed", { text: JSON.stringify({ projects: [{ team: "acme", name: "other" }] }) });
    expect(await projects()).toEqual(expect.arrayContaining(["seeded", "other"]));
    for (const text of ["projects: [", "projects: 7", "nothing: []", 'users: [{ username: "a\\0b" }]'])
      expect([text, (await session.act("seed", { text })).status]).toEqual([text, 400]);
    expect(await session.act("reset", {})).toMatchObject({ status: 200 });
    expect((await projects()).filter((name) => name === "seeded" || name === "other")).toEqual([]);
    expect(before.filter((name) => name === "seeded")).toEqual([]);
    expect((await session.view("states")).body).toMatchObject([{ name: "kept" }]);
  });

  it("remove one fault", async () => {
    const faults = async () =>
      ((await session.view("simulation")).body as { faults: { id: number }[] }).faults;
    for (const path of ["/v9/projects", "/v9/projects/web"])
      await session.act("add-fault", { path, kind: "status" });
    const [first] = await faults();
    expect(await session.act("remove-fault", { id: first?.id })).toMatchObject({ status: 200 });
    expect(await faults()).toMatchObject([{ requests: "any /v9/projects/web" }]);
    expect(await session.act("remove-fault", { id: first?.id })).toMatchObject({ status: 404 });
  });

  it("add and clear faults", async () => {
    const faults = async () => ((await session.view("simulation")).body as { faults: unknown }).faults;
    expect(await session.act("add-fault", { path: "/v9/projects", kind: "status" })).toMatchObject({
      status: 200,
    });
    expect(await faults()).toMatchObject([{ requests: "any /v9/projects", status: 503 }]);
    expect(await session.act("add-fault", { path: "no path", kind: "status" })).toMatchObject({
      status: 400,
    });
    expect(await session.act("clear-faults")).toMatchObject({ status: 200 });
    expect(await faults()).toEqual([]);
  });

  it("take JSON bodies up to the limit, by GET and POST", async () => {
    const send = async (method: "GET" | "POST" | "PUT", url: string, payload?: string) => {
      const answer = await world.app.inject({
        method,
        url,
        headers: { ...pageHeaders, cookie: session.cookie },
        ...(payload === undefined ? {} : { payload }),
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
    };
    const path = "/_dashboard/do/clear-faults";
    expect(await send("POST", path, "{")).toMatchObject({
      status: 400,
      body: { error: { code: "bad_request" } },
    });
    const limit = 256 * 1024;
    expect(await send("POST", path, `{}${" ".repeat(limit - 2)}`)).toMatchObject({ status: 200 });
    expect(await send("POST", path, `{}${" ".repeat(limit - 1)}`)).toMatchObject({ status: 413 });
    expect(await send("PUT", path, "{}")).toMatchObject({
      status: 405,
      headers: { allow: "GET, POST" },
      body: { error: { code: "method_unknown" } },
    });
    expect(await send("GET", "/_dashboard/view/none")).toMatchObject({ status: 404 });
    expect(await send("GET", "/_dashboard/view/state")).toMatchObject({
      headers: {
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-type": "application/json; charset=utf-8",
      },
    });
  });
});

describe("the stream", () => {
  it("sends changes, requests and the end of the session", async () => {
    await world.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = world.app.server.address() as AddressInfo;
    const request = get(`http://127.0.0.1:${port}/_dashboard/stream`, {
      headers: { ...pageHeaders, host: "localhost", cookie: session.cookie },
    });
    const [response] = await once(request, "response");
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    const told = (event: string) =>
      until(
        `the stream tells of ${event}`,
        () => text.includes(`event: ${event}\ndata: {}\n\n`) || undefined,
      );
    await told("change");
    await told("requests");
    expect(response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    });
    // Its first look notes how things stand.
    await until("the first look", () => text.match(/event: (change|requests)/g)?.length === 4 || undefined);
    text = "";
    await world.call("GET", "/v9/projects");
    await told("requests");
    await world.seed({ projects: [{ team, name: "fresh" }] });
    await told("change");
    text = "";
    for (const count of [1, 2]) {
      await world.call("GET", "/v9/projects");
      await until("the next look", () => text.match(/event: requests/g)?.length === count || undefined);
    }
    // Where other servers commit too, it cannot know.
    if (engine === "sqlite") expect(text).not.toContain("event: change");
    text = "";
    await world.control.addFaults({ path: "/v9/projects", kind: "status" });
    await told("change");
    const ended = once(response, "end");
    await session.close();
    await ended;
    expect(text).toContain("event: ended\ndata: {}\n\n");
  });
});
