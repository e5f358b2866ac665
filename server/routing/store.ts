import { newId } from "../platform/ids";
import { notFound } from "../platform/refusal";
import { changeRows, deleteRows, findRow, insertRow, listRows } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import { type RoutingVersionRow, routingVersions } from "./object";

/** The versions of the redirects or of the routes of a project. */

const table = "routing_versions";
/** @choice The number of versions that are kept. */
const mostVersions = 20;

export type Kind = RoutingVersionRow["kind"];

/** The versions of a project: the staged one, then the others, the newest first. */
export async function listVersions(tx: Tx, projectId: string, kind: Kind): Promise<RoutingVersionRow[]> {
  const rows = await listRows(tx, table, { project_id: projectId, kind }, "-number");
  return rows.sort((a, b) => b.is_staging - a.is_staging);
}

const findVersion = (
  tx: Tx,
  projectId: string,
  kind: Kind,
  which: Partial<Pick<RoutingVersionRow, "id" | "is_live" | "is_staging">>,
): Promise<RoutingVersionRow | undefined> => findRow(tx, table, { project_id: projectId, kind, ...which });

/** @throws Refusal 404 */
export async function loadVersion(
  tx: Tx,
  projectId: string,
  kind: Kind,
  id: string,
): Promise<RoutingVersionRow> {
  const row = await findVersion(tx, projectId, kind, { id });
  if (!row) throw notFound(`The version ${JSON.stringify(id)}`);
  return row;
}

export const itemsOf = <T>(row: RoutingVersionRow | undefined): T[] => (row ? JSON.parse(row.items) : []);

/** The version that production serves, and the one with all changes: the staged one if there is one. */
export async function readVersions(
  tx: Tx,
  projectId: string,
  kind: Kind,
): Promise<{ live: RoutingVersionRow | undefined; latest: RoutingVersionRow | undefined }> {
  const live = await findVersion(tx, projectId, kind, { is_live: 1 });
  return { live, latest: (await findVersion(tx, projectId, kind, { is_staging: 1 })) ?? live };
}

interface Staged {
  projectId: string;
  kind: Kind;
  items: readonly object[];
  /** The id of the user. */
  by: string;
  name?: string | undefined;
}

/** Writes the staged version. @choice Each change gives it a new id. */
export async function stageVersion(
  { tx, now }: Unit,
  { projectId, kind, items, by, name }: Staged,
): Promise<RoutingVersionRow> {
  await deleteRows(tx, table, { project_id: projectId, kind, is_staging: 1 });
  const others = await listVersions(tx, projectId, kind);
  const old = others.filter(({ is_live }) => is_live === 0).slice(mostVersions - 2);
  for (const { id } of old) await deleteRows(tx, table, { id });
  const row: RoutingVersionRow = {
    id: newId(routingVersions),
    project_id: projectId,
    kind,
    number: Math.max(0, ...others.map(({ number }) => number)) + 1,
    ...{ is_live: 0, is_staging: 1 },
    name: name ?? null,
    items: JSON.stringify(items),
    created_by: by,
    updated_at: now,
  };
  await insertRow(tx, table, row);
  return row;
}

/** Makes a version the one that production serves. */
export async function publishVersion(
  { tx, now }: Unit,
  row: RoutingVersionRow,
  change: Partial<Pick<RoutingVersionRow, "items" | "name">> = {},
): Promise<RoutingVersionRow> {
  const { id, project_id, kind } = row;
  const columns = { is_live: 1, is_staging: 0, updated_at: now, ...change } as const;
  await changeRows(tx, table, { project_id, kind, is_live: 1 }, { is_live: 0 });
  await changeRows(tx, table, { id }, columns);
  return { ...row, ...columns };
}

export const discardVersion = (tx: Tx, { id }: RoutingVersionRow): Promise<void> =>
  deleteRows(tx, table, { id });
