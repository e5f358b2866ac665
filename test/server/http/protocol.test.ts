import { routes } from "../../../server/routes";
import { StoreError } from "../../../server/store/store";
import { useTestServer } from "../../support/world";

const world = useTestServer();
let id: string;
beforeEach(async () => {
  id = (await world.call("POST", "/v10/projects", { body: { name: "web" } })).body.id;
});

/** A path that exists, with what it names filled in. */
const filled = (path: string): string =>
  path
    .replace(/:(idOrName|projectId|project|p)\b/, id)
    .replace(/:(teamIdOrSlug)\b/, "acme")
    .replace(/:[^/]+/g, "something");

const guarded = routes.filter((route) => route.scope.length > 0);
const writing = guarded.filter(({ method }) => method !== "GET");

/** The answers of some routes to a request: one line for each, so that a difference names the route. */
async function answersOf(
  some: typeof guarded,
  options: Parameters<typeof world.call>[2],
  query = "",
): Promise<string[]> {
  const lines: string[] = [];
  for (const { method, path } of some) {
    const { status, body, headers } = await world.call(method, `${filled(path)}${query}`, options);
    lines.push(`${method} ${path}: ${status} ${body.error?.code} ${headers["content-type"]}`);
  }
  return lines;
}

const expected = (some: typeof guarded, answer: string): string[] =>
  some.map(({ method, path }) => `${method} ${path}: ${answer} application/json; charset=utf-8`);

describe("every endpoint", () => {
  // AU-09, AU-10, X-04, PR-17, PR-38, PR-42, PR-62, PR-73, PR-79, PR-87, PR-94, PR-102, PR-108, PR-117
  it.each([undefined, "Basic abc", "Bearer", "Bearer unknown"])(
    "is 401 with the authorization %p",
    async (authorization) => {
      const headers = authorization === undefined ? {} : { authorization };
      expect(await answersOf(guarded, { token: null, headers })).toEqual(expected(guarded, "401 forbidden"));
    },
  );

  // PR-14, PR-41, PR-60, PR-72, PR-77, PR-85, PR-93, PR-101, PR-107
  it("is 400 for an invalid query value", async () => {
    const twoTeams = "?slug=acme&slug=other";
    expect(await answersOf(guarded, {}, twoTeams)).toEqual(expected(guarded, "400 bad_request"));
  });

  // PR-39, PR-43, PR-118, AU-12, X-03
  it("is 403 for a team that the token does not reach", async () => {
    const token = await world.user("guest");
    expect(await answersOf(guarded, { token })).toEqual(expected(guarded, "403 team_unauthorized"));
  });

  // PR-65, PR-74, PR-82, PR-88, PR-95, PR-103, PR-109, AU-11
  it("is 403 for a write by who may only read", async () => {
    const token = await world.member("VIEWER");
    // Every role may write the user's own objects.
    const others = writing.filter(({ scope }) => !scope.includes("read-write:user"));
    expect(await answersOf(others, { token, body: {} })).toEqual(expected(others, "403 forbidden"));
  });
});

describe("text that cannot be kept", () => {
  it.each([
    ["the path", "GET", "/v9/projects/we%00b", {}],
    ["the query", "GET", "/v9/projects?search=we%00b", {}],
    ["the team", "GET", "/v9/projects?slug=ac%00me", {}],
    ["a value", "PATCH", "/v9/projects/web", { body: { buildCommand: "make\0" } }],
    ["a name", "PATCH", "/v9/projects/web", { body: { "build\0Command": "make" } }],
    [
      "a value within",
      "PATCH",
      "/v9/projects/web",
      { body: { trustedIps: { addresses: [{ value: "\0" }] } } },
    ],
  ])("is refused for the character U+0000 in %s", async (_, method, path, options) => {
    const { status, body } = await world.call(method, path, options);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("U+0000")]);
  });

  it.each(["slug=ac%00me", "teamId=team_%00", "teamId=", "slug=a&slug=b"])(
    "in the name of a team is no matter to whom nobody knows: ?%s",
    async (query) => {
      const headers = { authorization: "Bearer unknown" };
      const { status } = await world.call("GET", `/v9/projects?${query}`, { token: null, headers });
      expect(status).toBe(401);
    },
  );

  it.each([
    ["a value", { buildCommand: "make \ud83d" }],
    ["a name", { "build\udc00Command": "make" }],
  ])("is refused for half of a surrogate pair in %s", async (_, body) => {
    const { status, body: answer } = await world.call("PATCH", "/v9/projects/web", { body });
    expect([status, answer.error.message]).toEqual([400, expect.stringContaining("half of a surrogate")]);
  });

  it("is refused however deep it lies", async () => {
    const depth = 200_000;
    const body = `{"buildCommand":${"[".repeat(depth)}"\\u0000"${"]".repeat(depth)}}`;
    const { status, body: answer } = await world.call("PATCH", "/v9/projects/web", { body });
    expect([status, answer.error.message]).toEqual([400, expect.stringContaining("U+0000")]);
  });

  it("is not a whole surrogate pair, written as escapes", async () => {
    const body = '{"buildCommand":"echo \\ud83d\\ude00"}';
    const { status, body: answer } = await world.call("PATCH", "/v9/projects/web", { body });
    expect([status, answer.buildCommand]).toEqual([200, "echo 😀"]);
  });

  it("is not seen where only its escape is written out", async () => {
    const buildCommand = "printf '\\u0000'";
    const { status, body } = await world.call("PATCH", "/v9/projects/web", { body: { buildCommand } });
    expect([status, body.buildCommand]).toEqual([200, buildCommand]);
  });
});

