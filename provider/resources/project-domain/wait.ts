import { pause } from "../../client/step-limits";

const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** How often a wait repeats its warning. */
const remindMs = 60_000;

/** A wait with a deadline for a change by other programs. It warns at once and then every minute. */
export class Wait {
  readonly #deadline: number;
  #pauseMs = firstPauseMs;
  #warnAt = 0;

  constructor(
    private readonly warn: (message: string) => void,
    readonly timeoutMs: number,
  ) {
    this.#deadline = Date.now() + timeoutMs;
  }

  /**
   * Pauses before the next attempt.
   * @param message returns the message for the user, from the remaining seconds
   * @returns false after the deadline
   */
  async next(message: (seconds: number) => string): Promise<boolean> {
    if (Date.now() + this.#pauseMs > this.#deadline) return false;
    if (Date.now() >= this.#warnAt) {
      this.warn(message(Math.round((this.#deadline - Date.now()) / 1000)));
      this.#warnAt = Date.now() + remindMs;
    }
    await pause(this.#pauseMs);
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    return true;
  }

  /** Starts the wait for another condition, with the same deadline. */
  restart(): void {
    this.#pauseMs = firstPauseMs;
    this.#warnAt = 0;
  }
}
