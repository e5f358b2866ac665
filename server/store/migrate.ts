import { type Migration, type MigrationProvider, Migrator } from "kysely/migration";
import { migrations } from "./migrations";
import { StoreError, type Tx } from "./store";

/**
 * Brings a store to this version's schema, under the engine's lock where several servers start at once.
 * @throws StoreError when the store was written by a newer version
 */
export async function migrate(db: Tx): Promise<void> {
  const known: MigrationProvider = {
    getMigrations: async (): Promise<Record<string, Migration>> => migrations,
  };
  const { error } = await new Migrator({ db, provider: known }).migrateToLatest();
  if (error === undefined) return;
  if (error instanceof Error && /previously executed migration .* is missing/.test(error.message)) {
    throw new StoreError("The data was written by a newer version of Slipway. Run that version, or newer.");
  }
  throw error;
}
