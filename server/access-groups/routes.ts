import * as z from "zod";
import { findProject } from "../access/project-store";
import { loadProject, unknownProject } from "../access/projects";
import { beingTransferred, isTransferring } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import type { ProjectRow } from "../projects/object";
import { findRow } from "../store/rows";
import { loadGroup, unknownGroup } from "./group-route";
import { accessGroups } from "./object";
import { groupProjectRoutes } from "./project-routes";
import {
  enterpriseOnly,
  nameTaken,
  notConfirmed,
  notOfTeam,
  ownersOnly,
  teamsOnly,
  type Unknown,
} from "./rules";
import * as wire from "./schema";
import * as store from "./store";
import { viewChangedGroup, viewGroup, viewGroupMember, viewPagination } from "./view";

/**
 * The access groups of a team. `server/access/project-roles.ts` has what their roles permit.
 * @choice Every member of the team reads them. `updatedAt` changes with each change of the group, its members and its
 *   projects, but not when a member leaves the team or a project is deleted. The server emits no events for groups.
 * @source the newest official client: /v1/access-groups; the Terraform provider
 */

const groupPath = z.object({ idOrName: z.string().describe("Id or name of the access group.") });
type GroupPath = z.infer<typeof groupPath>;

const list = route({
  method: "GET",
  path: "/v1/access-groups",
  operationId: "listAccessGroups",
  summary: "Lists the access groups of a team, the latest first.",
  scope: ["read:team"],
  query: wire.groupFilters,
  success: [200, wire.groupList],
  throws: [unknownProject],
  async load(call: Call<unknown, wire.GroupFilters>): Promise<{ filter: ProjectRow | undefined }> {
    const { projectId } = call.query;
    if (projectId === undefined || call.account.kind !== "team") return { filter: undefined };
    return { filter: (await loadProject({ ...call, params: { projectId } })).project };
  },
  refuse: [teamsOnly],
  async handle({ tx, account, caller, query, filter }) {
    const { rows, pagination } = await store.listGroups(tx, account.id, query, filter);
    const groups = rows as store.CountedGroup[];
    const ids = groups.map(({ id }) => id);
    const members = await store.memberIds(tx, ids, query.membersLimit);
    const projects = await store.projectIds(tx, ids, query.projectsLimit, caller);
    return {
      accessGroups: groups.map(
        (group): wire.ListedGroup => ({
          ...viewGroup(group),
          ...(query.membersLimit !== undefined && { members: members.get(group.id) ?? [] }),
          ...(query.projectsLimit !== undefined && { projects: projects.get(group.id) ?? [] }),
        }),
      ),
      pagination: viewPagination(pagination),
    };
  },
});

/**
 * The members and projects in a body that are none of the team. `project`: a project that is being transferred.
 * @choice A project that is removed from the group may be one that the team no longer has.
 */
async function loadNamed(
  { tx, account }: Pick<Call, "tx" | "account">,
  {
    membersToAdd = [],
    projects = [],
  }: { membersToAdd?: string[] | undefined; projects?: wire.Grants | undefined },
): Promise<Unknown & { project: ProjectRow | undefined }> {
  const members = await store.confirmedMembers(tx, account.id, membersToAdd);
  const found = await Promise.all(projects.map(({ projectId }) => findProject(tx, account.id, projectId)));
  const ids = new Set(found.map((project) => project?.id));
  return {
    unknownMember: membersToAdd.find((user) => !members.has(user)),
    unknownProject: projects.find(({ projectId, role }) => role !== null && !ids.has(projectId))?.projectId,
    project: found.find((project) => project !== undefined && isTransferring(project)),
  };
}

