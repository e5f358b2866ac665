import { sql } from "kysely";
import type { Tx } from "../store/store";
import { publicTables } from "../store/tables";

/** The unknown members of objects, sealed. */

export const membersOf = (tx: Tx, owners: readonly string[]): Promise<{ owner: string; members: string }[]> =>
  tx.selectFrom("unknown_members").select(["owner", "members"]).where("owner", "in", owners).execute();

/** Removes the stored members of objects that no longer exist. */
export async function removeForgotten(tx: Tx): Promise<void> {
  let gone = tx.deleteFrom("unknown_members");
  for (const table of publicTables)
    gone = gone.where("owner", "not in", (eb) => eb.selectFrom(table).select("id"));
  await gone
    .where("owner", "not in", (eb) =>
      eb
        .selectFrom("domains")
        .select(sql<string>`project_id || '/' || name || '/' || created_at`.as("owner")),
    )
    .execute();
}
