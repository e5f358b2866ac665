import { addIntegration, eventsOf, installWithToken, mailSent } from "../../support/integrations";
import { type Answer, beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const day = 24 * 60 * 60 * 1000;

beforeEach(() => addIntegration(world, ["project", "integration-configuration"]));

const configurationPath = (id: string): string => `/v1/integrations/configuration/${id}`;
const idOf = async (team: string): Promise<string> =>
  (await world.call("GET", `/v2/teams/${team}`, { team: null })).body.id;
const refusedAsDisabled = ({ status, body }: Answer): void => {
  expect(body.error.code).toBe("integration_configuration_disabled");
  expect(status).toBe(403);
};

describe("when the owner of an installation leaves the team", () => {
  let id: string;
  let token: string;

  beforeEach(async () => {
    await world.member("MEMBER");
    await world.member("OWNER");
    await world.member("VIEWER");
    ({ id, token } = await installWithToken(world, { installedBy: "member-of-acme" }));
    await world.control.removeMember("acme", "member-of-acme");
  });

  // S-21, X-80
  test("the configuration is disabled, with time and reason, and every request refused", async () => {
    const { body } = await world.call("GET", configurationPath(id));
    expect(body).toMatchObject({
      disabledAt: beginning,
      disabledReason: "original-owner-left-the-team",
      status: "suspended",
    });
    refusedAsDisabled(await world.call("GET", "/v9/projects", { token }));
  });

  // S-21
  test.each([
    ["POST", "/v9/projects", "no JSON"],
    ["GET", "/v9/projects?limit=none", undefined],
    ["PUT", "/v9/projects", undefined],
    ["GET", "/v1/nothing-here", undefined],
    ["GET", "/v9/projects/%zz", undefined],
  ])("and so is %s %s, before anything else is found wrong with it", async (method, path, body) => {
    refusedAsDisabled(await world.call(method, path, { token, body }));
    expect((await world.call(method, path, { body })).body.error.code).not.toMatch(/disabled/);
  });

  // S-21
  test("an installation of somebody else, and a personal one, stay enabled", async () => {
    const other = await installWithToken(world);
    const personal = await installWithToken(world, { user: "member-of-acme" });
    expect((await world.call("GET", "/v9/projects", { token: other.token })).status).toBe(200);
    const mine = await world.call("GET", "/v9/projects", { token: personal.token, team: null });
    expect(mine.status).toBe(200);
  });

  // S-22
  test("everybody who is left in the team gets mail that asks for a transfer within 30 days", async () => {
    const subject = "Cron is disabled: its owner left the team";
    expect(await mailSent(world)).toEqual([
      { to: "dev@example.com", subject },
      { to: "owner-of-acme@example.com", subject },
      { to: "viewer-of-acme@example.com", subject },
    ]);
    const [mail] = await world.control.mail();
    expect(mail?.body).toContain("within 30 days");
    expect(mail?.body).toContain(new Date(beginning + 30 * day).toISOString());
    expect(mail?.body).toContain(id);
  });

  // T-05
  test("a write that is refused changes nothing", async () => {
    refusedAsDisabled(await world.call("POST", "/v10/projects", { token, body: { name: "web" } }));
    refusedAsDisabled(await world.call("DELETE", configurationPath(id), { token }));
    expect((await world.call("GET", "/v9/projects")).body.projects).toEqual([]);
    expect(await eventsOf(world, "project.created")).toEqual([]);
    expect((await world.call("GET", configurationPath(id))).status).toBe(200);
  });

  // LI-04
  test("it is still there one millisecond before 30 days have passed", async () => {
    await world.advance(30 * day - 1);
    expect((await world.call("GET", configurationPath(id))).status).toBe(200);
    expect(await eventsOf(world, "integration-configuration.removed")).toEqual([]);
  });

  // LI-05, EV-06
  test("it is deleted once 30 days have passed, with the event", async () => {
    await world.advance(30 * day);
    expect((await world.call("GET", configurationPath(id))).status).toBe(404);
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(401);
    expect(await eventsOf(world, "integration-configuration.removed")).toMatchObject([
      { payload: { team: { id: await idOf("acme") }, user: { id: null }, configuration: { id } } },
    ]);
    expect((await world.askControl("POST", `/installations/${id}/enable`)).status).toBe(404);
  });

  // LI-05
  test("it is not found once 30 days have passed, also before it is deleted", async () => {
    world.clock.advance(30 * day);
    expect((await world.call("GET", configurationPath(id))).status).toBe(404);
    const query = { view: "account" };
    expect((await world.call("GET", "/v1/integrations/configurations", { query })).body).toEqual([]);
  });

  // EV-06
  test("a disabled configuration that is removed sends the event", async () => {
    await world.call("DELETE", configurationPath(id));
    expect(await eventsOf(world, "integration-configuration.removed")).toHaveLength(1);
  });

  // S-23, X-81
  test("ownership transferred in time: it works again, and is not deleted", async () => {
    await world.advance(30 * day - 1);
    const { status, body } = await world.askControl("POST", `/installations/${id}/owner`, {
      user: "owner-of-acme",
    });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("disabledAt");
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(200);
    const team = await idOf("acme");
    const { body: left } = await world.call("GET", "/v2/user", {
      token: "token-of-member-of-acme",
      team: null,
    });
    expect(await eventsOf(world, "integration-configuration.transferred")).toMatchObject([
      {
        payload: {
          configuration: { id },
          installationId: id,
          previousTeamId: team,
          newTeamId: team,
          previousAccountId: left.user.id,
          newAccountId: body.userId,
        },
      },
    ]);
    await world.advance(60 * day);
    expect((await world.call("GET", configurationPath(id))).status).toBe(200);
  });

  test("what the installation does is the new owner's, once ownership is transferred", async () => {
    const owner = await world.askControl("POST", `/installations/${id}/owner`, { user: "owner-of-acme" });
    expect((await world.call("POST", "/v10/projects", { token, body: { name: "web" } })).status).toBe(200);
    expect(await eventsOf(world, "project.created")).toMatchObject([
      { payload: { user: { id: owner.body.userId } } },
    ]);
  });

  // S-21
  test("when the new owner leaves as well, it is disabled again, for 30 days from then", async () => {
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

  //
  test("enabling re-activates it, for good, and again changes nothing", async () => {
    expect((await world.askControl("POST", `/installations/${id}/enable`)).status).toBe(200);
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(200);
    expect((await world.askControl("POST", `/installations/${id}/enable`)).status).toBe(200);
    await world.advance(60 * day);
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(200);
  });
});

test("mail about an owner who left goes to the address of the team too, and none goes to invited users", async () => {
  await world.member("MEMBER");
  await world.seed({
    users: [{ username: "invited" }],
    teams: [
      {
        slug: "acme",
        email: "team@example.com",
        members: [{ user: "invited", role: "OWNER", confirmed: false }],
      },
    ],
  });
  await installWithToken(world, { installedBy: "member-of-acme" });
  const scopes = ["project", "integration-configuration", "domain"];
  await world.askControl("POST", "/integrations/cron/scopes", { scopes });
  const requests = { subject: "Cron requests more permissions" };
  const asked = [
    { to: "dev@example.com", ...requests },
    { to: "member-of-acme@example.com", ...requests },
  ];
  expect(await mailSent(world)).toEqual(asked);
  await world.control.removeMember("acme", "member-of-acme");
  const disabled = { subject: "Cron is disabled: its owner left the team" };
  expect((await mailSent(world)).filter(({ subject }) => subject === disabled.subject)).toEqual([
    { to: "dev@example.com", ...disabled },
    { to: "team@example.com", ...disabled },
  ]);
});
