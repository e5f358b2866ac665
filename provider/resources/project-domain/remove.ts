import type { Client } from "../../client/client";
import { ApiError, ifFound } from "../../client/errors";
import { domainPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { RunContext } from "../../core/run-context";
import { domainsOf } from "./records";

/** Removes domains. The service keeps a domain while other domains redirect to it. */

/**
 * Removes a domain. If the run also deletes the domains that redirect to it, their redirects are removed first, because
 * the engine knows no order between resources that only name each other.
 */
export async function removeDomain(run: RunContext, projectId: string, name: string): Promise<void> {
  try {
    await detach(run.client, projectId, name);
  } catch (error) {
    if (!isRedirectTarget(error) || !(await removeRedirectsTo(run, projectId, name))) throw error;
    await detach(run.client, projectId, name);
  }
}

/** @throws ApiError 409 with a hint when other domains redirect to the domain */
export async function detach(client: Client, projectId: string, name: string): Promise<void> {
  try {
    await client.send({ method: "DELETE", path: domainPath(projectId, name), shape: responses.anything });
  } catch (error) {
    throw isRedirectTarget(error)
      ? error.withHint(
          `Other domains of the project redirect to ${name}. Change their \`redirect\` first, or remove them too.`,
        )
      : error;
  }
}

/** Other domains redirect to the domain, which therefore cannot be removed. @source recorded answers of the hosted API */
const isRedirectTarget = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === "domain_is_redirect";

/**
 * Removes the redirects to a domain, if the run deletes all domains that redirect to it.
 * @returns false, without a change, if another domain redirects to it
 */
async function removeRedirectsTo(
  { client, ownership }: RunContext,
  projectId: string,
  name: string,
): Promise<boolean> {
  const redirecting = (await domainsOf(client, projectId)).filter(({ redirect }) => redirect === name);
  for (const { name: other } of redirecting) {
    const id = `${projectId}/${other}`;
    if (ownership.isKnown(id) || !(await ownership.isRecorded(id))) return false;
  }
  for (const { name: other } of redirecting) {
    const path = domainPath(projectId, other);
    await ifFound(client.send({ method: "PATCH", path, body: { redirect: null }, shape: responses.domain }));
  }
  return true;
}
