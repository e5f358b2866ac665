import type { Client } from "../../client/client";
import { ApiError, ifFound } from "../../client/errors";
import { domainPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { RunContext } from "../../core/run-context";
import { domainsOf } from "./records";

/** Removes domains. The service keeps a domain while other domains redirect to it. */

/**
 * Removes a domain. If the run also deletes or replaces the domains that redirect to it, their redirects are removed
 * first, because the engine knows no order between resources that only name each other.
 * @param inform receives a message about domains that the run has not checked: with `--target`, the program may keep them
 * @returns a function that restores these redirects
 */
export async function removeDomain(
  run: RunContext,
  projectId: string,
  name: string,
  inform: (message: string) => void = () => {},
): Promise<() => Promise<void>> {
  const names = await clearAndDetach(run, projectId, name);
  const unchecked = [...names].filter((other) => !run.replacements.has(`${projectId}/${other}`));
  if (unchecked.length > 0)
    inform(
      `Removed the redirects of ${unchecked.join(", ")} to ${name}, because the service keeps a domain while another one ` +
        "redirects to it. If the program still declares them, run `pulumi up --refresh` to set them again.",
    );
  return async () => {
    for (const other of names) await redirectTo(run, projectId, other, name);
  };
}

/** Removes a domain, and first the redirects to it. @returns the names of the domains that had them */
async function clearAndDetach(run: RunContext, projectId: string, name: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (let isLast = false; ; ) {
    try {
      await detach(run.client, projectId, name);
      return names;
    } catch (error) {
      if (isLast || !isRedirectTarget(error)) throw error;
      const removed = await removeRedirectsTo(run, projectId, name, names);
      if (removed === undefined) throw error;
      // Another step of the run may have removed the last one meanwhile.
      isLast = removed === 0;
    }
  }
}

/** @throws ApiError 409 with a hint when other domains redirect to the domain */
async function detach(client: Client, projectId: string, name: string): Promise<void> {
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
 * Removes the redirects to a domain, unless the program still declares one of them. One that the engine has not checked
 * yet may be declared after all. Then its diff shows that the redirect is to be set again.
 *
 * The list may be older than what this run has changed, so it is read again until it has shown a domain that redirects,
 * and shows none of the program with its old redirect.
 * @param names of the domains whose redirect was removed before, which an old list still shows with it. Gets the others.
 * @returns how many were removed; undefined, without a change, if one of them stays
 */
async function removeRedirectsTo(
  run: RunContext,
  projectId: string,
  name: string,
  names: Set<string>,
): Promise<number | undefined> {
  const { client, ownership, replacements } = run;
  const idOf = (other: string): string => `${projectId}/${other}`;
  const stays = (other: string): boolean => ownership.isKnown(idOf(other)) && !replacements.has(idOf(other));
  const read = async () =>
    (await domainsOf(client, projectId))
      .filter((one) => one.redirect === name && !names.has(one.name))
      .map((one) => one.name);
  let isShown = false;
  const redirecting = await client.readUntil(domainPath(projectId, name), read, (found) => {
    isShown ||= found.length > 0;
    return isShown && !found.some(stays);
  });
  for (const other of redirecting)
    if (stays(other) || !(await ownership.isRecorded(idOf(other)))) return undefined;
  for (const other of redirecting) {
    await ifFound(redirectTo(run, projectId, other, null));
    names.add(other);
    run.clearedRedirects.add(idOf(other));
  }
  return redirecting.length;
}

const redirectTo = ({ client }: RunContext, projectId: string, name: string, redirect: string | null) =>
  client.send({
    ...{ method: "PATCH", path: domainPath(projectId, name), body: { redirect } },
    shape: responses.domain,
  });
