import type { DeploymentRow } from "../store/schema";
import type { Tx } from "../store/store";
import { emitDeploymentEvents } from "./events";
import { addDeployment, type Build, changeDeployment } from "./store";

/** How long a simulated build takes, in milliseconds of the server's clock. @choice */
const buildMs = 1000;

/** Adds a deployment that is ready after `buildMs`. @param creator id of the user who made it */
export async function startBuild(
  tx: Tx,
  now: number,
  account: Parameters<typeof addDeployment>[2],
  build: Omit<Build, "readyState">,
  creator: string,
): Promise<DeploymentRow> {
  const building = { ...build, readyState: "BUILDING" as const, readyAt: now + buildMs };
  const row = await addDeployment(tx, now, account, building, creator);
  await emitDeploymentEvents(tx, undefined, row, now);
  return row;
}

/** Selects the builds that are due. */
export const dueBuilds = (tx: Tx, now: number) =>
  tx.selectFrom("deployments").selectAll().where("ready_at", "<=", now);

/** Finishes the builds that are due, the oldest first. */
export async function completeDueBuilds(tx: Tx, now: number): Promise<void> {
  for (const before of await dueBuilds(tx, now).orderBy("created_at").execute()) {
    const after = await changeDeployment(tx, before, { project: before.name, readyState: "READY" });
    await emitDeploymentEvents(tx, before, after, now);
  }
}
