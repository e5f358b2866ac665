import type { Tx } from "../store/store";

/** The first time, from a given one on, that no deployment of an account has: lists are paged by it. */
export async function freeTime(tx: Tx, account: string, from: number): Promise<number> {
  for (let time = from; ; time++) {
    const taken = await tx
      .selectFrom("deployments")
      .select("id")
      .where("account_id", "=", account)
      .where("created_at", "=", time)
      .executeTakeFirst();
    if (!taken) return time;
  }
}
