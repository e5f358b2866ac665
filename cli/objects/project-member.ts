import { z } from "zod";
import { ifAllowed } from "../../provider/client/errors";
import {
  memberList,
  membersOf,
  membersPath,
  projectMember as resource,
} from "../../provider/resources/project-member";
import { itemOfProject, type ProjectKind, pageSize } from "./kind";
import { listOperation } from "./operation";
import { listIn, objectOf, textIn, within } from "./recorded";
import { number, pagination, string } from "./shapes";

const list = z.looseObject({
  members: z.array(z.looseObject({ uid: string, role: string, createdAt: number })),
  pagination,
});

export const projectMember = {
  name: "project member",
  owner: "project",
  resource,
  suffix: "member",
  weight: 41,
  section: "projectMembers",
  /** Only a team has members. */
  async rows({ client, owner }, project) {
    if (!("team" in owner)) return [];
    const path = membersPath(project.id);
    const listed = await ifAllowed(client.listNow(path, list, (page) => page.members, { limit: pageSize }));
    return listed?.map(({ uid, role, createdAt }) => ({ user: uid, role, createdAt }));
  },
  items(row, people) {
    const id = `${row.project}/${row.user}`;
    const name = people.get(row.user) ?? `${row.user}`;
    return [itemOfProject(row, { key: id, id, name, fields: { role: row.role } })];
  },
  async discover({ client, add, members }, project) {
    if (!members) return;
    for (const { uid, email, username } of (await membersOf(client, project.id)).reverse())
      await add(resource, `${project.id}/${uid}`, `${project.name}-${email ?? username ?? uid}`);
  },
  recorded: {
    vercel_project_members: (one) =>
      listIn(one.values, "members").map((member) => {
        const user = textIn(member, "user_id") ?? textIn(member, "email") ?? "";
        const names = [textIn(member, "username") ?? user];
        return objectOf(one, resource, within(one, user), { names });
      }),
  },
  operations: {
    list: listOperation("/v1/projects/{idOrName}/members", "members of projects", memberList, "members"),
  },
} as const satisfies ProjectKind;
