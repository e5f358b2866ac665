import { isPlain, type Plain } from "./values";

/**
 * States after a change with an unknown outcome. The host reports such a state as a partial failure, so the engine
 * updates the resource in the next run, even if its diff finds nothing. That update sends all managed inputs, since the
 * values at the service are unknown. A finished update removes the names, and so does a read, because the state then has
 * the values of the service. A state can be unsure without names: if the change declared no new input.
 */

/** The key of the names of the inputs that the service may have, but that the state lacks; of maps also their members. */
const unsureKey = "unsure";

/** True when it is unknown whether the last change of an object took full effect. */
export const isUnsure = (state: Plain): boolean => Array.isArray(state[unsureKey]);

const namesIn = (state: Plain): string[] => (isUnsure(state) ? (state[unsureKey] as string[]) : []);

const inputOf = (name: string): string => name.split(".", 1)[0] as string;

/** The name of an input, and those of its members, such as `deployHooks.ci`. */
const namesOf = ([input, value]: [string, unknown]): string[] => [
  input,
  ...(isPlain(value) ? Object.keys(value).map((member) => `${input}.${member}`) : []),
];

/**
 * Returns the state after a change with an unknown outcome.
 * @param declared the inputs of the change @param before the state before the change
 */
export function unsureState(state: Plain, declared: Plain, before: Plain): Plain {
  const names = new Set([...namesIn(before), ...Object.entries(declared).flatMap(namesOf)]);
  return { ...state, [unsureKey]: [...names].filter((name) => state[inputOf(name)] === undefined).sort() };
}

/**
 * Returns the inputs that only a change with an unknown outcome declared. With them in the state, an update resets those
 * that the program does not declare. Of a map, it returns the members that the change declared: others, such as a deploy
 * hook of the dashboard, belong to somebody else. A refresh does not read these inputs: it cannot tell what the change
 * has set from what somebody else has.
 * @param news the inputs that the program declares, which need no value from the service
 * @param read reads the inputs at the service. Null stands for a value that it does not return
 */
export async function unsureInputs(state: Plain, news: Plain, read: () => Promise<Plain>): Promise<Plain> {
  const names = namesIn(state);
  const undeclared = [...new Set(names.map(inputOf))].filter((input) => news[input] === undefined);
  if (undeclared.length === 0) return {};
  const found = await read();
  const declaredPart = (input: string): unknown => {
    const value = found[input] ?? null;
    if (!isPlain(value)) return value;
    return Object.fromEntries(
      Object.entries(value).filter(([member]) => names.includes(`${input}.${member}`)),
    );
  };
  return Object.fromEntries(undeclared.map((input) => [input, declaredPart(input)]));
}
