import type { Plain } from "./values";

/**
 * States after a change with an unknown outcome. The host reports such a state as a partial failure, so the engine
 * updates the resource in the next run, even if its diff finds nothing. A finished update removes the names, and so does
 * a read, because the state then has the values of the service.
 */

/** The key of the names of the inputs that the service may have, but that the state lacks. */
const unsureKey = "unsure";

/** True when it is unknown whether the last change of an object took full effect. */
export const isUnsure = (state: Plain): boolean => Array.isArray(state[unsureKey]);

const namesIn = (state: Plain): string[] => (isUnsure(state) ? (state[unsureKey] as string[]) : []);

/**
 * Returns the state after a change with an unknown outcome.
 * @param declared the inputs of the change @param before the state before the change
 */
export function unsureState(state: Plain, declared: Plain, before: Plain): Plain {
  const names = new Set([...namesIn(before), ...Object.keys(declared)]);
  return { ...state, [unsureKey]: [...names].filter((name) => state[name] === undefined).sort() };
}

/**
 * Returns a state with the inputs that only a change with an unknown outcome declared. An update then resets those that
 * the program does not declare.
 * @param read reads the inputs at the service. Null stands for a value that it does not return
 */
export async function withUnsureInputs(
  state: Plain,
  news: Plain,
  read: () => Promise<Plain>,
): Promise<Plain> {
  const undeclared = namesIn(state).filter((name) => news[name] === undefined);
  if (undeclared.length === 0) return state;
  const found = await read();
  return { ...state, ...Object.fromEntries(undeclared.map((name) => [name, found[name] ?? null])) };
}
