import * as z from "zod";
import { formatPath } from "../platform/path";
import { badRequest } from "../platform/refusal";

/** Parses JSON. An absent body counts as an empty object, so that the message names the missing members. */
export function parseJson(body: unknown): unknown {
  if (body === undefined || body === null || body === "") return {};
  const text = String(body);
  const value = parseText(text);
  if (mayHoldUnstorable(text)) refuseUnstorable(value, "body");
  if (mayNamePrototype(text) && namesPrototype(value))
    throw badRequest(`The body has a member "__proto__". Choose another name.`);
  return value;
}

/**
 * A quick check: the text may name a member `__proto__`, perhaps with escape sequences. Many programs take it for the
 * prototype of an object, and would lose its value.
 */
const mayNamePrototype = (json: string): boolean => /(?:_|\\u005f){2}proto/i.test(json);

function namesPrototype(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Object.hasOwn(next, "__proto__")) return true;
    for (const member of Object.values(next)) left.push(member);
  }
  return false;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
}

/** The maximum number of values in a body. A batch of 1000 variables with all of their members has fewer. */
const largestValueCount = 30_000;

/**
 * Limits the work for a body, because a schema may report an issue for each of its values.
 * @param length the length of the body's text. A short text cannot have too many values
 * @throws Refusal 400
 */
export function refuseTooManyValues(body: unknown, length: number): void {
  // A value takes at least two characters: itself and a separator.
  if (length <= 2 * largestValueCount) return;
  let count = 0;
  const left = [body];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    const members = Object.values(next);
    count += members.length;
    if (count > largestValueCount)
      throw badRequest(`The body holds too many values: at most ${largestValueCount} are accepted.`);
    for (const member of members) left.push(member);
  }
}

/**
 * Parses without creating messages for the issues. A message may list every accepted value, and a body may have an
 * issue for each of its values, but only one issue is reported. `messageOf` creates the message of this issue.
 */
export const parseQuietly = <T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> =>
  schema.safeParse(value, { error: () => "", reportInput: true });

/** The largest number of accepted values that a message lists. */
const mostValues = 12;

/** Lists the accepted values; of many, the first. */
function oneOf(values: readonly unknown[]): string {
  const shown = values.slice(0, mostValues).map((value) => JSON.stringify(value));
  if (values.length === 1) return `must be ${shown}`;
  const more = values.length > mostValues ? ` and ${values.length - mostValues} more` : "";
  return `must be one of ${shown.join(", ")}${more}`;
}

/** The message of an issue that `parseQuietly` found. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.message !== "") return issue.message;
  if (issue.code === "invalid_value") return oneOf(issue.values);
  const message = z.config().localeError?.(issue as z.core.$ZodRawIssue);
  return (typeof message === "string" ? message : message?.message) ?? "not accepted";
}

/** @throws Refusal 400 that names the first invalid member, but not its value, which may be a secret */
export function check<T>(
  schema: z.ZodType<T>,
  value: unknown,
  where: "path" | "query" | "body" | "answer",
): T {
  const result = parseQuietly(schema, value);
  if (result.success) return result.data;
  const { path, message } = innermost(result.error.issues);
  if (where === "answer") {
    throw new Error(`the answer does not have its shape at ${formatPath(path)}: ${message}`);
  }
  throw badRequest(complaint(where, path, message));
}

const complaint = (where: string, path: readonly PropertyKey[], message: string): string =>
  `Invalid ${where}${path.length > 0 ? ` member ${formatPath(path)}` : ""}: ${message}.`;

/** An item of a batch that does not match its schema. Only this item is refused. */
export class InvalidItem {
  constructor(
    /** The item as it was sent. */
    readonly item: unknown,
    /** Names the invalid member, never its value. */
    readonly message: string,
  ) {}
}

/** Checks an item of a batch. @param at its place in the batch @param result what its schema says */
export function checkItem(item: unknown, at: number, result: z.ZodSafeParseResult<unknown>): unknown {
  if (result.success) return result.data;
  const { path, message } = innermost(result.error.issues);
  return new InvalidItem(item, complaint("body", [at, ...path], message));
}

/** The first issue. For a union, the issue of the member that matches the value best. */
function innermost([issue]: readonly z.core.$ZodIssue[]): { path: readonly PropertyKey[]; message: string } {
  if (issue === undefined) return { path: [], message: "not accepted" };
  if (issue.code !== "invalid_union") return { path: issue.path, message: messageOf(issue) };
  const depth = ({ path }: { path: readonly PropertyKey[] }): number => path.length;
  const inner = issue.errors.map(innermost).sort((a, b) => depth(b) - depth(a))[0];
  return inner
    ? { path: [...issue.path, ...inner.path], message: inner.message }
    : { path: issue.path, message: messageOf(issue) };
}

/**
 * @throws Refusal 400 when a decoded path, query or body contains the character U+0000 or half of a surrogate pair
 * @choice Both are refused everywhere, on both engines. PostgreSQL cannot store U+0000, and UTF-8 cannot represent half
 *   of a surrogate pair. No field of the API needs them.
 */
export function refuseUnstorable(value: unknown, where: "path" | "query" | "body"): void {
  const found = findUnstorable(value);
  if (found !== undefined)
    throw badRequest(`The ${where} holds ${found}, which cannot be stored. Remove it.`);
}

/** True for a value that `refuseUnstorable` accepts. */
export const isStorable = (value: unknown): boolean => findUnstorable(value) === undefined;

/** Names the part of a value that cannot be stored. Not recursive, because a deeply nested body overflows the stack. */
function findUnstorable(value: unknown): string | undefined {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string") {
      if (next.includes("\0")) return "the character U+0000";
      if (!next.isWellFormed()) return "half of a surrogate pair";
    } else if (typeof next === "object" && next !== null) {
      for (const [name, member] of Object.entries(next)) left.push(name, member);
    }
  }
  return undefined;
}

/** A quick check: in a JSON text, U+0000 and half of a surrogate pair can only be escape sequences. */
const mayHoldUnstorable = (json: string): boolean => /\\u(?:0000|d[89a-f])/i.test(json);
