import { findProject, storedSettings } from "../access/project-store";
import type { AccountRow } from "../accounts/object";
import { readMeta, removeMeta, writeMeta } from "../store/meta";
import type { Tx, Unit } from "../store/store";
import { type BuildPlan, type BuildRecord, planBuild } from "./build-record";
import { emitDeploymentEvents } from "./events";
import type { DeploymentRow } from "./object";
import { addDeployment, type Build, continueBuild, dueBuilds } from "./store";

/** The members of a build's record that come from its request. */
export type Requested = Pick<BuildRecord, "buildEnv" | "env" | "files" | "isPrebuilt" | "keepsProduction">;

/**
 * Adds a deployment with a simulated build. The control plane can plan the build's duration and outcome.
 * @param creator id of the user who created the deployment
 */
export async function startBuild(
  { tx, now }: Unit,
  account: Pick<AccountRow, "id" | "slug">,
  build: Omit<Build, "readyState" | "record"> & { requested: Requested },
  creator: string,
): Promise<DeploymentRow> {
  const { requested, ...rest } = build;
  const project = await findProject(tx, account.id, build.project);
  const hasIgnoreCommand = Boolean(project && storedSettings(project)?.commandForIgnoringBuildStep);
  const record = { ...planBuild(await buildPlan(tx), now, hasIgnoreCommand), ...requested };
  const row = await addDeployment({ tx, now }, account, { ...rest, record }, creator);
  await emitDeploymentEvents({ tx, now }, undefined, row);
  return row;
}

/** Brings builds of an account to the states that they have reached, the oldest first. */
export async function continueDueBuilds({ tx, now }: Unit, account: string): Promise<void> {
  for (const before of await dueBuilds({ tx, now }, account)) {
    const after = await continueBuild({ tx, now }, before);
    await emitDeploymentEvents({ tx, now }, before, after);
  }
}

/** The plan is in the store, so that it applies on every server. */
const planName = "build_plan";

export async function buildPlan(tx: Tx): Promise<BuildPlan> {
  const plan = await readMeta(tx, planName);
  return plan === undefined ? {} : JSON.parse(plan);
}

export const setBuildPlan = (tx: Tx, plan: BuildPlan): Promise<void> =>
  writeMeta(tx, planName, JSON.stringify(plan));

export const clearBuildPlan = (tx: Tx): Promise<void> => removeMeta(tx, planName);
