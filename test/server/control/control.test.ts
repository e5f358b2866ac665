import { createHash } from "node:crypto";
import { request } from "undici";
import { startServer } from "../../../server";
import { faultPlan } from "../../../server/control/fault-plan";
import { advanceClock } from "../../../server/platform/clock";
import { developmentToken } from "../../../server/seed/development-account";
import { until } from "../../support/until";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const project = async (name = "web"): Promise<{ id: string }> =>
  (await world.call("POST", "/v10/projects", { body: { name } })).body;
const serving = async (name = "web"): Promise<string | undefined> =>
  (await world.call("GET", `/v9/projects/${name}`)).body.targets.production?.id;

describe("access to the control plane", () => {
  it.each([
    ["no token", ""],
    ["another token", "something-else"],
    ["a token of the API", "slipway-dev-token"],
  ])("is refused with %s", async (_, token) => {
    expect((await world.askControl("GET", "/snapshot", undefined, token)).status).toBe(401);
  });

  it.each([
    "/%5Fcontrol/snapshot",
    "/v1/%5fcontrol/snapshot",
    "/_%63ontrol/snapshot",
    "/_control/snapsho%74",
    "/_control/snapshot/",
  ])("is refused without a token under %s", async (url) => {
    expect((await world.app.inject({ url })).statusCode).toBe(401);
    const foreign = { host: "rebound.example.com", authorization: "Bearer control-token" };
    expect((await world.app.inject({ url, headers: foreign })).statusCode).toBe(403);
  });

  it("is refused under a foreign host name", async () => {
    const answer = await world.app.inject({
      url: "/_control/snapshot",
      headers: { host: "rebound.example.com", authorization: "Bearer control-token" },
    });
    expect(answer.statusCode).toBe(403);
  });

  it.each(["localhost:4000", "127.0.0.1:4000", "[::1]:4000"])("is given under %s", async (host) => {
    const answer = await world.app.inject({
      url: "/_control/snapshot",
      headers: { host, authorization: "Bearer control-token" },
    });
    expect(answer.statusCode).toBe(200);
  });

  it.each(["/mail?to=%00", "/events?account=%00", "/installations/%00/enable"])(
    "is refused for the character U+0000 in %s, which one engine cannot store",
    async (path) => {
      const method = path.includes("?") ? "GET" : "POST";
      const { status, body } = await world.askControl(method, path, method === "GET" ? undefined : {});
      expect([status, body.error.message]).toEqual([400, expect.stringContaining("U+0000")]);
    },
  );

  it("refuses invalid requests in the form of the API", async () => {
    const unknown = await world.askControl("POST", "/clock", { advanceMs: 1, by: 2 });
    expect([unknown.status, unknown.body.error.code]).toEqual([400, "bad_request"]);
    const broken = await world.askControl("POST", "/clock", "{");
    expect([broken.status, broken.body.error.code]).toEqual([400, "bad_request"]);
    const nowhere = await world.askControl("POST", "/nothing", {});
    expect([nowhere.status, nowhere.body.error.code]).toEqual([404, "not_found"]);
  });
});

