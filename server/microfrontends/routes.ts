import * as z from "zod";
import { findProject } from "../access/project-store";
import { beingTransferred } from "../access/rules";
import { loadTeam, type TeamPath, teamPath } from "../accounts/team";
import { environmentsOf } from "../env/environment-store";
import { type Call, type Route, route } from "../http/route";
import { project as projectAnswer } from "../projects/schema";
import { viewProject } from "../projects/view";
import { countRows, findRow, listRows } from "../store/rows";
import type { Tx } from "../store/store";
import type { GroupRow } from "./object";
import * as rules from "./rules";
import * as wire from "./schema";
import * as store from "./store";
import { viewGroup, viewMicrofrontend } from "./view";

/**
 * The microfrontend groups of teams, and the settings of projects in them.
 * @choice Every member of the team reads them. A deleted or transferred project leaves its group, even as the default
 *   application. The server routes no requests between projects, reads no microfrontends.json, and emits no events.
 * @source the newest official client: /v1/microfrontends; the official command line; the Terraform provider
 */

const list = route({
  method: "GET",
  path: "/v1/microfrontends/groups",
  operationId: "getMicrofrontendsGroups",
  summary: "Lists the microfrontend groups of a team, the newest first, with their projects.",
  scope: ["read:team"],
  success: [200, wire.groupList],
  refuse: [rules.teamsOnly],
  async handle({ tx, account, caller }) {
    const groups = await listRows(
      tx,
      "microfrontend_groups",
      { account_id: account.id },
      "-created_at",
      "-id",
    );
    const members = Map.groupBy(
      await store.microfrontendsIn(
        tx,
        groups.map(({ id }) => id),
        caller,
      ),
      ({ group_id }) => group_id,
    );
    return {
      groups: groups.map((group) => ({
        group: viewGroup(group),
        projects: (members.get(group.id) ?? []).map((row) => ({
          id: row.project_id,
          name: row.name,
          microfrontends: viewMicrofrontend(row),
        })),
        config: null,
      })),
      ...rules.limitsOf(account.plan),
    };
  },
});

const unknownGroup = [404, "not_found", "no such microfrontend group of the team"] as const;
const groupPath = z.object({ groupId: z.string().describe("Id of the microfrontend group.") });

/** @throws Refusal 404 if the team has no such group */
async function loadGroup(tx: Tx, team: string, id: string): Promise<GroupRow> {
  const group = await findRow(tx, "microfrontend_groups", { id, account_id: team });
  if (!group) throw rules.noSuchGroup(id);
  return group;
}

/** @source the newest official client: the answer has whole projects */
const listProjects = route({
  method: "GET",
  path: "/v1/microfrontends/groups/:groupId/projects",
  operationId: "getMicrofrontendsInGroup",
  summary: "Lists the projects of a microfrontend group by name.",
  scope: ["read:team", "read:project"],
  params: groupPath,
  success: [200, z.strictObject({ projects: z.array(projectAnswer) })],
  throws: [unknownGroup],
  load: async ({ tx, account, params }: Call<z.infer<typeof groupPath>>) => ({
    group: await loadGroup(tx, account.id, params.groupId),
  }),
  async handle(call) {
    const { tx, caller, account, group } = call;
    const rows = await store.microfrontendsIn(tx, [group.id], caller);
    const found = await Promise.all(rows.map((row) => findProject(tx, account.id, row.project_id)));
    const projects = found.flatMap((row) => row ?? []);
    return { projects: await Promise.all(projects.map((row) => viewProject(call, row))) };
  },
});

/** The facts about a new name of a group. */
async function isNameTaken(tx: Tx, team: string, name: string | undefined, self?: string): Promise<boolean> {
  if (name === undefined) return false;
  const namesake = await findRow(tx, "microfrontend_groups", { account_id: team, name });
  return namesake !== undefined && namesake.id !== self;
}

const countGroups = (tx: Tx, team: string): Promise<number> =>
  countRows(tx, "microfrontend_groups", { account_id: team });

const create = route({
  method: "POST",
  path: "/v1/microfrontends/group",
  operationId: "createMicrofrontendsGroupWithApplications",
  summary: "Creates a microfrontend group with its projects.",
  scope: ["read-write:team"],
  body: wire.createGroup,
  example: {
    groupName: "shop",
    defaultApp: { projectId: "prj_12HKQaOmR5t5Uy6vdcQsNIiZgHGB" },
    otherApplications: [],
  },
  success: [200, wire.newGroup],
  async load({ tx, account, body }: Call<unknown, unknown, z.infer<typeof wire.createGroup>>) {
    const applications = [body.defaultApp, ...body.otherApplications];
    const found = await Promise.all(
      applications.map(({ projectId }) => findProject(tx, account.id, projectId)),
    );
    const ids = new Set(found.map((project) => project?.id));
    const members = await Promise.all(
      applications.map(({ projectId }) => findRow(tx, "microfrontends", { project_id: projectId })),
    );
    return {
      role: account.role,
      plan: account.plan,
      groups: await countGroups(tx, account.id),
      members: applications.length,
      isNameTaken: await isNameTaken(tx, account.id, body.groupName),
      unknownProject: applications.find(({ projectId }) => !ids.has(projectId))?.projectId,
      member: members.find((member) => member !== undefined),
      project: found.find((project) => project && beingTransferred[3]({ project })),
    };
  },
  refuse: [
    rules.teamsOnly,
    rules.ownersOnly,
    rules.tooManyGroups,
    rules.nameTaken,
    rules.notOfTeam,
    beingTransferred,
    rules.grouped,
    rules.tooManyProjects,
  ],
  async handle({ tx, now, account, body: { groupName, defaultApp, otherApplications } }) {
    const group = await store.addGroup({ tx, now }, account.id, { name: groupName });
    const put = ({ projectId, ...settings }: wire.Application, isDefaultApp: boolean) =>
      store.putMicrofrontend({ tx, now }, { project: projectId, group: group.id }, undefined, {
        ...settings,
        isDefaultApp,
      });
    await put(defaultApp, true);
    for (const application of otherApplications) await put(application, false);
    return { newMicrofrontendsGroup: viewGroup(group) };
  },
});

