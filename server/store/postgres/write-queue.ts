import type { Tx } from "../store";

/** A queued unit, and the promise of its result. */
export interface Waiting {
  unit: (tx: Tx) => Promise<unknown>;
  /** When the unit was queued, in milliseconds of `performance.now()`. */
  since: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The largest number of units in one commit, which bounds how long the first of them waits. */
const batchLimit = 64;

/**
 * Runs units with the same lock key in the order of their arrival. Units that arrive while others run are batched.
 * A waiting unit holds no connection.
 */
export class WriteQueue {
  private readonly waiting = new Map<string, Waiting[]>();

  /** @param run runs a batch and settles the promise of each unit; it does not throw */
  constructor(private readonly run: (lockKey: string | undefined, batch: Waiting[]) => Promise<void>) {}

  take<T>(lockKey: string | undefined, unit: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const one: Waiting = {
        unit,
        since: performance.now(),
        resolve: resolve as (value: unknown) => void,
        reject,
      };
      const name = lockKey ?? "";
      const others = this.waiting.get(name);
      if (others) {
        others.push(one);
        return;
      }
      this.waiting.set(name, [one]);
      void this.drain(name, lockKey);
    });
  }

  private async drain(name: string, lockKey: string | undefined): Promise<void> {
    const queue = this.waiting.get(name) ?? [];
    while (queue.length > 0) {
      await this.run(lockKey, queue.splice(0, lockKey === undefined ? 1 : batchLimit));
    }
    this.waiting.delete(name);
  }
}
