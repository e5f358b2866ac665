import { subscribe } from "node:diagnostics_channel";
import { isPlain } from "./core/values";

const cancelled = new AbortController();
let isListening = false;

/**
 * Aborted once the user wants the run to end.
 * The engine calls `Cancel` of every provider at the first Ctrl-C, and lets what is under way finish. Pulumi's process
 * for dynamic resources answers that call by itself and hands it to nobody, so it is seen where Node.js tells of every
 * request that an HTTP/2 server gets.
 * @choice A version of Node.js that does not tell (before 24) leaves waits to the second Ctrl-C.
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
