import type { Client } from "../../client/client";
import type { Failure } from "../../core/check";
import { refuseConfigReference } from "../../core/config-reference";
import type { Plain } from "../../core/values";
import { reasonOfPolicy } from "./policy";
import { isPlaceholder, isRevealed, placeholderReason, unreadableReason } from "./unknown-value";

/**
 * Refuses the value or the type of a variable: a placeholder that an import left in the program, a type that the
 * policy of the team forbids, or an empty text in place of an unreadable value.
 * @param previous the inputs of the last run; empty for a new variable
 */
export async function refuseValue(client: Client, previous: Plain, news: Plain): Promise<Failure[]> {
  const { key, value, adopt } = news;
  const left = refuseConfigReference(previous, "value", value);
  if (left.length > 0) return left;
  // An adopted variable may keep a type that the policy forbids for new variables.
  const reason = adopt === true ? undefined : await reasonOfPolicy(client, [news], [previous]);
  if (reason !== undefined) return [{ property: "type", reason }];
  if (isRevealed(previous, news)) return [{ property: "type", reason: unreadableReason(key) }];
  if (Object.keys(previous).length > 0 || !isPlaceholder(news)) return [];
  return [{ property: "value", reason: placeholderReason(key) }];
}
