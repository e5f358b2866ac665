import type { Client } from "../client/client";
import { ifFound } from "../client/errors";
import { deploymentPath } from "../client/paths";
import * as responses from "../client/responses";
import { pause } from "../client/step-limits";
import type { RequestOptions } from "../client/transport";
import { isFailed, isReady } from "../resources/deployment/wait";
import type { DeploymentInfo, DeploymentQuery, DeploymentsQuery } from "./shapes";

const firstPauseMs = 250;
const longestPauseMs = 5_000;
const reminderMs = 60_000;
const defaultTimeoutMs = 600_000;

/**
 * Finds a deployment. With `waitUntilReady`, waits until it exists and is ready.
 * @param inform called with a message about the wait, at once and then every minute
 * @throws Error when there is no such deployment, its build failed, or it is not ready in time
 */
export async function findDeployment(
  client: Client,
  query: DeploymentQuery,
  inform: (message: string) => void = () => {},
): Promise<DeploymentInfo> {
  const { waitUntilReady = false, timeoutMs = defaultTimeoutMs } = query;
  const { id: projectId } = await client.identify(query.project);
  const deadline = Date.now() + timeoutMs;
  const subject = subjectOf(query);
  const isFinal = ({ readyState }: DeploymentInfo): boolean => isReady(readyState) || !waitUntilReady;
  let informAt = Date.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const found = await newest(client, projectId, query);
    if (found && isFinal(found)) return found;
    refuseFailed(subject, found);
    if (!waitUntilReady) throw missing(`${subject} was not found`);
    if (Date.now() + pauseMs > deadline) {
      const status = statusOf(found, "was not found");
      throw missing(`${subject} ${status} after ${timeoutMs / 1000} s; set a longer timeoutMs`);
    }
    if (Date.now() >= informAt) {
      const seconds = Math.round((deadline - Date.now()) / 1000);
      inform(`${subject} ${statusOf(found, "does not exist yet")}: waiting for up to ${seconds} s.`);
      informAt = Date.now() + reminderMs;
    }
    await pause(pauseMs);
  }
}

const statusOf = (found: DeploymentInfo | undefined, absent: string): string =>
  found ? `is ${found.readyState} (${found.id})` : absent;

const missing = (problem: string): Error =>
  new Error(`${problem}. Check that the commit was pushed and is being built.`);

const defaultLimit = 20;

/** Lists deployments, the newest first. */
export async function findDeployments(
  client: Client,
  { project, gitSha, branch, target, readyState, after, limit = defaultLimit }: DeploymentsQuery,
): Promise<DeploymentInfo[]> {
  const { id: projectId } = await client.identify(project);
  const found = await listed(client, {
    projectId,
    sha: gitSha,
    branch,
    target,
    state: readyState,
    limit: `${limit}`,
  });
  return found.filter(isAfter(after));
}

const isAfter =
  (moment: number | undefined) =>
  ({ createdAt = 0 }: DeploymentInfo): boolean =>
    moment === undefined || createdAt > moment;

function refuseFailed(subject: string, found: DeploymentInfo | undefined): void {
  if (!found || !isFailed(found.readyState)) return;
  throw new Error(
    `${subject} is ${found.readyState} (${found.id}). See the log of its build, and deploy again.`,
  );
}

/** @source wire-shapes 11 */
async function newest(
  client: Client,
  projectId: string,
  { id, gitSha, branch, after }: DeploymentQuery,
): Promise<DeploymentInfo | undefined> {
  if (id !== undefined) {
    const found = await ifFound(client.get(deploymentPath(id), responses.deployment));
    const isForeign = found?.projectId != null && found.projectId !== projectId;
    return found && !isForeign ? infoOf(found) : undefined;
  }
  const [found] = await listed(client, { projectId, sha: gitSha, branch, limit: "1" });
  return found && isAfter(after)(found) ? found : undefined;
}

async function listed(client: Client, query: RequestOptions["query"]): Promise<DeploymentInfo[]> {
  const path = deploymentPath(undefined, "v6");
  const { deployments } = await client.get(path, responses.deploymentList, query);
  return deployments.map(infoOf);
}

type Found = Pick<responses.Deployment, "id" | "url" | "readyState" | "target" | "createdAt">;

const infoOf = ({ id, url, readyState, target, createdAt }: Found): DeploymentInfo => ({
  id,
  url: url ?? undefined,
  readyState: readyState ?? "READY",
  target: target ?? undefined,
  createdAt: createdAt ?? undefined,
});

/** The name of the deployment in messages, such as `The deployment of branch main of the project web`. */
function subjectOf({ project, id, gitSha, branch, after }: DeploymentQuery): string {
  const parts = [
    id,
    gitSha && `of commit ${gitSha}`,
    branch && `of branch ${branch}`,
    after !== undefined && `created after ${new Date(after).toISOString()}`,
  ].filter(Boolean);
  const deployment = parts.length > 0 ? `deployment ${parts.join(" ")}` : "newest deployment";
  return `The ${deployment} of the project ${project}`;
}