describe("versions", () => {
  const versions = ["/v1", "/v9", "/v10", "/v27", ""];

  // X-89, VE-03
  it.each(versions)("%s reaches the same project", async (version) => {
    const { status, body } = await world.call("GET", `${version}/projects/web`);
    expect(status).toBe(200);
    expect(body.id).toBe(id);
  });

  // VE-01, VE-02, VE-04
  it("the specification's own segments answer", async () => {
    expect((await world.call("POST", `/v1/projects/${id}/pause`)).status).toBe(200);
    expect((await world.call("POST", `/v1/projects/${id}/unpause`)).status).toBe(200);
    expect((await world.call("GET", `/v1/projects/${id}/promote/aliases`)).status).toBe(200);
    expect((await world.call("PATCH", `/v1/projects/${id}/protection-bypass`, { body: {} })).status).toBe(
      200,
    );
    expect(
      (await world.call("PATCH", `/v1/data-cache/projects/${id}`, { body: { disabled: true } })).status,
    ).toBe(200);
    expect((await world.call("POST", "/v2/oauth/access_token", { token: null, body: {} })).status).toBe(400);
    const variable = { key: "A", value: "b", type: "plain", target: ["preview"] };
    const { status, body } = await world.call("POST", `/v10/projects/${id}/env`, { body: variable });
    expect(status).toBe(201);
    expect((await world.call("GET", `/v1/projects/${id}/env/${body.created.id}`)).status).toBe(200);
    expect(
      (await world.call("POST", `/v10/projects/${id}/domains`, { body: { name: "example.com" } })).status,
    ).toBe(200);
  });
});

describe("paths", () => {
  it.each([
    ["with a slash at the end", "/v9/projects/web/"],
    ["with escapes, which count as what they stand for", "/v9/%70rojects/w%65b"],
    ["with an escaped slash, which parts nothing", "/v9/projects/web%2Fenv", 404, 'Project "web/env"'],
    ["with an escaped percent sign, which escapes nothing", "/v9/projects/w%2565b", 404, 'Project "w%65b"'],
    ["with a segment that is empty", "/v9//projects/web", 404, "no such path"],
    ["in upper case", "/v9/Projects/web", 404, "no such path"],
    ["nearly one", "/v9/project", 404, "Did you mean /v10/projects?"],
    [
      "nearly one below a project",
      "/v9/projects/web/domain",
      404,
      "Did you mean /v10/projects/{idOrName}/domains?",
    ],
    ["like none", "/v9/nothing", 404, "GET /openapi.json lists the paths"],
    ["of no route of the control plane", "/_control/nothing", 401, "control token"],
    ["with an escape that is none", "/v9/projects/%zz", 400, "is not a valid path"],
  ])("%s", async (_, path, status: number = 200, message: string = "") => {
    const { status: answered, body } = await world.call("GET", path);
    expect(answered).toBe(status);
    expect(status === 200 ? body.id : body.error.message).toContain(status === 200 ? id : message);
  });

  it("answer HEAD as GET, without a body", async () => {
    const { status, body, headers } = await world.call("HEAD", "/v9/projects/web");
    expect([status, body]).toEqual([200, ""]);
    expect(Number(headers["content-length"])).toBeGreaterThan(100);
    expect((await world.call("HEAD", "/v1/projects/web/pause")).status).toBe(405);
  });
});

