import * as pulumi from "@pulumi/pulumi";
import { labelOf } from "../../provider/core/stack-snapshot";
import { formatRun } from "../../provider/trampoline";

const addresses = new WeakMap<object, string | undefined>();

/**
 * Where the provider finds the state of the stack, and what the stack calls a resource: the engine tells a dynamic
 * provider nothing but what a resource itself had.
 * @returns undefined without an engine, as in unit tests
 */
export function runOf(type: string, name: string): string | undefined {
  const monitor = pulumi.runtime.getMonitor();
  if (!monitor) return undefined;
  if (!addresses.has(monitor)) addresses.set(monitor, addressOf(monitor));
  const address = addresses.get(monitor);
  if (address === undefined) return undefined;
  const stack = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()].join("/");
  return formatRun({ monitor: address, stack, self: labelOf(type, name) });
}

/** Mocks have no channel. */
const addressOf = (monitor: object): string | undefined =>
  (monitor as { getChannel?(): { getTarget(): string } }).getChannel?.().getTarget();
