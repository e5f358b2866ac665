import type { ProjectRole, Role } from "../../../server/members/object";
import { useTestServer } from "../../support/world";

/** The roles that access groups give in projects. */

const world = useTestServer();

/** Requests in the project `web`: those of a viewer, a developer and an administrator. */
const requests = [
  ["read", "GET", "/v9/projects/web", undefined],
  ["read a deployment", "GET", "/v13/deployments/dpl_web", undefined],
  ["develop", "POST", "/v10/projects/web/env", variable()],
  ["change", "PATCH", "/v9/projects/web", { framework: "astro" }],
] as const;

function variable() {
  return { key: "K", value: "v", type: "encrypted", target: ["preview"] } as const;
}

interface Given {
  team: Role;
  /** The role of the member in the project. */
  own?: ProjectRole;
  /** The roles of the member's groups in the project, one for each group. */
  groups: ProjectRole[];
}

/** Seeds the member `ada` of the team. */
const seed = ({ team, own, groups }: Given) =>
  world.seed({
    users: [{ username: "ada", id: "user_ada" }, { username: "bob" }],
    teams: [
      {
        slug: "acme",
        members: [
          { user: "ada", role: team },
          { user: "bob", role: "CONTRIBUTOR" },
        ],
      },
    ],
    tokens: [{ token: "ada-token", user: "ada" }],
    projects: [
      { team: "acme", id: "prj_web", name: "web" },
      { team: "acme", id: "prj_docs", name: "docs" },
    ],
    deployments: [{ team: "acme", project: "web", id: "dpl_web", readyState: "READY" }],
    ...(own && { projectMembers: [{ team: "acme", project: "web", user: "ada", role: own }] }),
    accessGroups: [
      ...groups.map((role, at) => ({
        ...{ team: "acme", name: `group-${at}`, members: ["ada"] },
        projects: [{ project: "web", role }],
      })),
      { team: "acme", name: "others", members: ["bob"], projects: [{ project: "docs", role: "ADMIN" }] },
    ],
  });

async function allowed(): Promise<string[]> {
  const found: string[] = [];
  for (const [name, method, path, body] of requests) {
    const { status } = await world.call(method, path, { token: "ada-token", body });
    if (status !== 403) found.push(name);
  }
  return found;
}

const reading = ["read", "read a deployment"];
const developing = [...reading, "develop"];
const all = [...developing, "change"];

it.each<[Given, string[]]>([
  [{ team: "CONTRIBUTOR", groups: [] }, []],
  [{ team: "CONTRIBUTOR", groups: ["PROJECT_GUEST"] }, []],
  [{ team: "CONTRIBUTOR", groups: ["PROJECT_VIEWER"] }, reading],
  [{ team: "CONTRIBUTOR", groups: ["PROJECT_VIEWER", "PROJECT_DEVELOPER", "PROJECT_GUEST"] }, developing],
  [{ team: "CONTRIBUTOR", own: "PROJECT_VIEWER", groups: ["ADMIN"] }, all],
  [{ team: "CONTRIBUTOR", own: "PROJECT_DEVELOPER", groups: ["PROJECT_VIEWER"] }, developing],
  [{ team: "VIEWER", groups: ["PROJECT_DEVELOPER"] }, developing],
  [{ team: "DEVELOPER", groups: ["PROJECT_VIEWER"] }, developing],
  [{ team: "SECURITY", groups: ["ADMIN"] }, all],
])("a member with %j may %j in the project", async (given, expected) => {
  await seed(given);
  expect(await allowed()).toEqual(expected);
});

it("gives no role in another project, and none to users outside of the group", async () => {
  await seed({ team: "CONTRIBUTOR", groups: ["ADMIN"] });
  expect((await world.call("GET", "/v9/projects/docs", { token: "ada-token" })).status).toBe(403);
});

it("gives no role in a project of another team", async () => {
  await seed({ team: "CONTRIBUTOR", groups: ["ADMIN"] });
  await world.seed({
    teams: [{ slug: "beta", members: [{ user: "ada", role: "CONTRIBUTOR" }] }],
    projects: [{ team: "beta", id: "prj_beta", name: "web" }],
  });
  const read = (team: string) => world.call("GET", "/v9/projects/web", { token: "ada-token", team });
  expect([(await read("acme")).status, (await read("beta")).status]).toEqual([200, 403]);
});

it("lists for a contributor the projects of the contributor's groups", async () => {
  await seed({ team: "CONTRIBUTOR", groups: ["PROJECT_VIEWER", "ADMIN"] });
  const { body } = await world.call("GET", "/v9/projects", { token: "ada-token" });
  expect(body.projects).toMatchObject([{ name: "web" }]);
});

it.each([
  ["the member leaves the group", "POST", "/v1/access-groups/group-0", { membersToRemove: ["user_ada"] }],
  ["the group is deleted", "DELETE", "/v1/access-groups/group-0", undefined],
  ["the project leaves the group", "DELETE", "/v1/access-groups/group-0/projects/web", undefined],
] as const)("takes the role away when %s", async (_, method, path, body) => {
  await seed({ team: "CONTRIBUTOR", groups: ["ADMIN"] });
  expect(await allowed()).toEqual(all);
  expect((await world.call(method, path, { body })).status).toBe(200);
  expect(await allowed()).toEqual([]);
  expect((await world.call("GET", "/v9/projects", { token: "ada-token" })).status).toBe(403);
});

it("counts for the computed role of a project's member", async () => {
  await seed({ team: "CONTRIBUTOR", own: "PROJECT_VIEWER", groups: ["PROJECT_DEVELOPER", "ADMIN"] });
  expect((await world.call("GET", "/v1/projects/web/members")).body.members).toMatchObject([
    { username: "ada", role: "PROJECT_VIEWER", computedProjectRole: "ADMIN" },
  ]);
});
