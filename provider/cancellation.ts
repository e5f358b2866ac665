import { subscribe } from "node:diagnostics_channel";
import { isPlain } from "./core/values";

const cancelled = new AbortController();
let isListening = false;

/**
 * A signal that is aborted when the user cancels the run.
 * The engine calls `Cancel` of every provider at the first Ctrl-C, and lets operations finish. Pulumi's process for
 * dynamic resources does not pass that call on, so it is detected by a diagnostics channel of Node.js for HTTP/2 requests.
 * @choice Before Node.js 24, which lacks the channel, waits end at the second Ctrl-C.
 */
export function cancellation(): AbortSignal {
  if (!isListening) {
    isListening = true;
    subscribe("http2.server.stream.start", (message) => {
      const headers = isPlain(message) ? message.headers : undefined;
      if (isPlain(headers) && headers[":path"] === "/pulumirpc.ResourceProvider/Cancel") cancelled.abort();
    });
  }
  return cancelled.signal;
}
