import type { Role } from "../../../server/members/object";
import { addIntegration, installWithToken } from "../../support/integrations";
import { type Answer, useTestServer } from "../../support/world";

const world = useTestServer();

const invite = (body: object, token?: string): Promise<Answer> =>
  world.call("POST", "/v2/teams/acme/members", { body, ...(token === undefined ? {} : { token }) });
const change = (uid: string, body: object, token?: string): Promise<Answer> =>
  world.call("PATCH", `/v1/teams/acme/members/${uid}`, { body, ...(token === undefined ? {} : { token }) });
const remove = (uid: string, token?: string): Promise<Answer> =>
  world.call("DELETE", `/v1/teams/acme/members/${uid}`, token === undefined ? {} : { token });
const join = (token: string, team = "acme"): Promise<Answer> =>
  world.call("POST", `/v1/teams/${team}/members/teams/join`, { token, team: null, body: {} });
// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer, which the server has checked
const members = async (): Promise<any[]> => (await world.call("GET", "/v3/teams/acme/members")).body.members;
const memberOf = async (email: string) => (await members()).find((one) => one.email === email);
const dev = async (): Promise<string> => (await memberOf("dev@example.com"))?.uid;

describe("an invitation", () => {
  it("adds a member who is not confirmed, to a known user and to a new address", async () => {
    const token = await world.user("ada");
    const { id } = (await world.call("GET", "/v2/user", { token, team: null })).body.user;
    expect(await invite({ email: "ADA@example.com", role: "DEVELOPER" })).toMatchObject({
      status: 200,
      body: { uid: id, username: "ada", email: "ada@example.com", role: "DEVELOPER" },
    });
    expect(await memberOf("ada@example.com")).toMatchObject({ uid: id, role: "DEVELOPER", confirmed: false });

    const { body } = await invite([{ email: "Grace.Hopper@example.net" }]);
    expect(body).toMatchObject({
      username: "grace-hopper",
      email: "Grace.Hopper@example.net",
      role: "VIEWER",
    });
    expect(await memberOf("Grace.Hopper@example.net")).toMatchObject({ uid: body.uid, confirmed: false });
  });

  it("gives a user another username where the address leads to one that is taken", async () => {
    const { body } = await invite({ email: "dev@elsewhere.example" });
    expect(body.username).toMatch(/^dev-[a-z0-9]{6}$/);
  });

  it("gives no access to the team until it is accepted", async () => {
    const token = await world.user("ada");
    await invite({ email: "ada@example.com", role: "OWNER" });
    const sees = async () =>
      Promise.all([
        world.call("GET", "/v9/projects", { token }).then(({ status }) => status),
        world.call("GET", "/v2/teams/acme", { token }).then(({ status }) => status),
        world.call("GET", "/v2/teams", { token, team: null }).then(({ body }) => body.teams.length),
      ]);
    expect(await sees()).toEqual([403, 403, 0]);
    const { id } = (await world.call("GET", "/v2/teams/acme")).body;
    expect(await join(token)).toMatchObject({
      status: 200,
      body: { teamId: id, slug: "acme", from: "mail" },
    });
    expect(await sees()).toEqual([200, 200, 1]);
    expect(await memberOf("ada@example.com")).toMatchObject({ role: "OWNER", confirmed: true });
  });

  it("is sent by mail", async () => {
    await invite({ email: "ada@example.net", role: "MEMBER" });
    const { mail } = (await world.askControl("GET", "/mail")).body;
    expect(mail).toEqual([
      expect.objectContaining({
        to: "ada@example.net",
        subject: expect.stringContaining("Join the team"),
        body: expect.stringMatching(/dev has invited you to the team .* with the role MEMBER/),
      }),
    ]);
  });

  it("names the team in one line, so that a name adds no lines to the mail", async () => {
    const name = "X\r\nBcc: eve@example.com\r\n\r\nYour access has expired";
    await world.call("PATCH", "/v2/teams/acme", { body: { name } });
    await invite({ email: "ada@example.net" });
    const [mail] = (await world.askControl("GET", "/mail")).body.mail;
    expect(mail.subject).toBe("Join the team X Bcc: eve@example.com Your access has expired");
    expect(mail.body).not.toMatch(/[\r\n]/);
  });

  it("is accepted by its user alone, and once", async () => {
    const [ada, eve] = [await world.user("ada"), await world.user("eve")];
    await invite({ email: "ada@example.com" });
    expect((await join(eve)).status).toBe(404);
    expect((await join(ada, "other")).status).toBe(404);
    expect((await join(ada)).status).toBe(200);
    expect((await join(ada)).status).toBe(404);
  });

  it("is refused for a member, and for a user who was invited before", async () => {
    await invite({ email: "ada@example.net" });
    for (const email of ["ADA@example.net", "dev@example.com"]) {
      expect(await invite({ email })).toMatchObject({
        status: 400,
        body: { error: { code: "bad_request", message: expect.stringContaining("is a member of the team") } },
      });
    }
    expect(await members()).toHaveLength(2);
  });

  it("is withdrawn by removing the member, and can be repeated with the same user", async () => {
    const { uid } = (await invite({ email: "ada@example.net" })).body;
    expect((await remove(uid)).status).toBe(200);
    expect(await memberOf("ada@example.net")).toBeUndefined();
    expect((await invite({ email: "ada@example.net" })).body.uid).toBe(uid);
  });

  it.each([
    [{}],
    [{ email: "no address" }],
    [{ email: "a@example.net", role: "KING" }],
    [{ uid: "x" }],
    [[]],
    [[{ email: "a@example.net" }, { email: "b@example.net" }]],
  ])("is refused with the body %j", async (body) => {
    expect((await invite(body)).status).toBe(400);
    expect(await members()).toHaveLength(1);
  });
});

