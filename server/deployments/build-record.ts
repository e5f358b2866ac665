import type { DeploymentRow } from "./object";

/** The times and the outcome of a simulated build, set when its deployment is created. Times are server time. */
export interface BuildRecord {
  initializingAt: number;
  buildingAt: number;
  /** When the final state is reached. */
  endsAt: number;
  outcome: "READY" | "ERROR" | "CANCELED" | "BLOCKED";
  /** Why the outcome is ERROR. */
  error?: BuildError;
  /** Why the outcome is BLOCKED. */
  block?: Block;
  /** The project's command for ignoring the build step has canceled the build. */
  isSkipped?: true;
  /** The client has built the output. */
  isPrebuilt?: true;
  /** Number of files. */
  files?: number;
  /** The names of the variables that the request set, for the build and for the functions. */
  buildEnv?: string[];
  env?: string[];
  /** Production keeps its current deployment when this build is ready. */
  keepsProduction?: true;
}

export interface BuildError {
  code: string;
  message: string;
}

/** Why a deployment is not built, such as an author without a seat in the team. */
export interface Block {
  /** Such as COMMIT_AUTHOR_REQUIRED or TEAM_ACCESS_REQUIRED. */
  code: string;
  reason: string;
  link: string;
}

/** Duration and outcome of the next builds, set by the control plane. */
export interface BuildPlan {
  /**
   * How long a build takes, in milliseconds: a quarter QUEUED, a quarter INITIALIZING, and the rest BUILDING.
   * Default: BUILDING for `defaultBuildMs`.
   */
  buildMs?: number | undefined;
  /** Every build fails with this error. */
  error?: BuildError | undefined;
  /** Every deployment is blocked at once. */
  block?: Block | undefined;
  /** Cancels the builds of all projects that have a command for ignoring the build step. */
  skipIgnored?: boolean | undefined;
}

/** How long a simulated build takes by default, in milliseconds. @choice */
export const defaultBuildMs = 1000;

/** @param hasIgnoreCommand the project has a command for ignoring the build step */
export function planBuild(plan: BuildPlan, now: number, hasIgnoreCommand: boolean): BuildRecord {
  const { buildMs, block } = plan;
  if (block) return { initializingAt: now, buildingAt: now, endsAt: now, outcome: "BLOCKED", block };
  const times =
    buildMs === undefined
      ? { initializingAt: now, buildingAt: now, endsAt: now + defaultBuildMs }
      : {
          initializingAt: now + Math.floor(buildMs / 4),
          buildingAt: now + Math.floor(buildMs / 2),
          endsAt: now + buildMs,
        };
  if (plan.skipIgnored && hasIgnoreCommand) return { ...times, outcome: "CANCELED", isSkipped: true };
  if (plan.error) return { ...times, outcome: "ERROR", error: plan.error };
  return { ...times, outcome: "READY" };
}

/** The state of a build at a time, and the time of the next change; null if the state is final. */
export function stateAt(
  { initializingAt, buildingAt, endsAt, outcome }: BuildRecord,
  now: number,
): { readyState: DeploymentRow["ready_state"]; changesAt: number | null } {
  if (now < initializingAt) return { readyState: "QUEUED", changesAt: initializingAt };
  if (now < buildingAt) return { readyState: "INITIALIZING", changesAt: buildingAt };
  if (now < endsAt) return { readyState: "BUILDING", changesAt: endsAt };
  return { readyState: outcome, changesAt: null };
}

/** The record of a build that is canceled before its end. */
export const canceledAt = ({ isSkipped: _, ...record }: BuildRecord, now: number): BuildRecord => ({
  ...record,
  initializingAt: Math.min(record.initializingAt, now),
  buildingAt: Math.min(record.buildingAt, now),
  endsAt: now,
  outcome: "CANCELED",
});

/** The build of a deployment; undefined if the control plane or a seed created the deployment. */
export const buildRecordOf = ({ build }: Pick<DeploymentRow, "build">): BuildRecord | undefined =>
  build === null ? undefined : JSON.parse(build);
