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
export const trampoline = (type: ResourceType): string =>
  `module.exports=require('slipway/dynamic').${handlerName(type)}`;

/**
 * With what a resource that adopts tells the provider what the state of its stack holds, as `heldText` writes it. The
 * check drops it, so that it is neither compared nor stored.
 */
export const heldKey = "__held";

/** Beside it: what the stack calls the resource, such as `EnvVar "key"`. */
export const selfKey = "__self";

/** Beside them: the property paths of the option `ignoreChanges`, which the engine tells no dynamic provider. */
export const ignoredKey = "__ignored";

/** The URN of a resource whose create has to know it. It stays in the inputs, and is in no output. */
export const urnKey = "__urn";
