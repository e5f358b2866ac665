import { accountBatches } from "../../../server/log-drains/forwarder";
import { type Arrival, type Receiver, signed, useReceivers } from "../../support/receiver";
import { until } from "../../support/until";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const receiver = useReceivers();

const token = "cron-token";
const id = "icfg_cron";
const url = "http://127.0.0.1:9/logs";

const install = (scopes: ("project" | "log-drain" | "read:log-drain")[], more: object = {}): Promise<void> =>
  world.seed({
    users: [{ username: "maker" }],
    integrations: [
      {
        clientId: "oac_cron",
        clientSecret: "cron-secret",
        slug: "cron",
        owner: "maker",
        redirectUrl: "http://127.0.0.1:9/callback",
        scopes,
      },
    ],
    installations: [{ id, integration: "cron", team: "acme", installedBy: "member-of-acme", token, ...more }],
  });

beforeEach(() => world.member("MEMBER"));

it("a drain of a limited installation gets no lines of projects that it does not cover", async () => {
  await world.call("POST", "/v10/projects", { body: { name: "web" } });
  const { body: other } = await world.call("POST", "/v10/projects", { body: { name: "other" } });
  await install(["log-drain"], { projects: ["web"] });
  const { status } = await create({
    url,
    deliveryFormat: "json",
    sources: ["lambda"],
    projectIds: [other.id],
  });
  expect(status).toBe(400);
});

const create = (body: object, options: object = { token }) =>
  world.call("POST", "/v2/integrations/log-drains", { body: { name: "logs", ...body }, ...options });
const createOwn = (body: object, options: object = {}) =>
  world.call("POST", "/v1/log-drains", {
    body: { deliveryFormat: "json", sources: ["external"], ...body },
    ...options,
  });

interface Line {
  message: string;
  [member: string]: unknown;
}

const linesOf = ({ raw, headers }: Arrival): Line[] =>
  headers["content-type"] === "application/x-ndjson"
    ? raw
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    : JSON.parse(raw);

/** The lines that a drain got so far, without those of the requests that created it. */
const linesTo = (hook: Receiver): Line[] =>
  hook.accepted.flatMap(linesOf).filter(({ path }) => !String(path).includes("log-drains"));

/** Has all drains send what they have, until this one has so many lines. */
const waitForLines = (hook: Receiver, count: number): Promise<Line[]> =>
  until(`${count} lines came`, async () => {
    await world.advance(1_000);
    const lines = linesTo(hook);
    return lines.length >= count ? lines : undefined;
  });

const getProject = (name: string) =>
  world.call("GET", `/v9/projects/${name}`, { headers: { "user-agent": "tests" } });
const createProject = async (name: string): Promise<string> =>
  (await world.call("POST", "/v10/projects", { body: { name } })).body.id;

