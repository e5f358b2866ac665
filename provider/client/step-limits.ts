import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** The limits of a step, with all its requests and waits. */
export interface Limits {
  /** The time limit; 0: none. */
  seconds: number;
  /** Aborted when the user cancels the run, which ends all waits. */
  cancelled: AbortSignal;
}

/** A step ended early. It is unknown which parts took effect. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

interface Reach {
  /** Ends requests and waits. */
  time?: AbortSignal | undefined;
  /** Ends waits. */
  waits?: AbortSignal;
  /** Lets no further request be sent. */
  gone?: AbortSignal | undefined;
}

const reaches = new AsyncLocalStorage<Reach>();

/**
 * Runs a step for a caller. When the caller is gone, as after a crash of the CLI, the step sends nothing further: what
 * it would do is in no state, and a later run would meet it.
 * @param gone aborted when nobody waits for the outcome any more
 */
export function withCaller<T>(gone: AbortSignal, step: () => Promise<T>): Promise<T> {
  return reaches.run({ waits: gone, gone }, step);
}

/** @throws Interrupted when it takes longer than it may */
export async function within<T>({ seconds, cancelled }: Limits, step: () => Promise<T>): Promise<T> {
  const time = seconds > 0 ? new AbortController() : undefined;
  const late = new Interrupted(
    `It was not finished within ${seconds} s. Run again to continue, or allow more time with customTimeouts.`,
  );
  const timer = time && setTimeout(() => time.abort(late), seconds * 1000);
  const { gone } = reaches.getStore() ?? {};
  const stopped = new AbortController();
  const stop = (): void => stopped.abort(new Interrupted("The run was cancelled."));
  const ends = gone ? [cancelled, gone] : [cancelled];
  if (ends.some(({ aborted }) => aborted)) stop();
  for (const end of ends) end.addEventListener("abort", stop);
  const waits = time ? AbortSignal.any([time.signal, stopped.signal]) : stopped.signal;
  try {
    return await reaches.run({ time: time?.signal, waits, gone }, step);
  } finally {
    clearTimeout(timer);
    for (const end of ends) end.removeEventListener("abort", stop);
  }
}

/** Waits, at most until the step has to end. @throws Interrupted */
export async function pause(ms: number): Promise<void> {
  const waits = reaches.getStore()?.waits;
  waits?.throwIfAborted();
  try {
    await sleep(ms, undefined, waits && { signal: waits });
  } catch (error) {
    throw waits?.reason ?? error;
  }
}

/**
 * The time that a create under way may take beyond that of its step. An object whose answer is not awaited could not be
 * told from another program's.
 */
const createGraceMs = 10_000;

/**
 * A signal that ends a request after a time, or with the step.
 * @param creates the request makes an object
 * @throws Interrupted when nobody waits for the step
 */
export function requestSignal(timeoutMs: number, creates = false): AbortSignal {
  const { time, gone } = reaches.getStore() ?? {};
  if (gone?.aborted) throw new Interrupted("Pulumi has ended, so nothing further is sent.");
  const timeout = AbortSignal.timeout(timeoutMs);
  if (!time) return timeout;
  return AbortSignal.any([creates && !time.aborted ? later(time, createGraceMs) : time, timeout]);
}

/** A signal that is aborted some time after another one. */
function later(signal: AbortSignal, ms: number): AbortSignal {
  const end = new AbortController();
  signal.addEventListener("abort", () => setTimeout(() => end.abort(signal.reason), ms).unref(), {
    once: true,
  });
  return end.signal;
}
