import { FairQueue } from "./fair-queue";

/** Limits how much work runs at the same time, in total and of one key. Waiting work is served by key, round robin. */
export class Slots {
  private readonly waiting = new FairQueue<() => void>();
  private readonly running = new Map<string, number>();
  private free: number;

  /** @param total the number of slots @param perKey the most slots that one key may have */
  constructor(
    total: number,
    private readonly perKey: number,
  ) {
    this.free = total;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const wait = this.begin(key);
    if (wait) await wait;
    try {
      return await work();
    } finally {
      this.end(key);
    }
  }

  /** Takes a slot, which `end` gives back. @returns undefined if one was free, or else a promise of the next one */
  begin(key: string): Promise<void> | undefined {
    if (!this.mayRun(key)) return new Promise((begin) => this.waiting.push(key, begin));
    this.take(key);
    return undefined;
  }

  private mayRun(key: string): boolean {
    return this.free > 0 && (this.running.get(key) ?? 0) < this.perKey;
  }

  private take(key: string): void {
    this.free -= 1;
    this.running.set(key, (this.running.get(key) ?? 0) + 1);
  }

  /** Gives a slot back, to work that waits for one. */
  end(key: string): void {
    // The slot counts as free for the key that had it.
    const next = this.waiting.shift((one) => one === key || (this.running.get(one) ?? 0) < this.perKey);
    if (next?.key !== key) {
      this.free += 1;
      const count = (this.running.get(key) ?? 1) - 1;
      if (count > 0) this.running.set(key, count);
      else this.running.delete(key);
      if (next) this.take(next.key);
    }
    next?.item();
  }
}
