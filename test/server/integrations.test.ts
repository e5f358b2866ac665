import {
  addIntegration,
  eventsOf,
  exchange,
  install,
  installWithToken,
  mailSent,
} from "../support/integrations";
import { type Answer, beginning, useWorld } from "../support/world";

const world = useWorld();
const day = 24 * 60 * 60 * 1000;

beforeEach(() => addIntegration(world, ["project", "integration-configuration"]));

const configurationPath = (id: string): string => `/v1/integrations/configuration/${id}`;
const list = (options: Parameters<typeof world.call>[2] = {}): Promise<Answer> =>
  world.call("GET", "/v1/integrations/configurations", {
    ...options,
    query: { view: "account", ...options.query },
  });
const idsIn = ({ body }: Answer): string[] => body.map(({ id }: { id: string }) => id);
const createProject = async (name: string, team = "acme", token?: string): Promise<string> => {
  const { body } = await world.call("POST", "/v10/projects", {
    body: { name },
    query: { slug: team },
    ...(token ? { token } : {}),
  });
  return body.id;
};
const idOf = async (team: string): Promise<string> =>
  (await world.call("GET", `/v2/teams/${team}`, { team: null })).body.id;
const refusedAsDisabled = ({ status, body }: Answer): void => {
  expect(body.error.code).toBe("integration_configuration_disabled");
  expect(status).toBe(403);
};

