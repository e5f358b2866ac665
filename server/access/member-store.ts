import type { Insertable } from "kysely";
import { nextTime } from "../store/monotonic";
import { hasRow } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { Database } from "../store/tables";

/** Queries of the members of teams. A user who was invited and has not accepted is not a member yet. */

export const isMember = (tx: Tx, team: string, user: string): Promise<boolean> =>
  hasRow(tx, "members", { team_id: team, user_id: user, confirmed: 1 });

/** The id of the owner who joined a team first. */
export async function firstOwner(tx: Tx, team: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom("members")
    .select("user_id")
    .where("team_id", "=", team)
    .where("role", "=", "OWNER")
    .where("confirmed", "=", 1)
    .orderBy("created_at")
    .orderBy("user_id")
    .executeTakeFirst();
  return found?.user_id;
}

/** Adds a member or an invited user. If the user is in the team already, changes the role and `confirmed`. */
export async function putMember(tx: Tx, row: Insertable<Database["members"]>): Promise<void> {
  const { role, confirmed } = row;
  await tx
    .insertInto("members")
    .values(row)
    .onConflict((conflict) => conflict.columns(["team_id", "user_id"]).doUpdateSet({ role, confirmed }))
    .execute();
}

/** A time that is unique in the team's list of members and in the user's list of teams, which are paged by time. */
export function nextJoin({ tx, now }: Unit, team: string, user: string): Promise<number> {
  const joined = tx
    .selectFrom("members")
    .where((eb) => eb.or([eb("team_id", "=", team), eb("user_id", "=", user)]));
  return nextTime(joined, "created_at", now);
}

/** Removes a user from a team, from its projects and from its access groups. @returns true if the user was a member or was invited */
export async function removeMember(tx: Tx, team: string, user: string): Promise<boolean> {
  const projects = tx.selectFrom("projects").select("id").where("account_id", "=", team);
  await tx
    .deleteFrom("project_members")
    .where("user_id", "=", user)
    .where("project_id", "in", projects)
    .execute();
  const groups = tx.selectFrom("access_groups").select("id").where("account_id", "=", team);
  await tx
    .deleteFrom("access_group_members")
    .where("user_id", "=", user)
    .where("access_group_id", "in", groups)
    .execute();
  const left = await tx
    .deleteFrom("members")
    .where("team_id", "=", team)
    .where("user_id", "=", user)
    .returning("user_id")
    .executeTakeFirst();
  return left !== undefined;
}
