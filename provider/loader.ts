import { resources } from "./resources";

export type ResourceType = Capitalize<keyof typeof resources>;

const handlers = Object.fromEntries(
  Object.values(resources).map(({ type, handler }) => [type, handler]),
) as Record<ResourceType, string>;

/**
 * The key beside the input `name` of an object that the program does not name. The key is never in a state. An object
 * that has a name keeps it until the program declares another one, even if the logical name of the resource changes.
 */
export const autoNamedKey = "__autoNamed";

/** The name of a resource type in `slipway/dynamic`. */
export const handlerName = (type: ResourceType): string => handlers[type];

/** The text in `__provider` of a resource. It loads the installed package, so that states contain no code. */
export const loaderText = (type: ResourceType): string =>
  `module.exports=require('slipway/dynamic').${handlerName(type)}`;

/**
 * The key of facts about the run, which a resource sends to its provider. The check drops them, so no state has them.
 */
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

/** The key of the URN, for resources whose create needs it. The URN stays in the inputs, and is not an output. */
export const urnKey = "__urn";
