import { z } from "zod";
import { ifAllowed } from "../../provider/client/errors";
import type { Plain } from "../../provider/core/values";
import { type Group, groupList, groupsOf, type Member } from "../../provider/resources/microfrontend/records";
import { microfrontendGroup as resource } from "../../provider/resources/microfrontend-group";
import { microfrontendGroupMembership as membershipResource } from "../../provider/resources/microfrontend-group-membership";
import { type AccountKind, itemOf, present } from "./kind";
import { listOperation } from "./operation";
import { listIn, objectOf, textIn, within } from "./recorded";
import { times } from "./shapes";

/** Microfrontend groups. The row of a group has its projects. */

/** The list of groups has their projects too. */
const operations = {
  list: listOperation("/v1/microfrontends/groups", "microfrontend groups", groupList, "groups"),
};

const stamped = z.looseObject(times);

const memberRow = (member: Member): Plain =>
  present({
    project: member.projectId,
    ...(member.isDefaultApp && { isDefaultApp: true }),
    defaultRoute: member.defaultRoute ?? undefined,
    routeObservabilityToThisProject: member.routeObservabilityToThisProject ?? undefined,
    doNotRouteWithMicrofrontendsRouting: member.doNotRouteWithMicrofrontendsRouting ?? undefined,
    updatedAt: stamped.parse(member).updatedAt,
  });

const groupRow = (group: Group, projects: ReadonlySet<string>): Plain => {
  const { createdAt, updatedAt } = stamped.parse(group);
  return present({
    ...{ id: group.id, name: group.name },
    fallbackEnvironment: group.fallbackEnvironment ?? undefined,
    enablePolyrepoBranchRouting: group.enablePolyrepoBranchRouting ?? undefined,
    projects: group.members.filter(({ projectId }) => projects.has(projectId)).map(memberRow),
    ...{ createdAt, updatedAt },
  });
};

/** The settings of a project in a group. */
const settingsOf = ({ project: _, isDefaultApp: __, updatedAt: ___, ...settings }: Plain): Plain => settings;
const isDefault = ({ isDefaultApp }: Plain): boolean => isDefaultApp === true;

export const microfrontendGroup = {
  name: "microfrontend group",
  owner: "team",
  resource,
  suffix: "microfrontend-group",
  weight: 45,
  section: "microfrontendGroups",
  async rows({ client, projects }) {
    const all = await ifAllowed(groupsOf(client));
    // The API returns the newest first.
    return all && [...all].reverse().map((group) => groupRow(group, projects));
  },
  items: (row) => {
    const { id, name, fallbackEnvironment, enablePolyrepoBranchRouting } = row;
    const app = listIn(row, "projects").find(isDefault);
    const ofApp = app ? { defaultApp: app.project, ...settingsOf(app) } : {};
    return [
      itemOf({ id, name }, { fields: { name, fallbackEnvironment, enablePolyrepoBranchRouting, ...ofApp } }),
    ];
  },
  async discover({ client, add, allowed, note }) {
    const all = [...(await allowed("microfrontend groups", groupsOf(client)))].reverse();
    for (const { id, name, members } of all) {
      if (members.some(({ isDefaultApp }) => isDefaultApp)) await add(resource, id, name);
      else note(`The microfrontend group ${name} was left out: it has no default application.`);
      for (const { projectId, isDefaultApp, ...member } of members)
        if (!isDefaultApp)
          await add(membershipResource, `${projectId}/${id}`, `${name}-${member.name ?? projectId}`);
    }
  },
  recorded: { vercel_microfrontend_group: (one) => [objectOf(one, resource, textIn(one.values, "id"))] },
  operations,
} as const satisfies AccountKind;

export const microfrontendGroupMembership = {
  name: "microfrontend",
  owner: "team",
  resource: membershipResource,
  suffix: "microfrontend",
  weight: 44,
  section: "microfrontendGroups",
  items: (row) =>
    listIn(row, "projects")
      .filter((one) => !isDefault(one))
      .map((one) =>
        // A report names the project beside it.
        itemOf(
          { id: `${one.project}/${row.id}`, name: row.name },
          { projectId: String(one.project), fields: settingsOf(one) },
        ),
      ),
  recorded: {
    vercel_microfrontend_group_membership: (one) => [
      objectOf(one, membershipResource, within(one, textIn(one.values, "microfrontend_group_id"))),
    ],
  },
  operations,
} as const satisfies AccountKind;
