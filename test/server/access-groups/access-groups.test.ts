import { addIntegration, installWithToken } from "../../support/integrations";
import { type Answer, useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v1/access-groups";

beforeEach(() =>
  world.seed({
    users: [
      { username: "ada", id: "user_ada" },
      { username: "eve", id: "user_eve" },
      { username: "bob", id: "user_bob" },
      { username: "foreign", id: "user_foreign" },
    ],
    teams: [
      {
        slug: "acme",
        members: [
          { user: "ada", role: "CONTRIBUTOR" },
          { user: "bob", role: "MEMBER" },
          { user: "eve", role: "CONTRIBUTOR", confirmed: false },
        ],
      },
      { slug: "beta", plan: "enterprise", members: [{ user: "dev", role: "OWNER" }] },
      { slug: "small", plan: "pro", members: [{ user: "dev", role: "OWNER" }] },
    ],
    tokens: [
      { token: "ada-token", user: "ada" },
      { token: "bob-token", user: "bob" },
    ],
    projects: [
      { team: "acme", id: "prj_web", name: "web" },
      { team: "acme", id: "prj_docs", name: "docs" },
      { team: "beta", id: "prj_beta", name: "beta" },
    ],
  }),
);

const create = (body: object, options: object = {}): Promise<Answer> =>
  world.call("POST", path, { body, ...options });
const change = (body: object, key = "designers"): Promise<Answer> =>
  world.call("POST", `${path}/${key}`, { body });
const get = (rest: string, query: Record<string, string> = {}): Promise<Answer> =>
  world.call("GET", `${path}${rest}`, { query });
const memberIds = async (): Promise<string[]> =>
  (await get("/designers/members")).body.members.map(({ uid }: { uid: string }) => uid).sort();
const refusal = (message: string, status = 400, code = "bad_request") => ({
  status,
  body: { error: { code, message: expect.stringContaining(message) } },
});
const whole = {
  name: "designers",
  membersToAdd: ["user_ada", "user_dev"],
  projects: [{ projectId: "prj_web", role: "PROJECT_DEVELOPER" }],
};

beforeEach(async () => {
  const dev = (await world.call("GET", "/v2/user")).body.user.id;
  whole.membersToAdd = ["user_ada", dev];
});

it("creates a group with members and projects, and returns it by id and by name", async () => {
  const { status, body } = await create(whole);
  expect(status).toBe(200);
  expect(body).toEqual({
    accessGroupId: expect.stringMatching(/^ag_\w{28}$/),
    name: "designers",
    teamId: expect.stringMatching(/^team_/),
    createdAt: String(world.services.clock.now()),
    updatedAt: String(world.services.clock.now()),
    membersCount: 2,
    projectsCount: 1,
    entitlements: [],
  });
  for (const key of [body.accessGroupId, "designers"])
    expect(await get(`/${key}`)).toMatchObject({ status: 200, body: { ...body, isDsyncManaged: false } });
  expect(await get("/others")).toMatchObject(refusal('"others" was not found', 404, "not_found"));
});

it("lists the groups of a team by page, name and project, the latest first", async () => {
  const { body } = await create(whole);
  await create({ name: "Writers" });
  await create({ name: "Testers" });
  const names = async (query: Record<string, string>) =>
    (await get("", query)).body.accessGroups.map(({ name }: { name: string }) => name);
  expect(await names({})).toEqual(["Testers", "Writers", "designers"]);
  expect(await names({ search: "WRIT" })).toEqual(["Writers"]);
  for (const projectId of ["prj_web", "web"]) expect(await names({ projectId })).toEqual(["designers"]);
  expect(await names({ projectId: "docs" })).toEqual([]);
  expect((await get("", { projectId: "prj_beta" })).status).toBe(404);
  const first = (await get("", { limit: "2" })).body;
  expect(first.pagination).toEqual({ count: 2, next: expect.stringMatching(/^\d+$/) });
  const rest = { limit: "2", next: first.pagination.next };
  expect(await names(rest)).toEqual(["designers"]);
  expect((await get("", rest)).body).toEqual({
    accessGroups: [{ ...body, isDsyncManaged: false }],
    pagination: { count: 1, next: null },
  });
});

it("shows ids of members and projects in the list on request", async () => {
  await create(whole);
  await create({ name: "empty" });
  const { accessGroups } = (await get("", { membersLimit: "1", projectsLimit: "5" })).body;
  expect(accessGroups).toMatchObject([
    { name: "empty", members: [], projects: [] },
    { name: "designers", membersCount: 2, members: [whole.membersToAdd[1]], projects: ["prj_web"] },
  ]);
});

it.each([
  [{ limit: "0" }],
  [{ limit: "101" }],
  [{ membersLimit: "101" }],
  [{ projectsLimit: "0" }],
  [{ next: "after" }],
])("refuses the list with %j", async (query) => {
  expect((await get("", query)).status).toBe(400);
});

it("changes the name, the members and the projects of a group", async () => {
  const { accessGroupId } = (await create(whole)).body;
  await world.advance(1_000);
  const answer = await change({
    name: "Design",
    membersToAdd: ["user_bob", "user_ada"],
    membersToRemove: [whole.membersToAdd[1], "user_foreign"],
    projects: [
      { projectId: "prj_web", role: null },
      { projectId: "prj_docs", role: "ADMIN" },
      { projectId: "prj_gone", role: null },
    ],
  });
  expect(answer).toMatchObject({
    status: 200,
    body: { accessGroupId, name: "Design", membersCount: 2, projectsCount: 1, entitlements: [] },
  });
  expect(Number(answer.body.updatedAt)).toBe(Number(answer.body.createdAt) + 1_000);
  expect((await get("/Design/members")).body.members.map(({ uid }: { uid: string }) => uid)).toEqual([
    "user_bob",
    "user_ada",
  ]);
  expect((await get("/Design/projects")).body.projects).toMatchObject([
    { projectId: "prj_docs", role: "ADMIN" },
  ]);
  expect((await get("/designers")).status).toBe(404);
  expect(
    (
      await change(
        { name: "Design", projects: [{ projectId: "prj_docs", role: "PROJECT_VIEWER" }] },
        "Design",
      )
    ).status,
  ).toBe(200);
  expect((await get("/Design/projects")).body.projects).toMatchObject([{ role: "PROJECT_VIEWER" }]);
});

it("lists the members of a group by page, and finds them", async () => {
  await create({ name: "designers", membersToAdd: ["user_ada", "user_bob"] });
  expect((await get("/designers/members")).body).toEqual({
    members: [
      expect.objectContaining({ uid: "user_bob" }),
      {
        uid: "user_ada",
        username: "ada",
        email: "ada@example.com",
        teamRole: "CONTRIBUTOR",
        createdAt: expect.stringMatching(/^\d+$/),
      },
    ],
    pagination: { count: 2, next: null },
  });
  const first = (await get("/designers/members", { limit: "1" })).body;
  expect(first).toMatchObject({ members: [{ username: "bob", teamRole: "MEMBER" }] });
  const second = await get("/designers/members", { limit: "1", next: first.pagination.next });
  expect(second.body).toMatchObject({ members: [{ username: "ada" }], pagination: { next: null } });
  expect((await get("/designers/members", { search: "ADA" })).body.members).toHaveLength(1);
  expect((await get("/others/members")).status).toBe(404);
});

it("deletes a group with its members and projects", async () => {
  await create(whole);
  expect(await world.call("DELETE", `${path}/designers`)).toMatchObject({ status: 200 });
  expect(await world.call("DELETE", `${path}/designers`)).toMatchObject({ status: 404 });
  const { accessGroups, accessGroupMembers, accessGroupProjects } = await world.control.snapshot();
  expect([accessGroups, accessGroupMembers, accessGroupProjects]).toEqual([[], [], []]);
});

it.each([
  ["an empty name", { name: "" }, "name"],
  ["a name that looks like an id", { name: "ag_1" }, "must not begin with ag_"],
  ["a name with a slash", { name: "a/b" }, "must not contain '/'"],
  ["a name that is too long", { name: "n".repeat(257) }, "name"],
  ["a user outside of the team", { membersToAdd: ["user_foreign"] }, 'no member with the id "user_foreign"'],
  ["a user who has not accepted", { membersToAdd: ["user_eve"] }, 'no member with the id "user_eve"'],
  ["a member twice", { membersToAdd: ["user_ada", "user_ada"] }, "must not name a member twice"],
  ["a project of another team", { projects: [{ projectId: "prj_beta", role: "ADMIN" }] }, "no project"],
  [
    "the name of a project",
    { projects: [{ projectId: "web", role: "ADMIN" }] },
    'no project with the id "web"',
  ],
  ["an unknown role", { projects: [{ projectId: "prj_web", role: "PROJECT_GUEST" }] }, "role"],
  [
    "a project twice",
    { projects: ["ADMIN", null].map((role) => ({ projectId: "prj_web", role })) },
    "must not name a project twice",
  ],
])("refuses %s, in a new group and in one that exists", async (_, part, message) => {
  await create({ name: "designers" });
  expect(await create({ name: "new", ...part })).toMatchObject(refusal(message));
  expect(await change(part)).toMatchObject(refusal(message));
  expect((await get("")).body.accessGroups).toMatchObject([
    { name: "designers", membersCount: 0, projectsCount: 0 },
  ]);
});

it("refuses to add and remove the same member", async () => {
  await create({ name: "designers" });
  const body = { membersToAdd: ["user_ada"], membersToRemove: ["user_ada"] };
  expect(await change(body)).toMatchObject(refusal("must not add and remove the same member"));
});

it("refuses a name that another group of the team has", async () => {
  await create(whole);
  await create({ name: "writers" });
  expect(await create({ name: "designers" })).toMatchObject(refusal('the name "designers"'));
  expect(await change({ name: "designers" }, "writers")).toMatchObject(refusal('the name "designers"'));
  expect((await change({ name: "writers" }, "writers")).status).toBe(200);
  expect((await create({ name: "designers" }, { team: "beta" })).status).toBe(200);
});

it("refuses a personal account", async () => {
  const message = "belong to teams";
  expect(await create({ name: "own" }, { team: null })).toMatchObject(refusal(message));
  for (const rest of ["", "?projectId=web", "/own", "/own/members", "/own/projects"])
    expect(await world.call("GET", `${path}${rest}`, { team: null })).toMatchObject(refusal(message));
});

it("refuses a group to a team without an enterprise plan", async () => {
  expect(await create({ name: "designers" }, { team: "small" })).toMatchObject(
    refusal("enterprise plan", 403, "forbidden"),
  );
});

/** The requests that change a group. */
const changes = [
  ["POST", "", { name: "new" }],
  ["POST", "/designers", { name: "new" }],
  ["DELETE", "/designers", undefined],
  ["POST", "/designers/projects", { projectId: "prj_docs", role: "ADMIN" }],
  ["PATCH", "/designers/projects/web", { role: "ADMIN" }],
  ["DELETE", "/designers/projects/web", undefined],
] as const;

it.each(changes)("allows %s %s only to an owner", async (method, rest, body) => {
  await create(whole);
  await addIntegration(world, ["team"]);
  const { token: installation } = await installWithToken(world);
  for (const token of ["bob-token", installation])
    expect(await world.call(method, `${path}${rest}`, { token, body })).toMatchObject(
      refusal("Only an owner", 403, "forbidden"),
    );
  expect(await world.call(method, `${path}${rest}`, { token: "ada-token", body })).toMatchObject({
    status: 403,
  });
  expect((await world.call(method, `${path}${rest}`, { body })).status).toBe(200);
});

it("shows the groups to every member of the team, and to installations", async () => {
  await create(whole);
  await addIntegration(world, ["team"]);
  const { token: installation } = await installWithToken(world);
  for (const token of ["ada-token", installation])
    for (const rest of [
      "",
      "/designers",
      "/designers/members",
      "/designers/projects",
      "/designers/projects/web",
    ])
      expect([rest, (await world.call("GET", `${path}${rest}`, { token })).status]).toEqual([rest, 200]);
});

it("keeps no member who leaves the team", async () => {
  await create(whole);
  await create({ name: "writers", membersToAdd: ["user_ada"] }, { team: "acme" });
  await world.call("DELETE", "/v1/teams/acme/members/user_ada");
  expect(await memberIds()).toEqual([whole.membersToAdd[1]]);
  await world.seed({ teams: [{ slug: "acme", members: [{ user: "ada", role: "MEMBER" }] }] });
  expect(await memberIds()).toEqual([whole.membersToAdd[1]]);
  await change({ membersToAdd: ["user_ada"] });
  await world.control.removeMember("acme", "ada");
  expect(await memberIds()).toEqual([whole.membersToAdd[1]]);
});
