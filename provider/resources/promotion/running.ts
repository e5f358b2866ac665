import type { Client } from "../../client/client";
import type * as responses from "../../client/responses";
import { pause } from "../../client/step-limits";

/** Promotions in progress. The service answers before production changes. */

const firstPauseMs = 100;
const longestPauseMs = 3_000;

/** The pauses between reads while a promotion is in progress (milliseconds). */
export const pauses = {
  first: firstPauseMs,
  after: (pauseMs: number): number => Math.min(longestPauseMs, pauseMs * 2),
};

/** The query with which the service shows the last promotion of a project. @source the official command line */
export const withLastRequest = { rollbackInfo: "true" };

type Project = responses.Project;

/** @param deployment counts only a promotion of this deployment */
export const isRunning = (project: Project, deployment?: string): boolean => {
  const running = runningOf(project);
  return running !== undefined && (deployment === undefined || running === deployment);
};

/** Id of the deployment whose promotion is in progress, of a project that is read with `withLastRequest`. */
export function runningOf({ lastAliasRequest: last }: Project): string | undefined {
  return last != null && /^(pending|in-progress)$/.test(last.jobStatus) ? last.toDeploymentId : undefined;
}

/**
 * Waits until no promotion is in progress that would change production later.
 * @param project the project, read with `withLastRequest`
 * @param isAwaited whether a promotion of this deployment is waited for
 * @returns the project as it is then
 * @throws Error after the time limit
 */
export async function untilIdle(
  client: Client,
  project: Project,
  timeoutMs: number,
  isAwaited: (deployment: string) => boolean,
): Promise<Project> {
  const deadline = Date.now() + timeoutMs;
  let now = project;
  for (let pauseMs = pauses.first; ; pauseMs = pauses.after(pauseMs)) {
    const running = runningOf(now);
    if (running === undefined || !isAwaited(running)) return now;
    if (Date.now() + pauseMs > deadline)
      throw new Error(
        `${project.name}: the promotion of ${running} is still running after ${timeoutMs / 1000} s. Run again to wait for it.`,
      );
    await pause(pauseMs);
    now = await client.project(project.id, withLastRequest);
  }
}
