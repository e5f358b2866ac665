import type { Tx } from "../store";

/** A queued unit, and the promise of its result. */
export interface Waiting {
  unit: (tx: Tx) => Promise<unknown>;
  /** When the unit was queued, in milliseconds of `performance.now()`. */
  since: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The limits of a commit, which bound how long its first unit waits. */
export const batchLimits = {
  /** The largest number of units in one commit. */
  units: 64,
  /** The time after the first unit of a commit in which it takes more units, in milliseconds. */
  ms: 50,
};

/**
 * Runs units with the same lock keys in the order of their arrival. Units that arrive while others run are batched.
 * A waiting unit holds no connection.
 */
export class WriteQueue {
  private readonly waiting = new Map<string, Waiting[]>();

  /** @param run removes at least one unit, and settles the promises of those that it removed; it does not throw */
  constructor(private readonly run: (lockKeys: readonly string[], waiting: Waiting[]) => Promise<void>) {}

  take<T>(lockKeys: readonly string[], unit: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const one: Waiting = {
        unit,
        since: performance.now(),
        resolve: resolve as (value: unknown) => void,
        reject,
      };
      const name = lockKeys.join(" ");
      const others = this.waiting.get(name);
      if (others) {
        others.push(one);
        return;
      }
      const waiting = [one];
      this.waiting.set(name, waiting);
      void this.drain(name, lockKeys, waiting);
    });
  }

  private async drain(name: string, lockKeys: readonly string[], waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) await this.run(lockKeys, waiting);
    this.waiting.delete(name);
  }
}