describe("log drains of an installation", () => {
  test("a drain shows what it was made with, and never its secret", async () => {
    await install(["log-drain"]);
    const { status, body } = await create({
      url,
      secret: "hush",
      deliveryFormat: "ndjson",
      headers: { "x-key": "token-of-the-receiver" },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^ld_[A-Za-z0-9]{16}$/),
      name: "logs",
      url,
      deliveryFormat: "ndjson",
      environments: ["production", "preview"],
      headers: { "x-key": "token-of-the-receiver" },
      ownerId: expect.stringMatching(/^team_/),
      createdAt: world.clock.now(),
      clientId: "oac_cron",
      configurationId: id,
      createdFrom: "integration",
      source: { kind: "integration", integrationId: "oac_cron", integrationConfigurationId: id },
    });
    expect((await world.call("GET", "/v2/integrations/log-drains", { token })).body).toEqual([body]);
    const rows = await world.services.store.read((tx) => tx.selectFrom("log_drains").selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain("hush");
    expect(JSON.stringify(rows)).not.toContain("token-of-the-receiver");
  });

  test("a drain that is deleted is gone", async () => {
    await install(["log-drain"]);
    const { body } = await create({ url });
    const remove = () => world.call("DELETE", `/v1/integrations/log-drains/${body.id}`, { token });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await world.call("GET", "/v2/integrations/log-drains", { token })).body).toEqual([]);
  });

  // AU-30
  test("without the scope they are neither shown nor made nor deleted", async () => {
    await install(["project"]);
    expect((await create({ url })).status).toBe(403);
    expect((await world.call("GET", "/v2/integrations/log-drains", { token })).status).toBe(403);
    expect((await world.call("DELETE", "/v1/integrations/log-drains/ld_1", { token })).status).toBe(403);
  });

  // AU-30
  test("the scope to read shows them, and makes none", async () => {
    await install(["read:log-drain"]);
    expect((await create({ url })).status).toBe(403);
    expect((await world.call("GET", "/v2/integrations/log-drains", { token })).status).toBe(200);
  });

  test("with a person's token none is made, and all of the account's are shown", async () => {
    await install(["log-drain"]);
    const { body } = await create({ url });
    expect((await create({ url }, {})).status).toBe(400);
    expect((await world.call("GET", "/v2/integrations/log-drains")).body).toEqual([body]);
  });

  test.each([
    ["no url", {}],
    ["a url of another kind", { url: "syslog://127.0.0.1" }],
    ["an empty name", { url, name: "" }],
    ["a name of other signs", { url, name: "a/b" }],
    ["a name of 101 signs", { url, name: "n".repeat(101) }],
    ["a secret of 101 signs", { url, secret: "s".repeat(101) }],
    ["no projects", { url, projectIds: [] }],
    ["51 projects", { url, projectIds: Array.from({ length: 51 }, (_, at) => `prj_${at}`) }],
    ["a foreign project", { url, projectIds: ["prj_other"] }],
    ["an unknown format", { url, deliveryFormat: "xml" }],
    ["an unknown source", { url, sources: ["kernel"] }],
    ["an unknown environment", { url, environments: ["development"] }],
    ["a header that breaks the message", { url, headers: { "x-a": "1\r\nx-b: 2" } }],
    ["a header of the message itself", { url, headers: { "Content-Length": "1" } }],
    ["an unknown member", { url, colour: "red" }],
  ])("%s is refused with 400", async (_, body) => {
    await install(["log-drain"]);
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("bad_request");
  });
});

