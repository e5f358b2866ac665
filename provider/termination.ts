/** The time that the engine takes to end after the last answer, in milliseconds. */
const quietMs = 5_000;
const checkMs = 250;

/**
 * The steps in progress of a host. SIGTERM does not interrupt them: a CI system or a service manager sends SIGTERM to
 * every process of a job at once, and the engine then waits for the steps and records their results. A second SIGTERM
 * ends the steps.
 */
export class StepsInProgress {
  #count = 0;
  #lastEnd = 0;

  /** Runs a step, and counts the step as in progress until its end. */
  async track<T>(step: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await step();
    } finally {
      this.#count -= 1;
      this.#lastEnd = Date.now();
    }
  }

  /** Lets SIGTERM end the process only when no step is in progress. @param cancel ends the waits of steps */
  endProcessAfterwards(cancel: () => void): void {
    process.once("SIGTERM", () => {
      cancel();
      setInterval(() => {
        if (this.#count === 0 && Date.now() - this.#lastEnd > quietMs) process.exit(143);
      }, checkMs);
    });
  }
}

/**
 * Runs a step before the process ends. At the end of each run, the engine sends the process SIGINT (on Windows,
 * SIGBREAK), and waits for one second.
 */
export function beforeEnd(step: () => Promise<void>): void {
  for (const signal of ["SIGINT", "SIGBREAK"] as const)
    process.once(signal, () => void step().finally(() => process.kill(process.pid, signal)));
}
