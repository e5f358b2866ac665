import { deleteRows, insertRow, insertRows, listRows } from "../store/rows";
import type { Tx } from "../store/store";
import type { EdgeConfigBackupRow, EdgeConfigItemRow, EdgeConfigRow } from "./object";

/** @throws Error if the Edge Config does not exist */
export const changeConfig = (
  tx: Tx,
  id: string,
  change: Partial<Omit<EdgeConfigRow, "id">>,
): Promise<EdgeConfigRow> =>
  tx.updateTable("edge_configs").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow();

/** Deletes an Edge Config with its items and tokens. */
export async function deleteConfig(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, "edge_config_items", { edge_config_id: id });
  await deleteRows(tx, "edge_config_tokens", { edge_config_id: id });
  await deleteRows(tx, "edge_config_backups", { edge_config_id: id });
  await deleteRows(tx, "edge_configs", { id });
}

/** Writes the rows of the items with these keys. An item without a row is deleted. */
export async function writeItems(
  tx: Tx,
  config: string,
  keys: readonly string[],
  rows: readonly EdgeConfigItemRow[],
): Promise<void> {
  if (keys.length > 0)
    await tx
      .deleteFrom("edge_config_items")
      .where("edge_config_id", "=", config)
      .where("key", "in", keys)
      .execute();
  await insertRows(tx, "edge_config_items", rows);
}

/** The number of backups that an Edge Config keeps. @choice */
const mostBackups = 50;

/** The backups of an Edge Config, the newest first. */
export const backupsOf = (tx: Tx, config: string): Promise<EdgeConfigBackupRow[]> =>
  listRows(tx, "edge_config_backups", { edge_config_id: config }, "-created_at", "-id");

/** Adds a backup, and deletes the oldest ones. */
export async function insertBackup(tx: Tx, row: EdgeConfigBackupRow): Promise<void> {
  await insertRow(tx, "edge_config_backups", row);
  const old = tx
    .selectFrom("edge_config_backups")
    .select("id")
    .where("edge_config_id", "=", row.edge_config_id)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(mostBackups + 10)
    .offset(mostBackups);
  await tx.deleteFrom("edge_config_backups").where("id", "in", old).execute();
}
