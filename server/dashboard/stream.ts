import type { ServerResponse } from "node:http";
import type { ControlState } from "../control/state";
import type { Store } from "../store/store";
import type { Session, Sessions } from "./sessions";

/** How often the server looks for changes while a page is open, in milliseconds. */
const intervalMs = 250;
/** How often pages reload if the store cannot report changes by other servers, in milliseconds. */
const sharedIntervalMs = 2_000;
const pingMs = 15_000;

interface Watcher {
  response: ServerResponse;
  session: Session;
}

/**
 * Sends events to open pages: data has changed (`change`), there are new requests (`requests`), the session is over
 * (`ended`). Does no work while no page is open.
 */
export class Stream {
  private readonly watchers = new Set<Watcher>();
  private timer: NodeJS.Timeout | undefined;
  /** The version of the state that was sent last. */
  private version = "";
  private requests = -1;
  private lastPing = 0;

  constructor(
    private readonly store: Store,
    private readonly state: ControlState,
    private readonly sessions: Sessions,
  ) {}

  add(response: ServerResponse, session: Session): void {
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-accel-buffering": "no",
    });
    const watcher = { response, session };
    // There may have been changes since the page's first request.
    send(response, "change");
    send(response, "requests");
    this.watchers.add(watcher);
    response.on("close", () => this.remove(watcher));
    this.timer ??= setInterval(() => this.look(), intervalMs).unref();
  }

  close(): void {
    for (const watcher of [...this.watchers]) {
      watcher.response.end();
      this.remove(watcher);
    }
  }

  private remove(watcher: Watcher): void {
    this.watchers.delete(watcher);
    if (this.watchers.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private look(): void {
    const version = this.currentVersion();
    const changed = version !== this.version;
    this.version = version;
    const requests = this.state.requests.count;
    const came = requests !== this.requests;
    this.requests = requests;
    const pings = performance.now() - this.lastPing > pingMs;
    if (pings) this.lastPing = performance.now();
    for (const watcher of [...this.watchers]) {
      const { response, session } = watcher;
      if (!this.sessions.isOpen(session)) {
        send(response, "ended");
        response.end();
        this.remove(watcher);
        continue;
      }
      if (came) send(response, "requests");
      if (changed) send(response, "change");
      if (pings) response.write(": still here\n\n");
    }
  }

  /** The version of the store and of the faults, which are not in the store. */
  private currentVersion(): string {
    const generation = this.store.generation?.() ?? Math.floor(performance.now() / sharedIntervalMs);
    return `${generation},${this.state.faults.version}`;
  }
}

const send = (response: ServerResponse, event: string): boolean =>
  response.write(`event: ${event}\ndata: {}\n\n`);
