import { addIntegration, eventsOf, exchange, install, installWithToken } from "../../support/integrations";
import { type Answer, beginning, useTestServer } from "../../support/world";

const world = useTestServer();

beforeEach(() => addIntegration(world, ["project", "integration-configuration"]));

const configurationPath = (id: string): string => `/v1/integrations/configuration/${id}`;
const list = (options: Parameters<typeof world.call>[2] = {}): Promise<Answer> =>
  world.call("GET", "/v1/integrations/configurations", {
    ...options,
    query: { view: "account", ...options.query },
  });
const idsIn = ({ body }: Answer): string[] => body.map(({ id }: { id: string }) => id);
const idOf = async (team: string): Promise<string> =>
  (await world.call("GET", `/v2/teams/${team}`, { team: null })).body.id;

describe("configurations", () => {
  // X-80, AU-02, AU-03, AU-04
  test("the object tells account, integration, scopes, and that it is enabled", async () => {
    const { code, configurationId } = await install(world);
    await world.advance(5);
    await exchange(world, { code });
    const { status, body } = await world.call("GET", configurationPath(configurationId));
    expect(status).toBe(200);
    const me = await world.call("GET", "/v2/user", { team: null });
    const team = await idOf("acme");
    expect(body).toEqual({
      id: configurationId,
      integrationId: "oac_cron",
      ownerId: team,
      userId: me.body.user.id,
      teamId: team,
      slug: "cron",
      type: "integration-configuration",
      scopes: ["read-write:integration-configuration", "read-write:project"],
      source: "external",
      installationType: "external",
      status: "ready",
      createdAt: beginning,
      updatedAt: beginning,
      completedAt: beginning + 5,
      deletedAt: null,
      deleteRequestedAt: null,
    });
    expect(configurationId).toMatch(/^icfg_[A-Za-z0-9]{24}$/);
  });

  //
  test("a personal installation belongs to its person and to no team; it is pending before the exchange", async () => {
    const { configurationId } = await install(world, { user: "dev" });
    const { body } = await world.call("GET", configurationPath(configurationId), { team: null });
    expect(body).toMatchObject({ ownerId: body.userId, teamId: null, status: "pending" });
    expect(body).not.toHaveProperty("completedAt");
  });

  //
  test.each(["/v1", "/v2", ""])("are listed under %s/integrations/configurations", async (version) => {
    const { configurationId } = await install(world);
    const { status, body } = await world.call("GET", `${version}/integrations/configurations`, {
      query: { view: "account" },
    });
    expect(status).toBe(200);
    expect(body).toHaveLength(1);
    expect(body[0].id).toBe(configurationId);
  });

  test.each([{}, { view: "team" }, { view: "account", installationType: "other" }])(
    "a list asked for with %j is refused",
    async (query) => {
      const { status, body } = await world.call("GET", "/v1/integrations/configurations", { query });
      expect(status).toBe(400);
      expect(body.error.code).toBe("bad_request");
    },
  );

  test("a list is filtered by type and integration, and holds its own account's alone", async () => {
    await world.seed({
      integrations: [
        {
          slug: "other",
          owner: "maker",
          clientSecret: "s",
          redirectUrl: "https://other.example.com/",
          scopes: [],
        },
      ],
      installations: [{ id: "icfg_other", integration: "other", team: "acme" }],
    });
    const { configurationId: market } = await install(world, { source: "marketplace" });
    await install(world, { user: "dev" });
    expect(idsIn(await list()).sort()).toEqual([market, "icfg_other"].sort());
    expect(idsIn(await list({ query: { installationType: "marketplace" } }))).toEqual([market]);
    expect(idsIn(await list({ query: { installationType: "external" } }))).toEqual(["icfg_other"]);
    expect(idsIn(await list({ query: { integrationIdOrSlug: "other" } }))).toEqual(["icfg_other"]);
    expect(idsIn(await list({ query: { integrationIdOrSlug: "oac_cron" } }))).toEqual([market]);
  });

  test("view=project leaves out an installation that covers no project", async () => {
    const { configurationId: all } = await install(world);
    await install(world, { projects: [] });
    expect(idsIn(await list())).toHaveLength(2);
    expect(idsIn(await list({ query: { view: "project" } }))).toEqual([all]);
  });

  test("are listed with the newest first", async () => {
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) {
      ids.unshift((await install(world)).configurationId);
      world.clock.advance(1);
    }
    expect(idsIn(await list())).toEqual(ids);
  });

  // AU-20
  test("an installation sees itself alone", async () => {
    const { token, id } = await installWithToken(world);
    const { configurationId: other } = await install(world);
    expect(idsIn(await list({ token }))).toEqual([id]);
    expect((await world.call("GET", configurationPath(id), { token })).status).toBe(200);
    expect((await world.call("GET", configurationPath(other), { token })).status).toBe(404);
    expect((await world.call("DELETE", configurationPath(other), { token })).status).toBe(404);
    expect(idsIn(await list())).toHaveLength(2);
  });

  // AU-12
  test("another account's installation is not found", async () => {
    const { configurationId } = await install(world);
    const token = await world.team("other");
    const options = { token, team: "other" };
    expect((await world.call("GET", configurationPath(configurationId), options)).status).toBe(404);
    expect((await world.call("DELETE", configurationPath(configurationId), options)).status).toBe(404);
  });

  // EV-05, X-80
  test("deleting: 204, the event, the token refused, the id gone and never used again", async () => {
    const { token, id } = await installWithToken(world);
    const { status, body } = await world.call("DELETE", configurationPath(id));
    expect(status).toBe(204);
    expect(body).toBe("");
    expect(await eventsOf(world, "integration-configuration.removed")).toMatchObject([
      { payload: { configuration: { id, projectSelection: "all", projects: [] } } },
    ]);
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(401);
    expect((await world.call("GET", configurationPath(id))).status).toBe(404);
    await world.seed({ installations: [{ id, integration: "cron", team: "acme", token: "again" }] });
    expect((await world.call("GET", configurationPath(id))).status).toBe(404);
    expect((await world.call("GET", "/v9/projects", { token: "again" })).status).toBe(401);
  });

  // EV-05
  test("removal on the control plane sends the event too", async () => {
    const { configurationId: id } = await install(world);
    expect((await world.askControl("POST", `/installations/${id}/remove`)).status).toBe(204);
    expect(await eventsOf(world, "integration-configuration.removed")).toHaveLength(1);
    expect((await world.askControl("POST", `/installations/${id}/remove`)).status).toBe(404);
  });

  test("a refused deletion removes nothing and sends nothing", async () => {
    const { configurationId: id } = await install(world);
    const token = await world.member("VIEWER");
    expect((await world.call("DELETE", configurationPath(id), { token })).status).toBe(403);
    expect(idsIn(await list())).toEqual([id]);
    expect(await eventsOf(world, "integration-configuration.removed")).toEqual([]);
  });
});

