import { deleteRows, insertRows } from "../store/rows";
import type { Tx } from "../store/store";
import type { EdgeConfigItemRow, EdgeConfigRow } from "./object";

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
