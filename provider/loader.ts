import { resources } from "./resources";

export type ResourceType = Capitalize<keyof typeof resources>;

const handlers = Object.fromEntries(
  Object.values(resources).map(({ type, handler }) => [type, handler]),
) as Record<ResourceType, string>;

/**
 * Set beside the input `name` when the name is derived from the logical name. The state does not contain this key.
 * An existing object keeps a derived name until the program declares a name. A new logical name does not rename it.
 */
export const autoNamedKey = "__autoNamed";

/** The name under which `slipway/dynamic` exports the handler of a resource type. */
export const handlerName = (type: ResourceType): string => handlers[type];

/** The `__provider` of a resource: text that loads the installed package, so that no state contains code. */
export const loaderText = (type: ResourceType): string =>
  `module.exports=require('slipway/dynamic').${handlerName(type)}`;

/** The key of the facts about the run that a resource passes to its provider. The check removes it from the inputs. */
export const runKey = "__run";

/** The key of the property paths in `ignoreChanges`, which the engine does not send to dynamic providers. */
export const ignoredKey = "__ignored";

export interface RunInfo {
  /** The URN of the resource. */
  urn: string;
  /** The URN of the resource's provider. */
  provider: string;
}

export const formatRun = ({ urn, provider }: RunInfo): string => JSON.stringify([urn, provider]);

export function parseRun(text: unknown): RunInfo | undefined {
  if (typeof text !== "string") return undefined;
  const [urn, provider] = JSON.parse(text) as [string, string];
  return { urn, provider };
}

/** The key of the URN, for resources whose create needs the URN. The inputs contain the URN, the outputs do not. */
export const urnKey = "__urn";
