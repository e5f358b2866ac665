import type { z } from "zod";
import { inputsAt } from "./known-values";
import { closest } from "./suggest";
import { holdsUnknown, isPlain, own, type Plain, same } from "./values";

/** An invalid input. The message never quotes a value, because any value may be a secret. */
export interface Failure {
  /** The top-level input; undefined if the failure is about several inputs. */
  property: string | undefined;
  reason: string;
}

/**
 * A rule about several inputs. It fails, with `reason`, if `broken` returns true. `inputs` contains only known inputs.
 * `declared` contains the names of all declared inputs, including unknown ones.
 */
export type Rule<I> = readonly [
  broken: (inputs: Partial<I>, declared: ReadonlySet<string>) => boolean,
  reason: string | ((inputs: Partial<I>) => string),
];

/**
 * Removes inputs that are null although the schema does not allow null. They count as not declared, because a secret
 * Output of undefined arrives as null.
 */
export const withoutNulls = (schema: z.ZodObject, inputs: Plain): Plain =>
  Object.fromEntries(
    Object.entries(inputs).filter(
      ([key, value]) => value !== null || own(schema.shape, key)?.safeParse(null).success !== false,
    ),
  );

/**
 * Checks the known inputs: first against the schema, then against the rules. Returns the failures; empty for valid
 * inputs.
 */
export function failuresOf<I>(schema: z.ZodObject, rules: readonly Rule<I>[], news: Plain): Failure[] {
  const parsed = schema.safeParse(news);
  const failures = (parsed.error?.issues ?? [])
    .filter((issue) => issue.code === "unrecognized_keys" || !holdsUnknown(at(news, issue.path)))
    // One diagnostic per value, since further issues follow from the first.
    .filter((issue, i, all) => all.findIndex(({ path }) => same(path, issue.path)) === i)
    .map((issue) => ({ property: propertyOf(issue), reason: reasonOf(issue, schema, news) }));
  if (failures.length > 0) return failures;
  const unstorable = unstorableIn(news, []);
  if (unstorable.length > 0) return unstorable;
  const known = Object.fromEntries(Object.entries(news).filter(([, value]) => !holdsUnknown(value)));
  const declared = new Set(Object.keys(news).filter((key) => news[key] !== undefined));
  return rules
    .filter(([broken]) => broken(known as Partial<I>, declared))
    .map(([, reason]) => ({
      property: undefined,
      reason: typeof reason === "string" ? reason : reason(known as Partial<I>),
    }));
}

/** Returns a failure for each text that the service does not store. The text is a value, or a key of a map. */
function unstorableIn(value: unknown, path: readonly PropertyKey[]): Failure[] {
  const refuse = (what: string, text: string): Failure[] => {
    const invalid = unstorable(text);
    if (invalid === undefined) return [];
    const remedy = "Remove it, or encode the text, for example in base64.";
    return [
      {
        property: String(path[0]),
        reason: `${what} contains ${invalid}, which the service cannot store. ${remedy}`,
      },
    ];
  };
  if (typeof value === "string") return refuse(nameOf(path), value);
  if (Array.isArray(value)) return value.flatMap((item, i) => unstorableIn(item, [...path, i]));
  if (!isPlain(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    // Programs in JavaScript take it for the prototype of the map, and lose its value.
    if (key === "__proto__") {
      const reason = `a name in ${nameOf(path)} is __proto__, which is not safe in JSON. Choose another name.`;
      return [{ property: String(path[0] ?? key), reason }];
    }
    const ofName = refuse(`a name in ${nameOf(path)}`, key);
    return ofName.length > 0 ? ofName : unstorableIn(item, [...path, key]);
  });
}

function unstorable(text: string): string | undefined {
  if (text.includes("\0")) return "the character U+0000";
  return text.isWellFormed() ? undefined : "half of a surrogate pair";
}

/** The value at a path. If a parent has no members, such as `unknown`, the parent itself. */
function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) {
    if (Array.isArray(here)) here = here[Number(key)];
    else if (isPlain(here)) here = here[String(key)];
    else return here;
  }
  return here;
}

const propertyOf = (issue: z.core.$ZodIssue): string | undefined =>
  issue.path[0] === undefined ? undefined : String(issue.path[0]);

function reasonOf(issue: z.core.$ZodIssue, schema: z.ZodObject, news: Plain): string {
  if (issue.code === "unrecognized_keys") return unrecognized(issue.keys, issue.path, schema);
  // For a union, reports the first issue about a member of the value, instead of one about the whole value.
  const within = issue.code === "invalid_union" && issue.errors.flat().find(({ path }) => path.length > 0);
  if (within) return reasonOf({ ...within, path: [...issue.path, ...within.path] }, schema, news);
  if (issue.code === "invalid_key") {
    const [wrong] = issue.issues;
    return `a name in ${nameOf(issue.path.slice(0, -1))} ${wrong ? phrase(wrong) : issue.message}.`;
  }
  const name = nameOf(issue.path);
  if (at(news, issue.path) === undefined) return `${name} is missing.`;
  if (issue.code === "invalid_value") return `${name} must be one of ${issue.values.map(String).join(", ")}.`;
  return `${name} ${phrase(issue)}.`;
}

function unrecognized(keys: readonly string[], path: readonly PropertyKey[], schema: z.ZodObject): string {
  const where = path.length === 0 ? "" : ` in ${nameOf(path)}`;
  const known = inputsAt(schema, path);
  const meant = keys.flatMap((key) => closest(key, known) ?? []);
  const way =
    meant.length > 0
      ? `Did you mean ${meant.join(", ")}?`
      : `Remove it, or correct its name.${known.length === 0 ? "" : ` Inputs are: ${known.join(", ")}.`}`;
  return `unknown input${keys.length > 1 ? "s" : ""} ${keys.join(", ")}${where}. ${way}`;
}

function phrase(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${article(issue.expected)}`;
    case "too_small":
      if (Number(issue.minimum) === 1 && issue.origin !== "number") return "must not be empty";
      return withinBound(issue.origin, `at least ${issue.minimum}`);
    case "too_big":
      return withinBound(issue.origin, `at most ${issue.maximum}`);
    case "invalid_union":
      return ofKinds(issue);
    default:
      return issue.message;
  }
}

const countedParts: Readonly<Record<string, string>> = { string: "characters", array: "items" };

const withinBound = (origin: string, bound: string): string => {
  const parts = countedParts[origin];
  return parts === undefined ? `must be ${bound}` : `must have ${bound} ${parts}`;
};

function ofKinds({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const kinds = errors.map(
    ([first]) => first?.code === "invalid_type" && first.path.length === 0 && article(first.expected),
  );
  return kinds.every(Boolean) && kinds.length > 0
    ? `must be ${kinds.join(" or ")}`
    : "has a value of a kind that is not accepted";
}

const article = (type: string): string => {
  if (type === "int") return "a whole number";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
};

/** A path as a program writes it: `trustedIps.addresses[0].value`. */
const nameOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key, i) => (typeof key === "number" ? `[${key}]` : `${i > 0 ? "." : ""}${String(key)}`))
    .join("") || "the input";

/** The inputs in a state, without its outputs. */
export const inputsIn = <I extends z.ZodObject>(schema: I, state: object): Partial<z.output<I>> =>
  Object.fromEntries(Object.entries(state).filter(([key]) => key in schema.shape)) as Partial<z.output<I>>;