describe("log drains of an account", () => {
  test("a drain is made, shown and deleted", async () => {
    const { status, body } = await createOwn({ url, name: "own", secret: "hush", samplingRate: 0.5 });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^ld_/),
      name: "own",
      secret: "",
      url,
      deliveryFormat: "json",
      sources: ["external"],
      environments: ["production", "preview"],
      samplingRate: 0.5,
      ownerId: expect.stringMatching(/^team_/),
      teamId: expect.stringMatching(/^team_/),
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      deletedAt: null,
      status: "enabled",
      createdFrom: "self-served",
      source: { kind: "self-served" },
    });
    const one = `/v1/log-drains/${body.id}`;
    expect((await world.call("GET", one)).body).toEqual(body);
    expect((await world.call("GET", "/v1/log-drains")).body).toEqual([body]);
    expect((await world.call("DELETE", one)).status).toBe(204);
    expect((await world.call("GET", one)).status).toBe(404);
    expect((await world.call("DELETE", one)).status).toBe(404);
  });

  test("its headers are shown only to callers who may make drains", async () => {
    const { body } = await createOwn({ url, headers: { "x-key": "token-of-the-receiver" } });
    expect(body.headers).toEqual({ "x-key": "token-of-the-receiver" });
    for (const role of ["VIEWER", "DEVELOPER"] as const) {
      const token = await world.member(role);
      for (const path of ["/v1/log-drains", `/v1/log-drains/${body.id}`]) {
        const answer = await world.call("GET", path, { token });
        expect([answer.status, JSON.stringify(answer.body)]).toEqual([
          200,
          expect.not.stringContaining("token-of-the-receiver"),
        ]);
      }
    }
  });

  test("an account has at most 20, and so has an installation", async () => {
    await install(["log-drain"]);
    const tooMany = [400, expect.stringContaining("at most 20 drains")];
    for (const another of [() => createOwn({ url }), () => create({ url })]) {
      for (let at = 0; at < 20; at++) expect((await another()).status).toBe(200);
      const { status, body } = await another();
      expect([status, body.error.message]).toEqual(tooMany);
    }
    expect(await createOwn({ url }, { team: null })).toMatchObject({ status: 200, body: { teamId: null } });
    const [{ id: first }] = (await world.call("GET", "/v1/log-drains")).body;
    await world.call("DELETE", `/v1/log-drains/${first}`);
    expect((await createOwn({ url })).status).toBe(200);
  });

  test("are listed with the newest first, and found by the project whose lines they get", async () => {
    const [web, api] = [await createProject("web"), await createProject("api")];
    for (const [name, projectIds] of [
      ["all", undefined],
      ["web", [web]],
      ["api", [api]],
    ] as const) {
      await createOwn({ url, name, projectIds });
      world.clock.advance(1);
    }
    const named = async (query: Record<string, string> = {}, path = "/v1/log-drains") => {
      const { body } = await world.call("GET", path, { query });
      return (body.drains ?? body).map(({ name }: { name: string }) => name);
    };
    expect(await named()).toEqual(["api", "web", "all"]);
    expect(await named({ projectId: web })).toEqual(["web", "all"]);
    expect(await named({ projectIdOrName: "api" })).toEqual(["api", "all"]);
    expect(await named({ projectIdOrName: "none" })).toEqual(["all"]);
    await install(["log-drain"]);
    for (const name of ["older", "newer"]) {
      await create({ url, name });
      world.clock.advance(1);
    }
    expect(await named({}, "/v2/integrations/log-drains")).toEqual(["newer", "older"]);
    expect(await named({}, "/v1/drains")).toEqual(["api", "web", "all"]);
    expect(await named({ projectId: api }, "/v1/drains")).toEqual(["api", "all"]);
  });

  test("the two kinds are kept apart", async () => {
    await install(["log-drain"]);
    const { body: own } = await createOwn({ url });
    const { body: installed } = await create({ url });
    expect((await world.call("GET", "/v1/log-drains")).body).toEqual([own]);
    expect((await world.call("GET", "/v2/integrations/log-drains")).body).toEqual([installed]);
    expect((await world.call("DELETE", `/v1/log-drains/${installed.id}`)).status).toBe(404);
    expect((await world.call("DELETE", `/v1/integrations/log-drains/${own.id}`)).status).toBe(404);
    expect((await createOwn({ url }, { token })).status).toBe(403);
    expect((await world.call("GET", "/v1/log-drains", { token })).status).toBe(403);
  });
});

