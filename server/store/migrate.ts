import { CompiledQuery, sql } from "kysely";
import { migrations, type Spelling } from "./migrations";
import { StoreError, type Tx } from "./store";
import { tableNames } from "./tables";

/** The table that records which migrations ran. */
export const ledger = "kysely_migration";

/**
 * Migrates a store to the schema of this version, in one transaction.
 * @param lock a query that serializes servers which start at the same time
 * @throws StoreError when the store was written by a newer version
 */
export async function migrate(db: Tx, spelling: Spelling, lock?: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const run = (text: string) => tx.executeQuery<{ name: string }>(CompiledQuery.raw(text));
    if (lock !== undefined) await run(lock);
    await run(
      `create table if not exists "${ledger}" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)`,
    );
    const applied = (await run(`select "name" from "${ledger}"`)).rows.map(({ name }) => name);
    if (applied.some((name) => !(name in migrations))) {
      throw new StoreError("A newer version of Slipway wrote this data. Run that version or a later one.");
    }
    const isNew = applied.length === 0;
    for (const [at, [name, statementsOf]] of Object.entries(migrations).entries()) {
      if (applied.includes(name)) continue;
      // The first migration creates the tables with all later changes.
      if (!isNew || at === 0) for (const statement of statementsOf(spelling)) await run(statement);
      const now = new Date().toISOString();
      await sql`insert into ${sql.table(ledger)} (name, timestamp) values (${name}, ${now})`.execute(tx);
    }
  });
}

/** @param where the location of the store, for the message @throws StoreError when a table of this version is missing */
export function requireTables(found: readonly string[], where: string): void {
  const missing = ["meta", ...tableNames].filter((name) => !found.includes(name));
  if (missing.length === 0) return;
  const names = missing.map((name) => `"${name}"`).join(", ");
  const what = missing.length === 1 ? `the table ${names} is` : `the tables ${names} are`;
  throw new StoreError(
    `${where} is damaged: ${what} missing. Restore the data from a copy, or start with an empty store elsewhere.`,
  );
}
