/** Bounds of `quietMs`, in milliseconds. */
const [shortestMs, longestMs] = [5, 400];
/** The weight of the newest time between two steps. */
const weight = 0.3;

/**
 * Measures how fast the engine begins the steps of a run, and how many it runs at once. Pulumi does not tell a provider
 * its `--parallel`. With these measures, a batch waits only while further steps are likely to begin.
 */
export class Pace {
  #underWay = 0;
  #most = 0;
  #begun = 0;
  #lastBegin = 0;
  /** The usual time between the beginnings of two steps, in milliseconds. */
  #gap = 0;

  /** Runs a step that the engine awaits. */
  async during<T>(step: () => Promise<T>): Promise<T> {
    const now = performance.now();
    // If no step is in progress, the engine may have waited before this step, so the time is not measured.
    if (this.#underWay > 0) this.#gap += weight * (now - this.#lastBegin - this.#gap);
    this.#lastBegin = now;
    this.#begun += 1;
    this.#underWay += 1;
    this.#most = Math.max(this.#most, this.#underWay);
    try {
      return await step();
    } finally {
      this.#underWay -= 1;
    }
  }

  /** True when the number of steps in progress is the largest of the run so far. */
  get isFull(): boolean {
    return this.#begun > 1 && this.#underWay >= this.#most;
  }

  /** The time without a new step after which no further step is expected, in milliseconds. */
  get quietMs(): number {
    return Math.min(longestMs, Math.max(shortestMs, 2 * this.#gap));
  }

  /** The time since the last step began, in milliseconds. */
  get sinceLastMs(): number {
    return performance.now() - this.#lastBegin;
  }
}
