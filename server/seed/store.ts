import type { Tx } from "../store/store";

export async function isEmpty(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) === undefined;
}

export async function hasToken(tx: Tx, hashes: readonly string[]): Promise<boolean> {
  const known = await tx.selectFrom("tokens").select("hash").where("hash", "in", hashes).executeTakeFirst();
  return known !== undefined;
}

/** Returns a row for each token and each team that its user is a confirmed member of, ordered by the id of the team. */
export const teamsOfTokens = (tx: Tx, hashes: readonly string[]) =>
  tx
    .selectFrom("tokens as t")
    .innerJoin("members as m", "m.user_id", "t.user_id")
    .innerJoin("accounts as team", "team.id", "m.team_id")
    .innerJoin("accounts as user", "user.id", "t.user_id")
    .select(["t.hash", "team.id", "team.slug", "user.slug as user"])
    .where("t.hash", "in", hashes)
    .where("m.confirmed", "=", 1)
    .orderBy("team.id")
    .execute();
