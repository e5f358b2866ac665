import { findAccount } from "../access/account-store";
import type { TeamRow } from "../accounts/store";
import { loadTeam, type TeamPath, teamPath } from "../accounts/team";
import { type Call, type Route, route } from "../http/route";
import { drainTopic } from "../log-drains/store";
import type { Role } from "./object";
import { removeTeam, transferringProject } from "./removal-store";
import { hasTransfer, ownersOnly } from "./rules";
import * as wire from "./schema";

/**
 * @choice Everything that the team owns is deleted, and access tokens that are limited to it. Users can delete their
 *   last team.
 * @source the newest official client: deleteTeam
 */
const deleteTeam = route({
  method: "DELETE",
  path: "/v1/teams/:teamIdOrSlug",
  operationId: "deleteTeam",
  summary: "Deletes a team with everything that it owns.",
  scope: ["read-write:team"],
  params: teamPath,
  query: wire.leaving,
  body: wire.deleteTeam,
  example: { reasons: [{ slug: "unused", description: "Nobody needs it." }] },
  changes: drainTopic,
  success: [200, wire.deletedTeam],
  otherAccounts: async ({ services, params }) => {
    const team = await services.store.read((tx) => findAccount(tx, "team", params.teamIdOrSlug));
    return team ? [team.id] : [];
  },
  load: loadRemoval,
  refuse: [ownersOnly, hasTransfer],
  async handle({ tx, now, team, caller, query: { newDefaultTeamId } }) {
    await removeTeam({ tx, now }, team, caller.userId);
    return { id: team.id, ...(newDefaultTeamId !== undefined && { newDefaultTeamIdError: true as const }) };
  },
});

/** @throws Refusal 403 */
async function loadRemoval(
  call: Call<TeamPath, { newDefaultTeamId?: string | undefined }>,
): Promise<{ team: TeamRow; role: Role | undefined; transferring: string | undefined }> {
  const loaded = await loadTeam(call);
  return { ...loaded, transferring: await transferringProject(call.tx, loaded.team.id) };
}

export const teamRoutes: readonly Route[] = [deleteTeam];
