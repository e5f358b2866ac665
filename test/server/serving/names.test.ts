import { addressOf, requestedName } from "../../../server/serving/names";
import { TestServer, useTestServer } from "../../support/world";

describe("the name in a Host header", () => {
  it.each([
    ["web.localhost", "", ["web.vercel.app"]],
    ["web-1-acme.localhost:4000", ":4000", ["web-1-acme.vercel.app"]],
    ["WEB.LocalHost.:4000", ":4000", ["web.vercel.app"]],
    ["www.example.com.localhost", "", ["www.example.com.vercel.app", "www.example.com"]],
    ["www.example.com:80", ":80", ["www.example.com"]],
    ["web.vercel.app", "", ["web.vercel.app"]],
  ])("stands for the names of deployments: %s", (host, port, names) => {
    expect(requestedName(host, [])).toMatchObject({ port, names });
  });

  it.each([
    undefined,
    "",
    "localhost",
    "localhost.:4000",
    "LOCALHOST:4000",
    "127.0.0.1:4000",
    "[::1]:4000",
    "::1",
    "slipway.internal",
    "slipway.internal.:1",
    "slipway.localhost",
    "server",
    ".localhost",
    "*.example.com",
    "a..example.com",
    "web.localhost/x",
    "user@web.localhost",
    "web.localhost:4000:1",
    "web.localhost:x",
    "ünicode.localhost",
  ])("is the server's own, or no name: %j", (host) => {
    expect(requestedName(host, ["slipway.internal", "slipway.localhost"])).toBeUndefined();
  });

  it("decides under which address another name is found", () => {
    const addressFor = (host: string, name: string) => {
      const requested = requestedName(host, []);
      return requested && addressOf(name, requested);
    };
    expect(addressFor("www.example.com.localhost:4000", "example.com")).toBe("//example.com.localhost:4000");
    expect(addressFor("old.localhost:4000", "web.vercel.app")).toBe("//web.localhost:4000");
    expect(addressFor("www.example.com", "example.com")).toBe("//example.com");
  });
});

const world = useTestServer("memory", { allowedHosts: ["own.localhost", "api.example.com"] });
const team = "acme";

interface Page {
  status: number;
  /** The id of the deployment that the page is from. */
  from: unknown;
  text: string;
  location: unknown;
}

async function open(host: string, path = "/", headers: Record<string, string> = {}): Promise<Page> {
  const {
    status,
    headers: answered,
    body,
  } = await world.call("GET", path, {
    token: null,
    team: null,
    headers: { host, ...headers },
  });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, from: answered["x-slipway-deployment"], text, location: answered.location };
}

const deployments = [
  { id: "dpl_old", team, project: "web", target: "production" as const, createdAt: 1 },
  { id: "dpl_new", team, project: "web", target: "production" as const, createdAt: 2 },
  { id: "dpl_branch", team, project: "web", gitBranch: "feature", createdAt: 3 },
  { id: "dpl_other", team, project: "web", gitBranch: "other", createdAt: 4 },
  {
    id: "dpl_failed",
    team,
    project: "web",
    gitBranch: "feature",
    readyState: "ERROR" as const,
    createdAt: 5,
  },
  { id: "dpl_building", team, project: "web", readyState: "BUILDING" as const, createdAt: 6 },
];
const domains = [
  { team, project: "web", name: "example.com", verified: true },
  { team, project: "web", name: "www.example.com", verified: true, redirect: "example.com" },
  {
    team,
    project: "web",
    name: "old.example.com",
    verified: true,
    redirect: "example.com",
    redirectStatusCode: 301 as const,
  },
  { team, project: "web", name: "feature.example.com", verified: true, gitBranch: "feature" },
  { team, project: "web", name: "*.example.com", verified: true },
  { team, project: "web", name: "example.org", verified: false },
];

