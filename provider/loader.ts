import { resources } from "./resources";

export type ResourceType = Capitalize<keyof typeof resources>;

const handlers = Object.fromEntries(
  Object.values(resources).map(({ type, handler }) => [type, handler]),
) as Record<ResourceType, string>;

/**
 * Set beside the input `name` of what the program does not name. It never reaches a state.
 * Once it is named, nothing but the program renames it: not another logical name either.
 */
export const autoNamedKey = "__autoNamed";

/** The name under which `slipway/dynamic` has a kind of resource. */
export const handlerName = (type: ResourceType): string => handlers[type];

/** The text that a resource carries, its `__provider`. It calls the installed package, so that no state holds code. */
export const loaderText = (type: ResourceType): string =>
  `module.exports=require('slipway/dynamic').${handlerName(type)}`;

/** Facts about the run, from a resource to its provider. The check drops them: they are neither compared nor stored. */
export const runKey = "__run";

/** The property paths of the option `ignoreChanges`, which the engine does not send to dynamic providers. */
export const ignoredKey = "__ignored";

export interface RunInfo {
  /** The URN of the resource. */
  urn: string;
  /** The URN of its provider. */
  provider: string;
}

export const formatRun = ({ urn, provider }: RunInfo): string => JSON.stringify([urn, provider]);

export function parseRun(text: unknown): RunInfo | undefined {
  if (typeof text !== "string") return undefined;
  const [urn, provider] = JSON.parse(text) as [string, string];
  return { urn, provider };
}

/** The URN of a resource whose create has to know it. It stays in the inputs, and is in no output. */
export const urnKey = "__urn";
