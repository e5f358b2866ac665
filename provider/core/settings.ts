import { type Plain, same } from "./values";

/** Compares settings that the program declares with those at the service. */

/**
 * The members of an update: the settings that differ from the state. Settings that were removed from the program are
 * reset to their default, or stay if they have none.
 * @param defaultOf returns undefined if a setting has no default
 * @param all also the settings that do not differ
 */
export function changesOf(
  settings: readonly string[],
  declared: Plain,
  state: Plain,
  defaultOf: (key: string) => unknown,
  all = false,
  isSame: (key: string, a: unknown, b: unknown) => boolean = (_key, a, b) => same(a, b),
): Plain {
  const body: Plain = {};
  for (const key of settings) {
    if (!all && isSame(key, state[key], declared[key])) continue;
    const isRemoved = declared[key] === undefined && state[key] !== undefined;
    const value = isRemoved ? defaultOf(key) : declared[key];
    if (value !== undefined) body[key] = value;
  }
  return body;
}

/**
 * The inputs after a read: those of the state. Without a state, as in an import, all settings that the object has.
 * @param current the settings at the service
 * @param seenAs returns the setting at the service in the form of the declared value
 */
export function inputsRead<K extends string>(
  settings: readonly K[],
  state: Plain | undefined,
  current: Plain,
  seenAs: (key: K, declared: unknown) => unknown,
): Plain {
  const managed = settings.filter((key) => (state ? state[key] !== undefined : current[key] != null));
  return Object.fromEntries(managed.map((key) => [key, state ? seenAs(key, state[key]) : current[key]]));
}
