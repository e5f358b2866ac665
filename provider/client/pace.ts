/** Bounds of the time in which no further step begins before a batch does, in milliseconds. */
const [shortestMs, longestMs] = [5, 400];
/** The weight of the newest time between two steps. */
const weight = 0.3;

/**
 * How fast the engine begins the steps of a run, and how many at once (`--parallel`), which no provider is told. Batches
 * wait for steps that are about to begin, and for no others.
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
    // Otherwise the engine has waited for the end of a step.
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

  /** True when as many steps are under way as the engine runs at once, as far as the run has shown. */
  get isFull(): boolean {
    return this.#begun > 1 && this.#underWay >= this.#most;
  }

  /** The time in which a further step would have begun, in milliseconds. */
  get quietMs(): number {
    return Math.min(longestMs, Math.max(shortestMs, 2 * this.#gap));
  }

  /** The time since a step has begun, in milliseconds. */
  get sinceLastMs(): number {
    return performance.now() - this.#lastBegin;
  }
}
