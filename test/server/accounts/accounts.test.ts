import { plainDevelopmentToken } from "../../../server/seed/development-account";
import { addIntegration, installWithToken } from "../../support/integrations";
import { ownersOfAcme } from "../../support/owners";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const own = { team: null };

it("the development account has a second token, of letters and digits alone", async () => {
  expect(plainDevelopmentToken).toBe("slipwaydevtoken");
  const { body } = await world.call("GET", "/v2/user", { ...own, token: plainDevelopmentToken });
  expect(body).toEqual((await world.call("GET", "/v2/user", own)).body);
});

describe("the default team of a user", () => {
  const defaultTeamOf = async (token?: string): Promise<string | null> => {
    const options = token === undefined ? own : { ...own, token };
    return (await world.call("GET", "/v2/user", options)).body.user.defaultTeamId;
  };

  it("is the team that the access token is bound to", async () => {
    await world.seed({ tokens: [{ token: "bound", user: "dev", team: "acme" }] });
    const { id } = (await world.call("GET", "/v2/teams/acme", own)).body;
    expect(await defaultTeamOf("bound")).toBe(id);
  });

  it("is null for a token that is bound to no team", async () => {
    expect(await defaultTeamOf()).toBeNull();
  });
});

describe("teams", () => {
  it("are listed with when they changed, and that nothing limits what is seen of them", async () => {
    const { body } = await world.call("GET", "/v2/teams", own);
    expect(body.teams).toEqual([
      expect.objectContaining({ slug: "acme", updatedAt: beginning, limited: false, limitedBy: [] }),
    ]);
    const team = (await world.call("GET", "/v2/teams/acme", own)).body;
    expect(team).toMatchObject({ slug: "acme", updatedAt: beginning });
    expect(team).not.toHaveProperty("limited");
  });

  it("have one of the caller's own id: their own account", async () => {
    const { user } = (await world.call("GET", "/v2/user", own)).body;
    const { status, body } = await world.call("GET", `/teams/${user.id}`, own);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: user.id, slug: "dev", membership: { role: "OWNER", uid: user.id } });
  });

  it("hide another person's account, and one's own from a token that is bound to a team", async () => {
    const { user } = (await world.call("GET", "/v2/user", own)).body;
    const outsider = await world.user("eve");
    expect((await world.call("GET", `/v2/teams/${user.id}`, { ...own, token: outsider })).status).toBe(403);
    await world.seed({ tokens: [{ token: "bound", user: "dev", team: "acme" }] });
    expect((await world.call("GET", `/v2/teams/${user.id}`, { token: "bound" })).status).toBe(403);
  });
});

it("a token that is bound to a team is refused on its user's own account", async () => {
  const { user } = (await world.call("GET", "/v2/user", own)).body;
  await world.seed({ tokens: [{ token: "bound", user: "dev", team: "acme" }] });
  const list = { ...own, token: "bound", query: { teamId: user.id } };
  const { status, body } = await world.call("GET", "/v9/projects", list);
  expect([status, body.error?.code]).toEqual([403, "team_unauthorized"]);
});

describe("a contributor without a project", () => {
  it("sees team and user alone", async () => {
    const token = await world.member("CONTRIBUTOR");
    const statusOf = async (path: string) => (await world.call("GET", path, { token })).status;
    expect(await statusOf("/v2/user")).toBe(200);
    expect(await statusOf("/v2/teams/acme")).toBe(200);
    expect(await statusOf("/v3/teams/acme/members")).toBe(200);
    expect(await statusOf("/v9/projects")).toBe(403);
    expect(await statusOf("/v5/domains")).toBe(403);
  });
});

describe("an installation", () => {
  beforeEach(() => addIntegration(world, ["team", "user"]));

  it("has its team as the default team of its user, and none on a personal account", async () => {
    const team = await installWithToken(world);
    const personal = await installWithToken(world, { user: "dev" });
    const { id } = (await world.call("GET", "/v2/teams/acme", own)).body;
    const defaultOf = async (token: string, options: object) =>
      (await world.call("GET", "/v2/user", { token, ...options })).body.user;
    expect(await defaultOf(team.token, {})).toMatchObject({ username: "dev", defaultTeamId: id });
    expect(await defaultOf(personal.token, own)).toMatchObject({ username: "dev", defaultTeamId: null });
  });

  it("does not change the team, although it has the scope", async () => {
    const { token } = await installWithToken(world);
    const answer = await world.call("PATCH", "/v2/teams/acme", { token, body: { name: "Renamed" } });
    expect([answer.status, answer.body.error.code]).toEqual([403, "forbidden"]);
  });
});

it("the creator of a team is the confirmed owner who joined first", async () => {
  await world.seed(ownersOfAcme);
  expect((await world.call("GET", "/v2/teams/acme", own)).body.creatorId).toBe("user_z");
});
