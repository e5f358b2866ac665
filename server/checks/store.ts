import { changeRows, deleteRows, insertRow } from "../store/rows";
import type { Tx } from "../store/store";
import type { CheckRunRow, DeploymentCheckRow, ProjectCheckRow } from "./object";

type RunFilter = { deployment_id: string } | { check_id: string; project_id: string };
export type RunWithCheck = CheckRunRow & { check: ProjectCheckRow };

/** Runs with their checks, the newest first. */
export async function runsOf(tx: Tx, filter: RunFilter, id?: string): Promise<RunWithCheck[]> {
  let query = tx.selectFrom("check_runs").selectAll();
  for (const [column, value] of Object.entries({ ...filter, ...(id !== undefined && { id }) }))
    query = query.where(column as "id", "=", value);
  const runs = await query.orderBy("created_at", "desc").orderBy("id", "desc").execute();
  const ids = [...new Set(runs.map(({ check_id }) => check_id))];
  if (ids.length === 0) return [];
  const checks = await tx.selectFrom("project_checks").selectAll().where("id", "in", ids).execute();
  const byId = new Map(checks.map((check) => [check.id, check]));
  return runs.flatMap((run) => {
    const check = byId.get(run.check_id);
    return check ? [{ ...run, check }] : [];
  });
}

/** @choice The runs of a check are deleted with it. */
export async function deleteProjectCheck(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, "check_runs", { check_id: id });
  await deleteRows(tx, "project_checks", { id });
}

export const insertProjectCheck = (tx: Tx, row: ProjectCheckRow): Promise<void> =>
  insertRow(tx, "project_checks", row);
export const insertRun = (tx: Tx, row: CheckRunRow): Promise<void> => insertRow(tx, "check_runs", row);
export const insertCheck = (tx: Tx, row: DeploymentCheckRow): Promise<void> =>
  insertRow(tx, "deployment_checks", row);

/** Changes a check of a deployment. */
export async function changeCheck(
  tx: Tx,
  row: DeploymentCheckRow,
  change: Partial<DeploymentCheckRow>,
): Promise<DeploymentCheckRow> {
  await changeRows(tx, "deployment_checks", { id: row.id }, change);
  return { ...row, ...change };
}
