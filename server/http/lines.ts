import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** The answer of a route with `lines`: the items so far, and whether more will come. */
export interface Items {
  items: readonly unknown[];
  isComplete: boolean;
}

/** How a list is sent as lines of JSON; otherwise it is one array. */
export interface Lines<Q> {
  areWanted: (query: Q) => boolean;
  /** The answer goes on until the list is complete. */
  areFollowed: (query: Q) => boolean;
}

/** How often a followed list is read, in milliseconds. */
const intervalMs = 500;

/** How long a list is followed at most, in milliseconds. Clients may ask again. */
const longestMs = 15 * 60 * 1000;

/** How many lists the requests of an account follow at a time, since each is read again and again. @choice */
const mostFollowed = 20;

/** Counts the lists that accounts follow. */
export class Followers {
  private readonly counts = new Map<string, number>();

  /** @returns false when the account follows too many lists; otherwise it counts until the response closes */
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
 * The lines of a list that grows, as they come. It ends early when reading is refused, such as after a deletion.
 * @param first what was read already
 * @param end ends it
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
