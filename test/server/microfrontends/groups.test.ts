import { limitsOf } from "../../../server/microfrontends/rules";
import { beginTransfer } from "../../support/variables";
import { type Answer, useTestServer } from "../../support/world";

const world = useTestServer();

beforeEach(() =>
  world.seed({
    users: [{ username: "bob" }],
    teams: [
      { slug: "acme", plan: "pro", members: [{ user: "bob", role: "MEMBER" }] },
      { slug: "free", plan: "hobby", members: [{ user: "dev", role: "OWNER" }] },
    ],
    tokens: [{ token: "token-of-bob", user: "bob" }],
    projects: [
      ...["shell", "docs", "blog"].map((name) => ({ team: "acme", id: `prj_${name}`, name })),
      ...["one", "two", "three"].map((name) => ({ team: "free", id: `prj_${name}`, name })),
    ],
    environments: [{ team: "acme", project: "shell", slug: "staging" }],
  }),
);

const create = (groupName: string, app: string, others: string[] = [], team = "acme"): Promise<Answer> =>
  world.call("POST", "/v1/microfrontends/group", {
    team,
    body: {
      groupName,
      defaultApp: { projectId: app, defaultRoute: "/" },
      otherApplications: others.map((projectId) => ({ projectId })),
    },
  });
const created = async (...of: Parameters<typeof create>): Promise<string> =>
  (await create(...of)).body.newMicrofrontendsGroup.id;
const change = (project: string, body: object, options: { team?: string; token?: string } = {}) =>
  world.call("PATCH", `/v1/projects/${project}/microfrontends`, { body, ...options });
const groups = async (team = "acme") => (await world.call("GET", "/v1/microfrontends/groups", { team })).body;
const member = async (project: string) =>
  (await world.call("GET", `/v9/projects/${project}`)).body.microfrontends;
const refusal = ({ status, body }: Answer): unknown[] => [status, body.error?.message];

const ofTeam = (rest = "", team = "acme") => `/v1/teams/${team}/microfrontends${rest}`;

it("creates a group with its projects, lists it, and has it in the answers about the projects", async () => {
  const { status, body } = await create("The Shop!", "prj_shell", ["prj_docs"]);
  const now = world.services.clock.now();
  expect(status).toBe(200);
  const group = {
    id: expect.stringMatching(/^mfe_\w{28}$/),
    name: "The Shop!",
    slug: "the-shop",
    fallbackEnvironment: "SAME_ENV",
    enablePolyrepoBranchRouting: false,
    createdAt: now,
    updatedAt: now,
  };
  expect(body).toEqual({ newMicrofrontendsGroup: group });
  const groupIds = [body.newMicrofrontendsGroup.id];
  const shell = { enabled: true, groupIds, isDefaultApp: true, defaultRoute: "/", updatedAt: now };
  const docs = { enabled: true, groupIds, isDefaultApp: false, updatedAt: now };
  expect(await groups()).toEqual({
    groups: [
      {
        group,
        projects: [
          { id: "prj_docs", name: "docs", microfrontends: docs },
          { id: "prj_shell", name: "shell", microfrontends: shell },
        ],
        config: null,
      },
    ],
    ...limitsOf("pro"),
  });
  expect([await member("shell"), await member("docs"), await member("blog")]).toEqual([
    shell,
    docs,
    undefined,
  ]);
  const { projects } = (await world.call("GET", `/v1/microfrontends/groups/${groupIds[0]}/projects`)).body;
  expect(projects).toMatchObject([
    { id: "prj_docs", microfrontends: docs, framework: null },
    { id: "prj_shell", microfrontends: shell },
  ]);
});

it("creates an empty group as the Terraform provider does, to which projects are added", async () => {
  const { body } = await world.call("PATCH", "/teams/acme/microfrontends", {
    body: { newMicrofrontendsGroupName: "shop" },
  });
  const { id } = body.newMicrofrontendsGroup;
  const sent = { projectId: "prj_shell", team_id: "", enabled: true, microfrontendsGroupId: id };
  const answer = await change("prj_shell", { ...sent, isDefaultApp: true });
  expect(answer).toMatchObject({
    status: 200,
    body: { id: "prj_shell", microfrontends: { enabled: true, groupIds: [id], isDefaultApp: true } },
  });
  const left = await change("prj_shell", { projectId: "prj_shell", enabled: false });
  expect(left.body.microfrontends).toEqual({
    enabled: false,
    groupIds: [],
    updatedAt: world.services.clock.now(),
  });
  expect(await member("shell")).toBeUndefined();
  expect(await world.call("DELETE", ofTeam(`/${id}`))).toMatchObject({ status: 200, body: {} });
  expect((await groups()).groups).toEqual([]);
});

it("changes a group, and nothing if the values are the same", async () => {
  const id = await created("shop", "prj_shell");
  const path = ofTeam(`/${id}`);
  const body = { name: "store", fallbackEnvironment: "staging", enablePolyrepoBranchRouting: true };
  await world.advance(10);
  const shown = { id, ...body, slug: "store" };
  expect((await world.call("PATCH", path, { body })).body).toEqual({ updatedMicrofrontendsGroup: shown });
  const updatedAt = world.services.clock.now();
  await world.advance(10);
  expect((await world.call("PATCH", path, { body })).status).toBe(200);
  expect((await groups()).groups[0].group).toMatchObject({ ...shown, updatedAt });
});

