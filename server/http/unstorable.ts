import { badRequest } from "../platform/refusal";

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
export const mayHoldUnstorable = (json: string): boolean => /\\u(?:0000|d[89a-f])/i.test(json);
