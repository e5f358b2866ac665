import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../platform/start-error";
import type { InitStatus } from "./init";

const pollMs = 200;

/**
 * Waits in `slipway serve --detach` until the server in the background has applied all entries of `--init`. Prints each
 * entry to standard error as it begins.
 * @throws StartError if one fails, or if the server ends
 */
export async function untilInitialized(url: string): Promise<void> {
  const begun = new Set<string>();
  for (;;) {
    const { state, entries } = await readStatus(url);
    for (const { name, state } of entries) {
      if (state === "waiting" || state === "skipped" || begun.has(name)) continue;
      begun.add(name);
      process.stderr.write(`slipway: initializes with ${name}\n`);
    }
    if (state === "done") return;
    const failed = entries.find((entry) => entry.state === "failed");
    if (failed)
      throw new StartError(
        `${failed.name} of --init failed: ${failed.error?.replace(/[^.]$/, "$&.")} The server continues in the background with the log ` +
          ".slipway/server.log; slipway stop stops it.",
      );
    await sleep(pollMs);
  }
}

async function readStatus(url: string): Promise<InitStatus> {
  // A dispatcher of its own, so that the request never goes through a proxy.
  const { Agent, request } = await import("undici");
  const dispatcher = new Agent({ keepAliveTimeout: 1 });
  try {
    const { body } = await request(`${url}/_init`, { dispatcher, signal: AbortSignal.timeout(10_000) });
    return (await body.json()) as InitStatus;
  } catch {
    throw new StartError(`The server at ${url} ended during --init. Its log is .slipway/server.log.`);
  } finally {
    void dispatcher.close();
  }
}
