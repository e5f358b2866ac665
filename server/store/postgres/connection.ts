import { Socket } from "node:net";
import { Client, type ClientConfig, type PoolClient } from "pg";
import { lostConnection } from "./errors";

/** A connection of the pool, which can be ended without a word to the other side. */
export class Connection extends Client {
  /** Whether nobody uses it at the moment. */
  isIdle = false;
  private readonly socket: Socket;
  private lostBy: unknown;

  /** @param open holds it from its making to its end */
  constructor(config: ClientConfig | undefined, open: Set<Connection>) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    open.add(this);
    socket.once("close", () => open.delete(this));
    this.on("error", (error) => {
      this.lostBy ??= error;
    });
  }

  /** Whether an error means that it cannot be used any more: then nothing uncommitted is left of what was done. */
  isLostBy(error: unknown): boolean {
    return lostConnection(error) || (error !== undefined && error === this.lostBy);
  }

  /** Ends it at once. Whatever waits for its answer fails, and the pool makes another one. */
  drop(): void {
    this.socket.destroy();
  }

  /** What was sent together with a query that is told of the end gets no answer of its own. */
  dropIfLostBy(error: unknown): void {
    if (this.isLostBy(error)) this.drop();
  }

  /** Waits for what should take no time: it is dropped when that takes longer than `ms`. */
  async within<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.drop(), ms);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }
}

export type PooledConnection = PoolClient & Connection;
