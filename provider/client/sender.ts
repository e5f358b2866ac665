import { AsyncLocalStorage } from "node:async_hooks";

const senders = new AsyncLocalStorage<string>();

/**
 * Runs a step of a resource, whose requests tell which one sent them: the server's log of requests shows it.
 * @param resource its type, and behind a space its logical name, where the host knows that: `Project web`
 */
export function sentFor<T>(resource: string, step: () => Promise<T>): Promise<T> {
  return senders.run(resource, step);
}

/** What a request says of its sender. Of reads that are shared, the first to ask is named. */
export function senderHeader(): Record<string, string> {
  const resource = senders.getStore();
  return resource === undefined ? {} : { "x-slipway-resource": encodeURIComponent(resource) };
}
