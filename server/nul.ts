import { badRequest } from "./refusal";

/**
 * @throws Refusal 400 when a decoded path, query or body holds the character U+0000
 * @choice No text of PostgreSQL can hold it, and nothing that the API names can: it is refused wherever it
 *   stands, on both engines.
 */
export function refuseNul(value: unknown, where: "path" | "query" | "body"): void {
  if (holdsNul(value)) throw badRequest(`The ${where} holds the character U+0000, which nothing here can.`);
}

function holdsNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, member]) => name.includes("\0") || holdsNul(member));
}
