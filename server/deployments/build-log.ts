import { type BuildRecord, buildRecordOf } from "./build-record";
import type { DeploymentRow } from "./object";

/** A line of the log of a build. */
export interface LogLine {
  createdAt: number;
  text: string;
  level?: "error" | "warning";
}

/** The order of the states of a build. */
const ranks: Record<DeploymentRow["ready_state"], number> = {
  QUEUED: 0,
  INITIALIZING: 1,
  BUILDING: 2,
  READY: 3,
  ERROR: 3,
  CANCELED: 3,
  BLOCKED: 3,
};

export const isEnded = ({ ready_state }: DeploymentRow): boolean => ranks[ready_state] === 3;

/**
 * The log of a simulated build up to its current state. Later states add lines, and never change earlier lines.
 * @param repository the cloned repository, such as `github.com/acme/web`
 * @choice Where official clients show the log, its wording follows the service's.
 */
export function buildLog(row: DeploymentRow, repository: string | undefined): LogLine[] {
  const at = row.created_at;
  const record: Partial<BuildRecord> = buildRecordOf(row) ?? {};
  const { initializingAt = at, buildingAt = at, endsAt = at } = record;
  const rank = ranks[row.ready_state];
  const lines: LogLine[] = [];
  if (rank >= 1)
    lines.push(
      { createdAt: initializingAt, text: "Running build in Washington, D.C., USA (East) – iad1" },
      { createdAt: initializingAt, text: sourceOf(row, record, repository) },
    );
  if (rank >= 2)
    lines.push(
      {
        createdAt: buildingAt,
        text: record.isPrebuilt ? "Using prebuilt build artifacts..." : 'Running "vercel build"',
      },
      { createdAt: buildingAt, text: "This build is simulated: nothing is installed, compiled or served." },
    );
  if (rank >= 3) lines.push(...endOf(row, record, endsAt, buildingAt));
  return lines;
}

function sourceOf(
  { git_branch, git_sha }: DeploymentRow,
  { files }: Partial<BuildRecord>,
  repository: string | undefined,
): string {
  if (files !== undefined) return `Downloading ${files} deployment files...`;
  if (git_branch === null) return "Retrieving the source of the deployment";
  const commit = git_sha === null ? "" : `, Commit: ${git_sha.slice(0, 7)}`;
  return `Cloning ${repository ?? "the repository"} (Branch: ${git_branch}${commit})`;
}

function endOf(
  { ready_state }: DeploymentRow,
  { error, isSkipped }: Partial<BuildRecord>,
  createdAt: number,
  buildingAt: number,
): LogLine[] {
  if (ready_state === "ERROR")
    return [{ createdAt, text: `Error: ${error?.message ?? "The build failed."}`, level: "error" }];
  if (ready_state === "CANCELED")
    return [
      {
        createdAt,
        level: "warning",
        text: isSkipped
          ? 'The deployment was canceled by the project\'s "Ignored Build Step" command.'
          : "The deployment was canceled.",
      },
    ];
  const seconds = Math.round((createdAt - buildingAt) / 1000);
  return [
    { createdAt, text: `Build Completed in /vercel/output [${seconds}s]` },
    { createdAt, text: "Deployment completed" },
  ];
}
