import { AsyncLocalStorage } from "node:async_hooks";

const plugin = new AsyncLocalStorage<true>();

/**
 * Runs a step whose resources have the plugin as their host. The plugin constructs components for programs in other
 * languages. In all other programs, the host is the dynamic provider.
 * @internal
 */
export const forPlugin = <T>(step: () => T): T => plugin.run(true, step);

export const isForPlugin = (): boolean => plugin.getStore() ?? false;
