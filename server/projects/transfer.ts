import { changeProject } from "../access/project-store";
import { isTransferring } from "../access/rules";
import type { AccountRow } from "../accounts/object";
import { hasRow } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { ProjectRow } from "./object";
import { transferRefused } from "./rules";
import { domainOfBoth, moveBelongings } from "./transfer-store";

/**
 * Starts the transfer of a project to another account. Writes to the project are refused until the transfer ends.
 * @choice Conflicts in the other account are checked at the start, and again on completion.
 * @throws Refusal 400 if the account already owns the project; 409 if a transfer is in progress, or the other account
 *   has a project or domain with the same name
 * @source Project; States and transitions
 */
export async function startTransfer(
  { tx, now }: Unit,
  project: ProjectRow,
  target: AccountRow,
): Promise<ProjectRow> {
  if (isTransferring(project)) {
    throw transferRefused.running(project);
  }
  if (target.id === project.account_id) {
    throw transferRefused.sameAccount(project);
  }
  await refuseTakenNames(tx, project, target.id);
  return changeProject({ tx, now }, project, {
    transfer_started_at: now,
    transfer_to_account_id: target.id,
    transfer_completed_at: null,
  });
}

/**
 * Completes a transfer: moves the project with its domains, variables, deployments and aliases.
 * @choice `transferToAccountId` is cleared. The project loses its members and its links to shared variables, and the
 *   installations of the old account no longer cover it. There is no event, since the project was neither created nor
 *   removed.
 * @throws Refusal 409 when the project is not being transferred, or the new account now has a project or domain with
 *   the same name
 */
export async function completeTransfer({ tx, now }: Unit, project: ProjectRow): Promise<ProjectRow> {
  const target = project.transfer_to_account_id;
  if (target === null) throw transferRefused.notStarted(project);
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
  await moveBelongings(tx, project, target);
  return moved;
}

async function refuseTakenNames(tx: Tx, project: ProjectRow, target: string): Promise<void> {
  if (await hasRow(tx, "projects", { account_id: target, name: project.name }))
    throw transferRefused.nameTaken(project);
  const domain = await domainOfBoth(tx, project.id, target);
  if (domain !== undefined) throw transferRefused.domainTaken(domain);
}