describe("in a seed", () => {
  const seed = {
    installations: [
      { integration: "cron", team: "acme", token: "cron-token", scopes: ["read:project"] as const },
    ],
  };

  test("an installation with its token; the same again changes nothing", async () => {
    await world.seed({
      installations: seed.installations.map((row) => ({ ...row, scopes: [...row.scopes] })),
    });
    const first = await list();
    await world.seed({
      installations: seed.installations.map((row) => ({ ...row, scopes: [...row.scopes] })),
    });
    expect((await list()).body).toEqual(first.body);
    expect(first.body[0].scopes).toEqual(["read:project"]);
    expect((await world.call("GET", "/v9/projects", { token: "cron-token" })).status).toBe(200);
  });

  test.each([
    ["an unknown integration", { integration: "nothing", team: "acme" }, "installations[0].integration"],
    ["an unknown team", { integration: "cron", team: "nothing" }, "installations[0].team"],
    [
      "a token that is somebody's",
      { integration: "cron", team: "acme", token: "slipway-dev-token" },
      "installations[0].token",
    ],
    [
      "a user outside the team who installs",
      { integration: "cron", user: "dev", installedBy: "maker" },
      "installations[0].installedBy",
    ],
  ])("%s is refused at its place", async (_what, row, place) => {
    const { status, body } = await world.askControl("POST", "/seed", { installations: [row] });
    expect(status).toBe(400);
    expect(body.error.message).toContain(place);
    expect((await list()).body).toEqual([]);
  });

  test("an integration keeps the scopes that it asked for since, and takes a new secret", async () => {
    await world.askControl("POST", "/integrations/cron/scopes", { scopes: ["read:project"] });
    await addIntegration(world, ["project", "domain"]);
    const { code, configurationId } = await install(world);
    expect((await world.call("GET", configurationPath(configurationId))).body.scopes).toEqual([
      "read:project",
    ]);
    expect((await exchange(world, { code })).status).toBe(200);
  });
});
