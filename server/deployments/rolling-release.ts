import { accountById } from "../access/account-store";
import type { EventType } from "../events/event";
import { outbox } from "../events/outbox";
import type { ProjectRow } from "../projects/object";
import type { RollingReleaseRow } from "../rolling-releases/object";
import { endOf, stagesOf } from "../rolling-releases/rules";
import type { Config } from "../rolling-releases/schema";
import { activeRelease, configOf, dueReleases, putRelease, releasedProject } from "../rolling-releases/store";
import type { Unit } from "../store/store";
import { isRunning, movePromotion } from "./promotion";
import { currentPromotion } from "./promotion-store";

/** A change of production, and the user who requested it; null if it came by itself. */
interface Change {
  project: ProjectRow;
  user: string | null;
}

/**
 * The configuration with which a deployment is released by stages; undefined if it serves all visitors at once.
 * @choice The first deployment of production serves all visitors at once, because nothing can serve the others.
 */
export function configFor(project: ProjectRow, deployment: string): Config | undefined {
  const base = project.production_deployment_id;
  return base === null || base === deployment ? undefined : configOf(project);
}

/** Starts a rolling release. */
export async function startRelease(
  unit: Unit,
  change: Change,
  canary: string,
  { stages }: Config,
): Promise<RollingReleaseRow> {
  const { tx, now } = unit;
  const release = await putRelease(tx, {
    project_id: change.project.id,
    base_deployment_id: change.project.production_deployment_id ?? canary,
    canary_deployment_id: canary,
    queued_deployment_id: null,
    state: "ACTIVE",
    stage: 0,
    stages: JSON.stringify(stages),
    started_at: now,
    updated_at: now,
    advances_at: endOf(stages[0], now),
  });
  await emit(unit, change, "project.rolling-release.started", release);
  return release;
}

/**
 * A build for production has become ready: its release starts, or follows the one that runs.
 * @returns false if rolling releases are not configured, so that the deployment serves production at once
 * @source recorded answers of the hosted API: a release started by itself when the one before it was complete
 */
export async function releaseBuild(unit: Unit, change: Change, deployment: string): Promise<boolean> {
  const config = configFor(change.project, deployment);
  if (!config) return false;
  const active = await activeRelease(unit.tx, change.project.id);
  if (active) await putRelease(unit.tx, { ...active, queued_deployment_id: deployment });
  else await startRelease(unit, change, deployment, config);
  return true;
}

/** Moves a rolling release to its next stage. The final stage completes it. @param start when the stage begins */
export async function advanceRelease(
  unit: Unit,
  change: Change,
  release: RollingReleaseRow,
  start = unit.now,
): Promise<RollingReleaseRow> {
  const stages = stagesOf(release);
  const stage = release.stage + 1;
  if (stage >= stages.length - 1) return completeRelease(unit, change, release);
  const advances_at = endOf(stages[stage], start);
  const next = await putRelease(unit.tx, { ...release, stage, updated_at: unit.now, advances_at });
  if (change.user !== null) await emit(unit, change, "project.rolling-release.approved", next, release);
  return next;
}

/** Completes a rolling release: the canary serves all visitors, and the release of a queued deployment starts. */
export async function completeRelease(
  unit: Unit,
  change: Change,
  release: RollingReleaseRow,
): Promise<RollingReleaseRow> {
  const { tx, now } = unit;
  const { canary_deployment_id: canary, queued_deployment_id: queued } = release;
  const last = await putRelease(tx, {
    ...release,
    state: "COMPLETE",
    stage: stagesOf(release).length - 1,
    queued_deployment_id: null,
    updated_at: now,
    advances_at: null,
  });
  await movePromotion(unit, change.user, change.project, canary, "promote");
  await emit(unit, change, "project.rolling-release.completed", last, release);
  const project = await releasedProject(tx, release);
  const config = queued === null ? undefined : configFor(project, queued);
  if (queued === null || !config) return last;
  return startRelease(unit, { project, user: null }, queued, config);
}

/** Aborts a rolling release: the deployment that served before serves all visitors. */
export async function abortRelease(unit: Unit, change: Change, release: RollingReleaseRow): Promise<void> {
  const ended = { queued_deployment_id: null, updated_at: unit.now, advances_at: null };
  const last = await putRelease(unit.tx, { ...release, ...ended, state: "ABORTED" });
  await emit(unit, change, "project.rolling-release.aborted", last, release);
}

/**
 * Begins the stages of an account that are due. After a pause of the server, several stages can be due.
 * @choice A release is completed when no other promotion is in progress.
 */
export async function advanceDueReleases(unit: Unit, account: string): Promise<void> {
  for (const due of await dueReleases(unit, account)) {
    if (isRunning(await currentPromotion(unit.tx, due.project_id))) continue;
    const project = await releasedProject(unit.tx, due);
    let release = due;
    while (release.advances_at !== null && release.advances_at <= unit.now)
      release = await advanceRelease(unit, { project, user: null }, release, release.advances_at);
  }
}

/** @source recorded answers of the hosted API: its webhooks, whose `writtenBy` is left out */
async function emit(
  { tx, now }: Unit,
  { project: { id, name, account_id }, user }: Change,
  type: EventType,
  release: RollingReleaseRow,
  before?: RollingReleaseRow,
): Promise<void> {
  const view = (row: RollingReleaseRow) => viewInEvent(row, account_id);
  const payload = {
    project: { id },
    projectId: id,
    projectName: name,
    userId: user,
    rollingRelease: view(release),
    ...(before && { prevRollingRelease: view(before) }),
  };
  await outbox({ tx, now }, await accountById(tx, account_id), user)({ type, projectId: id, payload });
}

function viewInEvent(release: RollingReleaseRow, ownerId: string) {
  const { base_deployment_id: base, canary_deployment_id: target, state, stage } = release;
  const stages = stagesOf(release);
  return {
    projectId: release.project_id,
    ownerId,
    deploymentIds: [base, target],
    state,
    activeStageIndex: stage,
    default: {
      baseDeploymentId: base,
      targetDeploymentId: target,
      ...(state !== "ABORTED" && { targetPercentage: stages[stage]?.targetPercentage }),
      targetStartAt: release.started_at,
      targetUpdatedAt: release.updated_at,
    },
    config: { target: "production", stages },
  };
}
