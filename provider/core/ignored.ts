import { isPlain, own, type Plain } from "./values";

/** The option `ignoreChanges`: inputs whose changes the program ignores. */

/** A property path, such as `["variables", "KEY"]`. `*` matches every member. */
export type PropertyPath = readonly string[];

/** Parses `a.b`, `a["b"]`, `a[0]` and `a[*]`. */
export const parsePath = (text: string): PropertyPath =>
  [...text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[([^\]]*)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, name]) => quoted?.replace(/\\(.)/g, "$1") ?? index ?? name ?? "",
  );

/** True when the value at a path is ignored, as a whole or in part. */
export const isIgnored = (ignored: readonly PropertyPath[], path: PropertyPath): boolean =>
  ignored.some((one) => path.every((key, i) => matches(one[i], key)));

/**
 * True if one part of an ignored path matches a key. Undefined means that the ignored path has ended: it matches every
 * key.
 */
const matches = (pattern: string | undefined, key: string): boolean =>
  pattern === undefined || pattern === "*" || pattern === key;

/**
 * Returns inputs without ignored values. An ignored input is left out. An ignored member of an object keeps the value
 * that it has in `existing`.
 */
export function withoutIgnored<T extends object>(
  declared: T,
  existing: object,
  ignored: readonly PropertyPath[],
): T {
  const kept = Object.entries(declared).filter(([key]) => !isIgnoredWhole(ignored, [key]));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, merged(value, own(existing as Plain, key), [key], ignored)]),
  ) as T;
}

/** True when the value at a path is ignored as a whole. */
export const isIgnoredWhole = (ignored: readonly PropertyPath[], path: PropertyPath): boolean =>
  ignored.some((one) => one.length <= path.length && path.every((key, i) => matches(one[i], key)));

function merged(
  declared: unknown,
  existing: unknown,
  path: PropertyPath,
  ignored: readonly PropertyPath[],
): unknown {
  if (!isIgnored(ignored, path)) return declared;
  // The items of the two lists cannot be matched with each other, so the whole existing list is kept.
  if (!isPlain(declared) || isIgnoredWhole(ignored, path)) return existing;
  const before = isPlain(existing) ? existing : {};
  const keys = new Set([...Object.keys(declared), ...Object.keys(before)]);
  const members = [...keys].flatMap((key): [string, unknown][] => {
    if (!Object.hasOwn(declared, key) && !isIgnored(ignored, [...path, key])) return [];
    const value = merged(own(declared, key), own(before, key), [...path, key], ignored);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(members);
}
