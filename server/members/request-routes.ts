import type * as z from "zod";
import { findAccount } from "../access/account-store";
import { nextJoin, putMember } from "../access/member-store";
import type { AccountRow } from "../accounts/object";
import { findVisibleTeam, type TeamPath, teamPath } from "../accounts/team";
import { onlyAccount } from "../accounts/view";
import { type Call, type Route, route } from "../http/route";
import { notFound } from "../platform/refusal";
import { findRow } from "../store/rows";
import type { MembershipRow } from "./object";
import { joinedOrInvited, tooManyRequests } from "./rules";
import * as wire from "./schema";
import { countRequests } from "./store";
import { viewRequest } from "./view";

/**
 * The requests of users to join a team. An owner accepts one with `confirmed: true` in
 * `PATCH /v1/teams/{teamId}/members/{uid}`, and declines one by removing the user.
 * @source the newest official client: requestAccessToTeam, getTeamAccessRequest
 */

/** @choice The user becomes a MEMBER, unless the owner changes the role. A second request changes nothing. */
const requestAccess = route({
  method: "POST",
  path: "/v1/teams/:teamIdOrSlug/request",
  operationId: "requestAccessToTeam",
  summary: "Asks the owners of a team to let the user of the access token join.",
  scope: ["read-write:user"],
  params: teamPath,
  body: wire.requestAccess,
  example: { joinedFrom: { origin: "teams" } },
  success: [200, wire.accessRequest],
  throws: [[404, "not_found", "no such team, or the access token is limited to another account"]],
  load: loadTarget,
  refuse: [joinedOrInvited, tooManyRequests],
  async handle({ tx, now, caller, body, team, member }) {
    if (member) return viewRequest(team, member);
    const row: MembershipRow = {
      ...{ team_id: team.id, user_id: caller.userId, role: "MEMBER", confirmed: 0, access_requested_at: now },
      joined_from: JSON.stringify(body.joinedFrom),
      created_at: await nextJoin({ tx, now }, team.id, caller.userId),
    };
    await putMember(tx, row);
    return viewRequest(team, row);
  },
});

/** @throws Refusal 404 */
async function loadTarget(
  call: Call<TeamPath, unknown, z.infer<typeof wire.requestAccess>>,
): Promise<{ team: AccountRow; member: MembershipRow | undefined; requests: number }> {
  const { tx, caller, params } = call;
  const team = await findAccount(tx, "team", params.teamIdOrSlug);
  if (!team || onlyAccount(caller) !== null) throw notFound(`Team ${JSON.stringify(params.teamIdOrSlug)}`);
  const member = await findRow(tx, "members", { team_id: team.id, user_id: caller.userId });
  return { team, member, requests: await countRequests(tx, team.id) };
}

const requestPath = teamPath.extend({ userId: wire.person.uid.describe("Id of the user who asked.") });

/** @choice The members of the team and the user itself see a request. */
const getRequest = route({
  method: "GET",
  path: "/v1/teams/:teamIdOrSlug/request/:userId",
  operationId: "getTeamAccessRequest",
  summary: "Returns the request of a user to join a team, and whether it was accepted.",
  scope: ["read:team"],
  params: requestPath,
  success: [200, wire.accessRequest],
  throws: [[404, "not_found", "the user did not ask to join the team, or was declined"]],
  async handle(call) {
    const { tx, caller, params } = call;
    const team = await findAccount(tx, "team", params.teamIdOrSlug);
    const isOwn = params.userId === caller.userId && onlyAccount(caller) === null;
    const isVisible = isOwn || (await findVisibleTeam(call)) !== undefined;
    const key = { team_id: team?.id ?? "", user_id: params.userId };
    const member = isVisible ? await findRow(tx, "members", key) : undefined;
    const request = team && member && viewRequest(team, member);
    if (request) return request;
    throw notFound(`The request of ${JSON.stringify(params.userId)} to join the team`);
  },
});

export const accessRequestRoutes: readonly Route[] = [requestAccess, getRequest];
