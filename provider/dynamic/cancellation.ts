import { subscribe } from "node:diagnostics_channel";
import type { Http2Session, ServerHttp2Stream } from "node:http2";
import { isPlain } from "../core/values";

/** The signals that end the steps of a host. */
export interface Cancellation {
  /** Aborted when the user cancels the run: at the first Ctrl-C, the engine calls `Cancel` of every provider. */
  readonly cancelled: AbortSignal;
  /** Aborted when the engine has ended, so that nobody waits for the steps in progress any more. */
  readonly engineEnd: AbortSignal;
}

/**
 * Detects the cancellation of a run in the requests of the engine, because Pulumi's process for dynamic resources does
 * not pass it on. The requests are visible in a diagnostics channel of Node.js for HTTP/2.
 * @choice Versions of Node.js before 24 lack the channel. With them, waits end only at the second Ctrl-C, steps
 *   continue after the CLI was killed, and SIGTERM ends steps in progress.
 */
export class EngineConnections implements Cancellation {
  readonly #cancelled = new AbortController();
  readonly #open = new Set<Http2Session>();
  #gone = new AbortController();
  #isConnected = false;

  /** @param connected is called at the engine's first request, with a function that cancels the run */
  constructor(private readonly connected: (cancel: () => void) => void) {
    subscribe("http2.server.stream.start", (message) => {
      const { headers, stream } = message as { headers?: unknown; stream?: ServerHttp2Stream };
      const path = isPlain(headers) ? headers[":path"] : undefined;
      if (path === "/pulumirpc.ResourceProvider/Cancel") this.#cancelled.abort();
      if (stream?.session && `${path}`.startsWith("/pulumirpc.ResourceProvider/"))
        this.#watch(stream.session);
    });
  }

  get cancelled(): AbortSignal {
    return this.#cancelled.signal;
  }

  get engineEnd(): AbortSignal {
    return this.#gone.signal;
  }

  #watch(session: Http2Session): void {
    if (this.#open.has(session)) return;
    this.#open.add(session);
    if (!this.#isConnected) this.connected(() => this.#cancelled.abort());
    this.#isConnected = true;
    session.once("close", () => {
      this.#open.delete(session);
      if (this.#open.size > 0) return;
      this.#gone.abort();
      // An engine that was only idle for a long time connects again, so its next steps need another signal.
      this.#gone = new AbortController();
    });
  }
}
