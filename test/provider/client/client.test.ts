import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import nock from "nock";
import { z } from "zod";
import { Client } from "../../../provider/client/client";
import { ifFound } from "../../../provider/client/errors";
import * as responses from "../../../provider/client/responses";
import { timing } from "../stack";

const apiUrl = "https://api.example.com";
const thing = z.looseObject({ id: z.string() });
let client: Client;
let api: nock.Scope;

beforeEach(() => {
  nock.disableNetConnect();
  api = nock(apiUrl);
  client = new Client(
    { apiUrl, token: "canary-token", team: undefined },
    { ...timing, attemptMs: 300, deadlineMs: 1500, rateLimitDeadlineMs: 1500 },
  );
});
// It patches what all tests of a process share: the next file would speak through it too.
afterAll(() => nock.restore());
afterEach(async () => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  nock.enableNetConnect();
  await client.close();
  expect(pending).toEqual([]);
});

const get = (): Promise<unknown> => client.send({ method: "GET", path: "/v9/projects/web", shape: thing });
const post = (): Promise<unknown> =>
  client.send({ method: "POST", path: "/v10/projects", body: {}, shape: thing, repeatable: false });
const refusal = (code: string, message = "said") => ({ error: { code, message } });

describe("an object that this process has created", () => {
  const settling = (): Client =>
    new Client({ apiUrl, token: "canary-token", team: undefined }, { ...timing, settleMs: 10_000 });
  const read = (by: Client, path: string) => by.send({ method: "GET", path, shape: thing });
  const create = (by: Client) =>
    by.send({ method: "POST", path: "/v10/projects/prj_1/env", body: {}, shape: z.unknown() });
  const missing = (path: string) => api.get(path).reply(404, refusal("not_found"));

  it("is asked for again when a read does not find it, as the read may be older", async () => {
    const by = settling();
    api.post("/v10/projects/prj_1/env").reply(201, { created: { id: "env_1" }, failed: [] });
    await create(by);
    missing("/v1/projects/prj_1/env/env_1");
    api.get("/v1/projects/prj_1/env/env_1").reply(200, { id: "env_1" });
    expect(await read(by, "/v1/projects/prj_1/env/env_1")).toEqual({ id: "env_1" });
    await by.close();
  });

  it("counts as deleted at once after a deletion, and as missing when somebody else created it", async () => {
    const by = settling();
    api.post("/v10/projects/prj_1/env").reply(201, { created: [{ id: "env_1" }], failed: [] });
    api.delete("/v9/projects/prj_1/env/env_1").reply(200, {});
    await create(by);
    await by.send({ method: "DELETE", path: "/v9/projects/prj_1/env/env_1", shape: z.unknown() });
    for (const path of ["/v1/projects/prj_1/env/env_1", "/v1/projects/prj_1/env/env_2"]) {
      missing(path);
      await expect(read(by, path)).rejects.toThrow(/404/);
    }
    await by.close();
  });
});

