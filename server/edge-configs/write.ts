import { createHash, randomUUID } from "node:crypto";
import type { Account } from "../access/caller";
import { derivedId, newId } from "../platform/ids";
import type { Vault } from "../platform/vault";
import { insertRow, listRows } from "../store/rows";
import type { Unit } from "../store/store";
import {
  type EdgeConfigItemRow,
  type EdgeConfigRow,
  type EdgeConfigTokenRow,
  edgeConfigBackups,
} from "./object";
import { refuseOperation, refuseTooLarge } from "./rules";
import type { ItemOperation } from "./schema";
import { changeConfig, insertBackup, writeItems } from "./store";

interface Writer extends Unit {
  services: { vault: Pick<Vault, "seal" | "digest"> };
  /** Absent for seeds. */
  caller?: { userId: string };
}

/** The id of an item, for the encryption of its value and for logs. */
export const itemIdOf = ({
  edge_config_id,
  key,
}: Pick<EdgeConfigItemRow, "edge_config_id" | "key">): string => `${edge_config_id}/${key}`;

export interface NewConfig {
  id: string;
  accountId: string;
  slug: string;
  schema: Record<string, unknown> | null;
  createdBy: string | null;
  createdAt: number;
}

/** Adds an Edge Config without items. */
export async function addConfig({ tx }: Pick<Unit, "tx">, config: NewConfig): Promise<EdgeConfigRow> {
  const row: EdgeConfigRow = {
    id: config.id,
    account_id: config.accountId,
    slug: config.slug,
    schema: config.schema && JSON.stringify(config.schema),
    digest: digestOf([]),
    item_count: 0,
    size: 0,
    created_by: config.createdBy,
    created_at: config.createdAt,
    updated_at: config.createdAt,
  };
  await insertRow(tx, "edge_configs", row);
  return row;
}

/**
 * Carries out operations on items, all or none of them.
 * @choice The server stores the schema of an Edge Config, but does not check the items against the schema.
 * @param account its plan limits the size of the items; undefined for no limit
 * @throws Refusal 400, 404, 409
 */
export async function changeItems(
  { tx, now, services, caller }: Writer,
  account: Pick<Account, "plan"> | undefined,
  config: EdgeConfigRow,
  operations: readonly ItemOperation[],
): Promise<EdgeConfigRow> {
  const items = new Map(
    (await listRows(tx, "edge_config_items", { edge_config_id: config.id }, "key")).map((row) => [
      row.key,
      row,
    ]),
  );
  const touched = new Set<string>();
  for (const change of operations) {
    const before = items.get(change.key);
    refuseOperation(config, change, before);
    touched.add(change.key);
    if (change.operation === "delete") items.delete(change.key);
    else items.set(change.key, itemAfter({ now, services }, config, change, before));
  }
  const rows = [...items.values()];
  const size = rows.reduce((sum, row) => sum + Number(row.size), 0);
  if (account) refuseTooLarge(account, size);
  const written = rows.filter(({ key }) => touched.has(key));
  await writeItems(tx, config.id, [...touched], written);
  const change = { digest: digestOf(rows), item_count: rows.length, size, updated_at: now };
  const changed = await changeConfig(tx, config.id, change);
  await backUp({ tx, now }, changed, rows, caller?.userId ?? null);
  return changed;
}

/** An item in a backup, with its sealed value. */
export type BackupItem = Pick<
  EdgeConfigItemRow,
  "key" | "value" | "description" | "created_at" | "updated_at"
>;

/** Keeps the items after a change. A seed, which has no user, always makes the same backup. */
async function backUp(
  { tx, now }: Unit,
  { id: edge_config_id, slug, digest, item_count, size }: EdgeConfigRow,
  rows: readonly EdgeConfigItemRow[],
  created_by: string | null,
): Promise<void> {
  const items = rows.map(
    ({ key, value, description, created_at, updated_at }): BackupItem => ({
      ...{ key, value, description, created_at, updated_at },
    }),
  );
  await insertBackup(tx, {
    ...{
      id:
        created_by === null ? derivedId(edgeConfigBackups, edge_config_id, digest) : newId(edgeConfigBackups),
      edge_config_id,
      slug,
      digest,
      items: JSON.stringify(items),
    },
    ...{ item_count, size, created_by, created_at: now },
  });
}

/** @choice An empty description removes the current description. */
function itemAfter(
  { now, services: { vault } }: Omit<Writer, "tx">,
  config: EdgeConfigRow,
  { key, value, description }: Pick<ItemOperation, "key" | "value" | "description">,
  before: EdgeConfigItemRow | undefined,
): EdgeConfigItemRow {
  const place = { edge_config_id: config.id, key };
  const described = description === undefined ? (before?.description ?? null) : description || null;
  const times = { created_at: before?.created_at ?? now, updated_at: now };
  if (value === undefined && before) return { ...before, description: described, ...times };
  const text = JSON.stringify(value);
  return {
    ...place,
    value: vault.seal(itemIdOf(place), text),
    digest: vault.digest(JSON.stringify([key, text])),
    size: Buffer.byteLength(key) + Buffer.byteLength(text),
    description: described,
    ...times,
  };
}

/** A digest of items. It does not depend on their order. */
function digestOf(items: readonly Pick<EdgeConfigItemRow, "digest">[]): string {
  const digests = items.map(({ digest }) => digest).sort();
  return createHash("sha256").update(digests.join()).digest("hex");
}

/** @returns the token, which is not stored */
export async function addToken(
  { tx, now, services }: Writer,
  { id, configId, label }: { id: string; configId: string; label: string },
  token: string = randomUUID(),
): Promise<string> {
  const row: EdgeConfigTokenRow = {
    id,
    edge_config_id: configId,
    label,
    digest: services.vault.digest(token),
    partial: token.slice(0, 3),
    created_at: now,
  };
  await insertRow(tx, "edge_config_tokens", row);
  return token;
}
