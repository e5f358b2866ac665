import { prepared, type Tx } from "../store/store";
import type { BypassSecretRow } from "./object";

/** The secrets that bypass the protection of a project's deployments. */

const secretsOfProject = prepared((tx, p: { id: string }) =>
  tx.selectFrom("bypass_secrets").selectAll().where("project_id", "=", p.id).orderBy("created_at"),
);

/** The secrets of a project, the oldest first. */
export const secretsOf = (tx: Tx, project: string): Promise<BypassSecretRow[]> =>
  secretsOfProject(tx, { id: project });

/** Selects the oldest secret as the variable of deployments, if none is selected. */
export async function ensureVariable(tx: Tx, project: string): Promise<void> {
  const rows = await tx
    .selectFrom("bypass_secrets")
    .select(["id", "is_env_var"])
    .where("project_id", "=", project)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const [oldest] = rows;
  if (oldest && rows.every(({ is_env_var }) => is_env_var === 0))
    await tx.updateTable("bypass_secrets").set({ is_env_var: 1 }).where("id", "=", oldest.id).execute();
}

/** Selects a secret as the variable of deployments, instead of the others. */
export async function makeVariable(tx: Tx, project: string, id: string): Promise<void> {
  await tx
    .updateTable("bypass_secrets")
    .set((eb) => ({ is_env_var: eb.case().when("id", "=", id).then(1).else(0).end() }))
    .where("project_id", "=", project)
    .execute();
}