describe("requests", () => {
  it("carry the token, the team and who sends them", async () => {
    const team = new Client({ apiUrl, token: "t", team: "team_1" });
    api
      .get("/v9/projects/web")
      .query({ teamId: "team_1" })
      .matchHeader("authorization", "Bearer t")
      .matchHeader("user-agent", /^pulumi-slipway\/\d/)
      .reply(200, { id: "a" });
    await team.get("/v9/projects/web", thing);
    const slug = new Client({ apiUrl, token: "t", team: "acme" });
    api.get("/v9/projects/web").query({ slug: "acme" }).reply(200, { id: "a" });
    await slug.get("/v9/projects/web", thing);
    await Promise.all([team.close(), slug.close()]);
  });

  it("are sent again after 5xx when that is safe, and only then", async () => {
    api.get("/v9/projects/web").reply(503, "<html>").get("/v9/projects/web").reply(200, { id: "a" });
    await expect(get()).resolves.toEqual({ id: "a" });
    api.post("/v10/projects").reply(500, refusal("internal_server_error"));
    await expect(post()).rejects.toThrow("POST /v10/projects: 500 internal_server_error: said.");
  });

  it.each([
    ["ECONNREFUSED", true],
    ["ENOTFOUND", true],
    ["EAI_AGAIN", true],
    ["EHOSTUNREACH", true],
    ["ENETUNREACH", true],
    ["UND_ERR_CONNECT_TIMEOUT", true],
    ["ECONNRESET", false],
    ["UND_ERR_SOCKET", false],
  ])("that may not be repeated are sent again after %s: %s", async (code, isNeverSent) => {
    api.post("/v10/projects").replyWithError(Object.assign(new Error("x"), { code }));
    if (isNeverSent) api.post("/v10/projects").reply(200, { id: "a" });
    const outcome = await post().catch((error: Error) => error.message);
    const lost = `out of reach (${code}). The request may have taken effect.`;
    expect(outcome).toEqual(isNeverSent ? { id: "a" } : expect.stringContaining(lost));
  });

  it("fail after the last attempt, and say how to reach the API", async () => {
    api
      .get("/v9/projects/web")
      .times(4)
      .replyWithError(Object.assign(new Error("x"), { code: "ECONNRESET" }));
    await expect(get()).rejects.toThrow(
      /^GET \/v9\/projects\/web: https:\/\/api.example.com is out of reach \(ECONNRESET\).*SLIPWAY_API_URL/,
    );
  });

  it("do not tell to start a server that has closed the connection", async () => {
    const local = new Client({ apiUrl: "http://127.0.0.1:4000", token: "t", team: undefined }, timing);
    const lost = Object.assign(new Error("x"), { code: "UND_ERR_SOCKET" });
    nock("http://127.0.0.1:4000").post("/v10/projects").replyWithError(lost);
    const sent = local.send({
      method: "POST",
      path: "/v10/projects",
      body: {},
      shape: thing,
      repeatable: false,
    });
    await expect(sent).rejects.toThrow(
      "POST /v10/projects: http://127.0.0.1:4000 is out of reach (UND_ERR_SOCKET). The request may have taken effect. Run again to continue.",
    );
    await local.close();
  });

  it.each([
    ["an unknown token", { invalidToken: true }, { isTokenInvalid: true }],
    ["a missing token", { missingToken: true }, { isTokenInvalid: true }],
    ["single sign-on", { saml: true, scope: "acme" }, { needsSaml: true }],
    [
      "a daily limit",
      {
        resource: "api-deployments-free-per-day",
        limit: { total: 100, remaining: 0, reset: 1_779_112_039_254 },
      },
      { limit: { name: "api-deployments-free-per-day", resetAt: 1_779_112_039_254 } },
    ],
    ["a limit without a time", { resource: "r", limit: { reset: 1e300 } }, { limit: { name: "r" } }],
    ["the project that has a domain", { projectId: "prj_1", domain: {} }, { projectId: "prj_1" }],
    ["nothing more", { invalidToken: "yes", projectId: 1, resource: 2 }, {}],
  ])("say what the service adds to a refusal: %s", async (_, members, detail) => {
    api.get("/x").reply(403, { error: { code: "forbidden", message: "Not authorized", ...members } });
    await expect(client.get("/x", z.unknown())).rejects.toMatchObject({ detail });
  });

  it("are not sent again when they are refused", async () => {
    api
      .get("/v9/projects/web")
      .reply(403, refusal("integration_configuration_disabled"), { "x-request-id": "r1" });
    await expect(get()).rejects.toThrow(
      /403 integration_configuration_disabled: said. .*enable it again. \(request r1\)/,
    );
  });

  it("tell of an answer that is not the API's", async () => {
    api.get("/v9/projects/web").reply(200, "<html>").get("/v9/projects/web").reply(200, "7");
    await expect(get()).rejects.toThrow(/not a valid API response \(body: not JSON\)/);
    await expect(get()).rejects.toThrow(/not a valid API response \(body: invalid_type\)/);
    api.delete("/v9/projects/web").reply(200, "<html>Please log in</html>");
    const removed = client.send({ method: "DELETE", path: "/v9/projects/web", shape: responses.anything });
    await expect(removed).rejects.toThrow(
      /not a valid API response .* SLIPWAY_API_URL is the address of the API/,
    );
  });

  it("are sent again when their answer was cut off", async () => {
    const json = { "content-type": "application/json; charset=utf-8" };
    const whole = { id: "prj_1", name: "web", accountId: "team_1" };
    api.get("/v9/projects/web").reply(200, JSON.stringify(whole).slice(0, 20), json);
    api.get("/v9/projects/web").reply(200, whole);
    expect(await get()).toMatchObject({ id: "prj_1" });
    api.get("/v9/projects/web").reply(404, '{"error":{"code', json);
    api.get("/v9/projects/web").reply(404, refusal("not_found"));
    await expect(get()).rejects.toMatchObject({ status: 404, code: "not_found" });
    api.get("/v9/projects/web").twice().reply(200, "{", json);
    const impatient = new Client(
      { apiUrl, token: "canary-token", team: undefined },
      { ...timing, attempts: 2 },
    );
    const lasting = impatient.send({ method: "GET", path: "/v9/projects/web", shape: thing });
    await expect(lasting).rejects.toThrow(/sent only a part of its answer\. Run again/);
    await impatient.close();
  });

  it("are not redirected, since nobody else is to have the token", async () => {
    api.get("/v9/projects/web").reply(308, "", { location: "https://elsewhere.example.com/v9/projects/web" });
    await expect(get()).rejects.toThrow(/308 http_308: .* Check that SLIPWAY_API_URL/);
  });

  it("never bring a secret back in a message", async () => {
    api.patch("/x").reply(400, refusal("bad_request", "canary-value and canary-token are wrong"));
    const sent = client.send({
      method: "PATCH",
      path: "/x",
      body: {},
      shape: thing,
      secrets: ["canary-value"],
    });
    await expect(sent).rejects.toThrow("[secret] and [secret] are wrong");
  });

  it("take nothing but the service's own 404 for absence", async () => {
    api.get("/v9/projects/web").reply(404, "<html>not found</html>");
    await expect(ifFound(get())).rejects.toThrow(/404 http_404/);
    api.get("/v9/projects/web").reply(404, refusal("not_found"));
    await expect(ifFound(get())).resolves.toBeUndefined();
  });
});

