import { addIntegration, installWithToken } from "../../support/integrations";
import { beginTransfer } from "../../support/variables";
import { type Answer, useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v1/access-groups/designers/projects";

beforeEach(() =>
  world.seed({
    teams: [
      { slug: "acme", plan: "enterprise" },
      { slug: "beta", plan: "enterprise", members: [{ user: "dev", role: "OWNER" }] },
    ],
    projects: [
      { team: "acme", id: "prj_web", name: "web", framework: "astro" },
      { team: "acme", id: "prj_docs", name: "docs" },
      { team: "beta", id: "prj_beta", name: "beta" },
    ],
    deployments: [{ team: "acme", project: "web", id: "dpl_web", createdAt: 5 }],
    accessGroups: [{ team: "acme", id: "ag_designers", name: "designers" }],
  }),
);

const add = (projectId: string, role = "PROJECT_DEVELOPER"): Promise<Answer> =>
  world.call("POST", path, { body: { projectId, role } });
const list = (query: Record<string, string> = {}, token?: string): Promise<Answer> =>
  world.call("GET", path, { query, ...(token !== undefined && { token }) });
const ids = async () => (await list()).body.projects.map(({ projectId }: { projectId: string }) => projectId);

it("adds, reads, changes and removes a project", async () => {
  const { status, body } = await add("prj_web");
  expect(status).toBe(200);
  expect(body).toEqual({
    accessGroupId: "ag_designers",
    projectId: "prj_web",
    role: "PROJECT_DEVELOPER",
    teamId: expect.stringMatching(/^team_/),
    createdAt: String(world.services.clock.now()),
    updatedAt: String(world.services.clock.now()),
  });
  for (const key of ["prj_web", "web"])
    expect((await world.call("GET", `${path}/${key}`)).body).toEqual(body);
  expect(await add("prj_web", "ADMIN")).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("has this project") } },
  });
  await world.advance(10);
  const changed = { ...body, role: "ADMIN", updatedAt: String(world.services.clock.now()) };
  expect(await world.call("PATCH", `${path}/web`, { body: { role: "ADMIN" } })).toMatchObject({
    status: 200,
    body: changed,
  });
  expect((await world.call("GET", `${path}/web`)).body).toEqual(changed);
  const group = (await world.call("GET", "/v1/access-groups/designers")).body;
  expect(group).toMatchObject({ projectsCount: 1, updatedAt: String(world.services.clock.now()) });
  expect((await world.call("DELETE", `${path}/web`)).status).toBe(200);
  for (const method of ["GET", "DELETE"] as const)
    expect(await world.call(method, `${path}/web`)).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining('project "web" of the access group "designers"') } },
    });
  const gone = await world.call("PATCH", `${path}/web`, { body: { role: "ADMIN" } });
  expect(gone).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
});

it("lists the projects by page, the latest first", async () => {
  await add("prj_web");
  await add("prj_docs", "ADMIN");
  const first = (await list({ limit: "1" })).body;
  expect(first).toMatchObject({
    projects: [{ projectId: "prj_docs", role: "ADMIN", project: { name: "docs", framework: null } }],
    pagination: { count: 1, next: expect.any(String) },
  });
  expect((await list({ limit: "1", next: first.pagination.next })).body).toEqual({
    projects: [
      {
        projectId: "prj_web",
        role: "PROJECT_DEVELOPER",
        createdAt: expect.stringMatching(/^\d+$/),
        updatedAt: expect.stringMatching(/^\d+$/),
        project: { name: "web", framework: "astro", latestDeploymentId: "dpl_web" },
      },
    ],
    pagination: { count: 1, next: null },
  });
});

it.each([
  ["a project of another team", { projectId: "prj_beta", role: "ADMIN" }, "no project with the id"],
  ["the name of a project", { projectId: "web", role: "ADMIN" }, 'no project with the id "web"'],
  ["the role of a guest", { projectId: "prj_web", role: "PROJECT_GUEST" }, "role"],
  ["no role", { projectId: "prj_web", role: null }, "role"],
])("refuses %s", async (_, body, message) => {
  expect(await world.call("POST", path, { body })).toMatchObject({
    status: 400,
    body: { error: { code: "bad_request", message: expect.stringContaining(message) } },
  });
  expect(await ids()).toEqual([]);
});

it("has no project of a group that does not exist, and none of a project that does not exist", async () => {
  await add("prj_web");
  for (const rest of ["others/projects", "others/projects/web", "designers/projects/none"])
    expect(await world.call("GET", `/v1/access-groups/${rest}`)).toMatchObject({ status: 404 });
});

it("shows an installation only the projects that it covers", async () => {
  await add("prj_web");
  await add("prj_docs");
  await addIntegration(world, ["team"]);
  const { token } = await installWithToken(world, { projects: ["docs"] });
  expect((await list({}, token)).body.projects).toMatchObject([{ projectId: "prj_docs" }]);
  const listed = await world.call("GET", "/v1/access-groups", { token, query: { projectsLimit: "9" } });
  expect(listed.body.accessGroups).toMatchObject([{ projectsCount: 2, projects: ["prj_docs"] }]);
  expect((await world.call("GET", `${path}/web`, { token })).status).toBe(403);
  expect((await world.call("GET", `${path}/docs`, { token })).status).toBe(200);
});

it("keeps no project that is deleted or moves to another team", async () => {
  await add("prj_web");
  await add("prj_docs");
  await world.call("DELETE", "/v9/projects/docs");
  expect(await ids()).toEqual(["prj_web"]);
  await world.askControl("POST", "/projects/prj_web/transfer", { toTeam: "beta" });
  await world.askControl("POST", "/projects/prj_web/transfer/complete", {});
  expect((await world.control.snapshot()).accessGroupProjects).toEqual([]);
});

it("refuses changes about a project that is being transferred", async () => {
  await add("prj_web");
  await beginTransfer(world, "web");
  const change = (projects: object[]) =>
    world.call("POST", "/v1/access-groups/designers", { body: { projects } });
  const answers = [
    await change([{ projectId: "prj_web", role: null }]),
    await world.call("POST", "/v1/access-groups", {
      body: { name: "new", projects: [{ projectId: "prj_web", role: "ADMIN" }] },
    }),
    await world.call("PATCH", `${path}/web`, { body: { role: "ADMIN" } }),
    await world.call("DELETE", `${path}/web`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
  expect((await change([{ projectId: "prj_docs", role: "ADMIN" }])).status).toBe(200);
});
