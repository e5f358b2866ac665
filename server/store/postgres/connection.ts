import { Socket } from "node:net";
import { Client, type ClientConfig, type PoolClient } from "pg";
import { lostConnection } from "./errors";

/** A connection of the pool that can be dropped without closing the session first. */
export class Connection extends Client {
  /** True while no unit uses it. */
  isIdle = false;
  private readonly socket: Socket;
  private lostBy: unknown;

  /** @param open the set of open connections, which holds this one until it ends */
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

  /** True when an error makes the connection unusable. Its transaction is then rolled back. */
  isLostBy(error: unknown): boolean {
    return lostConnection(error) || (error !== undefined && error === this.lostBy);
  }

  /** Closes the socket at once. Pending queries fail, and the pool opens another connection. */
  drop(): void {
    this.socket.destroy();
  }

  /** Queries that were pipelined with the failed one get no answers, so the connection is dropped. */
  dropIfLostBy(error: unknown): void {
    if (this.isLostBy(error)) this.drop();
  }

  /** Waits for work, and drops the connection when that takes longer than `ms`. */
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
