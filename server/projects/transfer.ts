import { changeProject } from "../access/projects";
import { isTransferring } from "../access/rules";
import { freeTime } from "../deployments/store";
import { Refusal } from "../platform/refusal";
import type { AccountRow, ProjectRow } from "../store/schema";
import type { Tx, Unit } from "../store/store";
import { nameTakenThere } from "./rules";
import { isNameTaken } from "./store";

/**
 * Starts the transfer of a project to another account. Writes to it are refused until the transfer is complete.
 * @choice Conflicts in the other account are checked now and again at the end.
 * @throws Refusal 400 when the account has it already, 409 when it is being transferred or a name is taken there
 * @source Project; States and transitions
 */
export async function startTransfer(
  { tx, now }: Unit,
  project: ProjectRow,
  target: AccountRow,
): Promise<ProjectRow> {
  if (isTransferring(project)) {
    throw conflict(
      `The project "${project.name}" is already being transferred, to ${project.transfer_to_account_id}.`,
    );
  }
  if (target.id === project.account_id) {
    throw new Refusal(400, "bad_request", `The project "${project.name}" is already in that account.`);
  }
  await refuseTakenNames(tx, project, target.id);
  return changeProject({ tx, now }, project, {
    transfer_started_at: now,
    transfer_to_account_id: target.id,
    transfer_completed_at: null,
  });
}

/**
 * Completes a transfer: moves the project with its domains, variables and deployments.
 * @choice `transferToAccountId` is cleared. The installations of the old account no longer cover the project. There
 *   is no event, since the project was neither created nor removed.
 * @throws Refusal 409 when it is not being transferred, or a name was taken meanwhile
 */
export async function completeTransfer({ tx, now }: Unit, project: ProjectRow): Promise<ProjectRow> {
  const target = project.transfer_to_account_id;
  if (target === null)
    throw conflict(`The project "${project.name}" is not being transferred. Start a transfer first.`);
  await refuseTakenNames(tx, project, target);
  const moved = await changeProject(
    { tx, now },
    { ...project, account_id: target },
    {
      account_id: target,
      transfer_to_account_id: null,
      transfer_completed_at: now,
      transferred_from_account_id: project.account_id,
    },
  );
  await tx.updateTable("domains").set({ account_id: target }).where("project_id", "=", project.id).execute();
  await moveDeployments(tx, project, target);
  await tx.deleteFrom("configuration_projects").where("project_id", "=", project.id).execute();
  return moved;
}

/** @choice A deployment whose time another one of the new account has gets a later time. */
async function moveDeployments(tx: Tx, { account_id, name }: ProjectRow, target: string): Promise<void> {
  const own = tx
    .selectFrom("deployments")
    .select("id")
    .where("account_id", "=", account_id)
    .where("name", "=", name);
  await tx.updateTable("aliases").set({ account_id: target }).where("deployment_id", "in", own).execute();
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

async function refuseTakenNames(tx: Tx, project: ProjectRow, target: string): Promise<void> {
  if (await isNameTaken(tx, target, project.name)) throw conflict(nameTakenThere(project.name));
  const own = tx.selectFrom("domains").select("name").where("project_id", "=", project.id);
  const claimed = await tx
    .selectFrom("domains")
    .select("name")
    .where("account_id", "=", target)
    .where("name", "in", own)
    .orderBy("name")
    .executeTakeFirst();
  if (claimed) {
    throw conflict(
      `The other account has the domain ${claimed.name} already. Remove it from one of them first.`,
    );
  }
}

const conflict = (message: string): Refusal => new Refusal(409, "conflict", message);
