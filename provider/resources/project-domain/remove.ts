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
  const cleared = new Set<string>();
  for (;;) {
    try {
      return await detach(run.client, projectId, name);
    } catch (error) {
      if (!isRedirectTarget(error) || !(await removeRedirectsTo(run, projectId, name, cleared))) throw error;
    }
  }
}

/** @throws ApiError 409 with a hint when other domains redirect to the domain */
export async function detach(client: Client, projectId: string, name: string): Promise<void> {
  try {
    await client.send({ method: "DELETE", path: domainPath(projectId, name), shape: responses.anything });
  } catch (error) {
    throw isRedirectTarget(error)
      ? error.withHint(
          `Other domains of the project redirect to ${name}. Change their \`redirect\` first, or remove them too. If ` +
            "they move together, give `redirect` as the `name` of the other resource: then they go first.",
        )
      : error;
  }
}

/** Other domains redirect to the domain, which therefore cannot be removed. @source recorded answers of the hosted API */
const isRedirectTarget = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === "domain_is_redirect";

/**
 * Removes the redirects to a domain, if the run deletes all domains that redirect to it. The list may be older than what
 * this run has changed, so it is read again until it shows such a domain, and no domain of the program with its old
 * redirect.
 * @param cleared names of the domains whose redirect was removed before, which an old list still shows with it
 * @returns false, without a change, if no domain redirects to it, or one that stays, or if it is replaced: then nobody
 *   knows yet whether the program still declares the others
 */
async function removeRedirectsTo(
  { client, ownership }: RunContext,
  projectId: string,
  name: string,
  cleared: Set<string>,
): Promise<boolean> {
  const isDeclared = (other: string) => ownership.isKnown(`${projectId}/${other}`);
  if (isDeclared(name)) return false;
  const read = async () =>
    (await domainsOf(client, projectId))
      .filter((one) => one.redirect === name && !cleared.has(one.name))
      .map((one) => one.name);
  const redirecting = await client.readUntil(
    domainPath(projectId, name),
    read,
    (names) => names.length > 0 && !names.some(isDeclared),
  );
  for (const other of redirecting)
    if (isDeclared(other) || !(await ownership.isRecorded(`${projectId}/${other}`))) return false;
  for (const other of redirecting) {
    const path = domainPath(projectId, other);
    await ifFound(client.send({ method: "PATCH", path, body: { redirect: null }, shape: responses.domain }));
    cleared.add(other);
  }
  return redirecting.length > 0;
}
