import type { AccountRow } from "../accounts/object";
import { outbox } from "../events/outbox";
import { removeConfiguration } from "../integrations/store";
import { deleteProject } from "../projects/store";
import { deleteRows, listRows } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import { accountTables, deploymentTables } from "../store/tables";

/** Finds a project that is being transferred from or to a team. */
export async function transferringProject(tx: Tx, team: string): Promise<string | undefined> {
  const project = await tx
    .selectFrom("projects")
    .select("name")
    .where("transfer_to_account_id", "is not", null)
    .where((eb) => eb.or([eb("account_id", "=", team), eb("transfer_to_account_id", "=", team)]))
    .executeTakeFirst();
  return project?.name;
}

/** The tables of parts of objects of an account, with the column that names the object, and the object's table. */
const parts = [
  ["access_group_members", "access_group_id", "access_groups"],
  ["edge_config_items", "edge_config_id", "edge_configs"],
  ["edge_config_tokens", "edge_config_id", "edge_configs"],
  ["edge_config_backups", "edge_config_id", "edge_configs"],
  ...deploymentTables.map((table) => [table, "deployment_id", "deployments"] as const),
] as const;

/** These stay until they are old, so that receivers still get the last events. */
const kept: readonly string[] = ["events", "receivers"];

/**
 * Deletes a team with everything that it owns. Its projects and its installations end with the events of a removal,
 * which its webhooks and integrations still get.
 * @param user id of the user who deletes it
 */
export async function removeTeam({ tx, now }: Unit, team: AccountRow, user: string): Promise<void> {
  const emit = outbox({ tx, now }, team, user);
  const own = { account_id: team.id };
  for (const project of await listRows(tx, "projects", own, "id")) {
    const { id, name } = project;
    await emit({ type: "project.removed", payload: { project: { id, name } }, projectId: id });
    await deleteProject(tx, project);
  }
  for (const { id } of await listRows(tx, "configurations", own, "id"))
    await removeConfiguration({ tx, now }, id, user);
  for (const [table, column, owners] of parts) {
    const ids = tx.selectFrom(owners).select("id").where("account_id", "=", team.id);
    await tx
      .deleteFrom(table as "edge_config_items")
      .where(column as "edge_config_id", "in", ids)
      .execute();
  }
  for (const table of accountTables.filter((name) => !kept.includes(name))) await deleteRows(tx, table, own);
  await deleteRows(tx, "members", { team_id: team.id });
  await deleteRows(tx, "accounts", { id: team.id });
}
