import { findAccount } from "../access/account-store";
import { firstOwner } from "../access/member-store";
import type { AccountRow } from "../accounts/object";
import type { BuildRecord } from "../deployments/build-record";
import type { DeploymentRow } from "../deployments/object";
import { addDeployment, changeDeployment, findDeployment } from "../deployments/store";
import type { Tx, Unit } from "../store/store";
import { ownerOf } from "./accounts";
import { type SeedDeployment, timeOf } from "./document";
import { SeedConflict, SeedError } from "./error";

/**
 * Adds a deployment as a build would, or changes the deployment with the same id. A second call changes nothing.
 * The newest successful production build then serves production, unless automatic assignment is off.
 * @choice The account and the name of an existing deployment do not change, except by a rename of its project.
 */
export async function putDeployment(
  { tx, now }: Unit,
  given: SeedDeployment,
  place: (string | number)[],
): Promise<DeploymentRow> {
  const account = await ownerOf(tx, given, place);
  const known = given.id === undefined ? undefined : await findDeployment(tx, given.id);
  if (known && known.account_id !== account.id) {
    throw new SeedConflict([...place, "id"], `the id ${known.id} belongs to a deployment of another account`);
  }
  if (known) return changeDeployment(tx, known, given);
  const createdAt = given.createdAt === undefined ? undefined : timeOf(given.createdAt, now);
  const creator = await creatorOf(tx, account, given, place);
  const record = given.readySubstate === "STAGED" ? stagedAt(createdAt ?? now) : undefined;
  return addDeployment({ tx, now }, account, { ...given, createdAt, record }, creator);
}

/** A build that has ended, and that production does not serve. */
const stagedAt = (at: number): BuildRecord => ({
  ...{ initializingAt: at, buildingAt: at, endsAt: at },
  outcome: "READY",
  keepsProduction: true,
});

/** @choice The default is the user of a personal account, or the first owner of a team. */
async function creatorOf(
  tx: Tx,
  account: AccountRow,
  { creator }: SeedDeployment,
  place: (string | number)[],
): Promise<string> {
  if (creator !== undefined) {
    const user = await findAccount(tx, "user", creator);
    if (!user) throw new SeedError([...place, "creator"], `there is no user ${JSON.stringify(creator)}`);
    return user.id;
  }
  if (account.kind === "user") return account.id;
  return (await firstOwner(tx, account.id)) ?? account.id;
}
