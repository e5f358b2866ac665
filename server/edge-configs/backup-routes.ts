import * as z from "zod";
import { pageLimit } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { damagedData } from "../platform/damage";
import { notFound } from "../platform/refusal";
import { findRow, listRows } from "../store/rows";
import { blocked, byId, loadConfig, unknownConfig } from "./config-route";
import type { EdgeConfigBackupRow, EdgeConfigRow } from "./object";
import * as wire from "./schema";
import { backupsOf } from "./store";
import { viewBackup, viewListedBackup } from "./view";
import { changeItems } from "./write";

/**
 * The backups of Edge Configs: their items after each of the last changes of items.
 * @choice An Edge Config keeps 50 backups. A change of the slug or the schema makes none.
 * @source the newest official client: /v1/global-config/{edgeConfigId}/backups
 */

const backupPath = byId.extend({ backupId: z.string().describe("Id of the backup.") });
const unknownBackup = [404, "not_found", "no such backup of the Edge Config"] as const;

/** @throws Refusal 404 */
async function loadBackup(
  call: Call<z.infer<typeof backupPath>>,
): Promise<{ config: EdgeConfigRow; backup: EdgeConfigBackupRow }> {
  const { config } = await loadConfig(call);
  const { backupId } = call.params;
  const backup = await findRow(call.tx, "edge_config_backups", { id: backupId, edge_config_id: config.id });
  if (!backup) throw notFound(`Backup ${JSON.stringify(backupId)} of the Edge Config ${config.id}`);
  return { config, backup };
}

const list = route({
  method: "GET",
  path: "/v1/edge-config/:id/backups",
  operationId: "getEdgeConfigBackups",
  summary: "Lists the backups of an Edge Config, the newest first.",
  scope: ["read:edge-config"],
  params: byId,
  query: z.object({
    limit: pageLimit.optional(),
    next: z.string().optional().describe("`next` of the page before."),
    metadata: z.string().optional().describe("Any value but `0` and `false`: the answer has the metadata."),
  }),
  success: [200, wire.backupList],
  throws: [unknownConfig],
  load: loadConfig,
  async handle({ tx, config, query: { limit = 50, next, metadata = "0" } }) {
    const all = await backupsOf(tx, config.id);
    const start = next === undefined ? 0 : all.findIndex(({ id }) => id === next);
    const page = start < 0 ? [] : all.slice(start, start + limit);
    const following = start < 0 ? undefined : all[start + limit];
    return {
      backups: page.map((row) => viewListedBackup(row, !["0", "false"].includes(metadata))),
      pagination: { hasNext: following !== undefined, ...(following && { next: following.id }) },
    };
  },
});

const get = route({
  method: "GET",
  path: "/v1/edge-config/:id/backups/:backupId",
  operationId: "getEdgeConfigBackup",
  summary: "Returns a backup of an Edge Config with its items.",
  scope: ["read:edge-config"],
  params: backupPath,
  success: [200, wire.backup],
  throws: [unknownConfig, unknownBackup, damagedData],
  load: loadBackup,
  handle: async ({ tx, services, backup }) =>
    viewBackup(services, backup, await findRow(tx, "accounts", { id: backup.created_by ?? "" })),
});

/** @choice Restoring makes a backup too. Its items get the time of the restoration. */
const restore = route({
  method: "POST",
  path: "/v1/edge-config/:id/backups/:backupId/restore",
  operationId: "restoreEdgeConfigBackup",
  summary: "Gives an Edge Config the items of a backup, instead of its own.",
  scope: ["read-write:edge-config"],
  params: backupPath,
  success: [200, wire.restored],
  throws: [unknownConfig, unknownBackup, damagedData],
  load: loadBackup,
  refuse: blocked,
  async handle(call) {
    const { tx, account, services, config, backup } = call;
    const { items } = viewBackup(services, backup, undefined).backup;
    const current = await listRows(tx, "edge_config_items", { edge_config_id: config.id });
    const changed = await changeItems(call, account, config, [
      ...current
        .filter(({ key }) => !Object.hasOwn(items, key))
        .map(({ key }) => ({ operation: "delete" as const, key })),
      ...Object.entries(items).map(([key, { value, description = "" }]) => ({
        ...{ operation: "upsert" as const, key, value, description },
      })),
    ]);
    const digests = { previousDigest: config.digest, digest: changed.digest };
    return { status: "ok" as const, ...digests, restoredFrom: backup.id };
  },
});

export const backupRoutes: readonly Route[] = [list, get, restore];
