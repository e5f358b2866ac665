import type { Log } from "./log";
import { Refusal } from "./refusal";

/**
 * One row of the store that was damaged takes no list down: it is shown there without what cannot be read, and the
 * log names it. Who asks for it alone is refused. Either way it can be written anew, and deleted.
 */

/** @param what such as `the value of a variable` */
export function noteDamage(log: Log, what: string, id: string): void {
  log.error({ what, id }, "damaged data");
}

/** What answers where the damaged part is all that was asked for. */
export function damaged(log: Log, what: string, id: string): Refusal {
  noteDamage(log, what, id);
  return new Refusal(
    500,
    "damaged_data",
    `${what[0]?.toUpperCase()}${what.slice(1)} (${id}) is damaged and cannot be read. Write it anew, or delete it.`,
  );
}
