import type { Client } from "../../client/client";
import { type ApiError, isAmbiguous, isConflict, isNotFound } from "../../client/errors";
import { projectPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { pause } from "../../client/step-limits";
import { missingHint } from "./deployment";
import { canaryOf, reasonToWait, releaseOf, stageOf } from "./rolling-release";
import { isRunning, pauses, runningOf, untilIdle, withLastRequest } from "./running";

/**
 * Promotes a deployment. The service answers before production changes, and for some seconds after the answer its reads
 * can be older than the promotion.
 */

/** @choice Enough for a project with many domains. */
export const promotionTimeoutMs = 600_000;
/** How often a read that contradicts the promotion is repeated before it is believed: for about ten seconds. */
const mostContradictions = 8;
/**
 * How often a request is retried after a conflict although reads show no promotion in progress. The promotion may be
 * that of a lost answer, which old reads do not show yet.
 */
const mostUnexplained = mostContradictions;

type Project = responses.Project;

export const servingOf = ({ targets }: Project): string | null => targets?.production?.id ?? null;

/** The error for a deployment that does not exist. A 404 would mean that the promotion itself was deleted. */
export class DeploymentMissing extends Error {
  constructor(cause: ApiError) {
    super(cause.withHint(missingHint).message, { cause });
  }
}

/**
 * Waits until no promotion of another deployment is in progress. A rolling release is not waited for: it can last days.
 * @param project the project, read with `withLastRequest`
 * @returns the project as it is then
 * @throws Error if that promotion is still in progress after the time limit
 */
export async function beforePromotion(
  client: Client,
  project: Project,
  { deployment, timeoutMs = promotionTimeoutMs }: Pick<Wanted, "deployment" | "timeoutMs">,
): Promise<Project> {
  const isOther = (running: string | undefined): boolean => running !== undefined && running !== deployment;
  if (!isOther(runningOf(project)) || canaryOf(await releaseOf(client, project)) !== undefined)
    return project;
  return untilIdle(client, project, timeoutMs, isOther);
}

interface Wanted {
  deployment: string;
  timeoutMs?: number | undefined;
  /** Whether to wait until a rolling release has completed. */
  waitForCompletion?: boolean | undefined;
  /** Aborts the rolling release that runs, and goes back to the deployment at once. */
  abort?: true;
}

/** The effect of a promotion. */
export interface Promoted {
  /** The aliases that point to the deployment. */
  aliases: string[];
  /** The rolling release of the deployment, if it runs: other visitors still get the deployment before. */
  release?: responses.Release | undefined;
}

/**
 * Promotes a deployment, and waits until the service has moved the aliases. If the project has rolling releases, waits
 * until the release of the deployment has started, or until it has completed.
 * @param before the project, from `beforePromotion`
 * @param begun called when the service has accepted the promotion, or may have accepted it
 * @throws Error that names the aliases that could not be moved, or the stage of a rolling release
 */
export async function promote(
  client: Client,
  before: Project,
  wanted: Wanted,
  begun: () => void,
): Promise<Promoted> {
  const { deployment, timeoutMs = promotionTimeoutMs, waitForCompletion = false, abort = false } = wanted;
  const release = await releaseOf(client, before);
  const deadline = Date.now() + timeoutMs;
  const promoting = { client, before, deployment, timeoutMs, waitForCompletion, abort, deadline, release };
  if (canaryOf(release) === deployment) return untilServed(promoting);
  if (!abort) refuseBeside(promoting, release);
  if (!abort && servingOf(before) === deployment && !(await failedBefore(promoting))) {
    if (!isRunning(before, deployment)) return movedAliases(promoting, before);
  } else await requestPromotion(promoting, begun);
  return untilServed(promoting);
}

/** @throws Error if the rolling release of another deployment runs */
function refuseBeside({ deployment }: Promoting, release: responses.Release | undefined): void {
  const reason = reasonToWait(release, deployment);
  if (reason !== undefined) throw new Error(reason);
}

interface Promoting {
  client: Client;
  /** The project before the promotion. */
  before: Project;
  /** The id of the deployment. */
  deployment: string;
  timeoutMs: number;
  waitForCompletion: boolean;
  abort: boolean;
  deadline: number;
  /** The last rolling release before the promotion. */
  release: responses.Release | undefined;
}

/** Asks for the promotion, after another one that is in progress. */
async function requestPromotion(promoting: Promoting, begun: () => void): Promise<void> {
  const { client, before, deadline } = promoting;
  let unexplained = 0;
  for (let pauseMs = pauses.first; ; pauseMs = pauses.after(pauseMs)) {
    const conflict = await sendRequest(promoting, begun);
    if (!conflict) return begun();
    const now = await client.project(before.id, withLastRequest);
    if (await isBegun(promoting, conflict, now)) return begun();
    // Waits for another promotion in progress. If none is in progress now, it may have ended after the refusal. That
    // does not explain repeated conflicts, so the number of these attempts is limited.
    if (!isRunning(now)) unexplained += 1;
    if (unexplained > mostUnexplained || Date.now() + pauseMs > deadline) throw conflict;
    await pause(pauseMs);
  }
}

/**
 * True after a conflict if the promotion is in effect, or has started the rolling release of the deployment.
 * @throws Error if the release of another deployment runs, and is not to be aborted
 */
async function isBegun(promoting: Promoting, conflict: ApiError, now: Project): Promise<boolean> {
  if (isInEffect(conflict, now, promoting.deployment)) return true;
  const release = await releaseOf(promoting.client, now);
  if (!promoting.abort) refuseBeside(promoting, release);
  return canaryOf(release) === promoting.deployment;
}

/** @returns the conflict if the service refuses the promotion, for example because another one is in progress */
async function sendRequest(
  { client, before, deployment, abort }: Promoting,
  begun: () => void,
): Promise<ApiError | undefined> {
  const move = abort ? `${projectPath(before.id)}/rollback` : `${projectPath(before.id, "v10")}/promote`;
  const path = `${move}/${encodeURIComponent(deployment)}`;
  try {
    await client.send({ method: "POST", path, shape: responses.anything });
    return undefined;
  } catch (error) {
    if (isNotFound(error)) throw new DeploymentMissing(error);
    if (isConflict(error)) return error;
    // It is unknown whether the request took effect.
    if (isAmbiguous(error)) begun();
    throw error;
  }
}

/** Waits until the deployment serves production or its rolling release has started, or the promotion has failed. */
async function untilServed(promoting: Promoting): Promise<Promoted> {
  const { client, before, deadline } = promoting;
  let contradictions = 0;
  for (let pauseMs = pauses.first; ; pauseMs = pauses.after(pauseMs)) {
    const now = await client.project(before.id, withLastRequest);
    const { outcome, release } = await judge(promoting, now);
    if (outcome === "released") return { aliases: [], release };
    if (outcome === "contradicted") contradictions += 1;
    if (outcome === "ended" || contradictions > mostContradictions) return movedAliases(promoting, now);
    if (Date.now() + pauseMs > deadline) throw overdue(promoting, release);
    await pause(pauseMs);
  }
}

type Outcome = "running" | "released" | "ended" | "contradicted";

/** Judges a read of the project, and the rolling release of the deployment if it runs. */
async function judge(
  promoting: Promoting,
  now: Project,
): Promise<{ outcome: Outcome; release: responses.Release | undefined }> {
  const release = await ownRelease(promoting, now);
  if (!release) return { outcome: outcomeOf(promoting, now), release };
  return { outcome: promoting.waitForCompletion ? "running" : "released", release };
}

/**
 * The rolling release of the deployment, if it runs.
 * @throws Error if it was aborted meanwhile
 */
async function ownRelease(
  { client, deployment, release: before }: Promoting,
  now: Project,
): Promise<responses.Release | undefined> {
  const release = await releaseOf(client, now);
  if (release?.canaryDeployment?.id !== deployment) return undefined;
  const isNew = before?.startedAt !== release.startedAt || canaryOf(before) === deployment;
  if (release.state === "ABORTED" && isNew)
    throw new Error(
      `The rolling release of ${deployment} was aborted, and production is served by ${servingOf(now) ?? "nothing"}. ` +
        "Run again to start another one.",
    );
  return canaryOf(release) === deployment ? release : undefined;
}

function overdue({ deployment, timeoutMs }: Promoting, release: responses.Release | undefined): Error {
  const hint = "Run again to wait for it, or set a longer timeoutMs.";
  if (!release)
    return new Error(`The promotion of ${deployment} is still running after ${timeoutMs / 1000} s. ${hint}`);
  return new Error(
    `After ${timeoutMs / 1000} s, the rolling release of ${deployment} is still ${stageOf(release)}. ` +
      `${hint} Without waitForCompletion, the promotion ends when the release has started.`,
  );
}

/**
 * The outcome without a rolling release. `contradicted`: the promotion has ended without effect, or was followed by
 * another one, unless the read is old.
 */
function outcomeOf({ before, deployment }: Promoting, now: Project): Exclude<Outcome, "released"> {
  if (isRunning(now, deployment)) return "running";
  const last = now.lastAliasRequest;
  const isNew = last != null && last.requestedAt !== before.lastAliasRequest?.requestedAt;
  const isOurs = last?.toDeploymentId === deployment;
  if (isOurs && isNew && last.jobStatus !== "succeeded") return "ended";
  if (isServed(now, deployment)) return "ended";
  // Without a newer request, the promotion is queued, or the read is old.
  return isNew ? "contradicted" : "running";
}

/** True when a deployment serves production and no promotion of another one is in progress. */
const isServed = (project: Project, deployment: string): boolean =>
  servingOf(project) === deployment && !isRunning(project);

/** True after a conflict if an earlier attempt took effect after all, or somebody else promoted the same deployment. */
const isInEffect = ({ said }: ApiError, now: Project, deployment: string): boolean =>
  /already the current production deployment/i.test(said) ||
  isRunning(now, deployment) ||
  isServed(now, deployment);

/** True if the last promotion was of this deployment and did not move all aliases. */
async function failedBefore({ client, before, deployment }: Promoting): Promise<boolean> {
  const last = before.lastAliasRequest;
  if (last?.toDeploymentId !== deployment) return false;
  return last.jobStatus === "failed" || (await aliasesOf(client, before.id)).some(isFailed);
}

/**
 * The aliases that the promotion has moved.
 * @throws Error if some aliases could not be moved, or another deployment serves production
 */
async function movedAliases({ client, deployment }: Promoting, now: Project): Promise<Promoted> {
  const last = now.lastAliasRequest;
  const isOurs = last?.toDeploymentId === deployment;
  const aliases = isOurs ? await aliasesOf(client, now.id) : [];
  const failed = aliases.filter(isFailed).map(({ alias }) => alias);
  if (failed.length > 0) {
    throw new Error(
      `The promotion of ${deployment} could not move ${failed.join(", ")}. ` +
        "Check these domains, then run again to promote again.",
    );
  }
  if (servingOf(now) !== deployment || (isOurs && /^(failed|skipped)$/.test(last.jobStatus))) {
    throw new Error(
      `The promotion of ${deployment} ${isOurs ? `ended as ${last.jobStatus}` : "was followed by another one"}, ` +
        `and production is served by ${servingOf(now) ?? "nothing"}. Run again to promote again.`,
    );
  }
  return { aliases: aliases.filter(({ status }) => status === "completed").map(({ alias }) => alias) };
}

interface Alias {
  alias: string;
  status: string;
}
const isFailed = ({ status }: Alias): boolean => status === "failed";

/** @source Projects, GET /v1/projects/{projectId}/promote/aliases */
function aliasesOf(client: Client, projectId: string): Promise<Alias[]> {
  const path = `${projectPath(projectId, "v1")}/promote/aliases`;
  return client.list(path, responses.aliasList, (page) => page.aliases ?? [], { limit: "100" });
}
