import type { ServerResponse } from "node:http";
import type { ControlState } from "../control/state";
import type { Store } from "../store/store";
import type { Session, Sessions } from "./sessions";

/** How often it is looked whether something changed, while somebody watches. */
const intervalMs = 250;
/** Where other servers commit too, what is shown may have changed at any time. */
const sharedIntervalMs = 2_000;
const pingMs = 15_000;

interface Watcher {
  response: ServerResponse;
  session: Session;
}

/**
 * Tells open pages, by server-sent events, that something changed (`change`), that requests came (`requests`),
 * and that their session is over (`ended`). It costs nothing while nobody watches.
 */
export class Stream {
  private readonly watchers = new Set<Watcher>();
  private timer: NodeJS.Timeout | undefined;
  /** What stands for the state that was told of last. */
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
    // What came between the page's first look and now.
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

  /** Faults are kept beside the store. */
  private currentVersion(): string {
    const generation = this.store.generation?.() ?? Math.floor(performance.now() / sharedIntervalMs);
    return [generation, ...this.state.faults.list().map(({ met }) => met)].join();
  }
}

const send = (response: ServerResponse, event: string): boolean =>
  response.write(`event: ${event}\ndata: {}\n\n`);
