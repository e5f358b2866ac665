import type { ProjectRole, Role } from "../../../server/members/object";
import { computedRole } from "../../../server/members/project-rules";
import { type Answer, useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v1/projects/web/members";

beforeEach(() =>
  world.seed({
    users: [
      { username: "ada", id: "user_ada" },
      { username: "eve", id: "user_eve" },
      { username: "foreign", id: "user_foreign" },
    ],
    teams: [
      {
        slug: "acme",
        members: [
          { user: "ada", role: "DEVELOPER" },
          { user: "eve", role: "CONTRIBUTOR", confirmed: false },
        ],
      },
    ],
    projects: [
      { team: "acme", id: "prj_web", name: "web" },
      { team: "acme", id: "prj_docs", name: "docs" },
    ],
  }),
);

const ask = (method: "POST" | "PATCH" | "DELETE", rest: string, body?: object): Promise<Answer> =>
  world.call(method, `${path}${rest}`, body === undefined ? {} : { body });
const add = (body: object) => ask("POST", "", body);
// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer, which the server has checked
const members = async (project = "web"): Promise<any[]> =>
  (await world.call("GET", `/v1/projects/${project}/members`)).body.members;
const roles = async () => Object.fromEntries((await members()).map(({ username, role }) => [username, role]));

it("gives an invited user the roles in projects that the invitation names", async () => {
  const invite = (email: string, projectId: string) =>
    world.call("POST", "/v1/teams/acme/members", {
      body: { email, role: "CONTRIBUTOR", projects: [{ projectId, role: "PROJECT_VIEWER" }] },
    });
  expect((await invite("grace@example.net", "prj_web")).status).toBe(200);
  expect(await members()).toMatchObject([{ email: "grace@example.net", role: "PROJECT_VIEWER" }]);
  expect(await members("docs")).toEqual([]);
  expect(await invite("alan@example.net", "prj_none")).toMatchObject({
    status: 400,
    body: { error: { message: 'The team has no project "prj_none".' } },
  });
  const listed = (await world.call("GET", "/v3/teams/acme/members")).body.members;
  expect(listed.map(({ email }: { email: string }) => email)).not.toContain("alan@example.net");
});

it("gives a member of the team exactly the roles in projects that a change of the member names", async () => {
  await add({ uid: "user_ada", role: "PROJECT_VIEWER" });
  const change = (projects: object[]) =>
    world.call("PATCH", "/v1/teams/acme/members/user_ada", { body: { role: "CONTRIBUTOR", projects } });
  const both = [
    { projectId: "prj_web", role: "ADMIN" },
    { projectId: "prj_docs", role: "PROJECT_DEVELOPER" },
  ];
  expect((await change(both)).status).toBe(200);
  expect(await members()).toMatchObject([{ uid: "user_ada", role: "ADMIN" }]);
  expect(await members("docs")).toMatchObject([{ uid: "user_ada", role: "PROJECT_DEVELOPER" }]);
  await change(both.slice(1));
  expect(await members()).toEqual([]);
  expect(await change([{ projectId: "prj_none", role: "ADMIN" }])).toMatchObject({ status: 400 });
  expect(await change([both[0] as object, both[0] as object])).toMatchObject({ status: 400 });
  expect(await members("docs")).toMatchObject([{ uid: "user_ada" }]);
});

it("gives a member of the team no role in a project that is being transferred", async () => {
  await world.seed({ teams: [{ slug: "beta", members: [{ user: "ada", role: "OWNER" }] }] });
  await world.askControl("POST", "/projects/prj_web/transfer", { toTeam: "beta" });
  const projects = [{ projectId: "prj_web", role: "ADMIN" }];
  const change = await world.call("PATCH", "/v1/teams/acme/members/user_ada", { body: { projects } });
  expect(change).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
  const body = { email: "grace@example.net", role: "CONTRIBUTOR", projects };
  expect((await world.call("POST", "/v1/teams/acme/members", { body })).status).toBe(409);
});

it.each([[{ uid: "user_ada" }], [{ username: "ada" }], [{ email: "ADA@example.com" }]])(
  "adds a member of the team, named by %j",
  async (who) => {
    expect(await add({ ...who, role: "PROJECT_VIEWER" })).toMatchObject({
      status: 200,
      body: { id: "prj_web" },
    });
    expect(await members()).toEqual([
      {
        uid: "user_ada",
        username: "ada",
        email: "ada@example.com",
        role: "PROJECT_VIEWER",
        computedProjectRole: "PROJECT_DEVELOPER",
        teamRole: "DEVELOPER",
        createdAt: expect.any(Number),
      },
    ]);
    expect(await members("docs")).toEqual([]);
  },
);

it("gives a member the role of the project where it is higher than the one of the team", async () => {
  await add({ uid: "user_ada", role: "ADMIN" });
  expect(await members()).toMatchObject([
    { uid: "user_ada", teamRole: "DEVELOPER", computedProjectRole: "ADMIN" },
  ]);
});

it.each<[Role, ProjectRole]>([
  ["OWNER", "ADMIN"],
  ["MEMBER", "ADMIN"],
  ["DEVELOPER", "PROJECT_DEVELOPER"],
  ["SECURITY", "PROJECT_VIEWER"],
  ["BILLING", "PROJECT_VIEWER"],
  ["VIEWER", "PROJECT_VIEWER"],
  ["VIEWER_FOR_PLUS", "PROJECT_VIEWER"],
  ["CONTRIBUTOR", "PROJECT_VIEWER"],
])("gives %s of the team at least the role %s in a project", (teamRole, role) => {
  expect(computedRole("PROJECT_VIEWER", teamRole)).toBe(role);
  const isAdmin = role === "ADMIN";
  expect(computedRole("PROJECT_DEVELOPER", teamRole)).toBe(isAdmin ? "ADMIN" : "PROJECT_DEVELOPER");
  expect(computedRole("ADMIN", teamRole)).toBe("ADMIN");
});

it("adds a user who is invited and has not accepted", async () => {
  await add({ uid: "user_eve", role: "PROJECT_DEVELOPER" });
  expect(await members()).toMatchObject([
    { uid: "user_eve", teamRole: "CONTRIBUTOR", computedProjectRole: "PROJECT_DEVELOPER" },
  ]);
});

it.each([
  ["a user who is not in the team", { uid: "user_foreign", role: "ADMIN" }, "is not a member of the team"],
  ["an unknown address", { email: "new@example.com", role: "ADMIN" }, "is not a member of the team"],
  ["nobody", { role: "ADMIN" }, "must have uid, username or email"],
  ["an unknown role", { uid: "user_ada", role: "PROJECT_GUEST" }, "role"],
])("refuses %s", async (_, body, message) => {
  expect(await add(body)).toMatchObject({
    status: 400,
    body: { error: { code: "bad_request", message: expect.stringContaining(message) } },
  });
  expect(await members()).toEqual([]);
});

it("refuses a member whom the project has", async () => {
  await add({ uid: "user_ada", role: "ADMIN" });
  expect(await add({ email: "ada@example.com", role: "PROJECT_VIEWER" })).toMatchObject({
    status: 400,
    body: { error: { message: "ada@example.com is a member of the project." } },
  });
  expect(await roles()).toEqual({ ada: "ADMIN" });
});

it("adds, changes and removes several, all or none", async () => {
  const batch = (...uids: string[]) => ({ members: uids.map((uid) => ({ uid, role: "PROJECT_VIEWER" })) });
  expect((await ask("POST", "/batch", batch("user_ada", "user_foreign"))).status).toBe(400);
  expect((await ask("POST", "/batch", batch("user_ada", "user_ada"))).status).toBe(400);
  expect(await roles()).toEqual({});
  expect((await ask("POST", "/batch", batch("user_ada", "user_eve"))).body).toEqual({ id: "prj_web" });
  expect(await roles()).toEqual({ ada: "PROJECT_VIEWER", eve: "PROJECT_VIEWER" });

  const admins = (...uids: string[]) => ({ members: uids.map((uid) => ({ uid, role: "ADMIN" })) });
  expect((await ask("PATCH", "", admins("user_ada", "user_dev"))).status).toBe(404);
  expect((await ask("PATCH", "", admins("user_ada"))).status).toBe(200);
  expect(await roles()).toEqual({ ada: "ADMIN", eve: "PROJECT_VIEWER" });

  expect((await ask("DELETE", "/batch", { members: ["user_ada", "user_dev"] })).status).toBe(404);
  expect((await ask("DELETE", "/batch", { members: ["user_ada", "user_eve"] })).status).toBe(200);
  expect(await roles()).toEqual({});
});

it("removes a member once", async () => {
  await add({ uid: "user_ada", role: "ADMIN" });
  expect(await ask("DELETE", "/user_ada")).toMatchObject({ status: 200, body: { id: "prj_web" } });
  expect(await ask("DELETE", "/user_ada")).toMatchObject({
    status: 404,
    body: { error: { code: "not_found", message: expect.stringContaining("user_ada") } },
  });
});

it("lists page by page, the latest member first", async () => {
  for (const uid of ["user_ada", "user_eve"]) await add({ uid, role: "ADMIN" });
  const first = (await world.call("GET", path, { query: { limit: "1" } })).body;
  expect(first).toMatchObject({ members: [{ username: "eve" }], pagination: { count: 1, hasNext: true } });
  const until = `${first.pagination.next}`;
  const second = (await world.call("GET", path, { query: { limit: "1", until } })).body;
  expect(second).toMatchObject({ members: [{ username: "ada" }], pagination: { hasNext: false } });
});

it("keeps no member who leaves the team, and none of a deleted project", async () => {
  const rows = async () => (await world.control.snapshot()).projectMembers.map(({ userId }) => userId);
  await add({ uid: "user_ada", role: "ADMIN" });
  await world.call("DELETE", "/v1/teams/acme/members/user_ada");
  expect(await rows()).toEqual([]);

  await add({ uid: "user_eve", role: "ADMIN" });
  await world.call("POST", "/v1/projects/docs/members", { body: { uid: "user_eve", role: "ADMIN" } });
  await world.call("DELETE", "/v9/projects/docs");
  expect(await rows()).toEqual(["user_eve"]);
});

it("keeps a member who leaves another team", async () => {
  await world.seed({
    teams: [{ slug: "crew", members: [{ user: "ada", role: "DEVELOPER" }] }],
    projects: [{ team: "crew", id: "prj_crew", name: "web" }],
    projectMembers: [{ team: "crew", project: "web", user: "ada", role: "ADMIN" }],
  });
  await add({ uid: "user_ada", role: "ADMIN" });
  await world.control.removeMember("crew", "ada");
  expect((await world.control.snapshot()).projectMembers).toMatchObject([
    { projectId: "prj_web", userId: "user_ada" },
  ]);
});

it("has the members of a seed, and keeps what there is", async () => {
  const row = { team: "acme", project: "web", user: "ada", createdAt: 5 };
  await world.seed({ projectMembers: [{ ...row, role: "ADMIN" }] });
  await world.seed({ projectMembers: [{ ...row, role: "PROJECT_VIEWER" }] });
  expect(await members()).toMatchObject([{ uid: "user_ada", role: "ADMIN", createdAt: 5 }]);
  await expect(world.seed({ projectMembers: [{ ...row, user: "foreign", role: "ADMIN" }] })).rejects.toThrow(
    /foreign.* is not a member of the team/,
  );
});
