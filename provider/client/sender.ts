import { AsyncLocalStorage } from "node:async_hooks";

const senders = new AsyncLocalStorage<string>();

/**
 * Runs a step of a resource, so that its requests name the resource in a header, which the server's log shows.
 * @param resource the type, with the logical name if the host knows it: `Project web`
 */
export function sentFor<T>(resource: string, step: () => Promise<T>): Promise<T> {
  return senders.run(resource, step);
}

/** The resource whose step runs. */
export const currentSender = (): string | undefined => senders.getStore();

/** How many resources a shared request names. */
const named = 3;

/** Runs work for several resources, so that its requests name them. */
export function sentForAll<T>(
  resources: readonly (string | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  const known = resources.flatMap((resource) => resource ?? []);
  const more = known.length > named ? ` and ${known.length - named} more` : "";
  return senders.run(known.slice(0, named).join(", ") + more, work);
}

/** The header that names the sender. A shared read names the first one. */
export function senderHeader(): Record<string, string> {
  const resource = senders.getStore();
  return !resource ? {} : { "x-slipway-resource": encodeURIComponent(resource) };
}
