import type { Account } from "../access/caller";
import type { Tx } from "../store/store";
import type { EdgeConfigItemRow, EdgeConfigRow, EdgeConfigTokenRow } from "./object";

interface OfAccount {
  tx: Tx;
  account: Pick<Account, "id">;
}

const configsOf = ({ tx, account }: OfAccount) =>
  tx.selectFrom("edge_configs").where("account_id", "=", account.id);

/** The Edge Configs of an account, the newest first. */
export const listConfigs = (of: OfAccount): Promise<EdgeConfigRow[]> =>
  configsOf(of).selectAll().orderBy("created_at", "desc").orderBy("id", "desc").execute();

export const findConfig = (of: OfAccount, id: string): Promise<EdgeConfigRow | undefined> =>
  configsOf(of).selectAll().where("id", "=", id).executeTakeFirst();

export async function countConfigs(of: OfAccount): Promise<number> {
  const { count } = await configsOf(of)
    .select((eb) => eb.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertConfig(tx: Tx, row: EdgeConfigRow): Promise<void> {
  await tx.insertInto("edge_configs").values(row).execute();
}

/** @throws Error if the Edge Config does not exist */
export const changeConfig = (
  tx: Tx,
  id: string,
  change: Partial<Omit<EdgeConfigRow, "id">>,
): Promise<EdgeConfigRow> =>
  tx.updateTable("edge_configs").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow();

/** Deletes an Edge Config with its items and tokens. */
export async function deleteConfig(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("edge_config_items").where("edge_config_id", "=", id).execute();
  await tx.deleteFrom("edge_config_tokens").where("edge_config_id", "=", id).execute();
  await tx.deleteFrom("edge_configs").where("id", "=", id).execute();
}

const itemsIn = (tx: Tx, config: string) =>
  tx.selectFrom("edge_config_items").selectAll().where("edge_config_id", "=", config);

/** The items of an Edge Config, in the order of their keys. */
export const listItems = (tx: Tx, config: string): Promise<EdgeConfigItemRow[]> =>
  itemsIn(tx, config).orderBy("key").execute();

export const findItem = (tx: Tx, config: string, key: string): Promise<EdgeConfigItemRow | undefined> =>
  itemsIn(tx, config).where("key", "=", key).executeTakeFirst();

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
  if (rows.length > 0) await tx.insertInto("edge_config_items").values(rows).execute();
}

const tokensIn = (tx: Tx, config: string) =>
  tx.selectFrom("edge_config_tokens").selectAll().where("edge_config_id", "=", config);

/** The tokens of an Edge Config, the newest first. */
export const listTokens = (tx: Tx, config: string): Promise<EdgeConfigTokenRow[]> =>
  tokensIn(tx, config).orderBy("created_at", "desc").orderBy("id", "desc").execute();

export const findToken = (
  tx: Tx,
  config: string,
  by: "id" | "digest",
  value: string,
): Promise<EdgeConfigTokenRow | undefined> => tokensIn(tx, config).where(by, "=", value).executeTakeFirst();

export async function insertToken(tx: Tx, row: EdgeConfigTokenRow): Promise<void> {
  await tx.insertInto("edge_config_tokens").values(row).execute();
}

export async function deleteTokens(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom("edge_config_tokens").where("id", "in", ids).execute();
}
