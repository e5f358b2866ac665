import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../http/app";
import { json } from "../http/reply";
import type { Services } from "../platform/services";
import { packageVersion } from "../platform/version";

/** How long the store may take until the server counts as not ready, in milliseconds. Transactions may take longer. */
const readyMs = 2_000;

/** The answers of `/_ready` while `--init` runs, and after it has failed. */
const initStates = { running: "initializing", failed: "initialization failed" } as const;

/**
 * Serves `/_health`, which answers while the process lives, and `/_ready`, which also checks that the store
 * can be written, for load balancers. Neither needs a token. `now` is the server's clock, which the control plane
 * may have advanced, in milliseconds since the epoch.
 * @param init the state of `--init`, without which the server is not ready
 */
export function serveHealth(
  app: App,
  { store, log, clock, profile }: Services,
  init: () => "running" | "done" | "failed",
): void {
  const about = {
    ...{ service: "slipway", version: packageVersion(), instance: randomUUID() },
    profile: profile.name,
  };
  app.route("GET", "/_health", () => json(200, { status: "ok", ...about, now: clock.now() }));
  app.route("GET", "/_ready", async () => {
    if (app.isClosing) return json(503, { status: "closing", ...about });
    const state = init();
    if (state !== "done") return json(503, { status: initStates[state], ...about });
    try {
      const late = sleep(readyMs, "late", { ref: false });
      if ((await Promise.race([store.check(), late])) === "late")
        throw new Error(`no answer within ${readyMs} ms`);
      return json(200, { status: "ok", ...about });
    } catch (error) {
      log.error({ err: error }, "the store cannot be used");
      return json(503, { status: "unavailable", ...about });
    }
  });
}
