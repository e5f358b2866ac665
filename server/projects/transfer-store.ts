import { freeTime } from "../deployments/store";
import type { Tx, Unit } from "../store/store";
import type { ProjectRow, TransferRequestRow } from "./object";

/** Moves the rows of a project to another account. Installations of the old account no longer cover the project. */
export async function moveBelongings(tx: Tx, project: ProjectRow, target: string): Promise<void> {
  await moveAddedDomains(tx, project, target);
  await tx.updateTable("domains").set({ account_id: target }).where("project_id", "=", project.id).execute();
  await moveDeployments(tx, project, target);
  await tx.deleteFrom("configuration_projects").where("project_id", "=", project.id).execute();
  await tx.deleteFrom("shared_env_links").where("project_id", "=", project.id).execute();
  // The members of the project, and the groups that have it, belong to the old team.
  await tx.deleteFrom("project_members").where("project_id", "=", project.id).execute();
  await tx.deleteFrom("access_group_projects").where("project_id", "=", project.id).execute();
  await tx.deleteFrom("microfrontends").where("project_id", "=", project.id).execute();
  await tx.deleteFrom("transfer_requests").where("project_id", "=", project.id).execute();
  await disconnectStores(tx, project);
}

/** @choice A Blob store stays in its account. The variable stays with the project, whose deployments may need it. */
async function disconnectStores(tx: Tx, { id }: ProjectRow): Promise<void> {
  await tx.deleteFrom("blob_connections").where("project_id", "=", id).execute();
  await tx.updateTable("env_vars").set({ store_id: null }).where("project_id", "=", id).execute();
}

/** @choice A domain that was added to the account moves with the project that has it. */
async function moveAddedDomains(tx: Tx, { id, account_id }: ProjectRow, target: string): Promise<void> {
  const names = tx.selectFrom("domains").select("name").where("project_id", "=", id);
  const moved = await tx
    .deleteFrom("added_domains")
    .where("account_id", "=", account_id)
    .where("name", "in", names)
    .returningAll()
    .execute();
  for (const row of moved)
    await tx
      .insertInto("added_domains")
      .values({ ...row, account_id: target })
      .onConflict((conflict) => conflict.columns(["account_id", "name"]).doNothing())
      .execute();
}

/** @choice A deployment gets a later time if the new account already has a deployment with the same time. */
async function moveDeployments(tx: Tx, { account_id, name }: ProjectRow, target: string): Promise<void> {
  const own = tx
    .selectFrom("deployments")
    .select("id")
    .where("account_id", "=", account_id)
    .where("name", "=", name);
  for (const table of ["aliases", "deployment_checks"] as const)
    await tx.updateTable(table).set({ account_id: target }).where("deployment_id", "in", own).execute();
  const clashing = await tx
    .selectFrom("deployments")
    .select(["id", "created_at"])
    .where("account_id", "=", account_id)
    .where("name", "=", name)
    .where("created_at", "in", (eb) =>
      eb.selectFrom("deployments").select("created_at").where("account_id", "=", target),
    )
    .execute();
  for (const { id, created_at } of clashing) {
    const time = await freeTime(tx, target, created_at);
    await tx
      .updateTable("deployments")
      .set({ account_id: target, created_at: time })
      .where("id", "=", id)
      .execute();
  }
  await tx
    .updateTable("deployments")
    .set({ account_id: target })
    .where("account_id", "=", account_id)
    .where("name", "=", name)
    .execute();
}

/** A domain of a project that another account also has, if there is one. */
export async function domainOfBoth(tx: Tx, project: string, other: string): Promise<string | undefined> {
  const own = tx.selectFrom("domains").select("name").where("project_id", "=", project);
  const found = await tx
    .selectFrom("domains")
    .select("name")
    .where("account_id", "=", other)
    .where("name", "in", own)
    .orderBy("name")
    .executeTakeFirst();
  return found?.name;
}

/** Stores the request for the transfer of a project, in the place of an earlier one. */
export async function putTransferRequest(
  tx: Tx,
  { project_id, ...columns }: TransferRequestRow,
): Promise<void> {
  await tx
    .insertInto("transfer_requests")
    .values({ project_id, ...columns })
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet(columns))
    .execute();
}

/** The project of a request for its transfer. @returns undefined for a code that is unknown or has expired */
export const requestedProject = ({ tx, now }: Unit, hash: string): Promise<ProjectRow | undefined> =>
  tx
    .selectFrom("projects")
    .selectAll()
    .where("id", "in", (eb) =>
      eb
        .selectFrom("transfer_requests")
        .select("project_id")
        .where("hash", "=", hash)
        .where("expires_at", ">", now),
    )
    .executeTakeFirst();
