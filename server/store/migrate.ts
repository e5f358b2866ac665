import { CompiledQuery, sql } from "kysely";
import { migrations, type Spelling } from "./migrations";
import { StoreError, type Tx } from "./store";

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
    for (const [name, statementsOf] of Object.entries(migrations)) {
      if (applied.includes(name)) continue;
      for (const statement of statementsOf(spelling)) await run(statement);
      const now = new Date().toISOString();
      await sql`insert into ${sql.table(ledger)} (name, timestamp) values (${name}, ${now})`.execute(tx);
    }
  });
}