describe("answers", () => {
  //
  it("are JSON, errors too", async () => {
    for (const path of ["/v9/projects/web", "/v9/projects/nothing", "/v9/nothing"]) {
      expect((await world.call("GET", path)).headers["content-type"]).toBe("application/json; charset=utf-8");
    }
  });

  //
  it("of errors have a code and a message, and every answer a request id", async () => {
    const { body, headers } = await world.call("GET", "/v9/projects/nothing");
    expect(body).toEqual({ error: { code: "not_found", message: expect.any(String) } });
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  //
  it("are 405 for a method that a known path does not have, with those that it has", async () => {
    const { status, body, headers } = await world.call("PUT", "/v9/projects/web");
    expect(status).toBe(405);
    expect(body.error.code).toBe("method_unknown");
    expect(headers.allow).toBe("GET, PATCH, DELETE, HEAD");
  });

  it("are 404 for a path that does not exist", async () => {
    const answers = [await world.call("GET", "/v9/nothing"), await world.call("GET", "/v1/drainsome")];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [404, "not_found"],
      [404, "not_found"],
    ]);
  });

  // AU-13
  it("let no browser of another origin in", async () => {
    const preflight = await world.call("OPTIONS", "/v9/projects/web", {
      headers: { origin: "https://evil.example", "access-control-request-method": "GET" },
    });
    expect(preflight.status).toBe(405);
    const { headers } = await world.call("GET", "/v9/projects/web", {
      headers: { origin: "https://evil.example" },
    });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("hide what went wrong inside, behind a request id", async () => {
    world.app.route("GET", "/v1/broken", async () => {
      throw new Error("what nobody should read");
    });
    const { status, body, headers } = await world.call("GET", "/v1/broken");
    expect(status).toBe(500);
    expect(body.error.code).toBe("internal_server_error");
    expect(JSON.stringify(body)).not.toContain("nobody should read");
    expect(body.error.message).toContain(String(headers["x-request-id"]));
    expect(world.failures.splice(0)).toHaveLength(1);
  });

  it.each([
    [
      "many unknown members",
      Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`member${at}`, 1])),
    ],
    ["the name of an unknown member", { ["member".repeat(20_000)]: 1 }],
  ])("name no more than some of %s", async (_, unknown) => {
    const { status, body } = await world.call("POST", "/v10/projects", { body: { name: "web", ...unknown } });
    expect([status, body.error.code]).toEqual([400, "bad_request"]);
    expect(body.error.message).toMatch(/member.*…$/);
    expect(body.error.message.length).toBeLessThan(5100);
    const { requests } = (await world.askControl("GET", "/requests")).body;
    expect(JSON.stringify(requests).length).toBeLessThan(12_000);
  });

  it("refuse a body that is not valid UTF-8", async () => {
    const response = await world.app.inject({
      method: "POST",
      url: "/v10/projects?slug=acme",
      headers: { authorization: "Bearer slipway-dev-token", "content-type": "application/json" },
      payload: Buffer.concat([Buffer.from('{"name":"web'), Buffer.from([0xff]), Buffer.from('"}')]),
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("UTF-8"),
    });
  });

  it("refuse a body that is compressed, and say so", async () => {
    const headers = { "content-encoding": "gzip" };
    const { status, body } = await world.call("POST", "/v10/projects", { body: { name: "api" }, headers });
    expect([status, body.error.code]).toEqual([400, "bad_request"]);
    expect(body.error.message).toContain("Content-Encoding");
  });

  it("refuse a content type that is none", async () => {
    const headers = { "content-type": "json" };
    const { status, body } = await world.call("POST", "/v10/projects", { body: { name: "api" }, headers });
    expect([status, body.error.code]).toEqual([400, "bad_request"]);
  });

  it("refuse what names more than one query can, and do not fail", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `N${at}`);
    const target = ["preview"];
    const { body: created } = await world.call("POST", "/v10/projects/web/env", {
      body: { key: "KEY", value: "v", target },
    });
    const answers = [
      await world.call("POST", "/v10/projects", {
        body: { name: "api", environmentVariables: many(7_000).map((key) => ({ key, value: "", target })) },
      }),
      await world.call("PATCH", `/v9/projects/web/env/${created.created.id}`, {
        body: { customEnvironmentIds: many(29_000) },
      }),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [400, "bad_request"],
      [400, "bad_request"],
    ]);
  });

  it("refuse a body of more than 4 MiB, and close its connection", async () => {
    const send = (size: number) =>
      world.call("PATCH", "/v9/projects/web", { body: `{}${" ".repeat(size - 2)}` });
    expect((await send(4 * 1024 * 1024)).status).toBe(200);
    expect(await send(4 * 1024 * 1024 + 1)).toMatchObject({ status: 413, headers: { connection: "close" } });
  });

  it.each([
    [
      { framework: "none" },
      /^Invalid body member framework: must be one of ("[^"]+", ){11}"[^"]+" and \d+ more\.$/,
    ],
    [{ nodeVersion: "1.x" }, /^Invalid body member nodeVersion: must be one of "24.x"(, "[\d.]+x")+\.$/],
  ])("list the values that a member can have, at most twelve of them: %j", async (body, message) => {
    const { status, body: answer } = await world.call("PATCH", "/v9/projects/web", { body });
    expect([status, answer.error.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it("let a DELETE be without a body, although clients send a content type with it", async () => {
    await world.call("POST", "/v10/projects/web/domains", { body: { name: "example.com" } });
    const headers = { "content-type": "application/json" };
    const path = "/v9/projects/web/domains/example.com";
    expect((await world.call("DELETE", path, { body: "", headers })).status).toBe(200);
  });

  it("tell that the store cannot be used, and not where it is", async () => {
    const error = new StoreError("/data/slipway.db: the disk is full");
    jest.spyOn(world.services.store, "read").mockRejectedValueOnce(error);
    const { status, body, headers } = await world.call("GET", "/v9/projects/web");
    expect([status, body.error.code]).toEqual([503, "service_unavailable"]);
    expect(body.error.message).toMatch(/Nothing was changed/);
    expect(body.error.message).toContain(String(headers["x-request-id"]));
    expect(body.error.message).not.toContain("slipway.db");
    expect(world.failures).toEqual([]);
  });
});

describe("accounts that must pay", () => {
  // ER-01
  it("are refused on the operations that say so, and on no other", async () => {
    await world.control.changeTeam("acme", { softBlocked: true });
    const refused: string[] = [];
    // The project itself goes last.
    const last = (route: (typeof guarded)[number]): number => Number(route.method === "DELETE");
    for (const route of [...guarded].sort((a, b) => last(a) - last(b))) {
      const { status } = await world.call(route.method, filled(route.path), {
        body: bodies[`${route.method} ${route.path}`] ?? {},
      });
      if (status === 402) refused.push(`${route.method} ${route.path}`);
    }
    expect(refused.sort()).toEqual([
      "PATCH /v9/projects/:idOrName",
      "POST /projects/:idOrName/alias",
      "POST /v1/projects/:projectId/pause",
      "POST /v10/projects",
      "POST /v10/projects/:idOrName/domains",
      "POST /v10/projects/:idOrName/env",
      "PUT /v1/projects/:projectId/routes",
    ]);
  });

  const bodies: Record<string, object> = {
    "POST /v10/projects": { name: "new" },
    "POST /v10/projects/:idOrName/domains": { name: "example.com" },
    "POST /projects/:idOrName/alias": { domain: "example.com" },
    "POST /v10/projects/:idOrName/env": { key: "A", value: "b", type: "plain", target: ["preview"] },
  };
});

describe("paths that name nothing", () => {
  it.each([
    ["a very long name", `/v9/projects/${"x".repeat(4000)}`, 404, "not_found"],
    ["a broken escape", "/v9/projects/%zz", 400, "bad_request"],
  ])("%s is answered in the API's error form", async (_, path, status, code) => {
    const answer = await world.call("GET", path);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: { code, message: expect.any(String) } });
  });
});

it("an answer of the API is not interpreted as another type, and the exchange of a token is not stored", async () => {
  const { headers } = await world.call("GET", "/v9/projects");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  const exchange = await world.call("POST", "/v2/oauth/access_token", { token: null, team: null, body: {} });
  expect(exchange.headers["cache-control"]).toBe("no-store");
});

it("refuses a body with a member named __proto__, whose value would be lost", async () => {
  const { status, body } = await world.call("POST", "/v1/edge-config", {
    body: '{"slug":"flags","items":{"__proto__":{"a":1},"b":2}}',
  });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining("__proto__")]);
});
