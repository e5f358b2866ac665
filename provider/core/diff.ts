import { isPlain, own, same, sameJson } from "./values";

/** One difference between the state and the program. */
export interface Change {
  /** The path of the property: `passwordProtection.deploymentType`, or `protectionBypass["a.b"]`. */
  path: string;
  kind: "add" | "update" | "delete";
  replace: boolean;
}

/**
 * Returns the differences between two values at a path. Members of objects are compared one by one, a list as one
 * value.
 */
export function changesOf(path: string, before: unknown, after: unknown, replace: boolean): Change[] {
  // A value that is not known yet differs from every known value.
  if (same(before, after)) return [];
  if (before === undefined) return [{ path, kind: "add", replace }];
  if (after === undefined) return [{ path, kind: "delete", replace }];
  if (!isPlain(before) || !isPlain(after)) return [{ path, kind: "update", replace }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    changesOf(memberOf(path, key), own(before, key), own(after, key), replace),
  );
}

/**
 * Returns a change if two JSON values differ only in the order or the repetition of list items, which `changesOf`
 * ignores; otherwise returns an empty list.
 */
export const reorderingOf = (path: string, before: unknown, after: unknown): Change[] =>
  same(before, after) && !sameJson(before, after) ? [{ path, kind: "update", replace: false }] : [];

/** The path of a member, in Pulumi's notation. */
const memberOf = (path: string, key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
