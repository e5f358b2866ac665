import type { DeploymentRow } from "../store/schema";
import type { Unit } from "../store/store";
import { emitDeploymentEvents } from "./events";
import { addDeployment, type Build, changeDeployment, dueBuilds } from "./store";

/** How long a simulated build takes, in milliseconds of the server's clock. @choice */
const buildMs = 1000;

/** Adds a deployment that is ready after `buildMs`. @param creator id of the user who made it */
export async function startBuild(
  { tx, now }: Unit,
  account: Parameters<typeof addDeployment>[1],
  build: Omit<Build, "readyState">,
  creator: string,
): Promise<DeploymentRow> {
  const building = { ...build, readyState: "BUILDING" as const, readyAt: now + buildMs };
  const row = await addDeployment({ tx, now }, account, building, creator);
  await emitDeploymentEvents({ tx, now }, undefined, row);
  return row;
}

/** Finishes the builds that are due, the oldest first. */
export async function completeDueBuilds({ tx, now }: Unit): Promise<void> {
  for (const before of await dueBuilds({ tx, now }).orderBy("created_at").execute()) {
    const after = await changeDeployment(tx, before, { project: before.name, readyState: "READY" });
    await emitDeploymentEvents({ tx, now }, before, after);
  }
}
