import type { Clock } from "./clock";
import type { Log } from "./log";

/** Work that is repeated, one run at a time. */
export interface Poller {
  /** Runs the work at once. If it is already running, runs it once more afterwards. */
  wake(): void;
  /** Waits until nothing runs. */
  idle(): Promise<void>;
  /** Starts no more runs, and waits for the current run. */
  stop(): Promise<void>;
}

export interface PollerOptions {
  /** The work. The signal is aborted when the poller is stopped, so that a long run can end early. */
  run(stopping: AbortSignal): Promise<void> | void;
  /** The message in the log when a run fails. The next run tries again. */
  failure: string;
  log: Log;
  /** The interval at which the work runs, in milliseconds. Default: it runs only after `wake`. */
  everyMs?: number;
  /** The clock whose advances also run the work. */
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

  /** Starts a run, unless one is in progress. A run finds all due work itself. */
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