describe("deployments", () => {
  const production = { team: "acme", project: "web", target: "production" as const };

  it("may be added before their project, which the newest then serves", async () => {
    await world.control.deploy({ ...production, id: "dpl_a" }, { ...production, id: "dpl_b" });
    await project();
    expect(await serving()).toBe("dpl_b");
  });

  it("serve production once they are ready", async () => {
    await project();
    await world.control.deploy({ ...production, id: "dpl_a", readyState: "BUILDING" });
    expect(await serving()).toBeUndefined();
    await world.control.deploy({ ...production, id: "dpl_a", readyState: "READY" });
    expect(await serving()).toBe("dpl_a");
    await world.control.deploy({ ...production, id: "dpl_b", readyState: "ERROR" });
    expect(await serving()).toBe("dpl_a");
  });

  it("do not serve production when they are older or previews", async () => {
    await project();
    await world.control.deploy({ ...production, id: "dpl_a", createdAt: 10 });
    await world.control.deploy({ ...production, id: "dpl_b", createdAt: 5 });
    await world.control.deploy({ team: "acme", project: "web", id: "dpl_c" });
    expect(await serving()).toBe("dpl_a");
  });

  it("serve production although newer ones failed, are previews, or belong to other projects", async () => {
    await project();
    await world.control.deploy({ ...production, id: "dpl_a", createdAt: 10, readyState: "BUILDING" });
    await world.control.deploy(
      { ...production, id: "dpl_b", createdAt: 20, readyState: "ERROR" },
      { ...production, id: "dpl_c", createdAt: 30, target: "preview" },
      { ...production, id: "dpl_d", createdAt: 40, project: "api" },
    );
    await world.control.deploy({ ...production, id: "dpl_a", readyState: "READY" });
    expect(await serving()).toBe("dpl_a");
  });

  it("do not serve production without automatic assignment", async () => {
    await project();
    await world.control.deploy({ ...production, id: "dpl_a" });
    await world.call("PATCH", "/v9/projects/web", { body: { autoAssignCustomDomains: false } });
    await world.control.deploy({ ...production, id: "dpl_b" });
    expect(await serving()).toBe("dpl_a");
  });

  it("do not undo a promotion when they are added again", async () => {
    const { id } = await project();
    const both = [
      { ...production, id: "dpl_a" },
      { ...production, id: "dpl_b" },
    ];
    await world.control.deploy(...both);
    expect((await world.call("POST", `/v10/projects/${id}/promote/dpl_a`)).status).toBe(201);
    await world.control.deploy(...both);
    expect(await serving()).toBe("dpl_a");
  });

  it("follow a rename of their project", async () => {
    await project();
    await world.control.deploy({ ...production, id: "dpl_a" });
    await world.call("PATCH", "/v9/projects/web", { body: { name: "site" } });
    await world.control.deploy({ ...production, id: "dpl_a" });
    expect(await serving("site")).toBe("dpl_a");
  });

  it("cannot take the id of another account's deployment", async () => {
    await world.team("other");
    await world.control.deploy({ ...production, id: "dpl_a" });
    const answer = await world.askControl("POST", "/deployments", {
      team: "other",
      project: "web",
      id: "dpl_a",
    });
    expect(answer.status).toBe(400);
  });
});

describe("DNS", () => {
  it("has exactly the records that were set last", async () => {
    await world.control.setTxt("_vercel.Example.com", "a", "b");
    expect((await world.services.lookupTxt("_vercel.example.com")).sort()).toEqual(["a", "b"]);
    await world.control.setTxt("_vercel.example.com", "c");
    expect(await world.services.lookupTxt("_vercel.example.com")).toEqual(["c"]);
    await world.control.setTxt("_vercel.example.com");
    expect(await world.services.lookupTxt("_vercel.example.com")).toEqual([]);
  });

  it("keeps the records of other types and names, unless all of a name are removed", async () => {
    const name = "www.example.com";
    const zone = async () =>
      (await world.control.snapshot()).dns.map((record) => `${record.name} ${record.type} ${record.value}`);
    await world.control.setTxt("a.example.com", "kept");
    await world.control.setTxt(name, "text");
    for (const address of ["192.0.2.1", "192.0.2.2"]) await world.control.setRecords(name, "A", [address]);
    expect(await zone()).toEqual([
      "a.example.com TXT kept",
      "www.example.com A 192.0.2.2",
      "www.example.com TXT text",
    ]);
    await world.control.setTxt(name);
    expect(await zone()).toEqual(["a.example.com TXT kept", "www.example.com A 192.0.2.2"]);
    await world.control.setTxt(name, "again");
    expect((await world.askControl("DELETE", `/dns/${name}`)).status).toBe(204);
    expect(await zone()).toEqual(["a.example.com TXT kept"]);
  });
});

