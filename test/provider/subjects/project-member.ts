import type { Plain } from "../../../provider/core/values";
import { projectMember } from "../../../provider/resources/project-member";
import { ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { existing, life, type Subject } from "../subject";

const email = "ada@example.org";
const member = { project: "web", email, role: "PROJECT_VIEWER" };

/** Invites the users to the team. */
async function team(w: Harness): Promise<Plain> {
  for (const address of [email, "grace@example.org"])
    await w.curl("POST", "/v2/teams/acme/members", { email: address, role: "CONTRIBUTOR" });
  return {};
}

const partsOf = (id: string): [projectId: string, user: string] => {
  const [projectId = "", user = ""] = id.split("/");
  return [projectId, user];
};

export const subject: Subject = {
  resource: projectMember,
  handler: "pmember",
  async prepare(w) {
    const known = await projects(w);
    await team(w);
    return { given: { ...member, project: known.web }, known };
  },
  async look(w, id) {
    const [projectId, user] = partsOf(id);
    const { members } = await w.curl("GET", `/v1/projects/${projectId}/members`);
    const found = (members as unknown as Plain[]).find(({ uid }) => uid === user);
    if (!found) throw new Error(`404: no member ${id}`);
    return found;
  },
  async all({ server }) {
    const { projectMembers } = await server.control.snapshot();
    return projectMembers.map(({ role }) => role);
  },
  listed: {
    query: { project: "web" },
    names: ["dev@example.com"],
    prepare: existing("/v1/projects/web/members", { email: "dev@example.com", role: "ADMIN" }),
  },
  managed: {
    inputs: () => ({ project: "prj_web", email: "dev@example.com", role: "PROJECT_VIEWER" }),
    changed: { role: "ADMIN" },
  },
  rows: [
    ofProject,
    {
      path: "email",
      first: email,
      second: "grace@example.org",
      changed: "replace",
      cleared: /^email is missing/,
      shown: (value) => ({ email: value }),
      drift: "only users change their addresses, which is no change of the member",
    },
    {
      path: "role",
      first: "PROJECT_VIEWER",
      second: "PROJECT_DEVELOPER",
      changed: "update",
      cleared: /^role is missing/,
      shown: (role) => ({ role }),
      drift(w, id) {
        const [projectId, uid] = partsOf(id);
        return w.curl("PATCH", `/v1/projects/${projectId}/members`, { members: [{ uid, role: "ADMIN" }] });
      },
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      projectMember,
      () => member,
      () => ({ ...member, role: "ADMIN" }),
      team,
    ),
    {
      name: "ProjectMember: adopt",
      resource: projectMember,
      async prepare(w) {
        await team(w);
        await w.curl("POST", "/v1/projects/web/members", { email, role: "PROJECT_VIEWER" });
        return {};
      },
      step: "up",
      inputs: () => ({ ...member, role: "ADMIN", adopt: true }),
    },
  ],
};