describe("with a project, its domains and deployments", () => {
  beforeEach(() => world.seed({ projects: [{ team, name: "web" }], deployments, domains }));

  it.each([
    ["web.localhost", "dpl_new"],
    ["web.vercel.app", "dpl_new"],
    ["web-old-acme.localhost", "dpl_old"],
    ["web-old-acme.vercel.app:4000", "dpl_old"],
    ["example.com", "dpl_new"],
    ["EXAMPLE.com.:4000", "dpl_new"],
    ["example.com.localhost:4000", "dpl_new"],
    ["feature.example.com", "dpl_branch"],
    ["any.example.com", "dpl_new"],
  ])("serves %s from %s", async (host, id) => {
    expect(await open(host, "/")).toMatchObject({ status: 404, from: id });
    expect((await open(host, "/")).text).toContain("created without files");
  });

  it("follows promotions, and the name of the project", async () => {
    await world.call("POST", "/v10/projects/web/promote/dpl_old");
    expect((await open("web.localhost")).from).toBe("dpl_old");
    await world.call("PATCH", "/v9/projects/web", { body: { name: "site" } });
    expect((await open("site.localhost")).from).toBe("dpl_old");
    expect((await open("web.localhost")).status).toBe(404);
  });

  it("keeps the names that a promotion failed to move", async () => {
    await world.askControl("POST", "/promotions", { failAliases: ["example.com"] });
    await world.call("POST", "/v10/projects/web/promote/dpl_old");
    expect((await open("example.com.localhost")).from).toBe("dpl_new");
    expect((await open("web.localhost")).from).toBe("dpl_old");
  });

  it("serves aliases, and follows their redirects", async () => {
    const assign = (alias: string, redirect?: string) =>
      world.call("POST", "/v2/deployments/dpl_branch/aliases", { body: { alias, redirect } });
    await assign("docs.vercel.app");
    await assign("moved.vercel.app", "docs.vercel.app");
    expect((await open("docs.localhost")).from).toBe("dpl_branch");
    expect(await open("moved.localhost:4000", "/a?b=c")).toMatchObject({
      status: 307,
      location: "//docs.localhost:4000/a?b=c",
    });
  });

  it("answers redirects of domains with their status, whatever the path", async () => {
    expect(await open("www.example.com", "//evil.example/..%2f?x=1")).toMatchObject({
      status: 307,
      location: "//example.com//evil.example/..%2f?x=1",
    });
    expect(await open("old.example.com.localhost:4000", "/a")).toMatchObject({
      status: 301,
      location: "//example.com.localhost:4000/a",
    });
  });

  it("says in which state a deployment is", async () => {
    expect(await open("web-building-acme.localhost")).toMatchObject({
      status: 503,
      text: expect.stringContaining("BUILDING"),
    });
    expect(await open("web-failed-acme.localhost")).toMatchObject({
      status: 404,
      text: expect.stringContaining("ERROR"),
    });
  });

  it("says that a project is paused, or has no production", async () => {
    await world.seed({ projects: [{ team, name: "empty" }] });
    expect(await open("empty.localhost")).toMatchObject({
      status: 404,
      text: expect.stringContaining("no deployment yet"),
    });
    const { body } = await world.call("GET", "/v9/projects/web");
    await world.call("POST", `/v1/projects/${body.id}/pause`);
    expect(await open("web.localhost")).toMatchObject({
      status: 503,
      text: expect.stringContaining("paused"),
    });
    expect((await open("web-old-acme.localhost")).from).toBe("dpl_old");
  });

  it("serves the first of several projects with one name", async () => {
    await world.advance(1000);
    await world.team("beta");
    await world.seed({
      projects: [{ team: "beta", name: "web" }],
      deployments: [{ id: "dpl_beta", team: "beta", project: "web", target: "production" }],
    });
    expect((await open("web.localhost")).from).toBe("dpl_new");
    expect((await open("web-beta-beta.localhost")).from).toBe("dpl_beta");
  });

  it("says that a local name is unknown, and leaves other names to the API", async () => {
    expect(await open("other.localhost")).toMatchObject({
      status: 404,
      text: expect.stringContaining("other.vercel.app"),
    });
    for (const host of ["example.org", "unknown.example.net", "a.b.example.com"])
      expect(await open(host, "/v9/projects")).toMatchObject({ status: 401 });
  });
});

describe("the API", () => {
  beforeEach(() =>
    world.seed({
      projects: [
        { team, name: "own" },
        { team, name: "web" },
      ],
      deployments,
      domains,
    }),
  );

  it.each([
    "localhost:4000",
    "127.0.0.1",
    "[::1]:4000",
    "own.localhost",
    "OWN.localhost.:4000",
    "api.example.com",
  ])("answers under the server's own name %s", async (host) => {
    expect((await open(host, "/_health")).text).toContain("slipway");
    expect(await open(host, "/v9/projects")).toMatchObject({ status: 401 });
  });

  it("keeps its own names, whatever domains and projects there are", async () => {
    await world.seed({ domains: [{ team, project: "web", name: "api.example.com", verified: true }] });
    for (const host of ["api.example.com", "own.localhost"]) {
      expect((await open(host, "/v9/projects")).status).toBe(401);
      const headers = { host };
      expect((await world.call("GET", "/v9/projects", { headers })).status).toBe(200);
    }
  });

  it("answers requests with an access token under all real names", async () => {
    const token = await world.user("ada");
    const headers = { host: "example.com" };
    expect((await world.call("GET", "/v2/user", { token, team: null, headers })).status).toBe(200);
    expect((await open("example.com", "/_health")).text).toContain("slipway");
  });

  it("answers requests with an access token under a local name without a deployment only", async () => {
    const token = await world.user("ada");
    const call = (host: string) => world.call("GET", "/v2/user", { token, team: null, headers: { host } });
    expect((await call("unknown.localhost")).status).toBe(200);
    expect((await call("web.localhost")).status).toBe(404);
  });
});

describe("a server that does not listen on loopback", () => {
  const seed = {
    users: [{ username: "ada" }],
    projects: [{ user: "ada", name: "web" }],
    deployments: [{ id: "dpl_1", user: "ada", project: "web", target: "production" as const }],
  };

  it.each([
    [undefined, "0.0.0.0", false],
    [true, "0.0.0.0", true],
    [undefined, "::1", true],
    [false, "127.0.0.1", false],
  ])("serves deployments only where it is told to: %s at %s", async (serveDeployments, host, isServed) => {
    const server = new TestServer();
    await server.open("memory", { host, serveDeployments, alwaysDevelopmentAccount: false, seed });
    const options = { token: null, team: null, headers: { host: "web.localhost" } };
    const { headers } = await server.call("GET", "/", options);
    await server.close();
    expect(headers["x-slipway-deployment"]).toBe(isServed ? "dpl_1" : undefined);
  });
});