describe("promotions", () => {
  it("take the planned time (server time)", async () => {
    const { id } = await project();
    await world.control.deploy({ team: "acme", project: "web", id: "dpl_a" });
    await world.control.planPromotions({ delayMs: 1000 });
    await world.call("POST", `/v10/projects/${id}/promote/dpl_a`);
    await world.advance(999);
    expect(await serving()).toBeUndefined();
    await world.advance(1);
    expect(await serving()).toBe("dpl_a");
  });

  it("fail for the planned aliases", async () => {
    const { id } = await project();
    await world.control.deploy({ team: "acme", project: "web", id: "dpl_a" });
    await world.control.planPromotions({ failAliases: ["web.vercel.app"] });
    await world.call("POST", `/v10/projects/${id}/promote/dpl_a`);
    const { body } = await world.call("GET", "/v9/projects/web?rollbackInfo=true");
    expect(body.lastAliasRequest.jobStatus).toBe("failed");
    expect(body.targets).toEqual({});
  });
});

describe("teams", () => {
  it("change plan and blocks at once", async () => {
    await world.control.changeTeam("acme", { softBlocked: true });
    expect((await world.call("POST", "/v10/projects", { body: { name: "web" } })).status).toBe(402);
    await world.control.changeTeam("acme", { softBlocked: false, plan: "hobby" });
    await project();
    const trusted = {
      trustedIps: { deploymentType: "all", addresses: [{ value: "1.2.3.4" }], protectionMode: "exclusive" },
    };
    expect((await world.call("PATCH", "/v9/projects/web", { body: trusted })).status).toBe(400);
  });

  it("show their new plan for existing deployments", async () => {
    await project();
    await world.control.deploy({ team: "acme", project: "web", target: "production" });
    await world.call("GET", "/v9/projects/web");
    await world.control.changeTeam("acme", { plan: "pro" });
    expect((await world.call("GET", "/v9/projects/web")).body.targets.production.plan).toBe("pro");
  });

  it("can remove members", async () => {
    const token = await world.member("VIEWER");
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(200);
    await world.control.removeMember("acme", "viewer-of-acme");
    expect((await world.call("GET", "/v9/projects", { token })).status).toBe(403);
    expect((await world.askControl("DELETE", "/teams/acme/members/viewer-of-acme")).status).toBe(404);
  });

  it("are 404 when they do not exist", async () => {
    expect((await world.askControl("PATCH", "/teams/none", { plan: "pro" })).status).toBe(404);
  });
});

describe("the clock", () => {
  it("moves forward only", async () => {
    expect(await world.control.advanceClock(1500)).toBe(beginning + 1500);
    expect((await world.askControl("POST", "/clock", { advanceMs: -1 })).status).toBe(400);
    const tenYears = 10 * 365.25 * 24 * 60 * 60 * 1000;
    for (const advanceMs of [Number.MAX_SAFE_INTEGER, tenYears + 1]) {
      expect((await world.askControl("POST", "/clock", { advanceMs })).status).toBe(400);
    }
    expect(world.clock.now()).toBe(beginning + 1500);
  });

  it("ends in the year 9999", async () => {
    const end = Date.UTC(9999, 11, 31);
    await advanceClock(world.services, end - world.clock.now() - 1);
    expect(await world.askControl("POST", "/clock", { advanceMs: 2 })).toMatchObject({
      status: 400,
      body: { error: { message: "The clock cannot go beyond the year 9999. Advance it by less." } },
    });
    expect(await world.control.advanceClock(1)).toBe(end);
  });
});

describe("the snapshot", () => {
  it("has no secrets", async () => {
    await world.seed({
      projects: [
        { team: "acme", name: "web", passwordProtection: { deploymentType: "all", password: "hidden-1" } },
      ],
      tokens: [{ token: "hidden-2", user: "dev" }],
    });
    const text = JSON.stringify(await world.control.snapshot());
    expect(text).toContain('"name":"web"');
    expect(text).not.toContain("hidden-");
  });
});

