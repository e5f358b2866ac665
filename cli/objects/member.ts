import * as responses from "../../provider/client/responses";
import { teamMember } from "../../provider/resources/team-member";
import { membersOf, teamOf } from "../../provider/resources/team-member/records";
import { accessGroupMember } from "./access-group";
import { type AccountKind, itemOf } from "./kind";
import { listOperation } from "./operation";
import { projectMember } from "./project-member";
import { listIn, objectOf, type RecordedResource, textIn } from "./recorded";

/** A member of the team, or an invited user. The row of the team has its members. */
export const member = {
  name: "member",
  owner: "team",
  resource: teamMember,
  suffix: "member",
  weight: 42,
  section: "teams",
  items: ({ id: team, ...row }, people) =>
    listIn(row, "members").map(({ user, role }) =>
      itemOf({ role }, { key: `${user}`, id: `${team}/${user}`, name: people.get(user) ?? `${user}` }),
    ),
  async discover({ client, add, members }) {
    if (!members) return;
    const all = await membersOf(client, await teamOf(client));
    // The API returns the newest first.
    for (const { email } of all.reverse()) await add(teamMember, email, email);
  },
  recorded: {
    vercel_team_member(resource, all) {
      const user = textIn(resource.values, "user_id") ?? textIn(resource.values, "email") ?? "";
      const roles = listIn(resource.values, "projects").map((role) => {
        const project = textIn(role, "project_id") ?? "";
        const names = namesOfProject(project, all);
        return objectOf(resource, projectMember.resource, `${project}/${user}`, { names });
      });
      return [objectOf(resource, teamMember, user), ...roles, ...groupsOf(resource, user, all)];
    },
  },
  operations: {
    list: listOperation(
      "/v3/teams/{teamIdOrSlug}/members",
      "members of the team",
      responses.memberList,
      "members",
    ),
  },
} as const satisfies AccountKind;

/** The access groups that the tool records with the member. */
function groupsOf(resource: RecordedResource, user: string, all: readonly RecordedResource[]) {
  const { access_groups: ids } = resource.values;
  const isRecorded = (id: string): boolean =>
    all.some(
      ({ type, values }) =>
        type === "vercel_access_group_member" && values.access_group_id === id && values.user_id === user,
    );
  return (Array.isArray(ids) ? ids.map(String) : [])
    .filter((id) => !isRecorded(id))
    .map((id) => objectOf(resource, accessGroupMember.resource, `${id}/${user}`, { names: [id] }));
}

/** The parts of the logical name of a project, or its id if the tool does not manage it. */
function namesOfProject(id: string, all: readonly RecordedResource[]): string[] {
  const project = all.find(({ type, values }) => type === "vercel_project" && values.id === id);
  return project ? [...project.names] : [id];
}
