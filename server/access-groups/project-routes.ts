import * as z from "zod";
import { findProject } from "../access/project-store";
import { loadProject, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import type { ProjectRow } from "../projects/object";
import { loadGroup, unknownGroup } from "./group-route";
import type { GroupProjectRow } from "./object";
import { hasProject, noSuchGroupProject, notOfTeam, ownersOnly } from "./rules";
import * as wire from "./schema";
import * as store from "./store";
import { viewGroupProject, viewListedProject, viewPagination } from "./view";

/**
 * The projects of an access group, with the roles of its members there.
 * @choice An installation that covers selected projects sees only these.
 * @source the newest official client: /v1/access-groups/{accessGroupIdOrName}/projects
 */

const groupName = z.string().describe("Id or name of the access group.");
const groupPath = z.object({ accessGroupIdOrName: groupName });
const projectPath = groupPath.extend({ projectId: z.string().describe("Id or name of the project.") });

const list = route({
  method: "GET",
  path: "/v1/access-groups/:idOrName/projects",
  operationId: "listAccessGroupProjects",
  summary: "Lists the projects of an access group, the latest first.",
  scope: ["read:team"],
  params: z.object({ idOrName: groupName }),
  query: wire.projectFilters,
  success: [200, wire.groupProjectList],
  throws: [unknownGroup],
  load: loadGroup,
  async handle({ tx, caller, group, query }) {
    const { rows, pagination } = await store.listGroupProjects(tx, group, query, caller);
    return { projects: rows.map(viewListedProject), pagination: viewPagination(pagination) };
  },
});

const create = route({
  method: "POST",
  path: "/v1/access-groups/:accessGroupIdOrName/projects",
  operationId: "createAccessGroupProject",
  summary: "Gives the members of an access group a role in a project.",
  scope: ["read-write:team"],
  params: groupPath,
  body: wire.createGroupProject,
  example: { projectId: "prj_12HKQaOmR5t5Uy6vdcQsNIiZgHGB", role: "PROJECT_DEVELOPER" },
  success: [200, wire.groupProject],
  throws: [unknownGroup],
  async load(call: Call<z.infer<typeof groupPath>, unknown, z.infer<typeof wire.createGroupProject>>) {
    const { tx, account, body } = call;
    const { group } = await loadGroup(call);
    const named = await findProject(tx, account.id, body.projectId);
    const project = named?.id === body.projectId ? named : undefined;
    return {
      ...{ group, project, unknownMember: undefined },
      unknownProject: project === undefined ? body.projectId : undefined,
      current: await store.findGroupProject(tx, group.id, body.projectId),
    };
  },
  refuse: [ownersOnly, notOfTeam, beingTransferred, hasProject],
  async handle({ tx, now, group, body: { projectId: project, role } }) {
    const row = await store.addGroupProject({ tx, now }, group.id, { project, role });
    await store.changeGroup({ tx, now }, group.id);
    return viewGroupProject(group, row);
  },
});

/** @throws Refusal 400, 403, 404 */
async function loadGroupProject(call: Call<z.infer<typeof projectPath>>): Promise<{
  group: store.CountedGroup;
  project: ProjectRow;
  current: GroupProjectRow;
}> {
  const { group } = await loadGroup(call);
  const { project } = await loadProject(call);
  const current = await store.findGroupProject(call.tx, group.id, project.id);
  if (!current) throw noSuchGroupProject(group.name, call.params.projectId);
  return { group, project, current };
}

const unknown = [
  unknownGroup,
  unknownProject,
  [404, "not_found", "the access group does not have the project"],
] as const;

const read = route({
  method: "GET",
  path: "/v1/access-groups/:accessGroupIdOrName/projects/:projectId",
  operationId: "readAccessGroupProject",
  summary: "Returns the role of the members of an access group in a project.",
  scope: ["read:team"],
  params: projectPath,
  success: [200, wire.groupProject],
  throws: unknown,
  load: loadGroupProject,
  handle: async ({ group, current }) => viewGroupProject(group, current),
});

const update = route({
  method: "PATCH",
  path: "/v1/access-groups/:accessGroupIdOrName/projects/:projectId",
  operationId: "updateAccessGroupProject",
  summary: "Changes the role of the members of an access group in a project.",
  scope: ["read-write:team"],
  params: projectPath,
  body: wire.updateGroupProject,
  example: { role: "PROJECT_VIEWER" },
  success: [200, wire.groupProject],
  throws: unknown,
  load: loadGroupProject,
  refuse: [ownersOnly, beingTransferred],
  async handle({ tx, now, group, current, body: { role } }) {
    await store.changeGroupProject({ tx, now }, current, role);
    await store.changeGroup({ tx, now }, group.id);
    return viewGroupProject(group, { ...current, role, updated_at: now });
  },
});

const remove = route({
  method: "DELETE",
  path: "/v1/access-groups/:accessGroupIdOrName/projects/:projectId",
  operationId: "deleteAccessGroupProject",
  summary: "Removes a project from an access group.",
  scope: ["read-write:team"],
  params: projectPath,
  success: [200, null],
  throws: unknown,
  load: loadGroupProject,
  refuse: [ownersOnly, beingTransferred],
  async handle({ tx, now, group, current }) {
    await store.removeGroupProject(tx, current);
    await store.changeGroup({ tx, now }, group.id);
  },
});

export const groupProjectRoutes: readonly Route[] = [list, create, read, update, remove];
