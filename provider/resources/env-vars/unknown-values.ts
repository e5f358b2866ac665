import type { Plain } from "../../core/values";
import {
  isPlaceholder,
  isRevealed,
  placeholderReason,
  reasonOfLoss,
  unreadableReason,
} from "../env-var/unknown-value";

/** The rules of `env-var/unknown-value.ts` for several variables, each with its key and with the defaults applied. */

const withKey = (variables: readonly Plain[], key: unknown): Plain | undefined =>
  variables.find((one) => one.key === key);

/** True for a change that only another variable can make: a sensitive value cannot be made readable. */
export const isMadeReadable = (old: { type?: unknown } | undefined, news: { type?: unknown }): boolean =>
  old?.type === "sensitive" && news.type !== "sensitive";

/** Why the declared variables cannot be created or changed: the value of one of them is not known. */
export function unknownReason(before: readonly Plain[], declared: readonly Plain[]): string | undefined {
  for (const one of declared) {
    const old = withKey(before, one.key);
    if (!old && isPlaceholder(one)) return placeholderReason(one.key);
    if (old && isRevealed(old, one)) return unreadableReason(one.key);
  }
  return undefined;
}

/**
 * Why a change would lose the value of a variable; undefined if it would lose none.
 * @param isReplaced the change creates all variables again
 */
export function lossIn(
  before: readonly Plain[],
  declared: readonly Plain[],
  isReplaced: boolean,
  isValueIgnored: (key: string) => boolean,
): string | undefined {
  for (const news of declared) {
    const old = withKey(before, news.key);
    if (!old) continue;
    const change = { state: old, news, isReplaced: isReplaced || isMadeReadable(old, news) };
    const reason = reasonOfLoss({ ...change, ignored: isValueIgnored(`${news.key}`) ? [["value"]] : [] });
    if (reason !== undefined) return reason;
  }
  return undefined;
}