describe("reset", () => {
  it("restores the state of the first start", async () => {
    const before = await world.control.snapshot();
    await project();
    await world.member("VIEWER");
    await world.control.addFaults({ path: "/v9/projects", kind: "status" });
    await world.control.planPromotions({ delayMs: 5 });
    await world.control.reset();
    expect(await world.control.snapshot()).toEqual(before);
    expect(await world.control.requests()).toEqual([]);
    expect((await world.call("GET", "/v9/projects")).status).toBe(200);
    const { id } = await project();
    await world.control.deploy({ team: "acme", project: "web", id: "dpl_a" });
    await world.call("POST", `/v10/projects/${id}/promote/dpl_a`);
    expect(await serving()).toBe("dpl_a");
  });

  it("lets delayed requests take effect before it, so that none does after it", async () => {
    const before = await world.control.snapshot();
    await world.control.addFaults({ path: "/v10/projects", kind: "delay", delayMs: 600_000, times: 2 });
    const late = world.call("POST", "/v10/projects", { body: { name: "late" } });
    const met = async () => (await world.askControl("GET", "/faults")).body.faults[0]?.met;
    await until("it is delayed", async () => (await met()) === 1);
    await world.control.reset();
    expect((await late).status).toBe(200);
    expect(await world.control.snapshot()).toEqual(before);
  });
});

describe("records", () => {
  it("of requests have caller and path, without body and headers", async () => {
    await project();
    await world.call("GET", "/v9/projects?token=secret", { token: null });
    const [last, first] = await world.control.requests();
    expect(first).toMatchObject({ method: "POST", path: "/v10/projects", status: 200 });
    expect(first?.caller).toEqual(expect.any(String));
    expect(last).toMatchObject({ path: "/v9/projects", status: 401, caller: null });
    expect(JSON.stringify([last, first])).not.toContain("secret");
  });

  it("of requests, events and mail are paged without gaps", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await project(name);
    for (const list of ["requests", "events"]) {
      const seen: unknown[] = [];
      let until = "";
      for (let pages = 0; pages < 3; pages++) {
        const { body } = await world.askControl("GET", `/${list}?limit=2${until}`);
        seen.push(...body[list].map((record: { sequence: number }) => record.sequence));
        until = `&until=${body.pagination.next}`;
        if (body.pagination.next === null) break;
      }
      expect(seen).toEqual([5, 4, 3, 2, 1]);
    }
    expect((await world.askControl("GET", "/mail?limit=2")).body).toEqual({
      mail: [],
      pagination: { count: 0, next: null, prev: null },
    });
  });

  it("of events are filtered by account and type", async () => {
    await project();
    const { body } = await world.askControl("GET", "/events?type=project.created");
    expect(body.events).toHaveLength(1);
    const other = await world.askControl("GET", "/events?account=nobody");
    expect(other.body.events).toEqual([]);
  });

  it("of events are refused an unknown type, with the closest one or a list of all", async () => {
    const refused = async (type: string): Promise<string> => {
      const { status, body } = await world.askControl("GET", `/events?type=${type}`);
      expect([status, body.error.code]).toEqual([400, "bad_request"]);
      return body.error.message;
    };
    expect(await refused("project.create")).toMatch(/"project\.create"\. Did you mean project\.created\?$/);
    expect(await refused("nothing")).toMatch(
      /Choose one of deployment\.canceled, .*project\.rolling-release\.started\.$/,
    );
  });
});

