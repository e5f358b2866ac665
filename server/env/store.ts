import { sql } from "kysely";
import type { DomainEvent } from "../events/event";
import type { ProjectRow } from "../projects/object";
import { batched, prepared, type Tx } from "../store/store";
import type { Database } from "../store/tables";
import type { EnvVarRow } from "./object";
import { slotsOf } from "./rules";
import type { Counted, EnvTotals } from "./totals";

/** Finds and writes variables. Their list is in `list-store`, the rules are in `rules`. */

type EnvSlotRow = Database["env_slots"];

/** Rows per insert statement, since both engines limit the number of parameters. */
const chunk = 500;

const envVarById = prepared((tx, p: { project: string; id: string }) =>
  tx.selectFrom("env_vars").selectAll().where("id", "=", p.id).where("project_id", "=", p.project),
);

/** The keys of variables by their ids. Variables that no longer exist are left out. */
export async function findEnvKeys(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.selectFrom("env_vars").select(["id", "key"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, key }) => [id, key]));
}

export async function findEnvVar(tx: Tx, project: string, id: string): Promise<EnvVarRow | undefined> {
  return (await envVarById(tx, { project, id }))[0];
}

/** The variables of a project, the oldest first. In the order of the index, those of many projects need no sorting. */
export const variablesOf = batched(
  (tx, has) =>
    tx
      .selectFrom("env_vars")
      .selectAll()
      .where(has("project_id"))
      .orderBy("project_id")
      .orderBy("created_at"),
  (row) => row.project_id,
);

/** The variables of a project with these ids, the oldest first. */
export async function findEnvVars(tx: Tx, project: string, ids: readonly string[]): Promise<EnvVarRow[]> {
  const found: EnvVarRow[] = [];
  await inChunks([...new Set(ids)], async (some) => {
    const list = tx.selectFrom("env_vars").selectAll().where("project_id", "=", project);
    found.push(...(await list.where("id", "in", some).execute()));
  });
  return found.sort((a, b) => a.created_at - b.created_at);
}

const slotsOfKey = prepared((tx, p: { project: string; key: string }) =>
  tx.selectFrom("env_slots").selectAll().where("project_id", "=", p.project).where("key", "=", p.key),
);

/** The slots of the variables with these keys. */
export function findSlots(tx: Tx, project: string, keys: readonly string[]): Promise<EnvSlotRow[]> {
  const [key] = keys;
  if (key !== undefined && keys.length === 1) return slotsOfKey(tx, { project, key });
  return tx
    .selectFrom("env_slots")
    .selectAll()
    .where("project_id", "=", project)
    .where("key", "in", keys)
    .execute();
}

const saveTotals = prepared((tx, p: { project: string; totals: string }) =>
  tx.updateTable("projects").set({ env_totals: p.totals }).where("id", "=", p.project),
);

const newestOf = prepared((tx, p: { project: string }) =>
  tx
    .selectFrom("env_vars")
    .select("created_at")
    .where("project_id", "=", p.project)
    .orderBy("created_at", "desc")
    .limit(sql.lit(1)),
);

/** The creation time of a project's newest variable. New variables get a later time, because lists are paged by it. */
export async function lastCreatedAt(tx: Tx, project: string): Promise<number> {
  return (await newestOf(tx, { project }))[0]?.created_at ?? 0;
}

