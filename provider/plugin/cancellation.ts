import { flushSpans } from "../client/trace";
import type { Contexts } from "../hosting";
import type { EngineLog } from "./engine-log";

/** The time limit for the last warnings. The engine waits five seconds for the answer to `Cancel`. */
const lastWarningsMs = 3_000;
const spansMs = 1_000;

/**
 * Answers the engine's call `Cancel`, which comes at the first Ctrl-C and at the end of each run. Requests in progress
 * finish, waits end at once, and the last warnings are shown.
 */
export async function cancel(cancelled: AbortController, contexts: Contexts, log: EngineLog): Promise<void> {
  cancelled.abort();
  const warnings = await atMost(lastWarningsMs, contexts.lastWarnings(), []);
  await Promise.all(warnings.map((warning) => log.warn("", warning)));
  await atMost(spansMs, flushSpans(), undefined);
}

/** The value of a promise, or `otherwise` after a time limit. */
function atMost<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  return Promise.race([promise, new Promise<T>((done) => setTimeout(() => done(otherwise), ms).unref())]);
}
