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
  time: AbortSignal | undefined;
  /** Ends waits. */
  waits: AbortSignal;
}

const reaches = new AsyncLocalStorage<Reach>();

/** @throws Interrupted when it takes longer than it may */
export async function within<T>({ seconds, cancelled }: Limits, step: () => Promise<T>): Promise<T> {
  const time = seconds > 0 ? new AbortController() : undefined;
  const late = new Interrupted(
    `It was not finished within ${seconds} s. Run again to continue, or allow more time with customTimeouts.`,
  );
  const timer = time && setTimeout(() => time.abort(late), seconds * 1000);
  const stopped = new AbortController();
  const stop = (): void => stopped.abort(new Interrupted("The run was cancelled."));
  if (cancelled.aborted) stop();
  else cancelled.addEventListener("abort", stop);
  const waits = time ? AbortSignal.any([time.signal, stopped.signal]) : stopped.signal;
  try {
    return await reaches.run({ time: time?.signal, waits }, step);
  } finally {
    clearTimeout(timer);
    cancelled.removeEventListener("abort", stop);
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

/** A signal that ends a request after a time, or with the step. */
export function requestSignal(timeoutMs: number): AbortSignal {
  const time = reaches.getStore()?.time;
  const timeout = AbortSignal.timeout(timeoutMs);
  return time ? AbortSignal.any([time, timeout]) : timeout;
}