describe("what a drain gets", () => {
  // EV-10
  test("the log of requests goes to the drain of an installation that was granted the scope", async () => {
    await install(["log-drain"]);
    const hook = await receiver();
    const project = await createProject("web");
    await create({ url: hook.url, headers: { "x-key": "1" } });
    await getProject("web");
    const [line] = await waitForLines(hook, 1);
    expect(line).toMatchObject({
      id: expect.any(String),
      timestamp: expect.any(Number),
      deploymentId: "",
      source: "external",
      host: expect.any(String),
      projectId: project,
      projectName: "web",
      level: "info",
      message: expect.stringMatching(/^GET \/v9\/projects\/web 200 in [\d.]+ ms$/),
      environment: "production",
      path: "/v9/projects/web",
      statusCode: 200,
      requestId: expect.any(String),
      proxy: { method: "GET", path: "/v9/projects/web", statusCode: 200, userAgent: ["tests"] },
    });
    expect(hook.accepted[0]?.headers).toMatchObject({ "x-key": "1", "content-type": "application/json" });
  });

  //
  test("a batch is signed with the drain's secret; without one it is not signed", async () => {
    const [hook, plain] = [await receiver(), await receiver()];
    await createOwn({ url: hook.url, secret: "hush" });
    await createOwn({ url: plain.url });
    await getProject("web");
    await waitForLines(hook, 1);
    await waitForLines(plain, 1);
    for (const { raw, headers } of hook.accepted)
      expect(headers["x-vercel-signature"]).toBe(signed(raw, "hush"));
    expect(plain.accepted[0]?.headers["x-vercel-signature"]).toBeUndefined();
  });

  test("lines go to the new endpoint after a change, signed with the same secret or a new one", async () => {
    const [hook, first, second] = [await receiver(), await receiver(), await receiver()];
    const { body: drain } = await createOwn({ url: hook.url, secret: "hush" });
    const delivery = { type: "http", encoding: "json", headers: { "x-key": "2" } };
    for (const [there, secret, key] of [
      [first, undefined, "hush"],
      [second, "other", "other"],
    ] as const) {
      const change = { delivery: { ...delivery, endpoint: there.url, secret } };
      expect((await world.call("PATCH", `/v1/drains/${drain.id}`, { body: change })).status).toBe(200);
      await getProject("web");
      await waitForLines(there, 1);
      for (const { raw, headers } of there.accepted)
        expect(headers).toMatchObject({ "x-vercel-signature": signed(raw, key), "x-key": "2" });
    }
  });

  // EV-10
  test("lines come one by one as NDJSON, in order", async () => {
    const hook = await receiver();
    await createOwn({ url: hook.url, deliveryFormat: "ndjson" });
    for (let at = 0; at < 5; at++) await getProject(`p-${at}`);
    const lines = await waitForLines(hook, 5);
    expect(lines.map(({ path, level }) => `${path} ${level}`)).toEqual(
      [0, 1, 2, 3, 4].map((at) => `/v9/projects/p-${at} warning`),
    );
    expect(hook.accepted[0]?.headers["content-type"]).toBe("application/x-ndjson");
  });

  // EV-10
  test("lists of projects, sources and environments let only theirs pass", async () => {
    const web = await createProject("web");
    await createProject("api");
    const drains: Record<string, Receiver> = {};
    for (const [name, body] of Object.entries({
      all: {},
      web: { projectIds: [web] },
      builds: { sources: ["build"] },
      previews: { environments: ["preview"] },
    })) {
      const hook = await receiver();
      drains[name] = hook;
      await createOwn({ url: hook.url, ...body });
    }
    await getProject("web");
    await getProject("api");
    await world.call("GET", "/v9/projects");
    await waitForLines(drains.all as Receiver, 3);
    await waitForLines(drains.web as Receiver, 1);
    const counts = Object.entries(drains).map(([name, hook]) => [name, linesTo(hook).length]);
    expect(Object.fromEntries(counts)).toEqual({ all: 3, web: 1, builds: 0, previews: 0 });
  });

  test("an installation that covers selected projects gets the lines of these, and none about no project", async () => {
    await createProject("web");
    await createProject("api");
    await install(["log-drain"], { projects: ["web"] });
    const [hook, all] = [await receiver(), await receiver()];
    await create({ url: hook.url });
    await createOwn({ url: all.url });
    await world.call("GET", "/v9/projects");
    await getProject("api");
    await getProject("web");
    await waitForLines(all, 3);
    expect((await waitForLines(hook, 1)).map(({ projectName }) => projectName)).toEqual(["web"]);
  });

  test("another account's requests do not come", async () => {
    const hook = await receiver();
    const foreign = await world.team("globex");
    await createOwn({ url: hook.url });
    await world.call("GET", "/v9/projects/theirs", { token: foreign, team: "globex" });
    await getProject("ours");
    expect((await waitForLines(hook, 1)).map(({ path }) => path)).toEqual(["/v9/projects/ours"]);
  });

  test("drains that hang delay no other account", async () => {
    const hanging = await receiver();
    hanging.react = () => "hang";
    for (let at = 0; at < 20; at++) await createOwn({ url: hanging.url });
    const other = { token: await world.team("globex", { plan: "pro" }), team: "globex" };
    const hook = await receiver();
    await createOwn({ url: hook.url }, other);
    await getProject("web");
    await until("some drains hang", async () => {
      await world.advance(1_000);
      return hanging.arrived.length >= accountBatches || undefined;
    });
    await world.call("GET", "/v9/projects/theirs", other);
    expect((await waitForLines(hook, 1)).map(({ path }) => path)).toEqual(["/v9/projects/theirs"]);
    expect(hanging.arrived).toHaveLength(accountBatches);
  });

  test("neither queries nor tokens are in it", async () => {
    const hook = await receiver();
    await createOwn({ url: hook.url });
    await world.call("GET", "/v9/projects", { query: { search: "needle" } });
    await waitForLines(hook, 1);
    const all = hook.accepted.map(({ raw }) => raw).join();
    expect(all).not.toContain("needle");
    expect(all).not.toContain("slipway-dev-token");
  });

  test("lines that were not taken come again, once the receiver is back", async () => {
    const hook = await receiver();
    await createOwn({ url: hook.url });
    hook.react = () => 500;
    await getProject("a");
    await until("a batch failed", async () => {
      await world.advance(1_000);
      return hook.arrived.length > 0 || undefined;
    });
    await getProject("b");
    hook.react = () => 200;
    const lines = await until("both lines came", async () => {
      await world.advance(60_000);
      const came = linesTo(hook);
      return came.length >= 2 ? came : undefined;
    });
    expect(lines.map(({ path }) => path)).toEqual(["/v9/projects/a", "/v9/projects/b"]);
  });
});

