/**
 * The host of the resources that this process declares: the dynamic provider, or, inside the plugin, which constructs
 * components for programs in other languages, the plugin itself.
 */
let isPlugin = false;

/** @internal */
export function declareForPlugin(): void {
  isPlugin = true;
}

export const isForPlugin = (): boolean => isPlugin;
