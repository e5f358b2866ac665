import { addIntegration, client, exchange, install, installWithToken } from "../../support/integrations";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const minute = 60_000;

beforeEach(() => addIntegration(world));

const teamId = async (): Promise<string> =>
  (await world.call("GET", "/v2/teams/acme", { team: null })).body.id;

describe("token exchange", () => {
  // TK-02, AU-01, X-77
  test("a form with a fresh code, sent without any token, gives an access token that works", async () => {
    const { code } = await install(world);
    const { status, body } = await exchange(world, { code });
    expect(status).toBe(200);
    const projects = await world.call("GET", "/v9/projects", { token: body.access_token });
    expect(projects.status).toBe(200);
  });

  // TK-07, X-75, AU-16
  test("a team's installation: the answer names the team, whose teamId opens it", async () => {
    const { code, configurationId } = await install(world);
    const { body } = await exchange(world, { code });
    const team = await teamId();
    expect(body).toEqual({
      token_type: "Bearer",
      access_token: expect.any(String),
      installation_id: configurationId,
      user_id: expect.any(String),
      team_id: team,
    });
    const projects = await world.call("GET", "/v9/projects", {
      token: body.access_token,
      query: { teamId: team },
    });
    expect(projects.status).toBe(200);
  });

  // TK-08, AU-18
  test("a personal installation: team_id is null, and requests go without teamId", async () => {
    const { code } = await install(world, { user: "dev" });
    const { body } = await exchange(world, { code });
    expect(body.team_id).toBeNull();
    const projects = await world.call("GET", "/v9/projects", { token: body.access_token, team: null });
    expect(projects.status).toBe(200);
  });

  // AU-17, X-03
  test("a team's installation that leaves teamId out is refused", async () => {
    const { token } = await installWithToken(world);
    const { status, body } = await world.call("GET", "/v9/projects", { token, team: null });
    expect(status).toBe(403);
    expect(body.error.code).toBe("team_unauthorized");
  });

  // TK-01
  test("slug and teamId have no effect, not even when there is no such team", async () => {
    const { code } = await install(world);
    const { status, body } = await exchange(
      world,
      { code },
      { query: { slug: "nobody", teamId: "team_nobody" } },
    );
    expect(status).toBe(200);
    expect(body.team_id).toBe(await teamId());
  });

  //
  test("an Authorization header is not looked at", async () => {
    const { code } = await install(world);
    const { status } = await exchange(world, { code }, { headers: { authorization: "Bearer nonsense" } });
    expect(status).toBe(200);
  });

  // TK-03, TK-04, TK-05, TK-06, X-76
  test.each(["client_id", "client_secret", "code", "redirect_uri"] as const)(
    "without %s: 400 bad_request, and the code stays good",
    async (member) => {
      const { code } = await install(world);
      const { status, body } = await exchange(world, { code, [member]: undefined });
      expect(status).toBe(400);
      expect(body.error.code).toBe("bad_request");
      expect(body.error.message).toContain(member);
      expect((await exchange(world, { code })).status).toBe(200);
    },
  );

  //
  test.each([
    ["another client id", { client_id: "oac_other" }, 401, "invalid_client"], // TK-03
    ["another secret", { client_secret: "guess" }, 401, "invalid_client"], // TK-04
    ["an unknown code", { code: "nonsense" }, 400, "invalid_grant"], // TK-05
    // TK-06
    ["another redirect URL", { redirect_uri: "https://cron.example.com/other" }, 400, "invalid_grant"],
    // TK-06
    ["the redirect URL in part", { redirect_uri: "https://cron.example.com/callback" }, 400, "invalid_grant"],
    ["another grant type", { grant_type: "password" }, 400, "bad_request"],
  ])("%s is refused, and the code stays good", async (_what, members, expected, error) => {
    const { code } = await install(world);
    const { status, body } = await exchange(world, { code, ...members });
    expect(status).toBe(expected);
    expect(body.error.code).toBe(error);
    expect((await exchange(world, { code })).status).toBe(200);
  });

  //
  test("a member that is given twice is refused", async () => {
    const { code } = await install(world);
    const form = new URLSearchParams({ ...client, code });
    form.append("code", "another");
    const { status, body } = await world.call("POST", "/v2/oauth/access_token", {
      token: null,
      team: null,
      body: form.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(status).toBe(400);
    expect(body.error.code).toBe("bad_request");
  });

  //
  test("a code of another integration is refused, and stays good for its own", async () => {
    const other = { client_id: "oac_other", client_secret: "s2", redirect_uri: "https://other.example.com/" };
    await world.seed({
      integrations: [
        {
          clientId: other.client_id,
          clientSecret: other.client_secret,
          slug: "other",
          owner: "maker",
          redirectUrl: other.redirect_uri,
          scopes: [],
        },
      ],
    });
    const { code } = await install(world);
    const { status, body } = await exchange(world, { code, ...other });
    expect(status).toBe(400);
    expect(body.error.code).toBe("invalid_grant");
    expect((await exchange(world, { code })).status).toBe(200);
  });

  //
  test("JSON and a grant_type are taken as well", async () => {
    const { code } = await install(world);
    const { status, body } = await world.call("POST", "/v2/oauth/access_token", {
      token: null,
      team: null,
      body: { ...client, code, grant_type: "authorization_code" },
    });
    expect(status).toBe(200);
    expect(body.token_type).toBe("Bearer");
  });

  //
  test("a form with a grant_type is taken", async () => {
    const { code } = await install(world);
    const { status } = await exchange(world, { code, grant_type: "authorization_code" });
    expect(status).toBe(200);
  });

  //
  test.each(["/oauth/access_token", "/v1/oauth/access_token"])("is reached as %s too", async (path) => {
    const { code } = await install(world);
    const { status } = await world.call("POST", path, {
      token: null,
      team: null,
      body: { ...client, code },
    });
    expect(status).toBe(200);
  });

  // LI-01
  test("a code is exchanged one millisecond before 30 minutes have passed", async () => {
    const { code } = await install(world);
    await world.advance(30 * minute - 1);
    expect((await exchange(world, { code })).status).toBe(200);
  });

  // LI-02
  test("a code is refused once 30 minutes have passed", async () => {
    const { code } = await install(world);
    await world.advance(30 * minute);
    const { status, body } = await exchange(world, { code });
    expect(status).toBe(400);
    expect(body.error.code).toBe("invalid_grant");
  });

  // LI-03
  test("a second exchange is refused, and the token of the first goes on", async () => {
    const { code } = await install(world);
    const first = await exchange(world, { code });
    const { status, body } = await exchange(world, { code });
    expect(status).toBe(400);
    expect(body.error.code).toBe("invalid_grant");
    const projects = await world.call("GET", "/v9/projects", { token: first.body.access_token });
    expect(projects.status).toBe(200);
  });

  // LI-03
  test("of ten exchanges at once exactly one succeeds", async () => {
    const { code } = await install(world);
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(world, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 400),
    ]);
  });

  // AU-15
  test("the token still works long after its code expired", async () => {
    const { token } = await installWithToken(world);
    await world.advance(400 * 24 * 60 * minute);
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(200);
  });

  // T-04
  test("a disabled installation's code is refused, and works once it is enabled again", async () => {
    await world.member("MEMBER");
    const { code, configurationId } = await install(world, { installedBy: "member-of-acme" });
    await world.control.removeMember("acme", "member-of-acme");
    const refused = await exchange(world, { code });
    expect(refused.status).toBe(403);
    expect(refused.body.error.code).toBe("integration_configuration_disabled");
    await world.askControl("POST", `/installations/${configurationId}/enable`);
    expect((await exchange(world, { code })).status).toBe(200);
  });

  // TK-05
  test("the code of a removed installation is refused", async () => {
    const { code, configurationId } = await install(world);
    await world.call("DELETE", `/v1/integrations/configuration/${configurationId}`);
    const { status, body } = await exchange(world, { code });
    expect(status).toBe(400);
    expect(body.error.code).toBe("invalid_grant");
  });

  test("the documentation says that it takes a form and no token", async () => {
    const { body } = await world.call("GET", "/openapi.json", { token: null, team: null });
    const operation = body.paths["/v2/oauth/access_token"].post;
    expect(operation.security).toEqual([]);
    expect(operation.parameters).toEqual([]);
    expect(Object.keys(operation.requestBody.content)).toEqual([
      "application/x-www-form-urlencoded",
      "application/json",
    ]);
    expect(Object.keys(operation.responses)).toEqual(["200", "400", "401", "403", "413", "429", "500"]);
  });
});

