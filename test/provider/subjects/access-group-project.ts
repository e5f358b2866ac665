import type { Plain } from "../../../provider/core/values";
import { accessGroupProject } from "../../../provider/resources/access-group-project";
import { accessGroups, developers, ofAccessGroup, ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Subject } from "../subject";

const pathOf = (id: string): string => {
  const [project, group] = id.split("/");
  return `/v1/access-groups/${group}/projects/${project}`;
};

const prepare = async (w: Harness) => accessGroups(w);

export const subject: Subject = {
  resource: accessGroupProject,
  handler: "groupproject",
  async prepare(w) {
    const known = { ...(await projects(w)), ...(await accessGroups(w)) };
    return { given: { project: known.web, accessGroupId: known.group, role: "PROJECT_VIEWER" }, known };
  },
  look: (w, id) => w.curl("GET", pathOf(id)),
  async all(w) {
    const { accessGroups: all } = await w.curl("GET", "/v1/access-groups");
    const groups = all as unknown as Plain[];
    return Promise.all(
      groups.map(async ({ accessGroupId, name }) => {
        const { projects: some } = await w.curl("GET", `/v1/access-groups/${accessGroupId}/projects`);
        return [name, (some as unknown as Plain[]).map(({ projectId, role }) => [projectId, role])];
      }),
    );
  },
  listed: {
    query: { accessGroup: "Developers" },
    names: [expect.stringMatching(/^prj_/)],
    async prepare(w) {
      const { id: projectId } = await w.curl("GET", "/v9/projects/web");
      const path = `/v1/access-groups/${await developers(w)}/projects`;
      await w.curl("POST", path, { projectId, role: "ADMIN" });
    },
  },
  rows: [
    ofProject,
    ofAccessGroup,
    {
      path: "role",
      first: "PROJECT_VIEWER",
      second: "ADMIN",
      changed: "update",
      cleared: /^role is missing/,
      shown: (role) => ({ role }),
      drift: (w, id) => w.curl("PATCH", pathOf(id), { role: "PROJECT_DEVELOPER" }),
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      accessGroupProject,
      ({ group }) => ({ project: "web", accessGroupId: group, role: "PROJECT_VIEWER" }),
      ({ group }) => ({ project: "web", accessGroupId: group, role: "ADMIN" }),
      prepare,
    ),
    {
      name: "AccessGroupProject: adopt",
      resource: accessGroupProject,
      async prepare(w) {
        const groups = await prepare(w);
        const { id: projectId } = await w.curl("GET", "/v9/projects/web");
        const path = `/v1/access-groups/${groups.group}/projects`;
        await w.curl("POST", path, { projectId, role: "PROJECT_VIEWER" });
        return groups;
      },
      step: "up",
      inputs: ({ group }) => ({ project: "web", accessGroupId: group, role: "ADMIN", adopt: true }),
    },
  ],
};
