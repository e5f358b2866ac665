import { subscribe } from "node:diagnostics_channel";
import type { Http2Session, ServerHttp2Stream } from "node:http2";
import { isPlain } from "./core/values";
import { endAfterSteps } from "./termination";

/**
 * The cancellation of a run, which Pulumi's process for dynamic resources does not pass on. A diagnostics channel of
 * Node.js for HTTP/2 requests shows it.
 * @choice Before Node.js 24, which lacks the channel, waits end at the second Ctrl-C, steps go on when the CLI is
 *   killed, and SIGTERM ends them.
 */

const cancelled = new AbortController();
/** The connections of the engine that are open. */
const open = new Set<Http2Session>();
let gone = new AbortController();
let isListening = false;
let isServing = false;

function listen(): void {
  if (isListening) return;
  isListening = true;
  subscribe("http2.server.stream.start", (message) => {
    const { headers, stream } = message as { headers?: unknown; stream?: ServerHttp2Stream };
    const path = isPlain(headers) ? headers[":path"] : undefined;
    if (path === "/pulumirpc.ResourceProvider/Cancel") cancelled.abort();
    if (stream?.session && `${path}`.startsWith("/pulumirpc.ResourceProvider/")) watch(stream.session);
  });
}

function watch(session: Http2Session): void {
  if (open.has(session)) return;
  open.add(session);
  if (!isServing) endAfterSteps(() => cancelled.abort());
  isServing = true;
  session.once("close", () => {
    open.delete(session);
    if (open.size > 0) return;
    gone.abort();
    // An engine that only was silent for long connects again.
    gone = new AbortController();
  });
}

/**
 * A signal that is aborted when the user cancels the run.
 * The engine calls `Cancel` of every provider at the first Ctrl-C, and lets operations finish.
 */
export function cancellation(): AbortSignal {
  listen();
  return cancelled.signal;
}

/** A signal that is aborted when the engine, which waits for the steps under way, has ended. */
export function engineEnd(): AbortSignal {
  listen();
  return gone.signal;
}
