import { developmentToken } from "../../../server/seed/development-account";
import { TestServer } from "../../support/world";

const world = new TestServer();
beforeEach(async () => {
  await world.open("memory", { rateLimits: true });
  await world.call("POST", "/v10/projects", { body: { name: "web" } });
});
afterEach(() => world.close());

const remove = (token?: string) =>
  world.call("DELETE", "/v9/projects/web/env/nothing", token === undefined ? {} : { token });

describe("rate limits, where they are switched on", () => {
  //
  it("tell in each answer where the caller stands", async () => {
    const { headers } = await world.call("GET", "/v9/projects/web/domains");
    expect(headers).toMatchObject({
      "x-ratelimit-limit": "500",
      "x-ratelimit-remaining": "499",
      "x-ratelimit-reset": String((world.clock.now() + 60_000) / 1000),
    });
  });

  //
  it("answer 429 beyond the minute's requests, and carry nothing out", async () => {
    const variable = { key: "KEPT", value: "v", type: "plain", target: ["preview"] };
    const { body } = await world.call("POST", "/v10/projects/web/env", { body: variable });
    for (let i = 0; i < 60; i++) expect((await remove()).status).toBe(404);
    const refused = await world.call("DELETE", `/v9/projects/web/env/${body.created.id}`);
    expect(refused.status).toBe(429);
    const resetMs = world.clock.now() + 60_000;
    expect(refused.body.error).toEqual({
      code: "rate_limited",
      message: expect.stringContaining("60 s"),
      limit: { remaining: 0, reset: resetMs / 1000, resetMs, total: 60 },
    });
    expect(refused.headers).toMatchObject({ "retry-after": "60", "x-ratelimit-remaining": "0" });
    expect((await world.call("GET", `/v1/projects/web/env/${body.created.id}`)).status).toBe(200);
  });

  //
  it("start again after the minute, to the millisecond", async () => {
    for (let i = 0; i < 60; i++) await remove();
    await world.advance(59_999);
    expect((await remove()).status).toBe(429);
    await world.advance(1);
    expect((await remove()).status).toBe(404);
  });

  it("name a time to wait after which the request passes, in whole seconds", async () => {
    for (let i = 0; i < 60; i++) await remove();
    await world.advance(58_500);
    const { status, headers, body } = await remove();
    expect([status, headers["retry-after"], body.error.message]).toEqual([
      429,
      "2",
      expect.stringContaining("in 2 s"),
    ]);
    expect(headers["x-ratelimit-reset"]).toBe(String(Math.ceil((world.clock.now() + 1_500) / 1000)));
    await world.advance(Number(headers["retry-after"]) * 1000);
    expect((await remove()).status).toBe(404);
  });

  it("count for an owner over all who act for it, and apart for another", async () => {
    const token = await world.member("MEMBER");
    for (let i = 0; i < 60; i++) await remove();
    expect((await remove(token)).status).toBe(429);
    expect((await world.call("DELETE", "/v9/projects/web/env/nothing", { team: null })).status).toBe(404);
  });

  it("count for a user over all accounts, and apart for another user of the same account", async () => {
    const left = async (token: string, team: string | null): Promise<unknown> => {
      const project = team === null ? "mine" : "web";
      const { headers } = await world.call("GET", `/v9/projects/${project}/domains`, { token, team });
      return headers["x-ratelimit-remaining"];
    };
    const member = await world.member("MEMBER");
    await world.call("POST", "/v10/projects", { team: null, body: { name: "mine" } });
    expect(await left(developmentToken, "acme")).toBe("499");
    expect(await left(developmentToken, null)).toBe("498");
    expect(await left(member, "acme")).toBe("499");
  });

  it("count in one place what goes by several paths", async () => {
    for (let i = 0; i < 99; i++) await world.call("DELETE", "/v9/projects/web/domains/nothing.example.com");
    const alias = await world.call("POST", "/projects/web/alias", { body: { domain: "example.com" } });
    expect(alias.headers).toMatchObject({ "x-ratelimit-remaining": "0" });
    expect(
      (await world.call("POST", "/v10/projects/web/domains", { body: { name: "example.org" } })).status,
    ).toBe(429);
  });

  it("leave alone what the public API does not limit", async () => {
    const { headers } = await world.call("GET", "/v9/projects/web");
    expect(headers).not.toHaveProperty("x-ratelimit-limit");
  });
});

it("limits the attempts to find the URL of a deploy hook from one address", async () => {
  const trigger = (method: string) =>
    world.call(method, "/v1/integrations/deploy/prj_web/none", { token: null, team: null });
  for (const method of ["GET", "POST"]) {
    for (let i = 0; i < 60; i++) expect((await trigger(method)).status).toBe(404);
    expect((await trigger(method)).status).toBe(429);
  }
});

it("limits the exchanges of a token from one address", async () => {
  const body = { client_id: "none", client_secret: "s", code: "c", redirect_uri: "http://127.0.0.1/" };
  const exchange = () => world.call("POST", "/v2/oauth/access_token", { token: null, team: null, body });
  for (let i = 0; i < 60; i++) expect((await exchange()).status).toBe(401);
  const { status, headers } = await exchange();
  expect([status, headers["retry-after"]]).toEqual([429, "60"]);
  await world.advance(60_000);
  expect((await exchange()).status).toBe(401);
});
