import * as z from "zod";
import type { Call } from "../http/route";
import type { Role } from "../members/object";
import { noSuchTeam } from "./rules";
import { findTeam, type TeamRow } from "./store";
import { onlyAccount } from "./view";

/** The team that a path names. */
export const teamPath = z.object({ teamIdOrSlug: z.string() });
export type TeamPath = z.infer<typeof teamPath>;

/**
 * The team of a path, with the caller's role in it. The role is undefined for an installation.
 * @throws Refusal 403
 */
export async function loadTeam(call: Call<TeamPath>): Promise<{ team: TeamRow; role: Role | undefined }> {
  const team = await findVisibleTeam(call);
  if (!team) throw noSuchTeam();
  return { team, role: call.caller.installation ? undefined : team.role };
}

/** The team of a path; undefined if the caller is not a member, or the access token is bound to another account. */
export async function findVisibleTeam({ tx, caller, params }: Call<TeamPath>): Promise<TeamRow | undefined> {
  const team = await findTeam(tx, caller.userId, params.teamIdOrSlug);
  const only = onlyAccount(caller);
  return only === null || only === team?.id ? team : undefined;
}
