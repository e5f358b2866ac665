import type { AccountRow } from "../accounts/object";
import { damaged, noteDamage } from "../platform/damage";
import type { Services } from "../platform/services";
import type { EdgeConfigBackupRow, EdgeConfigItemRow, EdgeConfigRow, EdgeConfigTokenRow } from "./object";
import type { Backup, EdgeConfig, EdgeConfigToken, ListedBackup } from "./schema";
import { type BackupItem, itemIdOf } from "./write";

export function viewConfig(row: EdgeConfigRow): EdgeConfig {
  return {
    id: row.id,
    slug: row.slug,
    ownerId: row.account_id,
    digest: row.digest,
    itemCount: Number(row.item_count),
    sizeInBytes: Number(row.size),
    ...(row.schema !== null && { schema: JSON.parse(row.schema) }),
    ...(row.created_by !== null && { createdBy: row.created_by }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

type Reader = Pick<Services, "vault" | "log">;

const damagedPart = "the value of an item";

/** @throws Refusal 500 when the value of the item is damaged */
export function viewItem({ vault, log }: Reader, row: EdgeConfigItemRow) {
  const text = vault.tryOpen(itemIdOf(row), row.value);
  if (text === undefined) throw damaged(log, damagedPart, itemIdOf(row));
  return withValue(row, JSON.parse(text));
}

/** Like `viewItem`, but logs a damaged value and shows it as null, so that the list can be shown. */
export function viewListedItem({ vault, log }: Reader, row: EdgeConfigItemRow) {
  const text = vault.tryOpen(itemIdOf(row), row.value);
  if (text === undefined) noteDamage(log, damagedPart, itemIdOf(row));
  return withValue(row, text === undefined ? null : JSON.parse(text));
}

const withValue = (row: EdgeConfigItemRow, value: unknown) => ({
  edgeConfigId: row.edge_config_id,
  key: row.key,
  value,
  ...(row.description !== null && { description: row.description }),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const viewToken = (row: EdgeConfigTokenRow): EdgeConfigToken => ({
  id: row.id,
  edgeConfigId: row.edge_config_id,
  label: row.label,
  partialToken: `${row.partial}********`,
  createdAt: row.created_at,
});

const metadataOf = (row: EdgeConfigBackupRow) => ({
  itemsCount: Number(row.item_count),
  itemsBytes: Number(row.size),
  updatedAt: new Date(row.created_at).toISOString(),
  ...(row.created_by !== null && { updatedBy: row.created_by }),
});

export const viewListedBackup = (row: EdgeConfigBackupRow, withMetadata: boolean): ListedBackup => ({
  id: row.id,
  lastModified: row.created_at,
  ...(withMetadata && { metadata: metadataOf(row) }),
});

/** @throws Refusal 500 when the items of the backup are damaged */
export function viewBackup(
  { vault, log }: Reader,
  row: EdgeConfigBackupRow,
  user: AccountRow | undefined,
): Backup {
  const items = (JSON.parse(row.items) as BackupItem[]).map((item) => {
    const text = vault.tryOpen(itemIdOf({ ...row, key: item.key }), item.value);
    if (text === undefined) throw damaged(log, "the items of a backup", row.id);
    const { description, created_at: createdAt, updated_at: updatedAt } = item;
    const value: unknown = JSON.parse(text);
    return [item.key, { value, createdAt, updatedAt, ...(description !== null && { description }) }];
  });
  return {
    id: row.id,
    lastModified: row.created_at,
    backup: {
      digest: row.digest,
      items: Object.fromEntries(items),
      slug: row.slug,
      updatedAt: row.created_at,
    },
    metadata: metadataOf(row),
    ...(user && { user: { id: user.id, email: user.email ?? "", username: user.slug } }),
  };
}
