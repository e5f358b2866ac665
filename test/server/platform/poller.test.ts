/** @own-code The timers are fake. */

import { standingClock } from "../../../server/platform/clock";
import { type PollerOptions, startPoller } from "../../../server/platform/poller";

const failures: [text: string, error: string][] = [];
const log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (about: object, text: string) => failures.push([text, (about as { err: Error }).err.message]),
};

/** A poller whose runs end when the test says so. */
function pollerWith(options: Partial<PollerOptions> = {}) {
  const runs: { end: () => void; fail: () => void; stopping: AbortSignal }[] = [];
  const poller = startPoller({
    run: (stopping) =>
      new Promise((resolve, reject) => {
        runs.push({ end: resolve, fail: () => reject(new Error("broken")), stopping });
      }),
    failure: "the work failed",
    log,
    ...options,
  });
  return { poller, runs };
}

/** Runs what is ready to run. */
const settle = async (): Promise<void> => {
  await jest.advanceTimersByTimeAsync(0);
};

beforeEach(() => {
  jest.useFakeTimers();
  failures.length = 0;
});
afterEach(() => jest.useRealTimers());

test("one run at a time: however often it is woken during a run, there is one more after it", async () => {
  const { poller, runs } = pollerWith();
  poller.wake();
  await settle();
  expect(runs).toHaveLength(1);
  poller.wake();
  poller.wake();
  await settle();
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await settle();
  expect(runs).toHaveLength(2);
  runs[1]?.end();
  await settle();
  expect(runs).toHaveLength(2);
});

test("work that wakes its own poller runs once more, and not inside itself", async () => {
  let runs = 0;
  let depth = 0;
  const { poller } = pollerWith({
    run() {
      depth++;
      expect(depth).toBe(1);
      if (++runs === 1) poller.wake();
      depth--;
    },
  });
  poller.wake();
  await poller.idle();
  expect([runs, failures]).toEqual([2, []]);
});

test("a failed run is logged, and the next one happens when it is woken or its time has come", async () => {
  const { poller, runs } = pollerWith({ everyMs: 1_000 });
  poller.wake();
  await settle();
  runs[0]?.fail();
  await settle();
  expect(failures).toEqual([["the work failed", "broken"]]);
  expect(runs).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(runs).toHaveLength(2);
  runs[1]?.end();
  await poller.stop();
});

test("it runs at its interval and when the clock is advanced, but a tick during a run adds none", async () => {
  const clock = standingClock(0);
  const { poller, runs } = pollerWith({ everyMs: 1_000, clock });
  await jest.advanceTimersByTimeAsync(999);
  expect(runs).toHaveLength(0);
  await jest.advanceTimersByTimeAsync(1);
  expect(runs).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(500);
  runs[0]?.end();
  clock.advance(1);
  await settle();
  expect(runs).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(3_000);
  runs[1]?.end();
  await settle();
  expect(runs).toHaveLength(2);
  await poller.stop();
});

test("stopping tells the run under way, waits for it, and starts no other", async () => {
  const clock = standingClock(0);
  const { poller, runs } = pollerWith({ everyMs: 1_000, clock });
  poller.wake();
  await settle();
  poller.wake();
  let isStopped = false;
  const stopped = poller.stop().then(() => {
    isStopped = true;
  });
  await settle();
  expect(runs[0]?.stopping.aborted).toBe(true);
  expect(isStopped).toBe(false);
  runs[0]?.end();
  await stopped;
  poller.wake();
  clock.advance(1);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(runs).toHaveLength(1);
  expect(jest.getTimerCount()).toBe(0);
});
