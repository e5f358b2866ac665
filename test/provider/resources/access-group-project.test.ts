import type { Plain } from "../../../provider/core/values";
import { accessGroupProject } from "../../../provider/resources/access-group-project";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let web: string;
let group: string;
beforeEach(async () => {
  w = await startHarness();
  await w.server.control.changeTeam("acme", { plan: "enterprise" });
  web = String(((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id);
  group = String(
    ((await w.curl("POST", "/v1/access-groups", { name: "Developers" })) as Plain).accessGroupId,
  );
});
afterEach(() => w.close());

const projectsPath = () => `/v1/access-groups/${group}/projects`;
const add = (role: string) => w.curl("POST", projectsPath(), { projectId: web, role });
const roles = async (): Promise<unknown[]> =>
  ((await w.curl("GET", projectsPath())).projects as unknown as Plain[]).map(
    ({ projectId, role }) => `${projectId} ${role}`,
  );
const declared = (role = "PROJECT_VIEWER", more: object = {}): Plain => ({
  ...{ project: "web", accessGroupId: group, role },
  ...more,
});

it("is created, changed in place and removed", async () => {
  const access = w.stack(accessGroupProject, "access");
  await access.up(declared());
  expect(access).toMatchObject({ id: `${web}/${group}`, state: { projectId: web } });
  expect(await access.up(declared("ADMIN"))).toBe("update");
  expect(await roles()).toEqual([`${web} ADMIN`]);
  expect(await access.up(declared("ADMIN", { project: web }))).toBe("same");
  await access.destroy();
  expect(await roles()).toEqual([]);
});

it("refuses a project that the group has, and adopts it with the declared role", async () => {
  await add("ADMIN");
  const access = w.stack(accessGroupProject, "access");
  await expect(access.preview(declared())).rejects.toThrow(/already exists.*Adopt it with \{ adopt: true \}/);
  await expect(w.stack(accessGroupProject).up(declared())).rejects.toThrow(/already exists/);
  await access.up(declared("PROJECT_VIEWER", { adopt: true }));
  expect(await roles()).toEqual([`${web} PROJECT_VIEWER`]);
});

it("refuses a group that does not exist, and the name of one", async () => {
  const access = w.stack(accessGroupProject, "access");
  await expect(access.preview(declared("ADMIN", { accessGroupId: "ag_none" }))).rejects.toThrow(
    /access group.*ag_none/,
  );
  await expect(access.preview(declared("ADMIN", { accessGroupId: "Developers" }))).rejects.toThrow(
    /must be the id of an access group/,
  );
});

it("is imported by the names or ids of project and group", async () => {
  await add("ADMIN");
  for (const id of [`web/Developers`, `${web}/${group}`])
    expect(await accessGroupProject.read(w.runOf(w.another()), id)).toMatchObject({
      id: `${web}/${group}`,
      inputs: { project: web, accessGroupId: group, role: "ADMIN" },
    });
  await expect(accessGroupProject.read(w.runOf(w.another()), "web")).rejects.toThrow(/"project\/group"/);
});

it("is gone with its project or its group, which is no failure", async () => {
  const access = w.stack(accessGroupProject, "access");
  await access.up(declared());
  await w.curl("DELETE", `/v1/access-groups/${group}`);
  expect(await access.refresh(w.another())).toBe(false);
  await access.destroy();
});
