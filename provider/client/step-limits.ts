import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** The limits of a step, with all its requests and waits. */
export interface Limits {
  /** The time limit; 0 means none. */
  seconds: number;
  /** Aborted when the user cancels the run, which ends all waits. */
  cancelled: AbortSignal;
}

/** A step ended early. It is unknown which parts took effect. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** The signals of the current step. */
interface StepSignals {
  /** Aborted at the time limit, which ends requests and waits. */
  time?: AbortSignal | undefined;
  /** Aborted to end waits, but not requests. */
  waits?: AbortSignal;
  /** Aborted when no further request may be sent. */
  gone?: AbortSignal | undefined;
}

const stepSignals = new AsyncLocalStorage<StepSignals>();

/**
 * Runs a step for a caller. When the caller is gone, for example after a crash of the CLI, the step sends nothing
 * further. No state would record its changes, and they could conflict with a later run.
 * @param gone aborted when nobody waits for the outcome any more
 */
export function withCaller<T>(gone: AbortSignal, step: () => Promise<T>): Promise<T> {
  return stepSignals.run({ waits: gone, gone }, step);
}

/** Runs a step with limits. @throws Interrupted at the time limit */
export async function withLimits<T>({ seconds, cancelled }: Limits, step: () => Promise<T>): Promise<T> {
  const time = seconds > 0 ? new AbortController() : undefined;
  const timer = time && setTimeout(() => time.abort(new Interrupted(late(seconds))), seconds * 1000);
  const { gone } = stepSignals.getStore() ?? {};
  const stopped = new AbortController();
  const stop = (): void => stopped.abort(new Interrupted("The run was cancelled."));
  const ends = gone ? [cancelled, gone] : [cancelled];
  if (ends.some(({ aborted }) => aborted)) stop();
  for (const end of ends) end.addEventListener("abort", stop);
  const waits = time ? AbortSignal.any([time.signal, stopped.signal]) : stopped.signal;
  try {
    return await stepSignals.run({ time: time?.signal, waits, gone }, step);
  } finally {
    clearTimeout(timer);
    for (const end of ends) end.removeEventListener("abort", stop);
  }
}

const late = (seconds: number): string =>
  `The step was not finished within ${seconds} s. Run again to continue, or allow more time with customTimeouts.`;

/** Waits, at most until the step has to end. @throws Interrupted */
export async function pause(ms: number): Promise<void> {
  const waits = stepSignals.getStore()?.waits;
  waits?.throwIfAborted();
  try {
    await sleep(ms, undefined, waits && { signal: waits });
  } catch (error) {
    throw waits?.reason ?? error;
  }
}

/**
 * Additional time for a create in progress when the time limit of its step expires. Without the answer, the new object
 * could not be distinguished from another program's object.
 */
const createGraceMs = 10_000;

/**
 * A signal that ends a request after a time, or with the step.
 * @param creates true if the request creates an object
 * @throws Interrupted when nobody waits for the step
 */
export function requestSignal(timeoutMs: number, creates = false): AbortSignal {
  const { time, gone } = stepSignals.getStore() ?? {};
  if (gone?.aborted) throw new Interrupted("Pulumi has ended, so nothing further is sent.");
  const timeout = AbortSignal.timeout(timeoutMs);
  if (!time) return timeout;
  return AbortSignal.any([creates && !time.aborted ? delayed(time, createGraceMs) : time, timeout]);
}

/**
 * A step that waits for work which several steps share, such as a request that creates an object for each of them. The
 * wait ends with the work, or earlier at the limits of the step.
 */
export class BatchedStep<T> {
  readonly outcome: Promise<T>;
  readonly #signals = stepSignals.getStore() ?? {};
  readonly #inStep = AsyncLocalStorage.snapshot();
  #settle: { resolve(value: T): void; reject(reason: unknown): void };
  #isUnderWay = false;
  #isOver = false;

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.outcome = promise;
    this.#settle = { resolve, reject };
    const { time, waits } = this.#signals;
    waits?.addEventListener("abort", () => this.#endWait(), { once: true });
    if (time) delayed(time, createGraceMs).addEventListener("abort", () => this.reject(time.reason));
    this.#endWait();
  }

  /**
   * Marks the step as part of an attempt. If the run is cancelled, the step still waits for the outcome of this
   * attempt.
   * @returns false if the step has ended
   */
  begin(): boolean {
    this.#isUnderWay = !this.#isOver;
    return this.#isUnderWay;
  }

  /** Marks the step as waiting for the next attempt. Cancelling ends the step while it waits. */
  wait(): void {
    this.#isUnderWay = false;
    this.#endWait();
  }

  /** True when the step has its outcome, or has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  resolve(value: T): void {
    this.#isOver = true;
    this.#settle.resolve(value);
  }

  reject(reason: unknown): void {
    this.#isOver = true;
    this.#settle.reject(reason);
  }

  /** Runs work for this step alone, with the limits of the step, and settles the step with the outcome. */
  async settleAlone(work: () => Promise<T>): Promise<void> {
    try {
      this.resolve(await this.#inStep(work));
    } catch (error) {
      this.reject(error);
    }
  }

  #endWait(): void {
    const { waits } = this.#signals;
    if (waits?.aborted && !this.#isUnderWay && !this.#isOver) this.reject(waits.reason);
  }

  /** Does work for several steps. A wait of the work ends early only when the waits of all these steps have to end. */
  static runForAll<T, R>(steps: readonly BatchedStep<T>[], work: () => Promise<R>): Promise<R> {
    const all = steps.map((step) => step.#signals);
    const waits = whenAll(all.map((one) => one.waits));
    const gone = whenAll(all.map((one) => one.gone));
    return stepSignals.run({ gone, ...(waits && { waits }) }, work);
  }
}

/** A signal that is aborted when all of these signals are aborted; undefined if one of them is missing. */
function whenAll(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  if (signals.some((signal) => signal === undefined)) return undefined;
  const all = new AbortController();
  const check = (): void => {
    if (signals.every((signal) => signal?.aborted)) all.abort(signals[0]?.reason);
  };
  for (const signal of signals) signal?.addEventListener("abort", check, { once: true });
  check();
  return all.signal;
}

/** A signal that is aborted some time after another one. */
function delayed(signal: AbortSignal, ms: number): AbortSignal {
  const end = new AbortController();
  signal.addEventListener("abort", () => setTimeout(() => end.abort(signal.reason), ms).unref(), {
    once: true,
  });
  return end.signal;
}
