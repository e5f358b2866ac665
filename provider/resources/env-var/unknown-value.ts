import type { ValueChange } from "../../core/definition";
import { isIgnored, type PropertyPath } from "../../core/ignored";
import { holdsUnknown, type Plain } from "../../core/values";

/**
 * Values that the program does not know: an empty text in place of a sensitive value that nobody can read, and a value
 * whose changes the program ignores. Slipway never writes such a value, and never creates a variable again that has one.
 */

const nameOf = (key: unknown): string => (typeof key === "string" ? ` ${key}` : "");

/** Why a sensitive variable is not created with an empty value, the placeholder of a value that cannot be read. */
export const placeholderReason = (key: unknown): string =>
  `The sensitive variable${nameOf(key)} cannot be created with an empty value, which stands for a ` +
  "value that nobody can read. If the variable was deleted at the service, declare its value again, without " +
  'ignoreChanges: ["value"]. Otherwise remove it from the program.';

/** Why a sensitive variable is not created again while its value is not known. */
export const unreadableReason = (key: unknown): string =>
  `This change creates the sensitive variable${nameOf(key)} again. Its value would be lost, because the program has an ` +
  "empty value, which stands for a value that nobody can read. Declare the value again, or undo the change (keep " +
  'type: "sensitive" and the project).';

/** Why a variable is not created again while the program ignores its value. */
export const ignoredReason = (key: unknown): string =>
  `This change creates the variable${nameOf(key)} again, with the value in the program. The value at the service would be ` +
  "lost, because the program ignores its changes (ignoreChanges). Undo the change. Or declare the value of the service, " +
  'remove "value" from ignoreChanges, and run `pulumi up` before this change.';

/** True for the empty text that stands for a sensitive value which nobody can read. */
export const isPlaceholder = ({ type, value }: Plain): boolean => type === "sensitive" && value === "";

/** True if a variable would no longer be sensitive, although the program does not know its value. */
export const isRevealed = (before: Plain, news: Plain): boolean =>
  before.type === "sensitive" && news.value === "" && news.type !== "sensitive" && !holdsUnknown(news.type);

/** Why a change of a variable would lose its value; undefined if it would not. A replacement creates it again. */
export function reasonOfLoss({ state, news, isReplaced, ignored }: ValueChange): string | undefined {
  if (!isReplaced && !isRevealed(state, news)) return undefined;
  if (state.type === "sensitive" && news.value === "") return unreadableReason(news.key);
  return isIgnored(ignored, ["value"]) && news.value !== undefined ? ignoredReason(news.key) : undefined;
}

/** Why the program's variable cannot replace existing ones; undefined if it can. @param existing variables of the service */
export function reasonAgainstReplacement(
  news: Plain,
  existing: readonly { type: string }[],
  ignored: readonly PropertyPath[],
): string | undefined {
  const reasons = existing.map(({ type }) =>
    reasonOfLoss({ state: { type }, news, isReplaced: true, ignored }),
  );
  return reasons.find((reason) => reason !== undefined);
}
