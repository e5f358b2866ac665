import type { RefusalRow } from "../platform/refusal";
import type { RollingReleaseRow } from "./object";
import type { Config, Stage } from "./schema";

/** Refusals of rolling releases. @choice The sources document neither their statuses nor their codes. */

interface Releasing {
  /** The rolling release that runs in the project. */
  release: RollingReleaseRow | undefined;
}

const isRunning = ({ release }: Releasing): string =>
  `A rolling release of ${release?.canary_deployment_id} is running in this project. Complete or abort it first.`;

/**
 * @source the public documentation of the service: an active release must end before the next one starts
 */
export const releaseRunning: RefusalRow<Releasing> = [
  409,
  "conflict",
  isRunning,
  ({ release }) => release !== undefined,
];

/** Starting the release that runs already changes nothing. @source the newest official client: startRollingRelease */
export const otherReleaseRunning: RefusalRow<Releasing & { body: { canaryDeploymentId: string } }> = [
  409,
  "conflict",
  isRunning,
  ({ release, body }) => release !== undefined && release.canary_deployment_id !== body.canaryDeploymentId,
];

/** @source recorded answers of the hosted API: the status and the code */
export const cannotStart: RefusalRow<{ config: Config | undefined; base: string | null }> = [
  422,
  "unprocessable",
  ({ config }) =>
    config
      ? "No deployment serves production, so a rolling release cannot start. Promote the deployment."
      : "Rolling releases are not enabled for this project. Enable them with PATCH …/rolling-release/config.",
  ({ config, base }) => config === undefined || base === null,
];

type Advancing = Releasing & { body: { canaryDeploymentId: string } };

export const noRelease: RefusalRow<Advancing> = [
  404,
  "not_found",
  ({ body }) => `No rolling release of ${body.canaryDeploymentId} is running in this project.`,
  ({ release, body }) => release?.canary_deployment_id !== body.canaryDeploymentId,
];

export const otherStage: RefusalRow<Releasing & { body: { nextStageIndex: number } }> = [
  409,
  "conflict",
  ({ release, body }) =>
    `The stage ${body.nextStageIndex} does not follow the active stage ${release?.stage} of the rolling release.`,
  ({ release, body }) => release !== undefined && body.nextStageIndex !== release.stage + 1,
];

/** When a stage that begins now ends by itself; null if it needs an approval. */
export const endOf = (stage: Stage | undefined, now: number): number | null =>
  stage?.duration === undefined || stage.requireApproval ? null : now + stage.duration * 60_000;

export const stagesOf = ({ stages }: RollingReleaseRow): Stage[] => JSON.parse(stages);
