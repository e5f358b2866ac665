import * as z from "zod";
import { changeAccount, findAccount } from "../access/account-store";
import { type Call, type Route, route } from "../http/route";
import { listRows } from "../store/rows";
import { noSuchTeam, notOwner, onlyUsers, slugTaken, unknownGroup } from "./rules";
import * as wire from "./schema";
import * as store from "./store";
import { findVisibleTeam, loadTeam, type TeamPath, teamPath } from "./team";
import { onlyAccount, settingsOf, viewPersonalAccount, viewTeam, viewUser } from "./view";

/** The caller's user and teams, which official clients request first. @source wire-shapes 11 */

const getUser = route({
  method: "GET",
  path: "/v2/user",
  operationId: "getAuthUser",
  summary: "Returns the user of the access token.",
  scope: ["read:user"],
  success: [200, z.strictObject({ user: wire.user })],
  handle: async ({ tx, caller }) => ({ user: viewUser(await store.userById(tx, caller.userId), caller) }),
});

const listTeams = route({
  method: "GET",
  path: "/v2/teams",
  operationId: "getTeams",
  summary: "Lists the teams of the user of the access token.",
  scope: ["read:team"],
  query: wire.teamFilters,
  success: [200, wire.teamList],
  async handle({ tx, caller, query }) {
    const { rows, pagination } = await store.listTeams(tx, caller.userId, onlyAccount(caller), query);
    const teams = rows.map((row) => ({ ...viewTeam(row, caller.userId), limited: false, limitedBy: [] }));
    return { teams, pagination };
  },
});

const getTeam = route({
  method: "GET",
  path: "/v2/teams/:teamIdOrSlug",
  operationId: "getTeam",
  summary: "Returns a team, by id or slug.",
  scope: ["read:team"],
  params: teamPath,
  success: [200, wire.team],
  async handle(call) {
    const { tx, caller, params } = call;
    const team = await findVisibleTeam(call);
    if (team) return viewTeam(team, caller.userId);
    if (params.teamIdOrSlug === caller.userId && onlyAccount(caller) === null)
      return viewPersonalAccount(await store.userById(tx, caller.userId));
    throw noSuchTeam();
  },
});

/** @source the newest official client: patchTeam, and the Terraform provider's team configuration */
const patchTeam = route({
  method: "PATCH",
  path: "/v2/teams/:teamIdOrSlug",
  operationId: "patchTeam",
  summary: "Changes the name, the slug and the settings of a team.",
  scope: ["read-write:team"],
  params: teamPath,
  body: wire.updateTeam,
  example: { sensitiveEnvironmentVariablePolicy: "on" },
  success: [200, wire.team],
  load: loadUpdate,
  refuse: [notOwner, slugTaken],
  async handle(call) {
    const { tx, team, caller, body } = call;
    const { name, slug, sensitiveEnvironmentVariablePolicy, regenerateInviteCode: _, ...given } = body;
    const settings = JSON.stringify({ ...settingsOf(team), ...given });
    await changeAccount(tx, team.id, { name, slug, sensitiveEnvironmentVariablePolicy, settings });
    const changed = await loadTeam({ ...call, params: { teamIdOrSlug: team.id } });
    return viewTeam(changed.team, caller.userId);
  },
});

async function loadUpdate(call: Call<TeamPath, unknown, wire.UpdateTeam>) {
  const { tx, body } = call;
  const loaded = await loadTeam(call);
  const other = body.slug === undefined ? undefined : await findAccount(tx, "team", body.slug);
  return { ...loaded, isSlugTaken: other !== undefined && other.id !== loaded.team.id };
}

/**
 * @choice The roles are those in the setting `saml` of the team. No directory is synchronized, so nobody gets them.
 * @source the newest official client: postTeamDsyncRoles
 */
const setDirectoryRoles = route({
  method: "POST",
  path: "/v1/teams/:teamIdOrSlug/dsync-roles",
  operationId: "postTeamDsyncRoles",
  summary: "Sets the roles and access groups that the groups of a directory have in a team.",
  scope: ["read-write:team"],
  params: teamPath,
  body: wire.directoryRoles,
  example: { roles: { engineering: "DEVELOPER" } },
  success: [200, z.strictObject({ ok: z.literal(true) })],
  load: loadDirectoryRoles,
  refuse: [notOwner, unknownGroup],
  async handle({ tx, team, body }) {
    const before = settingsOf(team);
    const saml = { enforced: false, ...before.saml, roles: body.roles };
    await changeAccount(tx, team.id, { settings: JSON.stringify({ ...before, saml }) });
    return { ok: true as const };
  },
});

async function loadDirectoryRoles(call: Call<TeamPath, unknown, wire.DirectoryRoles>) {
  const loaded = await loadTeam(call);
  const groups = await listRows(call.tx, "access_groups", { account_id: loaded.team.id });
  const known = new Set(groups.map(({ id }) => id));
  const named = Object.values(call.body.roles).flatMap((to) =>
    typeof to === "string" ? [] : to.accessGroupId,
  );
  return { ...loaded, unknownGroup: named.find((id) => !known.has(id)) };
}

/** @choice A new team has the plan pro. The user who creates it is its owner. */
const createTeam = route({
  method: "POST",
  path: "/v1/teams",
  operationId: "createTeam",
  summary: "Creates a team.",
  scope: ["read-write:user"],
  body: wire.createTeam,
  example: { slug: "designers" },
  success: [200, wire.createdTeam],
  load: async ({ tx, body }: Call<unknown, unknown, z.infer<typeof wire.createTeam>>) => ({
    isSlugTaken: (await findAccount(tx, "team", body.slug)) !== undefined,
  }),
  refuse: [onlyUsers, slugTaken],
  handle: async (call) => ({
    ...(await store.insertTeam(call, call.caller.userId, call.body)),
    billing: { plan: "pro" },
  }),
});

export const accountRoutes: readonly Route[] = [
  getUser,
  listTeams,
  getTeam,
  createTeam,
  patchTeam,
  setDirectoryRoles,
];
