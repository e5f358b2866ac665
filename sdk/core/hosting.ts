/**
 * Whether the plugin is the host of the resources that this process declares. The plugin constructs components for
 * programs in other languages. In all other programs, the host is the dynamic provider.
 */
let isPlugin = false;

/** @internal */
export function declareForPlugin(): void {
  isPlugin = true;
}

export const isForPlugin = (): boolean => isPlugin;
