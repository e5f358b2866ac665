import type { DeploymentRow } from "../deployments/object";
import { present } from "../http/reply";
import { findRow } from "../store/rows";
import type { Tx } from "../store/store";
import type { RollingReleaseRow } from "./object";
import { stagesOf } from "./rules";
import type * as wire from "./schema";

/** @source the newest official client: the answers of /v1/projects/{idOrName}/rolling-release */
export async function viewRelease(
  tx: Tx,
  release: RollingReleaseRow | undefined,
): Promise<{ rollingRelease: wire.Release | null }> {
  if (release === undefined) return { rollingRelease: null };
  const { base_deployment_id: base, canary_deployment_id: canary } = release;
  const deployment = async (id: string) => viewDeployment(await findRow(tx, "deployments", { id }));
  const configured = stagesOf(release);
  const stages = configured.map((stage, index) => viewStage(stage, index, configured.length));
  const active = release.state === "ABORTED" ? null : (stages[release.stage] ?? null);
  return {
    rollingRelease: {
      state: release.state,
      substate: null,
      advancementType: stages.some(({ requireApproval }) => requireApproval)
        ? "manual-approval"
        : "automatic",
      currentDeployment: await deployment(base),
      canaryDeployment: await deployment(canary),
      queuedDeploymentId: release.queued_deployment_id,
      // @choice The server has no visitors, so `linearShift` does not change the percentage during a stage.
      currentCanaryPercentage: active?.targetPercentage ?? 0,
      activeStage: active,
      nextStage: release.state === "ACTIVE" ? (stages[release.stage + 1] ?? null) : null,
      stages,
      startedAt: release.started_at,
      updatedAt: release.updated_at,
    },
  };
}

function viewStage(stage: wire.Stage, index: number, count: number): wire.ReleaseStage {
  const { targetPercentage, requireApproval = false, duration, linearShift } = stage;
  const isFinalStage = index === count - 1;
  const waits = requireApproval || isFinalStage || duration === undefined;
  return present<wire.ReleaseStage>({
    index,
    targetPercentage,
    requireApproval,
    duration: waits ? null : duration * 60,
    linearShift,
    isFinalStage,
  });
}

function viewDeployment(row: DeploymentRow | undefined): wire.ReleaseDeployment | null {
  if (!row) return null;
  const { id, name, url, created_at: createdAt, ready_state: readyState, target } = row;
  return { id, name, url, createdAt, readyState, target: target === "production" ? target : null };
}