describe("a drain that is closed", () => {
  /** A drain of an installation, and one of the account that shows when lines went out. */
  async function twoDrains(): Promise<{ hook: Receiver; witness: Receiver }> {
    const [hook, witness] = [await receiver(), await receiver()];
    await install(["log-drain", "project"]);
    await create({ url: hook.url });
    await createOwn({ url: witness.url });
    await getProject("before");
    await waitForLines(hook, 1);
    await waitForLines(witness, 1);
    return { hook, witness };
  }
  const paths = (hook: Receiver) => linesTo(hook).map(({ path }) => path);

  // EV-12, X-86
  test("gets nothing while its configuration is disabled, and nothing of that time afterwards", async () => {
    const { hook, witness } = await twoDrains();
    await world.control.removeMember("acme", "member-of-acme");
    await getProject("meanwhile");
    await waitForLines(witness, 2);
    expect(paths(hook)).toEqual(["/v9/projects/before"]);
    await world.askControl("POST", `/installations/${id}/enable`);
    await getProject("after");
    await waitForLines(hook, 2);
    await waitForLines(witness, 3);
    expect(paths(hook)).toEqual(["/v9/projects/before", "/v9/projects/after"]);
    expect(paths(witness)).toEqual(["before", "meanwhile", "after"].map((name) => `/v9/projects/${name}`));
  });

  // EV-12
  test("is not sent what was kept for it before its configuration was disabled", async () => {
    const { hook, witness } = await twoDrains();
    hook.react = () => 500;
    await getProject("late");
    await until("the batch failed", async () => {
      await world.advance(1_000);
      return hook.arrived.length > hook.accepted.length || undefined;
    });
    await world.control.removeMember("acme", "member-of-acme");
    hook.react = () => 200;
    await world.advance(60_000);
    await getProject("later");
    await waitForLines(witness, 3);
    expect(paths(hook)).toEqual(["/v9/projects/before"]);
  });

  // EV-12
  test("is not sent that after its configuration was enabled again either", async () => {
    const { hook, witness } = await twoDrains();
    hook.react = () => 500;
    await getProject("late");
    await until("the batch failed", async () => {
      await world.advance(1_000);
      return hook.arrived.length > hook.accepted.length || undefined;
    });
    await world.control.removeMember("acme", "member-of-acme");
    hook.react = () => 200;
    await world.advance(60_000);
    await getProject("later");
    await waitForLines(witness, 3);
    await world.askControl("POST", `/installations/${id}/enable`);
    await getProject("after");
    await world.advance(120_000);
    await until("the last line came", async () => {
      await world.advance(1_000);
      return paths(hook).includes("/v9/projects/after") || undefined;
    });
    expect(paths(hook)).toEqual(["/v9/projects/before", "/v9/projects/after"]);
  });

  // EV-11
  test("gets nothing once the scope is not granted any more", async () => {
    const { hook, witness } = await twoDrains();
    await world.askControl("POST", "/integrations/cron/scopes", { scopes: ["project"] });
    await getProject("web");
    await waitForLines(witness, 2);
    expect(paths(hook)).toEqual(["/v9/projects/before"]);
  });

  test("gets nothing once its installation is removed", async () => {
    const { hook, witness } = await twoDrains();
    await world.call("DELETE", `/v1/integrations/configuration/${id}`);
    await getProject("web");
    await until("the line came", async () => {
      await world.advance(1_000);
      return paths(witness).includes("/v9/projects/web") || undefined;
    });
    expect(paths(hook)).toEqual(["/v9/projects/before"]);
  });
});
