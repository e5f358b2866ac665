import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

const senders = new AsyncLocalStorage<string>();

/**
 * Runs a step of a resource. The requests of the step name the resource in a header, which the server logs.
 * @param resource the type, with the logical name if the host knows it: `Project web`
 */
export function sentFor<T>(resource: string, step: () => Promise<T>): Promise<T> {
  return senders.run(resource, step);
}

/** The resource of the current step. */
export const currentSender = (): string | undefined => senders.getStore();

/** The maximum number of resources that a shared request names. */
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

/**
 * Tells the requests of one run from those of other runs. A run is a process of the provider: Pulumi starts one for a
 * preview, one for an update, and one for each explicit provider.
 */
const run = randomBytes(4).toString("hex");

/**
 * Returns the headers that name the run and the resource of the current step; empty outside of a step. A read that a
 * step shares with later steps names only the resource of the first step.
 */
export function senderHeaders(): Record<string, string> {
  const resource = senders.getStore();
  return !resource ? {} : { "x-slipway-run": run, "x-slipway-resource": encodeURIComponent(resource) };
}
