/** How long a piece of work may run before it pauses, in milliseconds. */
const sliceMs = 2;

/**
 * Bounds the time between two turns of the event loop. Long work asks `isDue` between its steps, and awaits `pause` when
 * its time is up. Each turn continues one piece of paused work, so short work never waits for more than one slice.
 */
export class Pacer {
  /** Incremented whenever paused work continues. Work that began and ended at the same number has not paused. */
  resumed = 0;
  private startedAt = performance.now();
  private readonly paused: (() => void)[] = [];

  /** Begins a piece of work. */
  begin(): void {
    this.startedAt = performance.now();
  }

  /** True if the work in progress has run for so long that it must pause. */
  get isDue(): boolean {
    return performance.now() - this.startedAt > sliceMs;
  }

  /** Pauses work that has run for too long. @returns undefined if it may go on */
  pauseIfDue(): Promise<void> | undefined {
    return this.isDue ? this.pause() : undefined;
  }

  /** Resolves in a later turn of the event loop. */
  pause(): Promise<void> {
    return new Promise((resolve) => {
      if (this.paused.push(resolve) === 1) setImmediate(this.resume);
    });
  }

  private readonly resume = (): void => {
    this.resumed += 1;
    this.startedAt = performance.now();
    const next = this.paused.shift();
    if (this.paused.length > 0) setImmediate(this.resume);
    next?.();
  };
}
