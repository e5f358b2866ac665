import type { z } from "zod";
import { groupRolesIn } from "../access/project-role-store";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import type { ProjectRow } from "../projects/object";
import { changeRows } from "../store/rows";
import type { ProjectRole } from "./object";
import {
  computedRole,
  isProjectMember,
  type Named,
  namedTwice,
  noProjectMember,
  notOfTeam,
} from "./project-rules";
import * as wire from "./project-schema";
import * as store from "./project-store";
import { viewPerson } from "./view";

/**
 * The members of a project: users of the team with a role in the project.
 * `server/access/project-roles.ts` has what the roles permit.
 * @source the newest official client: /v1/projects/{idOrName}/members; the Terraform provider: the batches and PATCH
 */

const list = route({
  method: "GET",
  path: "/v1/projects/:idOrName/members",
  operationId: "getProjectMembers",
  summary: "Lists the members of a project.",
  scope: ["read:project"],
  params: projectPath,
  query: wire.memberFilters,
  success: [200, wire.memberList],
  throws: [unknownProject],
  load: loadProject,
  async handle({ tx, project, query }) {
    const { rows, pagination } = await store.listProjectMembers(tx, project, query);
    const groupRoles = await groupRolesIn(
      tx,
      project.id,
      rows.map(({ id }) => id),
    );
    return {
      members: rows.map((row) => viewProjectMember(row, groupRoles.get(row.id))),
      pagination: { ...pagination, hasNext: pagination.next !== null },
    };
  },
});

type OfProject<B> = Call<z.infer<typeof projectPath>, unknown, B>;
type Who = Partial<wire.AddMember>;

/** Finds the users that a body names. */
async function loadUsers<B>(
  call: OfProject<B>,
  named: readonly Who[],
): Promise<Named & { project: ProjectRow }> {
  const { project } = await loadProject(call);
  const users = await Promise.all(
    named.map(async (who) => {
      const found = await store.findUser(call.tx, project, who);
      const name = who.uid ?? who.username ?? who.email ?? "";
      return { name, id: found?.id, isMember: found?.isMember ?? false };
    }),
  );
  return { project, users };
}

async function addMembers(
  { tx, now, project, users }: { tx: Call["tx"]; now: number; project: ProjectRow } & Named,
  members: readonly wire.AddMember[],
): Promise<{ id: string }> {
  for (const [index, { role }] of members.entries())
    await store.insertProjectMember({ tx, now }, project.id, { user: users[index]?.id ?? "", role });
  return { id: project.id };
}

const add = route({
  method: "POST",
  path: "/v1/projects/:idOrName/members",
  operationId: "addProjectMember",
  summary: "Adds a member of the team to a project.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.addMember,
  example: { email: "ada@example.com", role: "PROJECT_DEVELOPER" },
  success: [200, wire.changedProject],
  throws: [unknownProject],
  load: (call: OfProject<wire.AddMember>) => loadUsers(call, [call.body]),
  refuse: [notOfTeam, isProjectMember, beingTransferred],
  handle: (call) => addMembers(call, [call.body]),
});

const addBatch = route({
  method: "POST",
  path: "/v1/projects/:idOrName/members/batch",
  operationId: "addProjectMembers",
  summary: "Adds members of the team to a project, all or none.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.addMembers,
  example: { members: [{ username: "ada", role: "ADMIN" }] },
  success: [200, wire.changedProject],
  throws: [unknownProject],
  load: (call: OfProject<z.infer<typeof wire.addMembers>>) => loadUsers(call, call.body.members),
  refuse: [notOfTeam, namedTwice, isProjectMember, beingTransferred],
  handle: (call) => addMembers(call, call.body.members),
});

const update = route({
  method: "PATCH",
  path: "/v1/projects/:idOrName/members",
  operationId: "updateProjectMembers",
  summary: "Changes the roles of members of a project, all or none.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.updateMembers,
  example: { members: [{ uid: "VbyuqLN1D2Ro4wjpQ8mS3cKe", role: "PROJECT_VIEWER" }] },
  success: [200, wire.changedProject],
  throws: [unknownProject],
  load: (call: OfProject<z.infer<typeof wire.updateMembers>>) => loadUsers(call, call.body.members),
  refuse: [noProjectMember, beingTransferred],
  async handle({ tx, project, body }) {
    for (const { uid, role } of body.members)
      await changeRows(tx, "project_members", { project_id: project.id, user_id: uid }, { role });
    return { id: project.id };
  },
});

const removeBatch = route({
  method: "DELETE",
  path: "/v1/projects/:idOrName/members/batch",
  operationId: "removeProjectMembers",
  summary: "Removes members from a project, all or none.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.removeMembers,
  example: { members: ["VbyuqLN1D2Ro4wjpQ8mS3cKe"] },
  success: [200, wire.changedProject],
  throws: [unknownProject],
  load: (call: OfProject<z.infer<typeof wire.removeMembers>>) =>
    loadUsers(
      call,
      call.body.members.map((uid) => ({ uid })),
    ),
  refuse: [noProjectMember, beingTransferred],
  async handle({ tx, project, body }) {
    await store.deleteProjectMembers(tx, project.id, body.members);
    return { id: project.id };
  },
});

const memberPath = projectPath.extend({ uid: wire.userId });

const remove = route({
  method: "DELETE",
  path: "/v1/projects/:idOrName/members/:uid",
  operationId: "removeProjectMember",
  summary: "Removes a member from a project.",
  scope: ["read-write:project"],
  params: memberPath,
  success: [200, wire.changedProject],
  throws: [unknownProject],
  load: (call: Call<z.infer<typeof memberPath>>) => loadUsers(call, [{ uid: call.params.uid }]),
  refuse: [noProjectMember, beingTransferred],
  async handle({ tx, project, params }) {
    await store.deleteProjectMembers(tx, project.id, [params.uid]);
    return { id: project.id };
  },
});

const viewProjectMember = (
  row: store.ProjectMemberRow,
  groupRoles: readonly ProjectRole[] = [],
): wire.ProjectMember => ({
  ...viewPerson(row),
  role: row.role,
  computedProjectRole: computedRole(row.role, row.team_role, groupRoles),
  teamRole: row.team_role,
  createdAt: row.joined_at,
});

export const projectMemberRoutes: readonly Route[] = [list, add, addBatch, update, removeBatch, remove];