it("keeps the settings of a project that a request does not name", async () => {
  const id = await created("shop", "prj_shell", ["prj_docs"]);
  await change("docs", { defaultRoute: "/docs", routeObservabilityToThisProject: true });
  await change("docs", { doNotRouteWithMicrofrontendsRouting: false, enabled: true });
  const settings = {
    ...{ enabled: true, groupIds: [id], isDefaultApp: false, defaultRoute: "/docs" },
    ...{ routeObservabilityToThisProject: true, doNotRouteWithMicrofrontendsRouting: false },
  };
  expect(await member("docs")).toEqual({ ...settings, updatedAt: expect.any(Number) });
  const { updatedAt } = await member("docs");
  await world.advance(10);
  await change("docs", { defaultRoute: "/docs" });
  expect((await member("docs")).updatedAt).toBe(updatedAt);
});

it("makes another project the default application", async () => {
  await created("shop", "prj_shell", ["prj_docs"]);
  await change("docs", { routeObservabilityToThisProject: true });
  await change("docs", { isDefaultApp: true });
  expect(await member("docs")).toEqual(expect.objectContaining({ isDefaultApp: true, enabled: true }));
  expect(await member("docs")).not.toHaveProperty("routeObservabilityToThisProject");
  expect(await member("shell")).toMatchObject({ isDefaultApp: false, defaultRoute: "/" });
});

it("removes the projects from a group that is deleted", async () => {
  const id = await created("shop", "prj_shell", ["prj_docs"]);
  expect((await world.call("DELETE", ofTeam(`/${id}`))).status).toBe(200);
  expect([await member("shell"), await member("docs")]).toEqual([undefined, undefined]);
  for (const [method, path, body] of [
    ["PATCH", ofTeam(`/${id}`), {}],
    ["DELETE", ofTeam(`/${id}`), undefined],
    ["GET", `/v1/microfrontends/groups/${id}/projects`, undefined],
  ] as const)
    expect(refusal(await world.call(method, path, { ...(body && { body }) }))).toEqual([
      404,
      `The microfrontend group "${id}" was not found.`,
    ]);
});

it("leaves a deleted project out of its group", async () => {
  await created("shop", "prj_shell", ["prj_docs"]);
  expect((await world.call("DELETE", "/v9/projects/shell")).status).toBe(204);
  expect((await groups()).groups).toMatchObject([{ projects: [{ id: "prj_docs" }] }]);
});

it("refuses new groups", async () => {
  await created("shop", "prj_shell");
  const name = "The team has a microfrontend group with this name. Choose another name.";
  expect(refusal(await create("shop", "prj_docs"))).toEqual([400, name]);
  expect(refusal(await create("news", "prj_docs", ["prj_one"]))).toEqual([
    400,
    'The team has no project with the id "prj_one".',
  ]);
  expect(refusal(await create("news", "prj_docs", ["prj_shell"]))).toEqual([
    400,
    expect.stringMatching(/prj_shell is in the microfrontend group mfe_.*more than one group/),
  ]);
  for (const [groupName, app, others] of [
    ["x".repeat(48), "prj_docs", []],
    [" ", "prj_docs", []],
    ["news", "prj_docs", ["prj_docs"]],
  ] as const)
    expect((await create(groupName, app, [...others])).status).toBe(400);
  const other = await world.call("PATCH", ofTeam(), { body: { newMicrofrontendsGroupName: "shop" } });
  expect(refusal(other)).toEqual([400, name]);
});

it("refuses changes of groups", async () => {
  const id = await created("shop", "prj_shell");
  await created("news", "prj_docs");
  const patch = async (body: object) => refusal(await world.call("PATCH", ofTeam(`/${id}`), { body }));
  expect(await patch({ name: "news" })).toEqual([400, expect.stringContaining("Choose another name")]);
  expect(await patch({ fallbackEnvironment: "none" })).toEqual([
    400,
    expect.stringContaining("the slug of a custom environment of the default application"),
  ]);
});

it("refuses changes of projects", async () => {
  const id = await created("shop", "prj_shell", ["prj_docs"]);
  const other = await created("news", "prj_blog");
  await world.seed({ projects: [{ team: "acme", id: "prj_new", name: "new" }] });
  for (const [project, body, status, message] of [
    ["new", { enabled: true }, 400, "the project is in no microfrontend group"],
    ["new", { microfrontendsGroupId: "mfe_none" }, 400, 'no microfrontend group "mfe_none"'],
    ["docs", { microfrontendsGroupId: other }, 409, `in the microfrontend group ${id}`],
    ["shell", { enabled: false }, 400, "Remove the other projects first"],
    ["shell", { isDefaultApp: false }, 400, "make another project the default application"],
    ["shell", { routeObservabilityToThisProject: true }, 400, "cannot be set for the default application"],
    ["docs", { defaultRoute: "docs" }, 400, "must begin with '/'"],
  ] as const)
    expect(refusal(await change(project, body))).toEqual([status, expect.stringContaining(message)]);
  await beginTransfer(world, "docs");
  expect((await change("docs", { defaultRoute: "/a" })).status).toBe(409);
  expect((await create("more", "prj_new", ["prj_docs"])).status).toBe(409);
});