describe("installing", () => {
  // AU-14, X-79
  test("sends the user to the redirect URL with code, configurationId, teamId, next and source", async () => {
    const { redirectUrl, code, configurationId } = await install(world, {
      next: "https://console.example.com/done",
      source: "marketplace",
    });
    const url = new URL(redirectUrl);
    expect(`${url.origin}${url.pathname}`).toBe("https://cron.example.com/callback");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      from: "slipway",
      code,
      configurationId,
      teamId: await teamId(),
      next: "https://console.example.com/done",
      source: "marketplace",
    });
  });

  //
  test("carries no teamId for a personal account", async () => {
    const { redirectUrl } = await install(world, { user: "dev" });
    const names = [...new URL(redirectUrl).searchParams.keys()];
    expect(names).toEqual(["from", "code", "configurationId", "next", "source"]);
  });

  // AU-02
  test("a second installation makes a second configuration", async () => {
    const first = await install(world);
    const second = await install(world);
    expect(second.configurationId).not.toBe(first.configurationId);
    const { body } = await world.call("GET", "/v1/integrations/configurations", {
      query: { view: "account" },
    });
    expect(body.map(({ id }: { id: string }) => id).sort()).toEqual(
      [first.configurationId, second.configurationId].sort(),
    );
  });

  test.each([
    ["an unknown integration", "/integrations/nothing/install", { team: "acme" }, 404],
    ["no account", "/integrations/cron/install", {}, 400],
    ["two accounts", "/integrations/cron/install", { team: "acme", user: "dev" }, 400],
    ["an unknown team", "/integrations/cron/install", { team: "nothing" }, 400],
    [
      "a person who is not in the team",
      "/integrations/cron/install",
      { team: "acme", installedBy: "maker" },
      400,
    ],
    // AU-19
    ["a scope that there is not", "/integrations/cron/install", { team: "acme", scopes: ["root"] }, 400],
    ["a project that there is not", "/integrations/cron/install", { team: "acme", projects: ["web"] }, 400],
  ])("refuses %s", async (_what, path, body, status) => {
    expect((await world.askControl("POST", path, body)).status).toBe(status);
  });
});
