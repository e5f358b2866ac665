import type { Clock } from "./clock";
import type { Log } from "./log";

/** Work that is repeated, one run at a time. */
export interface Poller {
  /** Runs the work at once; during a run, once more after it. */
  wake(): void;
  /** Waits until nothing runs. */
  idle(): Promise<void>;
  /** Starts no more runs, and waits for the one under way. */
  stop(): Promise<void>;
}

export interface PollerOptions {
  /** The work. The signal tells that the poller was stopped, so that a long run may end early. */
  run(stopping: AbortSignal): Promise<void> | void;
  /** The message in the log when a run fails. The next run tries again. */
  failure: string;
  log: Log;
  /** How often it runs, in milliseconds. Default: only when it is woken. */
  everyMs?: number;
  /** It also runs when this clock is advanced. */
  clock?: Clock;
}

export function startPoller({ run, failure, log, everyMs, clock }: PollerOptions): Poller {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let isWoken = false;

  function wake(): void {
    isWoken = true;
    if (stopping.signal.aborted) return;
    running ??= Promise.resolve()
      .then(() => {
        isWoken = false;
        return run(stopping.signal);
      })
      .catch((error) => log.error({ err: error }, failure))
      .finally(() => {
        running = undefined;
        if (isWoken) wake();
      });
  }

  /** A run under way finds what is due by itself. */
  function tick(): void {
    if (!running) wake();
  }

  async function idle(): Promise<void> {
    while (running) await running;
  }

  const timer = everyMs === undefined ? undefined : setInterval(tick, everyMs).unref();
  const unsubscribe = clock?.onAdvance(wake);
  return {
    wake,
    idle,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      unsubscribe?.();
      await idle();
    },
  };
}