/** @source the Terraform provider */
const createEmpty = route({
  method: "PATCH",
  path: "/v1/teams/:teamIdOrSlug/microfrontends",
  operationId: "createMicrofrontendsGroup",
  summary: "Creates a microfrontend group without projects.",
  scope: ["read-write:team"],
  params: teamPath,
  body: wire.createEmptyGroup,
  example: { newMicrofrontendsGroupName: "shop" },
  success: [200, wire.newGroup],
  async load(call: Call<TeamPath, unknown, z.infer<typeof wire.createEmptyGroup>>) {
    const { team, role } = await loadTeam(call);
    return {
      ...{ team, role, plan: team.plan, groups: await countGroups(call.tx, team.id) },
      isNameTaken: await isNameTaken(call.tx, team.id, call.body.newMicrofrontendsGroupName),
    };
  },
  refuse: [rules.ownersOnly, rules.tooManyGroups, rules.nameTaken],
  handle: async ({ tx, now, team, body }) => ({
    newMicrofrontendsGroup: viewGroup(
      await store.addGroup({ tx, now }, team.id, { name: body.newMicrofrontendsGroupName }),
    ),
  }),
});

const teamGroupPath = teamPath.extend(groupPath.shape);
type TeamGroupPath = z.infer<typeof teamGroupPath>;

/** @throws Refusal 403, 404 */
async function loadOfTeam(call: Call<TeamGroupPath>) {
  const { team, role } = await loadTeam(call);
  return { team, role, group: await loadGroup(call.tx, team.id, call.params.groupId) };
}

const update = route({
  method: "PATCH",
  path: "/v1/teams/:teamIdOrSlug/microfrontends/:groupId",
  operationId: "updateMicrofrontendsGroup",
  summary: "Changes the name and the settings of a microfrontend group.",
  scope: ["read-write:team"],
  params: teamGroupPath,
  body: wire.updateGroup,
  example: { name: "store" },
  success: [200, wire.updatedGroup],
  throws: [unknownGroup],
  async load(call: Call<TeamGroupPath, unknown, wire.UpdateGroup>) {
    const { group, team, role } = await loadOfTeam(call);
    return {
      ...{ group, role },
      isNameTaken: await isNameTaken(call.tx, team.id, call.body.name, group.id),
      isUnknownFallback: await isUnknownFallback(call.tx, group, call.body.fallbackEnvironment),
    };
  },
  refuse: [rules.ownersOnly, rules.nameTaken, rules.unknownFallback],
  async handle({ tx, now, group, body }) {
    const {
      createdAt: _,
      updatedAt: __,
      ...shown
    } = viewGroup(await store.changeGroup({ tx, now }, group, body));
    return { updatedMicrofrontendsGroup: shown };
  },
});

/** @source the newest official client: the values of `fallbackEnvironment` */
async function isUnknownFallback(tx: Tx, group: GroupRow, slug: string | undefined): Promise<boolean> {
  if (slug === undefined || slug === "SAME_ENV" || slug === "PRODUCTION") return false;
  const app = await findRow(tx, "microfrontends", { group_id: group.id, is_default_app: 1 });
  const environments = app ? await environmentsOf(tx, app.project_id) : [];
  return !environments.some((environment) => environment.slug === slug);
}

/** @choice The projects leave the group, as another open-source provider has seen at the hosted API. */
const remove = route({
  method: "DELETE",
  path: "/v1/teams/:teamIdOrSlug/microfrontends/:groupId",
  operationId: "deleteMicrofrontendsGroup",
  summary: "Deletes a microfrontend group. Its projects leave the group.",
  scope: ["read-write:team"],
  params: teamGroupPath,
  success: [200, z.strictObject({})],
  throws: [unknownGroup],
  load: loadOfTeam,
  refuse: [rules.ownersOnly],
  async handle({ tx, group }) {
    await store.deleteGroup(tx, group.id);
    return {};
  },
});

export const microfrontendRoutes: readonly Route[] = [
  list,
  listProjects,
  create,
  createEmpty,
  update,
  remove,
];
