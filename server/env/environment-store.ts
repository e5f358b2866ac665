import { envTargets } from "../../provider/vocabulary";
import type { CustomEnvironmentRow } from "../environments/object";
import { batched, type Tx } from "../store/store";
import type { EnvVarRow } from "./object";

/** Queries of custom environments and their variables. `env_slots` has a row per target and branch of a variable. */

export function listEnvironments(tx: Tx, project: string): Promise<CustomEnvironmentRow[]> {
  return tx
    .selectFrom("custom_environments")
    .selectAll()
    .where("project_id", "=", project)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** @param key id or slug */
export function findEnvironment(
  tx: Tx,
  project: string,
  key: string,
): Promise<CustomEnvironmentRow | undefined> {
  return tx
    .selectFrom("custom_environments")
    .selectAll()
    .where("project_id", "=", project)
    .where((eb) => eb.or([eb("id", "=", key), eb("slug", "=", key)]))
    .executeTakeFirst();
}

/**
 * The `target` of an environment's rows in `env_slots`: a target's name, or a custom environment's id.
 * @param key a target's name, or the id or slug of a custom environment
 */
export async function findSlotTarget(tx: Tx, project: string, key: string): Promise<string | undefined> {
  if (envTargets.some((target) => target === key)) return key;
  return (await findEnvironment(tx, project, key))?.id;
}

/**
 * The variables that deployments of an environment get. Variables of the branch come last and override the others.
 * @param target a target's name, or a custom environment's id
 */
export function variablesFor(tx: Tx, project: string, target: string, branch = ""): Promise<EnvVarRow[]> {
  return tx
    .selectFrom("env_vars as v")
    .innerJoin("env_slots as s", "s.env_id", "v.id")
    .selectAll("v")
    .where("s.project_id", "=", project)
    .where("s.target", "=", target)
    .where("s.git_branch", "in", ["", branch])
    .orderBy("s.git_branch")
    .orderBy("v.created_at")
    .execute();
}

export const environmentsOf = batched(
  (tx, has) =>
    tx.selectFrom("custom_environments").selectAll().where(has("project_id")).orderBy("created_at"),
  (row) => row.project_id,
);
