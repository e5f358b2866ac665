import { badRequest } from "./refusal";

/**
 * @throws Refusal 400 when a decoded path, query or body holds the character U+0000, or half of a surrogate pair
 * @choice No text of PostgreSQL can hold the former and no UTF-8 the latter, so what was answered would not be
 *   what is kept. Nothing that the API names needs them: they are refused wherever they stand, on both engines.
 */
export function refuseUnstorable(value: unknown, where: "path" | "query" | "body"): void {
  const found = findUnstorable(value);
  if (found !== undefined) throw badRequest(`The ${where} holds ${found}, which nothing here can.`);
}

function findUnstorable(value: unknown): string | undefined {
  if (typeof value === "string") {
    if (value.includes("\0")) return "the character U+0000";
    return value.isWellFormed() ? undefined : "half of a surrogate pair";
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = findUnstorable(name) ?? findUnstorable(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether JSON may hold any: both can only stand there escaped. */
export const mayHoldUnstorable = (json: string): boolean => /\\u(?:0000|d[89a-f])/i.test(json);
