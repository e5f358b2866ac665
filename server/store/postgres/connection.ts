import { Socket } from "node:net";
import { Client, type ClientConfig, type PoolClient, type QueryConfig } from "pg";
import { lostConnection } from "./errors";

/** A connection of the pool that can be dropped without closing the session first. */
export class Connection extends Client {
  /** True while no unit uses the connection. */
  isIdle = false;
  private readonly socket: Socket;
  private lostBy: unknown;
  private sent: Promise<unknown>[] = [];
  /** The number of queries that may have changed something. */
  writes = 0;

  /** @param open the set of open connections, which holds this one until it ends */
  constructor(config: ClientConfig | undefined, open: Set<Connection>) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      this.hold();
      return query(...args);
    }) as typeof this.query;
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

  /** Sends a query that returns nothing, without waiting for its result. `settled` reports its error. */
  send(query: QueryConfig): void {
    const answer = this.query(query);
    answer.catch((error) => this.dropIfLostBy(error));
    this.sent.push(answer);
  }

  /** Waits for what was sent since the last call. @throws the error of the first query that failed */
  async settled(): Promise<void> {
    const { sent } = this;
    this.sent = [];
    await Promise.all(sent);
  }

  /**
   * Sends the queries of one turn of the event loop in one write to the socket, because the write takes longer than the
   * rest of the work for a query. The driver's stream is used, because it may be a TLS stream over `socket`.
   */
  private hold(): void {
    const { stream } = this.connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  /** Closes the socket at once. Pending queries fail, and the pool opens another connection. */
  drop(): void {
    this.socket.destroy();
  }

  /** Drops an unusable connection, because queries that were pipelined with the failed one get no answers. */
  dropIfLostBy(error: unknown): void {
    if (this.isLostBy(error)) this.drop();
  }

  /** Waits for `work`, and drops the connection if the work takes longer than `ms`. */
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
