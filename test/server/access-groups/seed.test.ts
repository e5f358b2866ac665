import { useTestServer } from "../../support/world";

const world = useTestServer();

const group = {
  team: "acme",
  id: "ag_designers",
  name: "designers",
  members: ["ada", "user_bob"],
  projects: [
    { project: "web", role: "PROJECT_GUEST" as const, createdAt: 9, updatedAt: 11 },
    { project: "docs", role: "ADMIN" as const, createdAt: 7 },
  ],
  createdAt: 5,
  updatedAt: 6,
};

beforeEach(() =>
  world.seed({
    users: [
      { username: "ada", id: "user_ada" },
      { username: "bob", id: "user_bob" },
      { username: "eve", id: "user_eve" },
    ],
    teams: [
      {
        slug: "acme",
        members: [
          { user: "ada", role: "CONTRIBUTOR" },
          { user: "bob", role: "MEMBER" },
          { user: "eve", role: "MEMBER", confirmed: false },
        ],
      },
    ],
    projects: [
      { team: "acme", id: "prj_web", name: "web" },
      { team: "acme", id: "prj_docs", name: "docs" },
    ],
  }),
);

const rows = async () => {
  const { accessGroups, accessGroupMembers, accessGroupProjects } = await world.control.snapshot();
  return { accessGroups, accessGroupMembers, accessGroupProjects };
};

it("has the groups of a seed in the snapshot of the control plane, and changes nothing a second time", async () => {
  await world.seed({ accessGroups: [group, { team: "acme", name: "empty", createdAt: 5 }] });
  const before = await rows();
  expect(before).toEqual({
    accessGroups: expect.arrayContaining([
      {
        id: "ag_designers",
        accountId: expect.stringMatching(/^team_/),
        name: "designers",
        createdAt: 5,
        updatedAt: 6,
      },
      expect.objectContaining({ id: expect.stringMatching(/^ag_\w{28}$/), name: "empty", createdAt: 6 }),
    ]),
    accessGroupMembers: [
      { accessGroupId: "ag_designers", userId: "user_ada", createdAt: 5 },
      { accessGroupId: "ag_designers", userId: "user_bob", createdAt: 6 },
    ],
    accessGroupProjects: [
      { accessGroupId: "ag_designers", projectId: "prj_docs", role: "ADMIN", createdAt: 7, updatedAt: 7 },
      {
        ...{ accessGroupId: "ag_designers", projectId: "prj_web", role: "PROJECT_GUEST" },
        ...{ createdAt: 9, updatedAt: 11 },
      },
    ],
  });
  await world.seed({ accessGroups: [group, { team: "acme", name: "empty" }] });
  expect(await rows()).toEqual(before);
});

it.each([
  [
    "a user who is not a member",
    { members: ["dev", "nobody"] },
    /members\[1\].*nobody.* is not a member of the team/,
  ],
  ["a user who has not accepted", { members: ["eve"] }, /members\[0\].*eve.* is not a member of the team/],
  ["an unknown project", { projects: [{ project: "none", role: "ADMIN" as const }] }, /no project .*none/],
  ["a name that looks like an id", { name: "ag_x" }, /must not begin with ag_/],
])("refuses %s", async (_, part, message) => {
  await expect(world.seed({ accessGroups: [{ ...group, ...part }] })).rejects.toThrow(message);
});

it("refuses a group with the name of one that has another id", async () => {
  await world.seed({ accessGroups: [group] });
  await expect(world.seed({ accessGroups: [{ ...group, id: "ag_2" }] })).rejects.toThrow(
    /ag_designers.* has this name/,
  );
});
