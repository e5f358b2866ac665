import { ApiError, isRateLimited, isServerFailure, isTransferring, OutOfReach } from "./errors";

/** Durations of a request and its attempts, in milliseconds. */
export interface RetryTiming {
  /** The time limit for a request with all its attempts. */
  deadlineMs: number;
  /** The time limit for a request including its waits after 429. These waits do not count towards `deadlineMs`. */
  rateLimitDeadlineMs: number;
  /** The pause before the first retry. It doubles with each retry up to `maxPauseMs`, with jitter. */
  pauseMs: number;
  maxPauseMs: number;
  /**
   * The number of attempts that fail, because of the service or the network, at which the request fails. Attempts
   * during rate limits and transfers do not count.
   */
  attempts: number;
}

/** The pause before a retry while a project is being transferred, in milliseconds. */
const transferPauseMs = 1_000;

/** The attempts of one request. */
export class Retries {
  readonly #begun = Date.now();
  #deadline: number;
  #attempt = 0;
  /** The attempts that failed neither for a rate limit nor for a transfer. */
  #failures = 0;

  /** @param extraMs added to `deadlineMs` */
  constructor(
    private readonly timing: RetryTiming,
    extraMs = 0,
  ) {
    this.#deadline = this.#begun + timing.deadlineMs + extraMs;
  }

  /** When the last attempt has to end, in milliseconds since the epoch. */
  get deadline(): number {
    return this.#deadline;
  }

  /** True when an attempt has failed before. */
  get isRepeated(): boolean {
    return this.#attempt > 0;
  }

  /**
   * Records a failed attempt.
   * @param repeatable the request is safe to repeat after network errors and 5xx
   * @returns the pause before the next attempt in whole milliseconds
   * @throws the error when there is no further attempt
   */
  pauseAfter(error: unknown, repeatable: boolean): number {
    this.#attempt += 1;
    const wait = this.#pause(error, repeatable);
    // The last of many requests may wait for several minutes, because rate limits are per minute.
    const limit = isRateLimited(error) ? this.#begun + this.timing.rateLimitDeadlineMs : this.#deadline;
    if (wait === undefined || Date.now() + wait > limit) throw error;
    if (isRateLimited(error)) this.#deadline += wait;
    return wait;
  }

  #pause(error: unknown, repeatable: boolean): number | undefined {
    const { pauseMs, maxPauseMs, attempts } = this.timing;
    const longest = Math.min(maxPauseMs, pauseMs * 2 ** (this.#attempt - 1));
    // Time limits of requests must be whole numbers.
    const backOff = Math.ceil(longest * (0.5 + Math.random() / 2));
    const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
    if (isRateLimited(error)) return asked ?? backOff;
    if (isTransferring(error)) return Math.min(transferPauseMs, pauseMs * 5);
    this.#failures += 1;
    return this.#failures < attempts && isToRepeat(error, repeatable) ? (asked ?? backOff) : undefined;
  }
}

/** True for an error of the network or the service after which the request may be sent again. */
const isToRepeat = (error: unknown, repeatable: boolean): boolean =>
  error instanceof OutOfReach ? repeatable || error.neverSent : repeatable && isServerFailure(error);
