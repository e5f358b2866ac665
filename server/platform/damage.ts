import type { Log } from "./log";
import { Refusal } from "./refusal";

/**
 * A damaged row does not break lists: they show the row without the unreadable part, and the log names the row. A
 * request for the row alone is refused. The row can still be updated and deleted.
 */

/** @param what for instance `the value of a variable` */
export function noteDamage(log: Log, what: string, id: string): void {
  log.error({ what, id }, "damaged data");
}

/** The refusal that `damaged` returns, for a route's `throws`. */
export const damagedData = [500, "damaged_data", "the requested data is damaged and cannot be read"] as const;

/** Logs the damage, and returns the refusal of a request for the damaged row. */
export function damaged(log: Log, what: string, id: string): Refusal {
  noteDamage(log, what, id);
  return new Refusal(
    500,
    "damaged_data",
    `${what[0]?.toUpperCase()}${what.slice(1)} (${id}) is damaged and cannot be read. Update it with a new value, or delete it.`,
  );
}
