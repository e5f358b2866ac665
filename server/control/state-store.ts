import { migrations } from "../store/migrations";
import type { Tx, Unit } from "../store/store";
import { type Database, tableNames } from "../store/tables";

/** The largest number of rows in a part, which bounds the time between two turns of the event loop. */
const partSize = 200;

type Saved = Exclude<keyof Database, "meta" | "saved_rows">;
const savedTables = tableNames.filter((name): name is Saved => name !== "saved_rows");

const [lastMigration = ""] = Object.keys(migrations).slice(-1);

/** A state that was saved, and when, in milliseconds since the epoch. */
export interface SavedState {
  name: string;
  savedAt: number;
}

export async function listStates(tx: Tx): Promise<SavedState[]> {
  const rows = await tx
    .selectFrom("saved_rows")
    .select(["state as name", "saved_at as savedAt"])
    .where("part", "=", 0)
    .orderBy("state")
    .execute();
  return rows;
}

/** Saves the rows of all tables under a name, in place of a state with this name. */
export async function saveState({ tx, now }: Unit, state: string): Promise<SavedState> {
  await removeState(tx, state);
  let part = 0;
  for (const table of savedTables) {
    const rows = await tx.selectFrom(table).selectAll().execute();
    // The first part is there even if no table has rows.
    for (let at = 0; at < rows.length || part === 0; at += partSize)
      await tx
        .insertInto("saved_rows")
        .values({
          ...{ state, part: part++, migration: lastMigration, of_table: table, saved_at: now },
          rows: JSON.stringify(rows.slice(at, at + partSize)),
        })
        .execute();
  }
  return { name: state, savedAt: now };
}

/** @returns "unknown", or "other version" for a state from a store with other tables */
export async function reasonNotToLoad(
  tx: Tx,
  state: string,
): Promise<"unknown" | "other version" | undefined> {
  const first = await tx
    .selectFrom("saved_rows")
    .select("migration")
    .where("state", "=", state)
    .where("part", "=", 0)
    .executeTakeFirst();
  if (!first) return "unknown";
  return first.migration === lastMigration ? undefined : "other version";
}

/** Replaces the rows of all tables by those of a saved state. */
export async function loadState(tx: Tx, state: string): Promise<void> {
  await emptyStore(tx);
  for (let part = 0; ; part++) {
    const saved = await tx
      .selectFrom("saved_rows")
      .select(["of_table", "rows"])
      .where("state", "=", state)
      .where("part", "=", part)
      .executeTakeFirst();
    if (!saved) return;
    const rows: never[] = JSON.parse(saved.rows);
    if (rows.length > 0)
      await tx
        .insertInto(saved.of_table as Saved)
        .values(rows)
        .execute();
  }
}

/** @returns false if there is no such state */
export async function removeState(tx: Tx, state: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom("saved_rows").where("state", "=", state).executeTakeFirst();
  return numDeletedRows > 0;
}

/** Deletes the rows of all tables except `meta` and the saved states. */
export async function emptyStore(tx: Tx): Promise<void> {
  for (const table of savedTables) await tx.deleteFrom(table).execute();
}