it("lets only owners of a team change microfrontends, and members read them", async () => {
  const id = await created("shop", "prj_shell");
  const token = "token-of-bob";
  const groupName = "news";
  const body = { groupName, defaultApp: { projectId: "prj_docs" }, otherApplications: [] };
  for (const answer of [
    await world.call("POST", "/v1/microfrontends/group", { token, body }),
    await world.call("PATCH", ofTeam(), { token, body: { newMicrofrontendsGroupName: groupName } }),
    await world.call("PATCH", ofTeam(`/${id}`), { token, body: {} }),
    await world.call("DELETE", ofTeam(`/${id}`), { token }),
    await change("docs", { microfrontendsGroupId: id }, { token }),
  ])
    expect(refusal(answer)).toEqual([403, "Only an owner of the team may change microfrontend groups."]);
  expect(await world.call("GET", "/v1/microfrontends/groups", { token })).toMatchObject({
    status: 200,
    body: { groups: [{ group: { id } }] },
  });
});

it("has one group of two projects on the free plan, and none in a personal account", async () => {
  const two = "With the plan hobby, a microfrontend group has at most 2 projects.";
  expect(refusal(await create("a", "prj_one", ["prj_two", "prj_three"], "free"))).toEqual([403, two]);
  const id = await created("a", "prj_one", ["prj_two"], "free");
  expect(refusal(await change("three", { microfrontendsGroupId: id }, { team: "free" }))).toEqual([403, two]);
  const one = "A team with the plan hobby has at most 1 microfrontend groups.";
  expect(refusal(await create("b", "prj_three", [], "free"))).toEqual([403, one]);
  const empty = { body: { newMicrofrontendsGroupName: "b" } };
  expect(refusal(await world.call("PATCH", ofTeam("", "free"), empty))).toEqual([403, one]);
  expect(await groups("free")).toMatchObject({
    maxMicrofrontendsGroupsPerTeam: 1,
    maxMicrofrontendsPerGroup: 2,
  });
  const personal = await world.call("GET", "/v1/microfrontends/groups", { team: null });
  expect(refusal(personal)).toEqual([400, expect.stringContaining("belong to teams")]);
});

it("reads no microfrontends.json", async () => {
  await world.seed({ deployments: [{ team: "acme", project: "shell", id: "dpl_1" }] });
  for (const [path, status] of [
    ["dpl_1/config", 200],
    ["dpl_2/config", 404],
    ["projects/shell/production-mfe-config", 200],
    ["projects/none/production-mfe-config", 404],
  ] as const) {
    const answer = await world.call("GET", `/v1/microfrontends/${path}`);
    expect([path, answer.status]).toEqual([path, status]);
    if (status === 200) expect(answer.body).toEqual({ config: null });
  }
});

describe("a seed", () => {
  const group = {
    ...{ team: "acme", id: "mfe_shop", name: "shop", fallbackEnvironment: "PRODUCTION" },
    projects: [
      { project: "prj_shell", isDefaultApp: true, defaultRoute: "/", updatedAt: 3 },
      { project: "docs", routeObservabilityToThisProject: true },
    ],
    createdAt: 1,
    updatedAt: 2,
  };
  const rows = async () => {
    const { microfrontendGroups, microfrontends } = await world.control.snapshot();
    return { microfrontendGroups, microfrontends };
  };

  it("has groups with their projects, and changes nothing a second time", async () => {
    await world.seed({ microfrontendGroups: [group] });
    const before = await rows();
    expect(before.microfrontendGroups).toMatchObject([
      { id: "mfe_shop", slug: "shop", fallbackEnvironment: "PRODUCTION", createdAt: 1, updatedAt: 2 },
    ]);
    expect(before.microfrontends).toMatchObject([
      { projectId: "prj_docs", isDefaultApp: false, observabilityHere: true, updatedAt: 1 },
      { projectId: "prj_shell", isDefaultApp: true, defaultRoute: "/", updatedAt: 3 },
    ]);
    await world.seed({ microfrontendGroups: [group] });
    await world.seed({ microfrontendGroups: [{ team: "acme", name: "shop" }] });
    expect(await rows()).toEqual(before);
  });

  it("refuses names and projects of other groups", async () => {
    await world.seed({ microfrontendGroups: [group] });
    const refused = async (part: object, message: RegExp) =>
      expect(
        world.seed({ microfrontendGroups: [{ team: "acme", id: "mfe_2", name: "b", ...part }] }),
      ).rejects.toThrow(message);
    await refused({ name: "shop" }, /mfe_shop.* has this name/);
    await refused({ projects: [{ project: "docs" }] }, /mfe_shop.* has this project/);
    await refused({ projects: [{ project: "none" }] }, /no project .*none/);
  });
});