describe("configurations", () => {
  test("[X-80] [AU-02] [AU-03] [AU-04] the object tells account, integration, scopes, and that it is enabled", async () => {
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

  test("[X-80] a personal installation belongs to its person and to no team; it is pending before the exchange", async () => {
    const { configurationId } = await install(world, { user: "dev" });
    const { body } = await world.call("GET", configurationPath(configurationId), { team: null });
    expect(body).toMatchObject({ ownerId: body.userId, teamId: null, status: "pending" });
    expect(body).not.toHaveProperty("completedAt");
  });

  test.each(["/v1", "/v2", ""])("[X-89] are listed under %s/integrations/configurations", async (version) => {
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

  test("[AU-20] an installation sees itself alone", async () => {
    const { token, id } = await installWithToken(world);
    const { configurationId: other } = await install(world);
    expect(idsIn(await list({ token }))).toEqual([id]);
    expect((await world.call("GET", configurationPath(id), { token })).status).toBe(200);
    expect((await world.call("GET", configurationPath(other), { token })).status).toBe(404);
    expect((await world.call("DELETE", configurationPath(other), { token })).status).toBe(404);
    expect(idsIn(await list())).toHaveLength(2);
  });

  test("[AU-12] another account's installation is not found", async () => {
    const { configurationId } = await install(world);
    const token = await world.team("other");
    const options = { token, team: "other" };
    expect((await world.call("GET", configurationPath(configurationId), options)).status).toBe(404);
    expect((await world.call("DELETE", configurationPath(configurationId), options)).status).toBe(404);
  });

  test("[EV-05] [X-80] deleting: 204, the event, the token refused, the id gone and never used again", async () => {
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

  test("[EV-05] removal on the control plane sends the event too", async () => {
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

describe("selected projects", () => {
  test("[AU-05] the token reaches the projects that the installation covers, and no other", async () => {
    const web = await createProject("web");
    const api = await createProject("api");
    const { token } = await installWithToken(world, { projects: ["web"] });
    expect((await world.call("GET", `/v9/projects/${web}`, { token })).status).toBe(200);
    expect((await world.call("GET", `/v9/projects/${api}`, { token })).status).toBe(404);
    const { body } = await world.call("GET", "/v9/projects", { token });
    expect(body.projects.map(({ id }: { id: string }) => id)).toEqual([web]);
  });

  test("[AU-05] [AU-12] a token does not reach another account's projects, whatever it asks for", async () => {
    const other = await world.team("other");
    const foreign = await createProject("web", "other", other);
    const { token } = await installWithToken(world);
    expect((await world.call("GET", `/v9/projects/${foreign}`, { token })).status).toBe(404);
    const asOther = await world.call("GET", `/v9/projects/${foreign}`, { token, team: "other" });
    expect(asOther.status).toBe(403);
    expect(asOther.body.error.code).toBe("team_unauthorized");
  });

  test("[AU-05] a project that the installation creates is covered", async () => {
    const { token } = await installWithToken(world, { projects: [] });
    const { body } = await world.call("POST", "/v10/projects", { token, body: { name: "web" } });
    expect((await world.call("GET", `/v9/projects/${body.id}`, { token })).status).toBe(200);
  });

  test("[AU-05] deployments of projects that are not covered are not shown", async () => {
    await createProject("web");
    await createProject("api");
    await world.control.deploy({ id: "dpl_web", team: "acme", project: "web" });
    await world.control.deploy({ id: "dpl_api", team: "acme", project: "api" });
    const { token } = await installWithToken(world, { projects: ["web"], scopes: ["deployment"] });
    const { body } = await world.call("GET", "/v6/deployments", { token });
    expect(body.deployments.map(({ uid }: { uid: string }) => uid)).toEqual(["dpl_web"]);
    expect((await world.call("GET", "/v13/deployments/dpl_web", { token })).status).toBe(200);
    expect((await world.call("GET", "/v13/deployments/dpl_api", { token })).status).toBe(404);
  });

  test("access to a project is given, told and taken, each time with an event", async () => {
    const web = await createProject("web");
    const { token, id } = await installWithToken(world, { projects: [] });
    const access = `${configurationPath(id)}/project/${web}`;
    expect((await world.call("GET", access)).body).toEqual({ allowed: false });
    const given = await world.call("POST", access, { body: { allowed: true } });
    expect(given.status).toBe(200);
    expect(given.body).toEqual({ allowed: true });
    expect((await world.call("GET", access)).body).toEqual({ allowed: true });
    expect((await world.call("GET", `/v9/projects/${web}`, { token })).status).toBe(200);
    await world.call("POST", access, { body: { allowed: true } });
    await world.call("POST", access, { body: { allowed: false } });
    expect((await world.call("GET", `/v9/projects/${web}`, { token })).status).toBe(404);
    expect(await eventsOf(world, "integration-configuration.permission-upgraded")).toMatchObject([
      {
        payload: {
          configuration: { id, projectSelection: "selected", projects: [web] },
          projects: { added: [web], removed: [] },
        },
      },
      {
        payload: {
          configuration: { id, projectSelection: "selected", projects: [] },
          projects: { added: [], removed: [web] },
        },
      },
    ]);
  });

  test("an installation for all projects that loses one keeps the others", async () => {
    const web = await createProject("web");
    const api = await createProject("api");
    const { token, id } = await installWithToken(world);
    await world.call("POST", `${configurationPath(id)}/project/${web}`, { body: { allowed: false } });
    expect((await world.call("GET", `/v9/projects/${web}`, { token })).status).toBe(404);
    expect((await world.call("GET", `/v9/projects/${api}`, { token })).status).toBe(200);
    expect((await world.call("GET", configurationPath(id))).body.projects).toEqual([api]);
  });

  test("access to what is not there is 404, and an installation does not widen its own", async () => {
    const web = await createProject("web");
    const { token, id } = await installWithToken(world);
    const path = (configuration: string, project: string): string =>
      `${configurationPath(configuration)}/project/${project}`;
    expect((await world.call("GET", path(id, "prj_none"))).status).toBe(404);
    expect((await world.call("GET", path("icfg_none", web))).status).toBe(404);
    const widened = await world.call("POST", path(id, web), { token, body: { allowed: true } });
    expect(widened.status).toBe(403);
    expect((await world.call("POST", path(id, web), { body: {} })).status).toBe(400);
  });
});

describe("the owner leaves the team", () => {
  let id: string;
  let token: string;

  beforeEach(async () => {
    await world.member("MEMBER");
    await world.member("OWNER");
    await world.member("VIEWER");
    ({ id, token } = await installWithToken(world, { installedBy: "member-of-acme" }));
    await world.control.removeMember("acme", "member-of-acme");
  });

  test("[S-21] [X-80] the configuration is disabled, with time and reason, and every request refused", async () => {
    const { body } = await world.call("GET", configurationPath(id));
    expect(body).toMatchObject({
      disabledAt: beginning,
      disabledReason: "original-owner-left-the-team",
      status: "suspended",
    });
    refusedAsDisabled(await world.call("GET", "/v9/projects", { token }));
  });

  test("[S-21] an installation of somebody else, and a personal one, stay enabled", async () => {
    const other = await installWithToken(world);
    const personal = await installWithToken(world, { user: "member-of-acme" });
    expect((await world.call("GET", "/v9/projects", { token: other.token })).status).toBe(200);
    const mine = await world.call("GET", "/v9/projects", { token: personal.token, team: null });
    expect(mine.status).toBe(200);
  });

  test("[S-22] everybody who is left in the team gets mail that asks for a transfer within 30 days", async () => {
    const subject = "Cron is disabled: its owner left the team";
    expect(await mailSent(world)).toEqual([
      { to: "dev@example.com", subject },
      { to: "owner-of-acme@example.com", subject },
      { to: "viewer-of-acme@example.com", subject },
    ]);
    const [mail] = await world.control.mail();
    expect(mail?.body).toContain("within 30 days");
    expect(mail?.body).toContain(id);
  });

  test("[T-05] a write that is refused changes nothing", async () => {
    refusedAsDisabled(await world.call("POST", "/v10/projects", { token, body: { name: "web" } }));
    refusedAsDisabled(await world.call("DELETE", configurationPath(id), { token }));
    expect((await world.call("GET", "/v9/projects")).body.projects).toEqual([]);
    expect(await eventsOf(world, "project.created")).toEqual([]);
    expect(idsIn(await list())).toEqual([id]);
  });

  test("[LI-04] it is still there one millisecond before 30 days have passed", async () => {
    await world.advance(30 * day - 1);
    expect((await world.call("GET", configurationPath(id))).status).toBe(200);
    expect(await eventsOf(world, "integration-configuration.removed")).toEqual([]);
  });

  test("[LI-05] [EV-06] it is deleted once 30 days have passed, with the event", async () => {
    await world.advance(30 * day);
    expect((await world.call("GET", configurationPath(id))).status).toBe(404);
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(401);
    expect(await eventsOf(world, "integration-configuration.removed")).toMatchObject([
      { payload: { team: { id: await idOf("acme") }, user: { id: null }, configuration: { id } } },
    ]);
    expect((await world.askControl("POST", `/installations/${id}/enable`)).status).toBe(404);
  });

  test("[EV-06] a disabled configuration that is removed sends the event", async () => {
    await world.call("DELETE", configurationPath(id));
    expect(await eventsOf(world, "integration-configuration.removed")).toHaveLength(1);
  });

  test("[S-23] [X-81] ownership transferred in time: it works again, and is not deleted", async () => {
    await world.advance(30 * day - 1);
    const { status, body } = await world.askControl("POST", `/installations/${id}/owner`, {
      user: "owner-of-acme",
    });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("disabledAt");
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(200);
    await world.advance(60 * day);
    expect((await world.call("GET", configurationPath(id))).status).toBe(200);
    expect(await eventsOf(world, "integration-configuration.transferred")).toMatchObject([
      { payload: { configuration: { id }, newAccountId: body.userId } },
    ]);
  });

  test("[S-21] when the new owner leaves as well, it is disabled anew, for 30 days from then", async () => {
    await world.askControl("POST", `/installations/${id}/owner`, { user: "viewer-of-acme" });
    await world.advance(20 * day);
    await world.control.removeMember("acme", "viewer-of-acme");
    refusedAsDisabled(await world.call("GET", "/v9/projects", { token }));
    await world.advance(30 * day - 1);
    expect((await world.call("GET", configurationPath(id))).status).toBe(200);
    await world.advance(1);
    expect((await world.call("GET", configurationPath(id))).status).toBe(404);
  });

  test("ownership goes to nobody outside the team", async () => {
    const { status } = await world.askControl("POST", `/installations/${id}/owner`, { user: "maker" });
    expect(status).toBe(400);
    refusedAsDisabled(await world.call("GET", "/v9/projects", { token }));
  });

  test("[X-81] enabling re-activates it, for good, and again changes nothing", async () => {
    expect((await world.askControl("POST", `/installations/${id}/enable`)).status).toBe(200);
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(200);
    expect((await world.askControl("POST", `/installations/${id}/enable`)).status).toBe(200);
    await world.advance(60 * day);
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(200);
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
      "a stranger who installs",
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
