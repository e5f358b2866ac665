import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { difference } from "./schema";

type Difference = z.infer<typeof difference>;

/**
 * The items of a version, each with how it differs from production. Items that only production has come last.
 * @param only leaves out items that do not differ
 */
export function differencesOf<T>(
  items: readonly T[],
  live: readonly T[],
  keyOf: (item: T) => string,
  only: boolean,
): (T & { action?: Difference })[] {
  type Compared = T & { action?: Difference };
  const before = new Map(live.map((item) => [keyOf(item), item]));
  const keys = new Set(items.map(keyOf));
  const shown = items.map((item): Compared => {
    const old = before.get(keyOf(item));
    if (old !== undefined && isDeepStrictEqual(old, item)) return item as Compared;
    return { ...item, action: old === undefined ? ("+" as const) : ("~" as const) };
  });
  const removed = live.filter((item) => !keys.has(keyOf(item)));
  return [
    ...(only ? shown.filter(({ action }) => action !== undefined) : shown),
    ...removed.map((item) => ({ ...item, action: "-" as const })),
  ];
}