describe("a create", () => {
  const look = (): Promise<{ id: string } | undefined> =>
    ifFound(client.send({ method: "GET", path: "/v9/projects/web", shape: thing }));
  const create = (existed = false): Promise<unknown> =>
    client.create({
      request: { method: "POST", path: "/v10/projects", body: {}, shape: thing },
      look,
      existed,
    });

  it.each([500, 502])("whose answer got lost in a %s is looked up, and ours", async (status) => {
    api.post("/v10/projects").reply(status, "").get("/v9/projects/web").reply(200, { id: "a" });
    await expect(create()).resolves.toEqual({ id: "a" });
  });

  it("whose answer is malformed is looked up, and ours", async () => {
    api.post("/v10/projects").reply(200, "<html>").get("/v9/projects/web").reply(200, { id: "a" });
    await expect(create()).resolves.toEqual({ id: "a" });
  });

  it("that did not happen is tried again", async () => {
    api.post("/v10/projects").reply(502, "").get("/v9/projects/web").reply(404, refusal("not_found"));
    api.post("/v10/projects").reply(200, { id: "a" });
    await expect(create()).resolves.toEqual({ id: "a" });
  });

  it("that happened after it was looked up is ours all the same", async () => {
    api.post("/v10/projects").reply(502, "").get("/v9/projects/web").reply(404, refusal("not_found"));
    api.post("/v10/projects").reply(409, refusal("conflict")).get("/v9/projects/web").reply(200, { id: "a" });
    await expect(create()).resolves.toEqual({ id: "a" });
  });

  it("is not ours when it existed before, or at the first attempt", async () => {
    api.post("/v10/projects").reply(502, "");
    await expect(create(true)).rejects.toThrow(/502/);
    api.post("/v10/projects").reply(409, refusal("conflict"));
    await expect(create()).rejects.toThrow(/409/);
  });

  it("that an earlier request may have made is ours when it conflicts", async () => {
    const request = { method: "POST", path: "/v10/projects", body: {}, shape: thing } as const;
    api.post("/v10/projects").reply(409, refusal("conflict")).get("/v9/projects/web").reply(200, { id: "a" });
    const made = client.create({ request, look, existed: false, isRepeated: true });
    await expect(made).resolves.toEqual({ id: "a" });
  });
});

