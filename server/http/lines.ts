import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** The answer of a route with `lines`: the items so far, and whether more will come. */
export interface Items {
  items: readonly unknown[];
  isComplete: boolean;
}

/** The settings of a route that can send a list as lines of JSON instead of an array. */
export interface Lines<Q> {
  areWanted: (query: Q) => boolean;
  /** True if the answer continues until the list is complete. */
  areFollowed: (query: Q) => boolean;
}

/** The interval between reads of a followed list, in milliseconds. */
const intervalMs = 500;

/** The maximum time for which a list is followed, in milliseconds. Clients can send the request again. */
const longestMs = 15 * 60 * 1000;

/** @choice The maximum number of lists that an account follows at a time, because each is read again and again. */
const mostFollowed = 20;

/** Counts the lists that each account follows. */
export class Followers {
  private readonly counts = new Map<string, number>();

  /** Counts a list until the response closes. @returns false, without counting it, if the account follows too many */
  add(account: string, response: ServerResponse): boolean {
    const count = this.counts.get(account) ?? 0;
    if (count >= mostFollowed || response.destroyed) return false;
    this.counts.set(account, count + 1);
    response.once("close", () => this.remove(account));
    return true;
  }

  private remove(account: string): void {
    const left = (this.counts.get(account) ?? 1) - 1;
    if (left > 0) this.counts.set(account, left);
    else this.counts.delete(account);
  }
}

export const toLines = (items: readonly unknown[]): string =>
  items.map((item) => `${JSON.stringify(item)}\n`).join("");

/**
 * Yields the lines of a growing list as items are added. The lines end early if a read is refused, for example after a
 * deletion.
 * @param first the items that were read already
 * @param read reads the whole list again
 * @param end a signal that ends the lines when it is aborted
 */
export async function* followLines(
  first: Items,
  read: () => Promise<Items>,
  end: AbortSignal,
): AsyncGenerator<string> {
  const latest = performance.now() + longestMs;
  let now = first;
  let sent = 0;
  for (;;) {
    if (now.items.length > sent) yield toLines(now.items.slice(sent));
    sent = now.items.length;
    if (now.isComplete || performance.now() > latest) return;
    try {
      await sleep(intervalMs, undefined, { signal: end, ref: false });
      now = await read();
    } catch {
      return;
    }
  }
}
