import { useTestServer } from "../../support/world";

const world = useTestServer();
let ada: string;
let uid: string;
beforeEach(async () => {
  ada = await world.user("ada");
  uid = (await world.call("GET", "/v2/user", { token: ada, team: null })).body.user.id;
});

const joinedFrom = { origin: "github", repoPath: "acme/web", gitUserId: 7 };
const ask = async (token = ada, team = "acme", on: string | null = null) => {
  const options = { token, team: on, body: { joinedFrom } };
  const { status, body } = await world.call("POST", `/v1/teams/${team}/request`, options);
  return { status, body, code: body.error?.code };
};
const read = (token?: string, user = uid) =>
  world.call("GET", `/v1/teams/acme/request/${user}`, token ? { token, team: null } : {});
const change = (body: object) => world.call("PATCH", `/v1/teams/acme/members/${uid}`, { body });
const join = async () =>
  (await world.call("POST", "/v1/teams/acme/members/teams/join", { token: ada, team: null, body: {} }))
    .status;
const sees = async () => (await world.call("GET", "/v9/projects", { token: ada })).status;

const asked = () => ({
  ...{ teamName: expect.any(String), teamSlug: "acme", confirmed: false, joinedFrom },
  ...{ accessRequestedAt: world.clock.now(), github: null, gitlab: null, bitbucket: null },
});

it("waits for an owner, who accepts it", async () => {
  expect(await ask()).toMatchObject({ status: 200, body: asked() });
  const { body } = await world.call("GET", "/v3/teams/acme/members");
  expect(body.members.find((one: { uid: string }) => one.uid === uid)).toMatchObject({
    ...{ role: "MEMBER", confirmed: false, accessRequestedAt: world.clock.now(), joinedFrom },
  });
  expect([await join(), await sees()]).toEqual([404, 403]);
  expect((await change({ confirmed: true })).status).toBe(200);
  expect(await sees()).toBe(200);
  expect((await read()).body).toEqual({ ...asked(), confirmed: true });
  expect(await ask()).toMatchObject({ status: 400, code: "bad_request" });
});

it("changes nothing the second time", async () => {
  const { body } = await ask();
  await world.control.advanceClock(1000);
  expect((await ask()).body).toEqual(body);
});

it("is seen by the user and by members of the team, until it is declined", async () => {
  expect((await read(ada)).status).toBe(404);
  await ask();
  const viewer = await world.member("VIEWER");
  for (const token of [ada, viewer, undefined]) expect((await read(token)).body).toEqual(asked());
  expect((await read(await world.user("eve"))).status).toBe(404);
  await world.call("DELETE", `/v1/teams/acme/members/${uid}`);
  expect((await read(ada)).status).toBe(404);
});

it("is no invitation, and `confirmed` accepts no invited user", async () => {
  await world.call("POST", "/v2/teams/acme/members", { body: { email: "ada@example.com" } });
  expect(await ask()).toMatchObject({ status: 400, code: "bad_request" });
  await change({ confirmed: true });
  expect([await sees(), (await read(ada)).status]).toEqual([403, 404]);
  expect(await join()).toBe(200);
});

it("is refused to a token of another account, and for an unknown team", async () => {
  const token = await world.team("other");
  await world.seed({ tokens: [{ token: "bound", user: "owner-of-other", team: "other" }] });
  expect(await ask("bound", "acme", "other")).toMatchObject({ status: 404 });
  expect(await ask(token, "acme", "other")).toMatchObject({ status: 200 });
  expect(await ask(ada, "none")).toMatchObject({ status: 404, code: "not_found" });
});

it("is refused when a hundred users wait", async () => {
  const users = Array.from({ length: 100 }, (_, at) => ({ username: `user-${at}` }));
  await world.seed({
    users,
    tokens: users.map(({ username }) => ({ token: `of-${username}`, user: username })),
  });
  for (const { username } of users) expect((await ask(`of-${username}`)).status).toBe(200);
  expect(await ask()).toMatchObject({ status: 400, code: "bad_request" });
});

describe("the deletion of an invitation", () => {
  const withdraw = async (id: string, token?: string) => {
    const { status, body } = await world.call(
      "DELETE",
      `/v1/teams/acme/invites/${id}`,
      token ? { token } : {},
    );
    return [status, body.error?.code ?? body];
  };

  it("withdraws it, so that the user can no longer join", async () => {
    await world.call("POST", "/v2/teams/acme/members", { body: { email: "ada@example.com" } });
    expect(await withdraw(uid, await world.member("MEMBER"))).toEqual([403, "forbidden"]);
    const { id } = (await world.call("GET", "/v2/teams/acme")).body;
    expect(await withdraw(uid)).toEqual([200, { id }]);
    expect([await join(), await withdraw(uid)]).toEqual([404, [404, "not_found"]]);
  });

  it("is refused for a member, and for a user who asked to join", async () => {
    await ask();
    expect(await withdraw(uid)).toEqual([404, "not_found"]);
    await change({ confirmed: true });
    expect(await withdraw(uid)).toEqual([404, "not_found"]);
    expect(await sees()).toBe(200);
  });
});
