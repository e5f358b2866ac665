import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** What a step must not go beyond, whoever it asks and waits for. */
export interface Limits {
  /** The time that it has; 0 for as long as it takes. */
  seconds: number;
  /** The user wants it to end: nothing more is waited for. */
  cancelled: AbortSignal;
}

/** A step was ended before it was done. What of it took effect is not known. */
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
    `It was not done within ${seconds} s. Run again to go on from there, or give it longer with customTimeouts.`,
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

/** Waits, unless the step has to end before. @throws Interrupted */
export async function pause(ms: number): Promise<void> {
  const waits = reaches.getStore()?.waits;
  waits?.throwIfAborted();
  try {
    await sleep(ms, undefined, waits && { signal: waits });
  } catch (error) {
    throw waits?.reason ?? error;
  }
}

/** A signal for a request of at most so long. */
export function requestSignal(timeoutMs: number): AbortSignal {
  const time = reaches.getStore()?.time;
  const timeout = AbortSignal.timeout(timeoutMs);
  return time ? AbortSignal.any([time, timeout]) : timeout;
}
