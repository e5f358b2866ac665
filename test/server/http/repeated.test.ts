import http from "node:http";
import type { AddressInfo } from "node:net";
import { developmentToken } from "../../../server/seed/development-account";
import { useTestServer } from "../../support/world";

const world = useTestServer();
let agent: http.Agent;
let origin: string;

beforeEach(async () => {
  agent = new http.Agent({ keepAlive: true });
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`;
  await world.call("POST", "/v10/projects", { body: { name: "web" } });
});
afterEach(() => agent.destroy());

interface Answer {
  status: number | undefined;
  /** In the order in which they came, without the two that differ each time. */
  headers: string[];
  requestId: string | undefined;
  body: string;
}

/** Asks over a connection. */
function ask(path: string, { token = developmentToken, method = "GET" } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = http.request(new URL(path, origin), { method, agent, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => {
        const pairs = response.rawHeaders.flatMap((name, at, all) =>
          at % 2 ? [] : `${name}: ${all[at + 1]}`,
        );
        resolve({
          status: response.statusCode,
          headers: pairs.filter((pair) => !/^(date|x-request-id|x-vercel-id):/i.test(pair)),
          requestId: String(response.headers["x-request-id"]),
          body,
        });
      });
    });
    request.on("error", reject).end();
  });
}

const project = "/v9/projects/web?slug=acme";

describe("a question that is asked again", () => {
  it("has the same answer, byte for byte, under a request id of its own", async () => {
    const first = await ask(project);
    const second = await ask(project);
    expect(first.status).toBe(200);
    expect({ ...second, requestId: "" }).toEqual({ ...first, requestId: "" });
    expect(second.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.requestId).not.toBe(first.requestId);
  });

  it("has the same answer under another version of the path", async () => {
    const { body } = await ask(project);
    expect((await ask(project.replace("/v9", "/v1"))).body).toBe(body);
    expect((await ask(project.replace("/v9", ""))).body).toBe(body);
  });

  it("is asked again once something has changed", async () => {
    await ask(project);
    await world.call("PATCH", "/v9/projects/web", { body: { framework: "nextjs" } });
    expect(JSON.parse((await ask(project)).body).framework).toBe("nextjs");
    await world.call("DELETE", "/v9/projects/web");
    expect((await ask(project)).status).toBe(404);
  });

  it("is not answered to another token, nor without a body to HEAD", async () => {
    await ask(project);
    const guest = await world.user("guest");
    expect((await ask(project, { token: "unknown" })).status).toBe(401);
    expect((await ask(project, { token: guest })).status).toBe(403);
    expect(await ask(project, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });

  it("is counted, and stands in the list of requests with its caller", async () => {
    for (let i = 0; i < 3; i++) await ask(project);
    const { body } = await world.askControl("GET", "/requests?limit=100");
    const seen = body.requests.filter(({ method }: { method: string }) => method === "GET");
    expect(seen).toHaveLength(3);
    for (const one of seen) {
      expect(one).toMatchObject({ path: "/v9/projects/web", status: 200, caller: seen[0].caller });
      expect(one.caller).toMatch(/./);
    }
    const metrics = (await world.call("GET", "/metrics", { token: null, team: null })).body;
    expect(metrics).toContain(
      'slipway_requests_total{method="GET",route="/projects/:idOrName",status="200"} 3',
    );
  });

  it("meets a fault that was asked for", async () => {
    await ask(project);
    await world.askControl("POST", "/faults", { method: "GET", path: "/v9/projects/web", kind: "status" });
    expect((await ask(project)).status).toBe(503);
    expect((await ask(project)).status).toBe(200);
  });
});