describe("the role of a member", () => {
  it("changes, also before the invitation is accepted", async () => {
    const { uid } = (await invite({ email: "ada@example.net", role: "VIEWER" })).body;
    const { id } = (await world.call("GET", "/v2/teams/acme")).body;
    expect(await change(uid, { role: "MEMBER" })).toMatchObject({ status: 200, body: { id } });
    expect(await memberOf("ada@example.net")).toMatchObject({ role: "MEMBER", confirmed: false });
    expect((await change(uid, { confirmed: true })).status).toBe(200);
    expect(await memberOf("ada@example.net")).toMatchObject({ role: "MEMBER", confirmed: false });
  });

  it("is 404 for who is no member", async () => {
    for (const answer of [await change("nobody", { role: "VIEWER" }), await remove("nobody")])
      expect(answer).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  });

  it.each<Role>(["SECURITY", "VIEWER_FOR_PLUS", "CONTRIBUTOR"])(
    "can be %s, which writes nothing",
    async (role) => {
      const token = await world.member(role);
      const write = await world.call("POST", "/v10/projects", { token, body: { name: "web" } });
      expect(write.status).toBe(403);
      const read = await world.call("GET", "/v9/projects", { token });
      expect(read.status).toBe(role === "CONTRIBUTOR" ? 403 : 200);
    },
  );
});

describe("the list of members", () => {
  const list = async (query: Record<string, string>) =>
    (await world.call("GET", "/v3/teams/acme/members", { query })).body;

  beforeEach(() =>
    world.seed({
      users: [
        { username: "ada", id: "user_ada", name: "Ada Lovelace" },
        { username: "grace", id: "user_grace", email: "hopper@navy.example" },
      ],
      teams: [
        {
          slug: "acme",
          members: [
            { user: "ada", role: "DEVELOPER" },
            { user: "grace", role: "VIEWER", confirmed: false },
          ],
        },
        { slug: "other", members: [{ user: "ada", role: "OWNER" }] },
      ],
      projects: [
        { team: "acme", id: "prj_web", name: "web" },
        { team: "other", id: "prj_theirs", name: "theirs" },
      ],
      projectMembers: [
        { team: "acme", project: "web", user: "ada", role: "ADMIN" },
        { team: "other", project: "theirs", user: "ada", role: "ADMIN" },
      ],
    }),
  );

  it.each<[string, Record<string, string>, string[]]>([
    ["a role", { role: "DEVELOPER" }, ["ada"]],
    ["a part of the name", { search: "LOVE" }, ["ada"]],
    ["a part of the username", { search: "Grac" }, ["grace"]],
    ["a part of the address", { search: "navy" }, ["grace"]],
    ["a text that is no pattern", { search: "%" }, []],
    ["ids", { filterByUserIds: "user_ada, user_grace" }, ["grace", "ada"]],
    ["no membership in the project of a name", { excludeProject: "web" }, ["grace", "dev"]],
    ["no membership in the project of an id", { eligibleMembersForProjectId: "prj_web" }, ["grace", "dev"]],
    ["no membership in a project of another team", { excludeProject: "prj_theirs" }, ["grace", "ada", "dev"]],
  ])("is filtered by %s, the latest member first", async (_, query, found) => {
    const names = (await list(query)).members.map(({ username }: { username: string }) => username);
    expect(names).toEqual(found);
    const { pagination } = await list({ ...query, limit: "1" });
    expect(pagination.hasNext).toBe(found.length > 1);
  });
});

