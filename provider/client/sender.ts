import { AsyncLocalStorage } from "node:async_hooks";

const senders = new AsyncLocalStorage<string>();

/**
 * Runs a step of a resource, so that its requests name the resource in a header, which the server's log shows.
 * @param resource the type, with the logical name if the host knows it: `Project web`
 */
export function sentFor<T>(resource: string, step: () => Promise<T>): Promise<T> {
  return senders.run(resource, step);
}

/** The header that names the sender. A shared read names the first one. */
export function senderHeader(): Record<string, string> {
  const resource = senders.getStore();
  return resource === undefined ? {} : { "x-slipway-resource": encodeURIComponent(resource) };
}
