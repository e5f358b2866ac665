import * as z from "zod";
import { changeAccount } from "../access/account-store";
import { type Route, route } from "../http/route";
import { noSuchTeam, notOwner } from "./rules";
import * as wire from "./schema";
import * as store from "./store";
import { findVisibleTeam, loadTeam, teamPath } from "./team";
import { onlyAccount, viewPersonalAccount, viewTeam, viewUser } from "./view";

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
  summary: "Changes the name of a team, or its policy on sensitive variables.",
  scope: ["read-write:team"],
  params: teamPath,
  body: wire.updateTeam,
  example: { sensitiveEnvironmentVariablePolicy: "on" },
  success: [200, wire.team],
  load: loadTeam,
  refuse: [notOwner],
  async handle(call) {
    await changeAccount(call.tx, call.team.id, call.body);
    const { team } = await loadTeam(call);
    return viewTeam(team, call.caller.userId);
  },
});

export const accountRoutes: readonly Route[] = [getUser, listTeams, getTeam, patchTeam];
