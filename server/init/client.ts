import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../platform/start-error";
import { ask } from "../process/ask";
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

const readStatus = (url: string): Promise<InitStatus> =>
  ask<InitStatus>(url, "/_init", 10_000).catch(() => {
    throw new StartError(`The server at ${url} ended during --init. Its log is .slipway/server.log.`);
  });
