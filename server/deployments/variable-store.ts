import { hash } from "node:crypto";
import { findProject } from "../access/project-store";
import { variablesFor } from "../env/environment-store";
import type { EnvVarRow } from "../env/object";
import { sharedVariablesFor } from "../env/shared-store";
import type { ProjectRow } from "../projects/object";
import type { Tx } from "../store/store";
import type { DeploymentRow } from "./object";

/** Records which value of each variable a deployment was built with, as a hash instead of the value. */

/** A hash of each variable's value, by the variable's key. */
type Revisions = Record<string, string>;

/** A variable that has changed since a deployment was built. */
export interface OutdatedVariable {
  key: string;
  change: "added" | "changed" | "removed";
}

/** Records the variables of a new deployment. A deployment that precedes its project has none. */
export async function recordVariables(tx: Tx, row: DeploymentRow): Promise<void> {
  const project = await findProject(tx, row.account_id, row.name);
  if (!project) return;
  const revisions = JSON.stringify(await currentRevisions(tx, project, row));
  await tx.insertInto("deployment_variables").values({ deployment_id: row.id, revisions }).execute();
}

/** The variables whose values would differ if the deployment were built now, ordered by key. */
export async function outdatedVariables(
  tx: Tx,
  project: ProjectRow,
  row: DeploymentRow,
): Promise<OutdatedVariable[]> {
  const record = await tx
    .selectFrom("deployment_variables")
    .select("revisions")
    .where("deployment_id", "=", row.id)
    .executeTakeFirst();
  if (!record) return [];
  const built: Revisions = JSON.parse(record.revisions);
  const now = await currentRevisions(tx, project, row);
  const keys = [...new Set([...Object.keys(built), ...Object.keys(now)])].sort();
  return keys.flatMap((key): OutdatedVariable[] => {
    if (built[key] === now[key]) return [];
    return [
      { key, change: built[key] === undefined ? "added" : now[key] === undefined ? "removed" : "changed" },
    ];
  });
}

async function currentRevisions(
  tx: Tx,
  project: ProjectRow,
  { target, custom_environment_id, git_branch }: DeploymentRow,
): Promise<Revisions> {
  const environment = custom_environment_id ?? target;
  const shared = await sharedVariablesFor(tx, project.id, environment);
  const rows = await variablesFor(tx, project.id, environment, git_branch ?? "");
  // Later rows take precedence: project variables over shared variables, and branch variables over both.
  return Object.fromEntries([...shared, ...rows].map((row) => [row.key, revisionOf(row)]));
}

/** A value is encrypted again whenever it changes, so two encrypted texts differ if the value was changed. */
const revisionOf = ({ value }: Pick<EnvVarRow, "value">): string => hash("sha256", value).slice(0, 16);
