import type { Client } from "../../client/client";
import { concealed } from "../../client/errors";
import { deploymentPath, teamParameter } from "../../client/paths";
import * as responses from "../../client/responses";
import { pause } from "../../client/step-limits";
import type { Operation } from "../../core/definition";
import { buildTimeoutMs, type Inputs } from "./inputs";

/** Waits for a build, and reports its outcome. */

const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** How often progress is shown while the state stays the same. */
const remindMs = 60_000;

/**
 * True when the build has ended without a result. The service blocks a deployment whose author has no seat in the team,
 * and does not go on with it after the cause is corrected.
 */
export const isFailed = (readyState: unknown): boolean =>
  readyState === "ERROR" || readyState === "CANCELED" || readyState === "BLOCKED";

export const isReady = (readyState: unknown): boolean => readyState === "READY";

/**
 * Waits until a deployment is built. After a timeout, the build continues at the service.
 * @param observe called with each state
 * @throws Error when the build failed, was cancelled or was skipped, or takes longer than `timeoutMs`
 */
export async function untilBuilt(
  { client, inform }: Pick<Operation<unknown, unknown>, "client" | "inform">,
  deployment: responses.OneDeployment,
  { timeoutMs = buildTimeoutMs, environment = {} }: Pick<Inputs, "timeoutMs" | "environment">,
  observe: (deployment: responses.OneDeployment) => void,
): Promise<responses.OneDeployment> {
  const deadline = Date.now() + timeoutMs;
  let told: string | undefined;
  let tellAt = 0;
  let now = deployment;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const state = stateOf(now);
    if (state !== told || Date.now() >= tellAt) {
      inform(`The deployment ${now.id} is ${state}.`);
      [told, tellAt] = [state, Date.now() + remindMs];
    }
    observe(now);
    if (isReady(state)) return now;
    refuseFailed(client, now, Object.values(environment));
    if (Date.now() + pauseMs > deadline) {
      throw new Error(
        `The deployment ${now.id} is still ${state} after ${timeoutMs / 1000} s. The build continues: run again to wait ` +
          `for it, or set a longer timeoutMs. Its log is at ${logOf(client, now)}.`,
      );
    }
    await pause(pauseMs);
    now = await client.get(deploymentPath(now.id), responses.oneDeployment);
  }
}

/** @throws Error when the build has ended without a result. @param secrets texts that the message must not contain */
export function refuseFailed(client: Client, deployment: responses.OneDeployment, secrets: string[]): void {
  if (!isFailed(stateOf(deployment))) return;
  const { errorMessage, readyStateReason, errorLink, seatBlock } = deployment;
  const said = errorMessage || readyStateReason || seatBlock?.blockCode;
  const reason = said ? `: ${concealed(said, secrets)}` : "";
  const page = errorLink ? `See ${errorLink}` : `Its log is at ${logOf(client, deployment)}`;
  throw new Error(
    `The build of the deployment ${deployment.id} ${outcomeOf(deployment)}${reason.replace(/[.\s]+$/, "")}. ` +
      `${page}. Correct the cause and run again, which creates a new deployment.`,
  );
}

function outcomeOf({ readyState, buildSkipped }: responses.OneDeployment): string {
  if (readyState === "BLOCKED") return "was blocked";
  if (buildSkipped) return "was skipped by commandForIgnoringBuildStep";
  return readyState === "CANCELED" ? "was cancelled" : "failed";
}

export const stateOf = ({ readyState }: responses.OneDeployment): string => readyState ?? "QUEUED";

/** The URL of the log. @choice Without a page of the deployment, the URL of the events, which the token can read. */
function logOf({ settings }: Client, { id, inspectorUrl }: responses.OneDeployment): string {
  if (inspectorUrl) return inspectorUrl;
  const { apiUrl, team } = settings;
  const account = team === undefined ? "" : `?${new URLSearchParams([teamParameter(team)])}`;
  return `${apiUrl}/v3${deploymentPath(id).replace(/^\/v\d+/, "")}/events${account} (vercel inspect ${id} --logs)`;
}
