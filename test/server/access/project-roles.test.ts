import type { ProjectRole, Role } from "../../../server/members/object";
import { useTestServer } from "../../support/world";

const world = useTestServer();

/** The requests that are tried in a project, with the status of a success. */
const requests = {
  read: ["GET", "/v9/projects/web", undefined, 200],
  readDeployment: ["GET", "/v13/deployments/dpl_web", undefined, 200],
  preview: ["POST", "/v10/projects/web/env", variable("PREVIEW", "preview"), 201],
  production: ["POST", "/v10/projects/web/env", variable("PRODUCTION", "production"), 201],
  change: ["PATCH", "/v9/projects/web", { framework: "astro" }, 200],
  bypass: [
    "POST",
    "/v1/security/firewall/bypass?projectId=prj_web",
    { projectScope: true, sourceIp: "192.0.2.1" },
    200,
  ],
} as const;
type Request = keyof typeof requests;

function variable(key: string, target: string) {
  return { key, value: "v", type: "encrypted", target: [target] } as const;
}

/** Seeds a member of the team with a role in the project `web`. */
const seed = (role: Role, held?: ProjectRole) =>
  world.seed({
    users: [{ username: "ada" }],
    teams: [{ slug: "acme", plan: "enterprise", members: [{ user: "ada", role }] }],
    tokens: [{ token: "ada-token", user: "ada" }],
    projects: [
      { team: "acme", id: "prj_web", name: "web" },
      { team: "acme", id: "prj_docs", name: "docs" },
    ],
    deployments: [
      { team: "acme", project: "web", id: "dpl_web", readyState: "READY" },
      { team: "acme", project: "docs", id: "dpl_docs", readyState: "READY" },
    ],
    ...(held && { projectMembers: [{ team: "acme", project: "web", user: "ada", role: held }] }),
  });

async function allowed(name: (of: string) => string = (path) => path): Promise<Request[]> {
  const found: Request[] = [];
  for (const [request, [method, path, body, success]] of Object.entries(requests)) {
    const { status } = await world.call(method, name(path), { token: "ada-token", body });
    expect([request, status]).toEqual([request, status === 403 ? 403 : success]);
    if (status !== 403) found.push(request as Request);
  }
  return found;
}

const all = Object.keys(requests) as Request[];
const reading: Request[] = ["read", "readDeployment"];
const developing: Request[] = [...reading, "preview"];

it.each<[Role, ProjectRole | undefined, Request[]]>([
  ["CONTRIBUTOR", undefined, []],
  ["CONTRIBUTOR", "PROJECT_GUEST", []],
  ["CONTRIBUTOR", "PROJECT_VIEWER", reading],
  ["CONTRIBUTOR", "PROJECT_DEVELOPER", developing],
  ["CONTRIBUTOR", "ADMIN", all],
  ["VIEWER", undefined, reading],
  ["VIEWER", "PROJECT_DEVELOPER", developing],
  ["BILLING", undefined, reading],
  ["SECURITY", "ADMIN", all],
  ["DEVELOPER", undefined, developing],
  ["DEVELOPER", "PROJECT_VIEWER", developing],
  ["DEVELOPER", "ADMIN", all],
  ["MEMBER", "PROJECT_VIEWER", all],
  ["OWNER", "PROJECT_GUEST", all],
])("%s with the role %s in the project may %j there", async (role, held, expected) => {
  await seed(role, held);
  expect(await allowed()).toEqual(expected);
});

it("a role in one project permits nothing in another", async () => {
  await seed("CONTRIBUTOR", "ADMIN");
  expect(await allowed((path) => path.replace(/web/, "docs"))).toEqual([]);
  for (const [method, path] of [
    ["GET", "/v6/deployments"],
    ["GET", "/v6/deployments?projectId=prj_web"],
    ["GET", "/v1/env"],
    ["GET", "/v5/domains"],
    ["GET", "/v1/webhooks?projectId=prj_web"],
    ["POST", "/v10/projects?projectId=prj_web"],
  ] as const) {
    const { status } = await world.call(method, path, {
      token: "ada-token",
      body: method === "POST" ? { name: "new" } : undefined,
    });
    expect([path, status]).toEqual([path, 403]);
  }
});

it("a project that has the id of another as its name gives no role in that other", async () => {
  await seed("CONTRIBUTOR");
  await world.seed({
    projects: [{ team: "acme", id: "prj_trap", name: "prj_docs" }],
    projectMembers: [{ team: "acme", project: "prj_trap", user: "ada", role: "ADMIN" }],
  });
  const read = (key: string) => world.call("GET", `/v9/projects/${key}`, { token: "ada-token" });
  expect([(await read("prj_docs")).status, (await read("prj_trap")).status]).toEqual([403, 200]);
});

