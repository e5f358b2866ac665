import type { DeploymentRow } from "../store/schema";

/** How a simulated build goes, decided when its deployment is created. Times are of the server's clock. */
export interface BuildRecord {
  initializingAt: number;
  buildingAt: number;
  /** When the final state is reached. */
  endsAt: number;
  outcome: "READY" | "ERROR" | "CANCELED";
  /** Why the outcome is ERROR. */
  error?: BuildError;
  /** The project's command for ignoring the build step has canceled it. */
  isSkipped?: true;
  /** Its output was built by the client. */
  isPrebuilt?: true;
  /** Number of files. */
  files?: number;
  /** Once it is ready, production keeps its deployment. */
  keepsProduction?: true;
}

export interface BuildError {
  code: string;
  message: string;
}

/** How the next builds go, set by the control plane. */
export interface BuildPlan {
  /**
   * How long a build takes, in milliseconds: a quarter QUEUED, a quarter INITIALIZING, and the rest BUILDING.
   * Default: BUILDING for `defaultBuildMs`.
   */
  buildMs?: number | undefined;
  /** Every build fails with this error. */
  error?: BuildError | undefined;
  /** The command for ignoring the build step cancels the builds of the projects that have one. */
  skipIgnored?: boolean | undefined;
}

/** How long a simulated build takes by default, in milliseconds. @choice */
const defaultBuildMs = 1000;

/** @param hasIgnoreCommand the project has a command for ignoring the build step */
export function planBuild(plan: BuildPlan, now: number, hasIgnoreCommand: boolean): BuildRecord {
  const { buildMs } = plan;
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

/** The state of a build at a time, and when that changes; null: never. */
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

/** The build of a deployment; undefined if the control plane or a seed has made it. */
export const buildRecordOf = ({ build }: Pick<DeploymentRow, "build">): BuildRecord | undefined =>
  build === null ? undefined : JSON.parse(build);
