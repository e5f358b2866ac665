import type * as z from "zod";
import { check, checkItem, parseQuietly } from "../http/validate";
import { deepest, isTooDeep } from "../platform/depth";
import { formatPath } from "../platform/path";
import { badRequest } from "../platform/refusal";
import type { SplitBody, UnknownMember } from "../platform/services";

type Path = readonly PropertyKey[];

/**
 * Checks a body against a schema after removing its unknown members at any depth.
 * @throws Refusal 400 when the rest does not fit the schema
 */
export function splitBody<T>(schema: z.ZodType<T>, body: unknown): SplitBody<T> {
  const { result, rest, unknown } = parseKnown(schema, body);
  return { known: result.success ? result.data : check(schema, rest, "body"), unknown };
}

/** Does the same for an item of a batch. An item whose rest does not fit the schema becomes an `InvalidItem`. */
export function splitItem(schema: z.ZodType, item: unknown, index: number): SplitBody {
  const { result, unknown } = parseKnown(schema, item);
  const members = result.success ? unknown : [];
  return {
    known: checkItem(item, index, result),
    unknown: members.map(({ path, value }) => ({ path: [index, ...path], value })),
  };
}

/** @throws Refusal 400 when an unknown member is nested too deep to be kept */
function parseKnown<T>(
  schema: z.ZodType<T>,
  body: unknown,
): { result: z.ZodSafeParseResult<T>; rest: unknown; unknown: UnknownMember[] } {
  const unknown: UnknownMember[] = [];
  let rest = body;
  for (;;) {
    const result = parseQuietly(schema, rest);
    if (result.success) return { result, rest, unknown };
    const paths = result.error.issues.flatMap((issue) => unknownIn(issue) ?? []);
    if (paths.length === 0) return { result, rest, unknown };
    for (const path of paths) {
      const value = at(rest, path);
      if (isTooDeep(value))
        throw badRequest(
          `Invalid body member ${formatPath(path)}: is nested too deeply, at most ${deepest} levels are accepted.`,
        );
      unknown.push({ path, value });
    }
    rest = without(rest, namesIn(paths));
  }
}

/** The paths of the unknown members that an issue reports; undefined for an issue of another kind. */
function unknownIn(issue: z.core.$ZodIssue): Path[] | undefined {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => [...issue.path, key]);
  if (issue.code !== "invalid_union") return undefined;
  for (const issues of issue.errors) {
    const found = issues.map(unknownIn);
    if (found.length > 0 && found.every((paths) => paths !== undefined)) {
      return found.flat().map((path) => [...issue.path, ...path]);
    }
  }
  return undefined;
}

/** The value at a path; undefined if the path does not exist. */
export function at(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[step];
  }
  return here;
}

/** A tree of members by name. A leaf of the tree means the whole member. */
interface Members extends Map<PropertyKey, Members> {}

function namesIn(paths: readonly Path[]): Members {
  const all: Members = new Map();
  for (const path of paths) {
    let here = all;
    for (const step of path) {
      const inside: Members = here.get(step) ?? new Map();
      here.set(step, inside);
      here = inside;
    }
  }
  return all;
}

/** Removes all members in one copy. A copy for each member would take minutes if a body has many. */
function without(value: unknown, members: Members): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const inside = members.get(index);
      return inside ? without(item, inside) : item;
    });
  }
  const left: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value as object)) {
    const inside = members.get(name);
    if (inside === undefined) left.push([name, member]);
    else if (inside.size > 0) left.push([name, without(member, inside)]);
  }
  // Not by assignment, which would set the prototype for the name `__proto__`.
  return Object.fromEntries(left);
}

/** Adds those members that the object does not have itself, if their parents exist. */
export function addUnknown(object: object, members: readonly UnknownMember[]): void {
  for (const { path, value } of members) {
    const parent = at(object, path.slice(0, -1));
    const name = path.at(-1);
    if (typeof parent !== "object" || parent === null || Array.isArray(parent) || name === undefined)
      continue;
    if (Object.hasOwn(parent, name) && (parent as Record<PropertyKey, unknown>)[name] !== undefined) continue;
    Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
  }
}