it.each<[ProjectRole | undefined, string[] | undefined]>([
  [undefined, undefined],
  ["PROJECT_GUEST", undefined],
  ["PROJECT_VIEWER", ["web"]],
])("a contributor with the role %s in a project lists %j", async (held, expected) => {
  await seed("CONTRIBUTOR", held);
  const { status, body } = await world.call("GET", "/v9/projects", { token: "ada-token" });
  expect(status).toBe(expected === undefined ? 403 : 200);
  expect(body.projects?.map(({ name }: { name: string }) => name)).toEqual(expected);
});

it("the role counts for a deployment that is read without a team", async () => {
  await seed("CONTRIBUTOR", "PROJECT_VIEWER");
  const read = (id: string) =>
    world.call("GET", `/v13/deployments/${id}`, { token: "ada-token", team: null });
  expect([(await read("dpl_web")).status, (await read("dpl_docs")).status]).toEqual([200, 403]);
});

describe("the role in one project", () => {
  const ask = (method: string, path: string, body?: object) =>
    world.call(method, path, { token: "ada-token", body });
  const owned = (method: string, path: string, body?: object) => world.call(method, path, { body });
  beforeEach(() => seed("CONTRIBUTOR", "ADMIN"));

  it.each([
    ["DELETE", "/v13/deployments/dpl_web?url=dpl_docs"],
    ["GET", "/v13/deployments/dpl_docs?url=dpl_web"],
    ["GET", "/v1/security/firewall/bypass?projectIdOrName=web&projectId=prj_docs"],
    ["GET", "/v1/security/firewall/bypass?projectId=web&projectIdOrName=docs&projectId=prj_docs"],
  ] as const)("does not reach another by a second name: %s %s", async (method, path) => {
    expect((await ask(method, path)).status).toBeGreaterThanOrEqual(400);
    expect((await owned("GET", "/v13/deployments/dpl_docs")).status).toBe(200);
  });

  it("adds no rule to the firewall of another", async () => {
    const path = "/v1/security/firewall/bypass?projectIdOrName=web&projectId=prj_docs";
    expect((await ask("POST", path, { projectScope: true, sourceIp: "192.0.2.1" })).status).toBe(403);
  });

  it("takes no alias of another", async () => {
    const alias = { alias: "docs-x.vercel.app" };
    expect((await owned("POST", "/v2/deployments/dpl_docs/aliases", alias)).status).toBe(200);
    expect((await ask("POST", "/v2/deployments/dpl_web/aliases", alias)).status).toBe(403);
    expect((await ask("POST", "/v2/deployments/dpl_web/aliases", { alias: "web-x.vercel.app" })).status).toBe(
      200,
    );
  });

  it("takes no deployments by a new name", async () => {
    await world.seed({
      deployments: [{ team: "acme", project: "orphan", id: "dpl_orphan", readyState: "READY" }],
    });
    expect((await ask("PATCH", "/v9/projects/web", { name: "orphan" })).status).toBe(403);
    expect((await ask("PATCH", "/v9/projects/web", { name: "renamed" })).status).toBe(200);
  });

  it("shows nothing of another that has a domain", async () => {
    const domain = { name: "docs.example.com" };
    expect((await owned("POST", "/v10/projects/docs/domains", domain)).status).toBe(200);
    const { status, body } = await ask("POST", "/v10/projects/web/domains", domain);
    expect(status).toBe(409);
    expect(JSON.stringify(body)).not.toMatch(/prj_docs|"docs"/);
  });

  it("counts for HEAD as for GET, and for a deployment by its URL", async () => {
    expect((await ask("HEAD", "/v9/projects")).status).toBe(200);
    const { url } = (await owned("GET", "/v13/deployments/dpl_web")).body;
    expect((await ask("GET", `/v13/deployments/${url}`)).status).toBe(200);
    expect((await ask("GET", `/v13/deployments/get?url=${url}`)).status).toBe(200);
  });
});

it("the role ends with the membership of the project", async () => {
  await seed("CONTRIBUTOR", "ADMIN");
  const read = () => world.call("GET", "/v9/projects/prj_web", { token: "ada-token" });
  expect((await read()).status).toBe(200);
  const [{ uid }] = (await world.call("GET", "/v1/projects/web/members")).body.members;
  expect((await world.call("DELETE", `/v1/projects/web/members/${uid}`)).status).toBe(200);
  expect((await read()).status).toBe(403);
});
