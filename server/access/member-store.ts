import type { Tx } from "../store/store";

/** Queries of the members of teams. */

export async function isMember(tx: Tx, team: string, user: string): Promise<boolean> {
  const found = await tx
    .selectFrom("members")
    .select("user_id")
    .where("team_id", "=", team)
    .where("user_id", "=", user)
    .executeTakeFirst();
  return found !== undefined;
}

/** The id of the owner of a team who joined first. */
export async function firstOwner(tx: Tx, team: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom("members")
    .select("user_id")
    .where("team_id", "=", team)
    .where("role", "=", "OWNER")
    .orderBy("created_at")
    .orderBy("user_id")
    .executeTakeFirst();
  return found?.user_id;
}

/** @returns whether the user was a member */
export async function removeMember(tx: Tx, team: string, user: string): Promise<boolean> {
  const left = await tx
    .deleteFrom("members")
    .where("team_id", "=", team)
    .where("user_id", "=", user)
    .returning("user_id")
    .executeTakeFirst();
  return left !== undefined;
}
