import type * as z from "zod";
import { check, checkEach } from "../http/validate";
import { badRequest } from "../platform/refusal";

type Path = readonly PropertyKey[];

/** A member of a body that no description knows: where it stood, and what it was. */
export interface UnknownMember {
  readonly path: Path;
  readonly value: unknown;
}

/** Levels that the value of an unknown member has at most: what is answered is written by recursion. */
const deepest = 100;

/**
 * Checks a body as ever, but for its unknown members, wherever they stand: these are taken out.
 * @throws Refusal 400 when what is left does not fit
 */
export function takeUnknown<T>(
  schema: z.ZodType<T>,
  body: unknown,
): { known: T; unknown: readonly UnknownMember[] } {
  const { result, rest, unknown } = parseKnown(schema, body);
  return { known: result.success ? result.data : check(schema, rest, "body"), unknown };
}

/** The same for each item of a batch: what is left of one that does not fit is a `Misfit`. */
export function takeUnknownOfEach(
  schema: z.ZodType,
  items: readonly unknown[],
): { known: unknown[]; unknown: readonly UnknownMember[] } {
  const unknown: UnknownMember[] = [];
  const known = checkEach(items, (item, at) => {
    const taken = parseKnown(schema, item);
    if (taken.result.success)
      unknown.push(...taken.unknown.map(({ path, value }) => ({ path: [at, ...path], value })));
    return taken.result;
  });
  return { known, unknown };
}

/** @throws Refusal 400 when an unknown member is nested too deep to be kept */
function parseKnown<T>(
  schema: z.ZodType<T>,
  body: unknown,
): { result: z.ZodSafeParseResult<T>; rest: unknown; unknown: UnknownMember[] } {
  const unknown: UnknownMember[] = [];
  let rest = body;
  for (;;) {
    const result = schema.safeParse(rest);
    if (result.success) return { result, rest, unknown };
    const paths = result.error.issues.flatMap((issue) => unknownIn(issue) ?? []);
    if (paths.length === 0) return { result, rest, unknown };
    for (const path of paths) {
      const value = at(rest, path);
      if (isTooDeep(value)) throw badRequest(`Invalid body member ${path.join(".")}: is nested too deep.`);
      unknown.push({ path, value });
      rest = without(rest, path);
    }
  }
}

/** Paths of the unknown members that an issue is about; undefined: it is about something else. */
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

/** What stands at a path; undefined where nothing does. */
export function at(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[step];
  }
  return here;
}

function without(value: unknown, [step, ...rest]: Path): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? without(item, rest) : item));
  }
  const members = Object.entries(value as object);
  // Not by assignment, which would take the name `__proto__` for something else.
  return Object.fromEntries(
    rest.length === 0
      ? members.filter(([name]) => name !== step)
      : members.map(([name, member]) => [name, name === step ? without(member, rest) : member]),
  );
}

function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** Adds to an object what it does not state by itself, where the place of a member is there. */
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
