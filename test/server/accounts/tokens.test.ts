import { developmentToken } from "../../../server/seed/development-account";
import { addIntegration, installWithToken } from "../../support/integrations";
import { type Answer, beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const own = { team: null };
const later = beginning + 60_000;

const create = (body: object, options: object = own): Promise<Answer> =>
  world.call("POST", "/v3/user/tokens", { body, ...options });
const made = async (body: object, options: object = own) => (await create(body, options)).body;
const statusWith = async (token: string, options: object = own): Promise<number> =>
  (await world.call("GET", "/v2/user", { token, ...options })).status;
const namesFor = async (token: string, options: object = own): Promise<string[]> => {
  const { status, body } = await world.call("GET", "/v6/user/tokens", { token, ...options });
  expect(status).toBe(200);
  expect(body.pagination).toEqual({ count: body.tokens.length, next: null, prev: null });
  return body.tokens.map(({ name }: { name: string }) => name);
};
const refusal = ({ status, body }: Answer) => [status, body.error?.code];
const acme = async (): Promise<string> => (await world.call("GET", "/v2/teams/acme", own)).body.id;

describe("a created token", () => {
  it("has the access of its user, and is shown only in this answer", async () => {
    const { token, bearerToken } = await made({ name: "deploy" });
    expect(bearerToken).toMatch(/^vcp_[A-Za-z0-9]{32}$/);
    const shown = {
      id: expect.stringMatching(/^[A-Za-z0-9]{24}$/),
      name: "deploy",
      type: "token",
      origin: "manual",
      prefix: "vcp_",
      suffix: bearerToken.slice(-4),
      scopes: [{ type: "user", createdAt: beginning, origin: "manual" }],
      createdAt: beginning,
      activeAt: beginning,
    };
    expect(token).toEqual(shown);
    expect(await statusWith(bearerToken)).toBe(200);
    expect(await statusWith(bearerToken, {})).toBe(200);
    const read = await world.call("GET", `/v5/user/tokens/${token.id}`, own);
    expect([read.status, read.body]).toEqual([200, { token: shown }]);
    const listed = await world.call("GET", "/v6/user/tokens", own);
    expect(JSON.stringify([read.body, listed.body])).not.toContain(bearerToken);
  });

  it("is stored only as a hash, and a snapshot has none", async () => {
    const { bearerToken } = await made({ name: "deploy" });
    const rows = await world.services.store.read((tx) => tx.selectFrom("tokens").selectAll().execute());
    expect(rows.map(({ name }) => name)).toContain("deploy");
    expect(JSON.stringify(rows)).not.toContain(bearerToken);
    const snapshot = await world.askControl("GET", "/snapshot");
    expect(JSON.stringify(snapshot.body)).not.toMatch(/"deploy"|"tokens"/);
  });

  it("is limited to the team on which it is created", async () => {
    const { token, bearerToken } = await made({ name: "of acme" }, {});
    const teamId = await acme();
    const scope = { type: "team", teamId, createdAt: beginning, origin: "manual" };
    expect(token).toMatchObject({ teamId, scopes: [scope] });
    expect(await statusWith(bearerToken)).toBe(200);
    expect((await world.call("GET", "/v2/user", { ...own, token: bearerToken })).body.user).toMatchObject({
      defaultTeamId: teamId,
    });
    await world.seed({ teams: [{ slug: "second", members: [{ user: "dev", role: "OWNER" }] }] });
    expect(await statusWith(bearerToken, { team: "second" })).toBe(403);
  });

  it("may have the name of another one", async () => {
    const [one, other] = [await made({ name: "twin" }), await made({ name: "twin" })];
    expect(one.token.id).not.toBe(other.token.id);
    expect((await namesFor(developmentToken)).filter((name) => name === "twin")).toHaveLength(2);
  });

  it("may be created with any role in the team", async () => {
    const viewer = await world.member("VIEWER");
    const { bearerToken } = await made({ name: "reader" }, { token: viewer });
    expect((await world.call("GET", "/v9/projects", { token: bearerToken })).status).toBe(200);
    const write = { token: bearerToken, body: { name: "web" } };
    expect((await world.call("POST", "/v10/projects", write)).status).toBe(403);
  });
});

describe("a token that expires", () => {
  it("is refused from then on, and neither found nor listed", async () => {
    const { token, bearerToken } = await made({ name: "short", expiresAt: later });
    expect(token).toMatchObject({ expiresAt: later, scopes: [{ expiresAt: later }] });
    world.clock.advance(59_999);
    expect(await statusWith(bearerToken)).toBe(200);
    expect(await namesFor(developmentToken)).toContain("short");
    world.clock.advance(1);
    const answer = await world.call("GET", "/v2/user", { ...own, token: bearerToken });
    expect(refusal(answer)).toEqual([401, "forbidden"]);
    expect(answer.body.error).toMatchObject({
      invalidToken: true,
      message: expect.stringMatching(/expired/),
    });
    const write = await world.call("POST", "/v10/projects", { token: bearerToken, body: { name: "web" } });
    expect(write.status).toBe(401);
    expect(await namesFor(developmentToken)).not.toContain("short");
    for (const method of ["GET", "DELETE"])
      expect(refusal(await world.call(method, `/v5/user/tokens/${token.id}`, own))).toEqual([
        404,
        "not_found",
      ]);
  });

  it("can be in a seed, with a name", async () => {
    await world.seed({ tokens: [{ token: "short-lived", user: "dev", name: "ci", expiresAt: later }] });
    const { token } = (await world.call("GET", "/v5/user/tokens/current", { ...own, token: "short-lived" }))
      .body;
    expect(token).toMatchObject({ name: "ci", expiresAt: later });
    expect(token).not.toHaveProperty("suffix");
    world.clock.advance(60_000);
    expect(await statusWith("short-lived")).toBe(401);
    await world.seed({ tokens: [{ token: "short-lived", user: "dev" }] });
    expect(await statusWith("short-lived")).toBe(200);
  });
});

describe("`current`", () => {
  it("is the token of the request", async () => {
    const { token } = (await world.call("GET", "/v5/user/tokens/current", own)).body;
    expect(token).toMatchObject({ name: "development", scopes: [{ type: "user" }] });
    const { token: id, bearerToken } = await made({ name: "deploy" });
    const answer = await world.call("GET", "/v5/user/tokens/current", { ...own, token: bearerToken });
    expect(answer.body.token).toEqual(id);
  });

  it("can be deleted, and is refused from then on", async () => {
    const { token, bearerToken } = await made({ name: "deploy" });
    const remove = await world.call("DELETE", "/v3/user/tokens/current", { ...own, token: bearerToken });
    expect([remove.status, remove.body]).toEqual([200, { tokenId: token.id }]);
    expect(await statusWith(bearerToken)).toBe(401);
    expect(await statusWith(developmentToken)).toBe(200);
  });
});

it("a deleted token is refused at once, and can be deleted only once", async () => {
  const { token, bearerToken } = await made({ name: "deploy" });
  expect(await statusWith(bearerToken)).toBe(200);
  const remove = () => world.call("DELETE", `/v3/user/tokens/${token.id}`, own);
  expect((await remove()).body).toEqual({ tokenId: token.id });
  expect(await statusWith(bearerToken)).toBe(401);
  expect(refusal(await remove())).toEqual([404, "not_found"]);
});

it("the list has the newest first", async () => {
  for (const name of ["first", "second"]) {
    world.clock.advance(1);
    await create({ name });
  }
  expect(await namesFor(developmentToken)).toEqual(["second", "first", "development", "development"]);
});

describe("the tokens of others", () => {
  it("are neither shown nor deleted: those of another user", async () => {
    const eve = await world.user("eve");
    const { token, bearerToken } = await made({ name: "deploy" });
    expect(await namesFor(eve)).toEqual(["seed"]);
    for (const method of ["GET", "DELETE"]) {
      const answer = await world.call(method, `/v5/user/tokens/${token.id}`, { ...own, token: eve });
      expect(refusal(answer)).toEqual([404, "not_found"]);
    }
    expect(await statusWith(bearerToken)).toBe(200);
  });

  it("are neither shown nor deleted: those of an installation of the user", async () => {
    await addIntegration(world, ["user"]);
    const { token } = await installWithToken(world);
    const row = await world.services.store.read((tx) =>
      tx.selectFrom("tokens").selectAll().where("configuration_id", "is not", null).executeTakeFirstOrThrow(),
    );
    expect(await namesFor(developmentToken)).toEqual(["development", "development"]);
    const remove = await world.call("DELETE", `/v3/user/tokens/${row.id}`, own);
    expect(refusal(remove)).toEqual([404, "not_found"]);
    expect(await statusWith(token, {})).toBe(200);
  });
});

describe("a token that is bound to a team", () => {
  it("creates only tokens of this team, and sees and deletes only those", async () => {
    const wide = await made({ name: "wide" });
    const { bearerToken: bound } = await made({ name: "bound" }, {});
    const { token, bearerToken } = await made({ name: "narrow" }, { token: bound });
    expect(token.teamId).toBe(await acme());
    expect(
      refusal(await create({ name: "wider" }, { ...own, token: bound, query: { slug: "dev" } })),
    ).toEqual([403, "team_unauthorized"]);
    expect((await namesFor(bound)).sort()).toEqual(["bound", "narrow"]);
    for (const method of ["GET", "DELETE"]) {
      const answer = await world.call(method, `/v5/user/tokens/${wide.token.id}`, { ...own, token: bound });
      expect(refusal(answer)).toEqual([404, "not_found"]);
    }
    const remove = await world.call("DELETE", `/v3/user/tokens/${token.id}`, { ...own, token: bound });
    expect(remove.status).toBe(200);
    expect(await statusWith(bearerToken)).toBe(401);
  });
});

describe("refused is", () => {
  it.each([
    ["a body without a name", {}],
    ["an empty name", { name: "" }],
    ["a name of spaces", { name: "  " }],
    ["spaces around a name", { name: " a" }],
    ["a name of 257 characters", { name: "x".repeat(257) }],
    ["an expiry in the past", { name: "a", expiresAt: beginning }],
    ["an expiry that is no whole number", { name: "a", expiresAt: later + 0.5 }],
    ["a project", { name: "a", projectId: "prj_1" }],
    ["an unknown member", { name: "a", teamId: "team_1" }],
  ])("%s", async (_what, body) => {
    expect(refusal(await create(body))).toEqual([400, "bad_request"]);
    expect(await namesFor(developmentToken)).toHaveLength(2);
  });

  it("a limit to a project, with a message that says so", async () => {
    const { body } = await create({ name: "a", projectId: "prj_1" });
    expect(body.error.message).toMatch(/does not limit access tokens to projects/);
  });

  it.each([
    ["POST", "/v3/user/tokens"],
    ["GET", "/v6/user/tokens"],
    ["GET", "/v5/user/tokens/current"],
    ["DELETE", "/v3/user/tokens/current"],
  ])("an installation: %s %s", async (method, path) => {
    await addIntegration(world, ["user"]);
    const { token } = await installWithToken(world);
    const body = method === "POST" ? { body: { name: "a" } } : {};
    expect(refusal(await world.call(method, path, { token, ...body }))).toEqual([403, "forbidden"]);
    expect(await statusWith(token, {})).toBe(200);
  });
});
