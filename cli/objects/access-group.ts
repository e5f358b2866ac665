import { z } from "zod";
import { ifAllowed } from "../../provider/client/errors";
import { inParallel } from "../../provider/core/parallel";
import type { Plain } from "../../provider/core/values";
import { accessGroup as resource } from "../../provider/resources/access-group";
import {
  cursor,
  groupList,
  groupMemberList,
  groupProject,
  groupProjectList,
  groupsOf,
  membersOfGroup,
  projectsOfGroup,
  remoteGroup,
} from "../../provider/resources/access-group/records";
import { accessGroupMember as memberResource } from "../../provider/resources/access-group-member";
import { accessGroupProject as projectResource } from "../../provider/resources/access-group-project";
import { type AccountKind, atOnce, itemOf, present } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { listIn, objectOf, textIn, within } from "./recorded";

/** Access groups, with their members and projects: the row of a group has all three. */

const groupOperation = "/v1/access-groups/{idOrName}";

/** The service returns times as texts. */
const time = z.coerce.number();
const stamped = z.looseObject({ createdAt: time.optional(), updatedAt: time.optional() });
const timesOf = (answer: unknown): Plain => {
  const { createdAt, updatedAt } = stamped.parse(answer);
  return { createdAt, updatedAt };
};

export const accessGroup = {
  name: "access group",
  owner: "team",
  resource,
  suffix: "group",
  weight: 40,
  section: "accessGroups",
  async rows({ client, projects }) {
    const all = await ifAllowed(groupsOf(client));
    const read = async (group: z.infer<typeof remoteGroup>) => {
      const { accessGroupId: id, name } = group;
      const members = await membersOfGroup(client, id);
      const roles = await projectsOfGroup(client, id);
      return present({
        ...{ id, name, members: members.map(({ uid }) => uid) },
        projects: roles
          .filter(({ projectId }) => projects.has(projectId))
          .map(({ projectId: project, role, ...times }) =>
            present({ project, role, createdAt: timesOf(times).createdAt }),
          ),
        ...timesOf(group),
      });
    };
    // The API returns the newest first.
    return all && inParallel([...all].reverse(), read, atOnce);
  },
  items: ({ id, name }) => [itemOf({ id, name }, { fields: { name } })],
  async discover({ client, add, allowed, members }) {
    // The API returns the newest first.
    const all = [...(await allowed("access groups", groupsOf(client)))].reverse();
    for (const { accessGroupId: id, name } of all) {
      await add(resource, id, name);
      for (const { projectId, project } of (await projectsOfGroup(client, id)).reverse())
        await add(projectResource, `${projectId}/${id}`, `${name}-${project?.name ?? projectId}`);
      if (!members) continue;
      for (const { uid, email, username } of (await membersOfGroup(client, id)).reverse())
        await add(memberResource, `${id}/${uid}`, `${name}-${email ?? username ?? uid}`);
    }
  },
  recorded: { vercel_access_group: (one) => [objectOf(one, resource, textIn(one.values, "id"))] },
  operations: {
    list: { ...listOperation("/v1/access-groups", "access groups", groupList, "accessGroups"), cursor },
    one: oneOperation(groupOperation, "access group", remoteGroup, "accessGroupId"),
  },
} as const satisfies AccountKind;

export const accessGroupMember = {
  name: "access group member",
  owner: "team",
  resource: memberResource,
  suffix: "group-member",
  weight: 39,
  section: "accessGroups",
  items: (row, people) => {
    const members: unknown[] = Array.isArray(row.members) ? row.members : [];
    return members.map((user) =>
      itemOf({ id: `${row.id}/${user}`, name: `${people.get(user) ?? user} of ${row.name}` }, { fields: {} }),
    );
  },
  recorded: {
    vercel_access_group_member: (one) => [
      objectOf(one, memberResource, `${one.values.access_group_id}/${one.values.user_id}`),
    ],
  },
  operations: {
    list: {
      ...listOperation(`${groupOperation}/members`, "members of access groups", groupMemberList, "members"),
      cursor,
    },
  },
} as const satisfies AccountKind;

export const accessGroupProject = {
  name: "access group project",
  owner: "team",
  resource: projectResource,
  suffix: "group-project",
  weight: 39,
  section: "accessGroups",
  items: (row) =>
    listIn(row, "projects").map(({ project, role }) =>
      // A report names the project beside it.
      itemOf(
        { id: `${project}/${row.id}`, name: row.name },
        { projectId: String(project), fields: { role } },
      ),
    ),
  recorded: {
    vercel_access_group_project: (one) => [
      objectOf(one, projectResource, within(one, textIn(one.values, "access_group_id"))),
    ],
  },
  operations: {
    list: {
      ...listOperation(
        `${groupOperation}/projects`,
        "projects of access groups",
        groupProjectList,
        "projects",
      ),
      cursor,
    },
    one: oneOperation(
      "/v1/access-groups/{accessGroupIdOrName}/projects/{projectId}",
      "project of an access group",
      groupProject,
      "projectId",
    ),
  },
} as const satisfies AccountKind;