describe("reads", () => {
  const list = (stale = false): Promise<{ id: string }[]> =>
    client.list("/v9/projects/prj_1/env", responses.variableList, (page) => page.envs, {}, stale);
  const page = (id: string, next: number | null = null) => ({
    envs: [{ id, key: "K", type: "plain" }],
    pagination: { next },
  });

  it("that are equal are sent once", async () => {
    api.get("/v9/projects/web").reply(200, { id: "a" });
    const read = () => client.get("/v9/projects/web", thing);
    expect(await Promise.all([read(), read()])).toEqual([{ id: "a" }, { id: "a" }]);
  });

  it("follow all pages", async () => {
    api.get("/v9/projects/prj_1/env").reply(200, page("a", 7));
    api.get("/v9/projects/prj_1/env").query({ until: "7" }).reply(200, page("b"));
    expect((await list()).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it.each([[[7, 7]], [[7, 8, 7]]])("end when the service repeats a page: %j", async (following) => {
    const path = "/v9/projects/prj_1/env";
    api.get(path).reply(200, page("first", following[0]));
    following.slice(0, -1).forEach((until, at) => {
      api
        .get(path)
        .query({ until })
        .reply(200, page(`${until}`, following[at + 1]));
    });
    expect((await list()).map(({ id }) => id)).toEqual(["first", ...following.slice(0, -1).map(String)]);
  });

  it("are not shared any more once their project was written to, since they may miss the write", async () => {
    const read = () => client.get("/v9/projects/prj_1/env/a", thing);
    let answer = () => {};
    const isHeld = new Promise<void>((resolve) => {
      answer = resolve;
    });
    api.get("/v9/projects/prj_1/env/a").reply(200, () => isHeld.then(() => ({ id: "before" })));
    const first = read();
    api.post("/v9/projects/prj_1/env").reply(201, {});
    await client.send({ method: "POST", path: "/v9/projects/prj_1/env", shape: responses.anything });
    api.get("/v9/projects/prj_1/env/a").reply(200, { id: "after" });
    expect(await read()).toEqual({ id: "after" });
    answer();
    expect(await first).toEqual({ id: "before" });
  });

  it("take a single record for a list of one", async () => {
    api.get("/v9/projects/prj_1/env").reply(200, { id: "a", key: "K", type: "plain" });
    expect(await list()).toMatchObject([{ id: "a", key: "K" }]);
  });

  it("are not served by a list that was asked for while the project was written to", async () => {
    let answer = () => {};
    const isHeld = new Promise<void>((resolve) => {
      answer = resolve;
    });
    api.post("/v9/projects/prj_1/env").reply(201, () => isHeld.then(() => ({})));
    const path = "/v9/projects/prj_1/env";
    const written = client.send({ method: "POST", path, shape: responses.anything });
    api.get(path).reply(200, page("a"));
    expect(await list()).toMatchObject([{ id: "a" }]);
    answer();
    await written;
    api.get(path).reply(200, page("b"));
    expect(await list()).toMatchObject([{ id: "b" }]);
  });

  it.each(["PATCH", "DELETE"] as const)(
    "look a project up again by its name after a %s of one",
    async (method) => {
      const project = (id: string) => ({ id, name: "web", accountId: "team_1" });
      api.get("/v9/projects/web").reply(200, project("prj_1"));
      expect(await client.identify("web")).toMatchObject({ id: "prj_1" });
      expect(await client.identify("web")).toMatchObject({ id: "prj_1" });
      api.intercept("/v9/projects/prj_1", method).reply(200, {});
      await client.send({ method, path: "/v9/projects/prj_1", shape: responses.anything });
      api.get("/v9/projects/web").reply(200, project("prj_2"));
      expect(await client.identify("web")).toMatchObject({ id: "prj_2" });
    },
  );

  it("are served by a list until the project is written to", async () => {
    api.get("/v9/projects/prj_1/env").reply(200, page("a"));
    await list();
    await list();
    api.post("/v9/projects/prj_1/env").reply(201, {});
    await client.send({ method: "POST", path: "/v9/projects/prj_1/env", shape: responses.anything });
    expect(await list(true)).toMatchObject([{ id: "a" }]);
    api.get("/v9/projects/prj_1/env").reply(200, page("b"));
    expect(await list()).toMatchObject([{ id: "b" }]);
  });

  it.each(["DELETE", "PATCH"] as const)("are not served by a list of before a %s at all", async (method) => {
    api.get("/v9/projects/prj_1/env").reply(200, page("a"));
    await list();
    api.intercept("/v9/projects/prj_1/env/a", method).reply(200, {});
    await client.send({ method, path: "/v9/projects/prj_1/env/a", shape: responses.anything });
    api.get("/v9/projects/prj_1/env").reply(200, page("b"));
    expect(await list(true)).toMatchObject([{ id: "b" }]);
  });

  it("do not remember a list that failed", async () => {
    api.get("/v9/projects/prj_1/env").reply(403, refusal("forbidden"));
    await expect(list()).rejects.toThrow(/403/);
    api.get("/v9/projects/prj_1/env").reply(200, page("a"));
    await expect(list()).resolves.toHaveLength(1);
  });
});

describe("on a real socket", () => {
  it.each(["no answer", "a closed connection"])("%s is tried again", async (trouble) => {
    nock.enableNetConnect();
    let asked = 0;
    const server = createServer((request, response) => {
      asked++;
      if (asked > 1) return response.setHeader("content-type", "application/json").end('{"id":"a"}');
      if (trouble === "a closed connection") request.socket.destroy();
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const local = new Client(
      { apiUrl: `http://127.0.0.1:${port}`, token: "t", team: undefined },
      { ...timing, attemptMs: 1_000 },
    );
    await expect(local.get("/x", thing)).resolves.toEqual({ id: "a" });
    expect(asked).toBe(2);
    await local.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  it("the proxy of the environment is used, but not for this machine", async () => {
    nock.enableNetConnect();
    const proxied: (string | undefined)[] = [];
    const proxy = createServer((_, response) => response.writeHead(502).end());
    proxy.on("connect", (request, socket) => {
      proxied.push(request.url);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    const server = createServer((_, response) => response.end('{"id":"a"}'));
    for (const each of [proxy, server])
      await new Promise<void>((ready) => each.listen(0, "127.0.0.1", ready));
    const at = (each: typeof server) => `http://127.0.0.1:${(each.address() as AddressInfo).port}`;
    process.env.HTTPS_PROXY = process.env.HTTP_PROXY = at(proxy);
    const far = new Client({ apiUrl: "https://api.example.com", token: "t", team: undefined }, timing);
    const near = new Client({ apiUrl: at(server), token: "t", team: undefined }, timing);
    await expect(far.get("/x", thing)).rejects.toThrow(/is out of reach/);
    await expect(near.get("/x", thing)).resolves.toEqual({ id: "a" });
    delete process.env.HTTPS_PROXY;
    delete process.env.HTTP_PROXY;
    expect(proxied[0]).toBe("api.example.com:443");
    await Promise.all([far.close(), near.close()]);
    for (const each of [proxy, server]) await new Promise((done) => each.close(done));
  });

  it("SLIPWAY_LOG=debug tells method, path, status and time, and nothing else", async () => {
    process.env.SLIPWAY_LOG = "debug";
    const written = jest.spyOn(process.stderr, "write").mockReturnValue(true);
    api.patch("/x").query({ q: "canary" }).reply(200, { id: "canary" });
    await client.send({
      method: "PATCH",
      path: "/x",
      query: { q: "canary" },
      body: { v: "canary" },
      shape: thing,
    });
    delete process.env.SLIPWAY_LOG;
    const lines = written.mock.calls.map(([text]) => String(text));
    written.mockRestore();
    expect(lines).toEqual([expect.stringMatching(/^slipway: PATCH \/x 200 \d+ ms\n$/)]);
  });
});

describe("who has the name of a project", () => {
  const project = (id: string) => ({ id, name: "web", accountId: "team_1" });

  it("is known of every project that was read", async () => {
    api.get("/v9/projects/prj_1").reply(200, project("prj_1"));
    await client.project("prj_1");
    expect(await client.idOfName("web")).toBe("prj_1");
  });

  it("is asked again after a rename, by which answers under way are outdated", async () => {
    let answer = (_: object): void => {};
    const answered = new Promise<object>((resolve) => {
      answer = resolve;
    });
    api.get("/v9/projects/prj_1").reply(200, () => answered);
    const read = client.project("prj_1");
    api.patch("/v9/projects/prj_1").reply(200, { id: "prj_1" });
    await client.send({ method: "PATCH", path: "/v9/projects/prj_1", body: {}, shape: thing });
    answer(project("prj_1"));
    await read;
    api.get("/v9/projects/web").reply(200, project("prj_2"));
    expect(await client.idOfName("web")).toBe("prj_2");
  });

  it("is nobody until a project is made", async () => {
    api.get("/v9/projects/web").reply(404, refusal("not_found"));
    expect(await client.idOfName("web")).toBeUndefined();
    expect(await client.idOfName("web")).toBeUndefined();
    api.post("/v10/projects").reply(200, { id: "prj_2" });
    await post();
    api.get("/v9/projects/web").reply(200, project("prj_2"));
    expect(await client.idOfName("web")).toBe("prj_2");
  });
});

describe("the account of a token", () => {
  it.each([
    ["account", () => client.account()],
    ["user", () => client.userId()],
  ])("is asked for again after a request for the %s that got no answer", async (_, ask) => {
    const lost = Object.assign(new Error("x"), { code: "ECONNRESET" });
    api.get("/v2/user").times(4).replyWithError(lost);
    await expect(ask()).rejects.toThrow(/out of reach/);
    api.get("/v2/user").reply(200, { user: { id: "user_1" } });
    expect([await ask(), await ask()]).toEqual(["user_1", "user_1"]);
  });

  it.each([
    ["of a project", [{ id: "prj_1", name: "web", accountId: "team_1" }], "team_1"],
    ["not known without a project", [], undefined],
  ])("that may not read its team is %s", async (_, projects, account) => {
    const team = new Client({ apiUrl, token: "t", team: "acme" }, timing);
    api.get("/v2/teams/acme").query(true).reply(403, refusal("forbidden"));
    api.get("/v9/projects").query({ limit: "1", slug: "acme" }).reply(200, { projects });
    expect([await team.account(), await team.account()]).toEqual([account, account]);
    await team.close();
  });
});
