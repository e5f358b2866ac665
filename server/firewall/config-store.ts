import { newId } from "../platform/ids";
import { changeRows, deleteRows, findRow, insertRow, listRows } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { ConfigChange, Settings } from "./config-schema";
import { type FirewallConfigRow, firewallConfigs } from "./object";

/** The versions of a project's firewall configuration. */

const table = "firewall_configs";
/** The version of the draft. */
const draft = 0;
/** @choice The number of versions that are kept. */
const mostVersions = 20;

/** The versions of a project, the newest first. The draft, if there is one, is the last. */
export const listConfigs = (tx: Tx, projectId: string): Promise<FirewallConfigRow[]> =>
  listRows(tx, table, { project_id: projectId }, "-version");

/** @param version `active`, `draft`, or the number of a version */
export async function findConfig(
  tx: Tx,
  projectId: string,
  version: string,
): Promise<FirewallConfigRow | undefined> {
  if (version === "active") return findRow(tx, table, { project_id: projectId, is_active: 1 });
  const number = version === "draft" ? draft : Number(version);
  return Number.isSafeInteger(number)
    ? findRow(tx, table, { project_id: projectId, version: number })
    : undefined;
}

export const readSettings = (row: FirewallConfigRow): Settings => JSON.parse(row.settings);

/** Adds a version, which becomes the active one. */
export async function activateSettings(
  { tx, now }: Unit,
  projectId: string,
  settings: Settings,
): Promise<FirewallConfigRow> {
  const versions = await listConfigs(tx, projectId);
  const row = rowOf(projectId, settings, {
    version: (versions[0]?.version ?? 0) + 1,
    is_active: 1,
    updated_at: now,
  });
  await changeRows(tx, table, { project_id: projectId, is_active: 1 }, { is_active: 0 });
  for (const { id, version } of versions.slice(mostVersions - 1))
    if (version !== draft) await deleteRows(tx, table, { id });
  await insertRow(tx, table, row);
  return row;
}

export async function writeDraft(
  { tx, now }: Unit,
  projectId: string,
  settings: Settings,
  changes: readonly ConfigChange[],
): Promise<FirewallConfigRow> {
  const row = rowOf(projectId, settings, { version: draft, is_active: 0, updated_at: now });
  await deleteDraft(tx, projectId);
  const written = { ...row, changes: JSON.stringify(changes) };
  await insertRow(tx, table, written);
  return written;
}

export const deleteDraft = (tx: Tx, projectId: string): Promise<void> =>
  deleteRows(tx, table, { project_id: projectId, version: draft });

const rowOf = (
  projectId: string,
  settings: Settings,
  columns: Pick<FirewallConfigRow, "version" | "is_active" | "updated_at">,
): FirewallConfigRow => ({
  id: newId(firewallConfigs),
  project_id: projectId,
  settings: JSON.stringify(settings),
  changes: "[]",
  ...columns,
});