const create = route({
  method: "POST",
  path: "/v1/access-groups",
  operationId: "createAccessGroup",
  summary: "Creates an access group, with members and projects if the body has any.",
  scope: ["read-write:team"],
  body: wire.createGroup,
  example: { name: "Designers" },
  success: [200, wire.changedGroup],
  async load(call: Call<unknown, unknown, z.infer<typeof wire.createGroup>>) {
    const { tx, account, body } = call;
    const namesake = await findRow(tx, "access_groups", { account_id: account.id, name: body.name });
    return { isNameTaken: namesake !== undefined, ...(await loadNamed(call, body)) };
  },
  refuse: [teamsOnly, ownersOnly, enterpriseOnly, nameTaken, notConfirmed, notOfTeam, beingTransferred],
  async handle({ tx, now, account, body }) {
    const created_at = await store.nextCreation({ tx, now }, account.id);
    const { name, membersToAdd = [], projects = [] } = body;
    const row = { id: newId(accessGroups), account_id: account.id, name, created_at, updated_at: created_at };
    await store.insertGroup(tx, row);
    await store.addGroupMembers({ tx, now }, row.id, membersToAdd);
    await store.putGroupProjects({ tx, now }, row.id, projects);
    return viewChangedGroup(await store.groupById(tx, row));
  },
});

const read = route({
  method: "GET",
  path: "/v1/access-groups/:idOrName",
  operationId: "readAccessGroup",
  summary: "Returns an access group.",
  scope: ["read:team"],
  params: groupPath,
  success: [200, wire.accessGroup],
  throws: [unknownGroup],
  load: loadGroup,
  handle: async ({ group }) => viewGroup(group),
});

const update = route({
  method: "POST",
  path: "/v1/access-groups/:idOrName",
  operationId: "updateAccessGroup",
  summary: "Changes the name, the members and the projects of an access group.",
  scope: ["read-write:team"],
  params: groupPath,
  body: wire.updateGroup,
  example: { name: "Design" },
  success: [200, wire.changedGroup],
  throws: [unknownGroup],
  async load(call: Call<GroupPath, unknown, z.infer<typeof wire.updateGroup>>) {
    const { tx, account, body } = call;
    const { group } = await loadGroup(call);
    const { name = group.name } = body;
    const namesake = await findRow(tx, "access_groups", { account_id: account.id, name });
    const isNameTaken = namesake !== undefined && namesake.id !== group.id;
    return { group, isNameTaken, ...(await loadNamed(call, body)) };
  },
  refuse: [ownersOnly, nameTaken, notConfirmed, notOfTeam, beingTransferred],
  async handle({ tx, now, group, body }) {
    const { name, membersToAdd = [], membersToRemove = [], projects = [] } = body;
    await store.addGroupMembers({ tx, now }, group.id, membersToAdd);
    await store.removeGroupMembers(tx, group.id, membersToRemove);
    await store.putGroupProjects({ tx, now }, group.id, projects);
    await store.changeGroup({ tx, now }, group.id, name);
    return viewChangedGroup(await store.groupById(tx, group));
  },
});

const remove = route({
  method: "DELETE",
  path: "/v1/access-groups/:idOrName",
  operationId: "deleteAccessGroup",
  summary: "Deletes an access group. Its members lose the roles that it gave.",
  scope: ["read-write:team"],
  params: groupPath,
  success: [200, null],
  throws: [unknownGroup],
  load: loadGroup,
  refuse: [ownersOnly],
  handle: ({ tx, group }) => store.deleteGroup(tx, group.id),
});

const listMembers = route({
  method: "GET",
  path: "/v1/access-groups/:idOrName/members",
  operationId: "listAccessGroupMembers",
  summary: "Lists the members of an access group, the latest first.",
  scope: ["read:team"],
  params: groupPath,
  query: wire.memberFilters,
  success: [200, wire.groupMemberList],
  throws: [unknownGroup],
  load: loadGroup,
  async handle({ tx, group, query }) {
    const { rows, pagination } = await store.listGroupMembers(tx, group, query);
    return { members: rows.map(viewGroupMember), pagination: viewPagination(pagination) };
  },
});

export const accessGroupRoutes: readonly Route[] = [
  list,
  create,
  read,
  update,
  remove,
  listMembers,
  ...groupProjectRoutes,
];
