/**
 * Steps finish when the process is told to end, as a CI system or a service manager tells every process of a job at
 * once: the engine, which is told too, waits for them and records what they made. A second SIGTERM ends them.
 */

/** The time that the engine takes to end after the last answer, in milliseconds. */
const quietMs = 5_000;
const checkMs = 250;

let running = 0;
let lastEnd = 0;

/** Runs a step that is to finish. */
export async function trackStep<T>(step: () => Promise<T>): Promise<T> {
  running += 1;
  try {
    return await step();
  } finally {
    running -= 1;
    lastEnd = Date.now();
  }
}

/** Lets SIGTERM end the process only when no step is under way. @param cancel ends the waits of steps */
export function endAfterSteps(cancel: () => void): void {
  process.once("SIGTERM", () => {
    cancel();
    setInterval(() => {
      if (running === 0 && Date.now() - lastEnd > quietMs) process.exit(143);
    }, checkMs);
  });
}

/**
 * Runs a step before the process ends. The engine ends it with a signal at the end of each run, on Windows with SIGBREAK,
 * and waits for a second.
 */
export function beforeEnd(step: () => Promise<void>): void {
  for (const signal of ["SIGINT", "SIGBREAK"] as const)
    process.once(signal, () => void step().finally(() => process.kill(process.pid, signal)));
}