const insertOne = prepared((tx, p: { [K in keyof EnvVarRow]: EnvVarRow[K] }) =>
  tx.insertInto("env_vars").values({
    id: p.id,
    project_id: p.project_id,
    key: p.key,
    type: p.type,
    value: p.value,
    size: p.size,
    target: p.target,
    custom_environment_ids: p.custom_environment_ids,
    git_branch: p.git_branch,
    comment: p.comment,
    configuration_id: p.configuration_id,
    store_id: p.store_id,
    created_by: p.created_by,
    updated_by: p.updated_by,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

/** Writes the columns that a change may have. */
const updateOne = prepared((tx, p: { [K in keyof EnvVarRow]: EnvVarRow[K] }) =>
  tx
    .updateTable("env_vars")
    .set({
      key: p.key,
      type: p.type,
      value: p.value,
      size: p.size,
      target: p.target,
      custom_environment_ids: p.custom_environment_ids,
      git_branch: p.git_branch,
      comment: p.comment,
      updated_by: p.updated_by,
      updated_at: p.updated_at,
    })
    .where("id", "=", p.id),
);

const insertSlot = prepared((tx, p: { [K in keyof EnvSlotRow]: EnvSlotRow[K] }) =>
  tx.insertInto("env_slots").values({
    project_id: p.project_id,
    key: p.key,
    target: p.target,
    git_branch: p.git_branch,
    env_id: p.env_id,
  }),
);

const deleteSlots = prepared((tx, p: { project: string; key: string; env: string }) =>
  tx
    .deleteFrom("env_slots")
    .where("project_id", "=", p.project)
    .where("key", "=", p.key)
    .where("env_id", "=", p.env),
);

/** A change of a project's variables. */
interface Change {
  fresh?: readonly EnvVarRow[];
  changed?: readonly EnvVarRow[];
  deleted?: readonly EnvVarRow[];
  /** The old variables whose slots are deleted. Default: the variables that are changed or deleted. */
  before?: readonly EnvVarRow[];
}

/** Writes variables with their slots, and the totals of their project. */
export async function writeChange(
  tx: Tx,
  { id: project }: Pick<ProjectRow, "id">,
  totals: EnvTotals,
  { fresh = [], changed = [], deleted = [], before = [...changed, ...deleted] }: Change,
): Promise<void> {
  await saveTotals(tx, { project, totals: totals.toString() });
  await freeSlots(tx, project, before);
  await inChunks(deleted, (rows) => tx.deleteFrom("env_vars").where("id", "in", idsOf(rows)).execute());
  for (const row of changed) await updateOne(tx, { ...row });
  const slots = [...fresh, ...changed].flatMap(slotRows);
  if (fresh.length + changed.length > 1) {
    await inChunks(fresh, (rows) => tx.insertInto("env_vars").values(rows).execute());
    await inChunks(slots, (rows) => tx.insertInto("env_slots").values(rows).execute());
    return;
  }
  for (const row of fresh) await insertOne(tx, { ...row });
  for (const slot of slots) await insertSlot(tx, { ...slot });
}

/** Deletes the slots of variables, without an index by variable, because the index would slow down each insert. */
async function freeSlots(tx: Tx, project: string, rows: readonly EnvVarRow[]): Promise<void> {
  const [only] = rows;
  if (only && rows.length === 1) {
    await deleteSlots(tx, { project, key: only.key, env: only.id });
    return;
  }
  await inChunks(rows, (some) =>
    tx.deleteFrom("env_slots").where("project_id", "=", project).where("env_id", "in", idsOf(some)).execute(),
  );
}

const idsOf = (rows: readonly EnvVarRow[]): string[] => rows.map(({ id }) => id);

async function inChunks<R>(rows: readonly R[], run: (some: R[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += chunk) await run(rows.slice(at, at + chunk));
}

function slotRows(row: EnvVarRow): EnvSlotRow[] {
  return slotsOf(assignmentOf(row)).map(({ target, branch }) => ({
    project_id: row.project_id,
    key: row.key,
    target,
    git_branch: branch,
    env_id: row.id,
  }));
}

/** The targets, custom environments and branch of a variable. */
export function assignmentOf(row: EnvVarRow): Parameters<typeof slotsOf>[0] {
  return {
    target: JSON.parse(row.target),
    customEnvironmentIds: JSON.parse(row.custom_environment_ids),
    gitBranch: row.git_branch,
  };
}

/** The slots and the size of a variable, for the totals. */
export const countOf = (row: EnvVarRow): Counted => ({ slots: slotsOf(assignmentOf(row)), size: row.size });

/** The event of a variable, without its value. @source wire-shapes 10 */
export const envEvent = (
  what: "created" | "updated" | "deleted",
  { id, project_id: projectId, configuration_id: madeBy }: EnvVarRow,
): DomainEvent => ({
  type: `project.env-variable.${what}`,
  payload: { projectId, envVarId: id },
  projectId,
  variable: { madeBy },
});
