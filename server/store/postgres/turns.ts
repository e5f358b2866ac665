import type { Tx } from "../store";

/** A unit that waits for its turn, and for what becomes of it. */
export interface Waiting {
  unit: (tx: Tx) => Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Units that share one commit, at most: bounds how long the first of them waits for its answer. */
const batchLimit = 64;

/**
 * Units of the same turn run one after the other, in the order in which they came; those that came while others
 * ran are run together. Whoever waits here holds no connection meanwhile.
 */
export class Turns {
  private readonly waiting = new Map<string, Waiting[]>();

  /** @param run carries units out, and answers each of them; it does not throw */
  constructor(private readonly run: (turn: string | undefined, batch: Waiting[]) => Promise<void>) {}

  take<T>(turn: string | undefined, unit: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const one: Waiting = { unit, resolve: resolve as (value: unknown) => void, reject };
      const name = turn ?? "";
      const others = this.waiting.get(name);
      if (others) {
        others.push(one);
        return;
      }
      this.waiting.set(name, [one]);
      void this.drain(name, turn);
    });
  }

  private async drain(name: string, turn: string | undefined): Promise<void> {
    const queue = this.waiting.get(name) ?? [];
    while (queue.length > 0) {
      await this.run(turn, queue.splice(0, turn === undefined ? 1 : batchLimit));
    }
    this.waiting.delete(name);
  }
}
