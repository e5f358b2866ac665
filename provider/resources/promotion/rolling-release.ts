import type { Client } from "../../client/client";
import { rollingReleasePath } from "../../client/paths";
import * as responses from "../../client/responses";

/**
 * The rolling releases of a project. If they are configured, a promotion starts one: the deployment (the canary) gets
 * the visitors of production by stages, and serves all of them when the last stage begins.
 */

type Release = responses.Release;

/**
 * The last rolling release of a project, whether it runs or has ended.
 * @returns undefined if there is none, or if the project has no rolling releases configured, without a request
 */
export async function releaseOf(
  client: Client,
  { id, rollingRelease }: Pick<responses.Project, "id" | "rollingRelease">,
): Promise<Release | undefined> {
  if (!rollingRelease?.stages) return undefined;
  const { rollingRelease: last } = await client.get(rollingReleasePath(id), responses.rollingRelease);
  return last ?? undefined;
}

/** The deployment that a release rolls out; undefined if the release has ended. */
export const canaryOf = (release: Release | undefined): string | undefined =>
  release?.state === "ACTIVE" ? release.canaryDeployment?.id : undefined;

/** The share of the visitors of production who get a deployment that serves, in percent. */
export function shareOf(release: Release | undefined, deployment: string): number {
  if (release?.state !== "ACTIVE") return 100;
  const share = release.activeStage?.targetPercentage ?? 0;
  return release.canaryDeployment?.id === deployment ? share : 100 - share;
}

/** True if the active stage of a release ends only when somebody approves the next one, or continues the release. */
export const waitsForApproval = ({ activeStage, substate }: Release): boolean =>
  activeStage?.requireApproval === true || activeStage?.duration == null || substate === "PAUSED";

/** The state of a release that runs, as the end of a sentence. */
export function stageOf(release: Release): string {
  const { activeStage, stages, substate } = release;
  if (!activeStage) return "between two stages";
  const { index, targetPercentage, duration } = activeStage;
  const at = `at stage ${index + 1} of ${stages.length}, with ${targetPercentage} % of the visitors`;
  if (substate === "PAUSED") return `${at}, and paused`;
  return waitsForApproval(release)
    ? `${at}, and waits for the approval of the next stage`
    : `${at}. The stage lasts ${(duration ?? 0) / 60} minutes`;
}

/** Why a deployment cannot be promoted while the release of another one runs; undefined if none runs. */
export function reasonToWait(release: Release | undefined, deployment: string): string | undefined {
  const canary = canaryOf(release);
  if (release === undefined || canary === undefined || canary === deployment) return undefined;
  return (
    `The rolling release of ${canary} is running: it is ${stageOf(release)}. ` +
    `Complete or abort it, for example with \`vercel rolling-release\`, and then run again to promote ${deployment}.`
  );
}
