import type * as z from "zod";
import { badRequest } from "../platform/refusal";

/** No body at all counts as an empty object, so that the message names what is missing. */
export function parseJson(body: unknown): unknown {
  if (body === undefined || body === null || body === "") return {};
  const text = String(body);
  const value = parse(text);
  if (mayHoldUnstorable(text)) refuseUnstorable(value, "body");
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
}

/** @throws Refusal 400 naming the first member that does not fit; never its value, which may be a secret */
export function check<T>(
  schema: z.ZodType<T>,
  value: unknown,
  where: "path" | "query" | "body" | "answer",
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = innermost(result.error.issues);
  if (where === "answer") {
    throw new Error(`the answer does not have its shape at ${path.join(".")}: ${message}`);
  }
  throw badRequest(`Invalid ${where}${path.length > 0 ? ` member ${path.join(".")}` : ""}: ${message}.`);
}

/** The first issue; of a value that fits none of several forms, that of the form it comes closest to. */
function innermost([issue]: readonly z.core.$ZodIssue[]): { path: readonly PropertyKey[]; message: string } {
  if (issue === undefined) return { path: [], message: "not accepted" };
  if (issue.code !== "invalid_union") return issue;
  const depth = ({ path }: { path: readonly PropertyKey[] }): number => path.length;
  const inner = issue.errors.map(innermost).sort((a, b) => depth(b) - depth(a))[0];
  return inner ? { path: [...issue.path, ...inner.path], message: inner.message } : issue;
}

/**
 * @throws Refusal 400 when a decoded path, query or body holds the character U+0000, or half of a surrogate pair
 * @choice No text of PostgreSQL can hold the former and no UTF-8 the latter, so what was answered would not be
 *   what is kept. Nothing that the API names needs them: they are refused wherever they stand, on both engines.
 */
export function refuseUnstorable(value: unknown, where: "path" | "query" | "body"): void {
  const found = findUnstorable(value);
  if (found !== undefined) throw badRequest(`The ${where} holds ${found}, which nothing here can.`);
}

/** Without recursion: what a client sends may be nested deeper than the stack is. */
function findUnstorable(value: unknown): string | undefined {
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === "string") {
      if (one.includes("\0")) return "the character U+0000";
      if (!one.isWellFormed()) return "half of a surrogate pair";
    } else if (typeof one === "object" && one !== null) {
      for (const [name, member] of Object.entries(one)) left.push(name, member);
    }
  }
  return undefined;
}

/** Whether JSON may hold any: both can only stand there escaped. */
const mayHoldUnstorable = (json: string): boolean => /\\u(?:0000|d[89a-f])/i.test(json);
