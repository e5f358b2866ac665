import type * as z from "zod";
import { badRequest } from "../platform/refusal";
import { mayHoldUnstorable, refuseUnstorable } from "./unstorable";

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