it("an installation invites, changes and removes nobody, whoever installed it", async () => {
  const uid = await dev();
  await addIntegration(world, ["team"]);
  const { token } = await installWithToken(world);
  for (const { status } of [
    await invite({ email: "ada@example.net", role: "VIEWER" }, token),
    await change(uid, { role: "VIEWER" }, token),
    await remove(uid, token),
  ])
    expect(status).toBe(403);
  expect(await memberOf("ada@example.net")).toBeUndefined();
});

it("a token of one team joins no other team", async () => {
  await world.seed({
    users: [{ username: "nina", email: "nina@example.com" }],
    teams: [
      { slug: "other", members: [{ user: "nina", role: "MEMBER" }] },
      { slug: "acme", members: [{ user: "nina", role: "MEMBER", confirmed: false }] },
    ],
    tokens: [
      { token: "nina-bound-000000000", user: "nina", team: "other" },
      { token: "nina-token-000000000", user: "nina" },
    ],
  });
  const join = (token: string) =>
    world.call("POST", "/v1/teams/acme/members/teams/join", { token, team: null, body: {} });
  expect((await join("nina-bound-000000000")).status).toBe(404);
  expect((await join("nina-token-000000000")).status).toBe(200);
});

describe("the last owner who has accepted", () => {
  it("is neither demoted nor removed", async () => {
    const uid = await dev();
    await invite({ email: "ada@example.net", role: "OWNER" });
    for (const answer of [await change(uid, { role: "MEMBER" }), await remove(uid)])
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining("must keep an owner") } },
      });
    expect(await change(uid, { role: "OWNER" })).toMatchObject({ status: 200 });
  });

  it("can go when there is another one", async () => {
    const token = await world.member("OWNER");
    const uid = await dev();
    expect((await change(uid, { role: "MEMBER" }, token)).status).toBe(200);
    expect((await remove(uid, token)).status).toBe(200);
    const { body } = await world.call("GET", "/v3/teams/acme/members", { token });
    expect(body.members).toEqual([expect.objectContaining({ role: "OWNER" })]);
  });
});

describe("a member who is no owner", () => {
  it.each<Role>(["MEMBER", "DEVELOPER", "VIEWER", "BILLING"])(
    "as %s, invites, changes and removes nobody",
    async (role) => {
      const token = await world.member(role);
      const uid = await dev();
      for (const { status } of [
        await invite({ email: "a@example.net" }, token),
        await change(uid, { role: "VIEWER" }, token),
        await remove(uid, token),
      ])
        expect(status).toBe(403);
    },
  );

  it("leaves the team, which disables the installations of the member", async () => {
    const token = await world.member("MEMBER");
    const { id, username } = (await world.call("GET", "/v2/user", { token, team: null })).body.user;
    await world.seed({
      integrations: [
        {
          slug: "ours",
          owner: "dev",
          clientSecret: "s",
          redirectUrl: "http://127.0.0.1:9/cb",
          scopes: ["project"],
        },
      ],
      installations: [
        { id: "icfg_1", integration: "ours", team: "acme", installedBy: username, token: "of-icfg" },
      ],
    });
    expect((await remove(id, token)).status).toBe(200);
    const { id: team } = (await world.call("GET", "/v2/teams/acme")).body;
    const { body } = await world.call("GET", "/v9/projects", { token: "of-icfg", query: { teamId: team } });
    expect(body.error.code).toBe("integration_configuration_disabled");
    expect((await world.call("GET", "/v2/teams/acme", { token })).status).toBe(403);
  });
});

it("a seed has invited users", async () => {
  await world.seed({
    users: [{ username: "ada" }],
    teams: [{ slug: "acme", members: [{ user: "ada", role: "VIEWER", confirmed: false }] }],
  });
  expect(await memberOf("ada@example.com")).toMatchObject({ role: "VIEWER", confirmed: false });
});