describe("faults", () => {
  it("answer their status as often as given, under any version of the path", async () => {
    await world.control.addFaults({
      method: "post",
      path: "/v10/projects",
      times: 2,
      kind: "status",
      status: 503,
      retryAfter: 3,
    });
    const first = await world.call("POST", "/v11/projects", { body: { name: "web" } });
    expect([first.status, first.headers["retry-after"]]).toEqual([503, "3"]);
    expect((await world.call("GET", "/v9/projects")).status).toBe(200);
    expect((await world.call("POST", "/projects", { body: { name: "web" } })).status).toBe(503);
    expect((await world.call("POST", "/v10/projects", { body: { name: "web" } })).status).toBe(200);
  });

  it("match paths with parameters, and can be cleared", async () => {
    await world.control.addFaults({ path: "/v9/projects/:id", kind: "status", status: 500, times: 9 });
    const answer = await world.call("GET", "/v9/projects/any");
    expect([answer.status, answer.body.error.code]).toEqual([500, "internal_server_error"]);
    await world.control.clearFaults();
    expect((await world.call("GET", "/v9/projects/any")).status).toBe(404);
  });

  it.each([
    [400, "bad_request"],
    [401, "forbidden"],
    [402, "payment_required"],
    [403, "forbidden"],
    [404, "not_found"],
    [409, "conflict"],
    [418, "bad_request"],
    [429, "rate_limited"],
    [503, "internal_server_error"],
  ])("of status %d have the code %s where none is given", async (status, code) => {
    const path = "/v9/projects";
    await world.control.addFaults({ path, kind: "status", status });
    const answer = await world.call("GET", path);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it("skip requests, answer a given error, or send a page", async () => {
    const path = "/v9/projects";
    await world.control.addFaults(
      { path, kind: "status", skip: 1, status: 409, code: "conflict", message: "being transferred" },
      { path, kind: "status", skip: 1, status: 429, page: "<h1>Slow down</h1>", retryAfter: 2 },
    );
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push(await world.call("GET", path));
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 429, 200]);
    expect(answers[1]?.body.error).toEqual({ code: "conflict", message: "being transferred" });
    expect(answers[2]?.headers).toMatchObject({ "content-type": "text/html", "retry-after": "2" });
  });

  it("that delay let requests take effect after the client has left, at the latest on clearing", async () => {
    const server = await startServer();
    try {
      await server.control.addFaults({ path: "/v10/projects", kind: "delay", delayMs: 600_000 });
      const create = request(`${server.url}/v10/projects?slug=acme`, {
        method: "POST",
        headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "late" }),
        signal: AbortSignal.timeout(300),
      });
      await expect(create).rejects.toThrow();
      const names = async () => (await server.control.snapshot()).projects.map(({ name }) => name);
      // The server answers this after it has noticed that the client has left.
      expect(await names()).toEqual([]);
      await server.control.clearFaults();
      expect(await names()).toEqual(["late"]);
      expect(await server.control.requests()).toMatchObject([{ path: "/v10/projects", status: null }]);
    } finally {
      await server.close();
    }
  });

  it("delay an upload of any bytes", async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    await world.control.addFaults({ path: "/v2/files", kind: "delay", delayMs: 1 });
    const { statusCode } = await world.app.inject({
      method: "POST",
      url: "/v2/files?slug=acme",
      headers: {
        authorization: `Bearer ${developmentToken}`,
        "content-type": "application/octet-stream",
        "x-vercel-digest": createHash("sha1").update(bytes).digest("hex"),
      },
      payload: bytes,
    });
    expect(statusCode).toBe(200);
  });

  it("delay a request without delaying others", async () => {
    await world.control.addFaults({ path: "/v9/projects", kind: "delay", delayMs: 300 });
    const answered: string[] = [];
    const ask = async (path: string): Promise<void> => {
      expect((await world.call("GET", path)).status).toBe(200);
      answered.push(path);
    };
    await Promise.all([ask("/v9/projects"), ask("/v2/user")]);
    expect(answered).toEqual(["/v2/user", "/v9/projects"]);
  });

  it("cut an answer off after the request has taken effect", async () => {
    await world.control.addFaults({ path: "/v10/projects", kind: "malformed" });
    const send = (name: string) =>
      world.app.inject({
        method: "POST",
        url: "/v10/projects?slug=acme",
        headers: { authorization: `Bearer ${developmentToken}` },
        payload: { name },
      });
    const { statusCode, body } = await send("web");
    expect([statusCode, body.slice(0, 2)]).toEqual([200, '{"']);
    expect(() => JSON.parse(body)).toThrow();
    // The answer of a refusal is cut off too.
    await world.control.addFaults({ path: "/v10/projects", kind: "malformed" });
    const refused = await send("web");
    expect(refused.statusCode).toBe(409);
    expect(() => JSON.parse(refused.body)).toThrow();
    expect((await world.call("GET", "/v9/projects")).body.projects).toHaveLength(1);
  });

  it("send an answer in parts, until faults are cleared", async () => {
    const server = await startServer();
    try {
      const text = "Grüße 🚢 ".repeat(40);
      const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
      const { id } = (await (
        await fetch(`${server.url}/v10/projects?slug=acme`, {
          method: "POST",
          headers,
          body: '{"name":"web"}',
        })
      ).json()) as { id: string };
      await server.control.addFaults({ path: "/v10/projects/:id/env", kind: "slow", delayMs: 600_000 });
      const body = JSON.stringify({ key: "K", value: text, type: "plain", target: ["preview"] });
      const answer = await fetch(`${server.url}/v10/projects/${id}/env?slug=acme`, {
        method: "POST",
        headers,
        body,
      });
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      const parts = [(await reader.read()).value as Uint8Array];
      expect(parts[0]?.length).toBeLessThan(text.length / 2);
      await server.control.clearFaults();
      for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
      const { created } = JSON.parse(Buffer.concat(parts).toString()) as { created: { value: string } };
      expect(created.value).toBe(text);
    } finally {
      await server.close();
    }
  });

  it("meet a share of the requests, the same ones with the same seed", async () => {
    const path = "/v9/projects";
    const statuses = async (seed?: number): Promise<number[]> => {
      await world.control.clearFaults();
      await world.control.addFaults({
        path,
        kind: "status",
        rate: 0.25,
        ...(seed !== undefined && { seed }),
      });
      const answers = [];
      for (let count = 0; count < 80; count++) answers.push((await world.call("GET", path)).status);
      return answers;
    };
    const first = await statuses(7);
    const met = first.filter((status) => status === 503).length;
    expect(met).toBeGreaterThan(5);
    expect(met).toBeLessThan(40);
    expect(await statuses(7)).toEqual(first);
    expect(await statuses(8)).not.toEqual(first);
    expect(await statuses()).not.toEqual(first);
    await world.control.clearFaults();
    await world.control.addFaults({ path, kind: "status", rate: 1, times: 2 });
    const limited = [];
    for (let count = 0; count < 3; count++) limited.push((await world.call("GET", path)).status);
    expect(limited).toEqual([503, 503, 200]);
  });

  it.each([
    ["/:a/:b", ["/v9/projects", "/projects/web", "/v9/projects/web"], ["/v9/projects/web/env"]],
    ["/:a/:b/:c", ["/v9/projects/web", "/v9/projects/web/env"], ["/v9/projects"]],
    ["/v9/:a/:b", ["/v9/projects/web", "/v8/projects/web"], ["/v9/projects"]],
    ["/v9/projects/web app", ["/v9/projects/web%20app"], ["/v9/projects/web"]],
    ["/v9/projects/web%20app", ["/v9/projects/web%20app"], ["/v9/projects/web"]],
    ["/v9/projects/web", ["/v9/projects/%77eb"], ["/v9/projects/webs", "/v9/projects/%E0%A4%A"]],
  ])("for %s meet %j, but not %j", async (path, met, others) => {
    await world.control.addFaults({ path, kind: "status", status: 418, times: 99 });
    for (const one of met) expect([one, (await world.call("GET", one)).status]).toEqual([one, 418]);
    for (const one of others) expect((await world.call("GET", one)).status).not.toBe(418);
  });

  it("meet the requests of one operation", async () => {
    await world.control.addFaults({ operation: "createProject", kind: "status", status: 500, times: 9 });
    expect((await world.call("GET", "/v9/projects")).status).toBe(200);
    expect((await world.call("POST", "/v11/projects", { body: { name: "web" } })).status).toBe(500);
    await world.control.clearFaults();
    // A segment of the one path is a parameter in the other.
    await world.control.addFaults({ operation: "getWebhook", kind: "status", status: 500, times: 9 });
    expect((await world.call("GET", "/v1/webhooks")).status).toBe(200);
    expect((await world.call("GET", "/v1/webhooks/any")).status).toBe(500);
    expect((await world.call("HEAD", "/v1/webhooks/any")).status).toBe(500);
  });

  it("meet the requests about one account, under its id and its slug", async () => {
    const statusOf = async (query: string): Promise<number> =>
      (await world.call("GET", `/v9/projects${query}`, { team: null })).status;
    const { teams } = (await world.call("GET", "/v2/teams", { team: null })).body;
    const acme = teams.find(({ slug }: { slug: string }) => slug === "acme");
    for (const account of ["acme", acme.id]) {
      await world.control.addFaults({ account, kind: "status", status: 500, times: 2 });
      expect(await statusOf("")).toBe(200);
      expect(await statusOf("?slug=acme")).toBe(500);
      expect(await statusOf("?slug=other")).toBe(403);
      expect(await statusOf(`?teamId=${acme.id}`)).toBe(500);
      expect(await statusOf("?slug=acme")).toBe(200);
    }
  });

  it("are refused if they are about no requests, or about an operation that does not exist", async () => {
    const refusal = async (fault: object): Promise<string> =>
      world.control.addFaults({ kind: "status", ...fault }).then(
        () => "none",
        (error: Error) => error.message,
      );
    expect(await refusal({})).toContain("A fault needs a path, an operation, an account or a resource.");
    expect(await refusal({ operation: "createProjct" })).toContain("Do you mean createProject?");
    expect(await refusal({ operation: "x" })).toContain("The reference at /docs has the names.");
    expect((await world.call("GET", "/v9/projects")).status).toBe(200);
  });

  it("meet the requests of one resource", async () => {
    const path = "/v9/projects";
    await world.control.addFaults({ path, kind: "status", resource: "EnvVar", times: 9 });
    const statusFor = async (resource?: string): Promise<number> => {
      const headers = resource === undefined ? {} : { "x-slipway-resource": encodeURIComponent(resource) };
      return (await world.call("GET", path, { headers })).status;
    };
    expect(await statusFor()).toBe(200);
    expect(await statusFor("EnvVars all")).toBe(200);
    expect(await statusFor("EnvVar token")).toBe(503);
    expect(await statusFor("Project web, EnvVar token")).toBe(503);
    await world.control.clearFaults();
    await world.control.addFaults({ path, kind: "status", resource: "EnvVar token", times: 9 });
    expect(await statusFor("EnvVar other")).toBe(200);
    expect(await statusFor("EnvVar token")).toBe(503);
  });

  it("wait for random times within the jitter", () => {
    const plan = faultPlan();
    const fault = { path: "/x", kind: "delay", skip: 0, times: 100, status: 503 } as const;
    plan.add({ ...fault, delayMs: 1000, jitterMs: 500 });
    const asked = {
      method: "GET",
      path: "/x",
      paths: ["/x"],
      operation: undefined,
      account: [],
      resources: [],
    };
    const taken = Array.from({ length: 100 }, () => plan.take(asked)?.delayMs ?? 0);
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...taken)).toBeLessThan(1500);
    expect(new Set(taken).size).toBeGreaterThan(50);
  });

  it("drop a connection before the request takes effect, or after", async () => {
    const server = await startServer();
    try {
      const create = (name: string) =>
        request(`${server.url}/v10/projects?slug=acme`, {
          method: "POST",
          headers: { authorization: `Bearer ${server.token}` },
          body: JSON.stringify({ name }),
        });
      await server.control.addFaults(
        { path: "/v10/projects", kind: "drop-before" },
        { path: "/v10/projects", kind: "drop-after" },
      );
      await expect(create("before")).rejects.toThrow();
      await expect(create("after")).rejects.toThrow();
      const { projects } = await server.control.snapshot();
      expect((projects as { name: string }[]).map(({ name }) => name)).toEqual(["after"]);
      const requests = await server.control.requests();
      expect(requests.map(({ status }) => status)).toEqual([null, null]);
    } finally {
      await server.close();
    }
  });
});
