import { Socket } from "node:net";
import { Client, type ClientConfig, type PoolClient, Query, type QueryResult } from "pg";
import { lostConnection } from "./errors";

/** Values of parameters of PostgreSQL, by name. */
export type Settings = Record<string, string | number>;

/** A connection of the pool that can be dropped without closing the session first. */
export class Connection extends Client {
  /** The query that begins a unit. Empty until `setUp`. */
  begin = "";
  /** The id of the session's process, which the server sends when it opens the session. The driver's types lack it. */
  declare readonly processID: number | null;
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

  /**
   * Makes settings for all units of the session. A connection pooler may share the session with other clients, so each
   * unit then makes the settings for itself. A pooler is told by the id of the process, which it does not pass on.
   * @param begin the query that begins a unit
   */
  async setUp(begin: string, settings: Settings): Promise<void> {
    const { rows } = await this.query<{ pid: number }>("select pg_backend_pid() as pid");
    const isShared = rows[0]?.pid !== this.processID;
    const set = Object.entries(settings).map(
      ([name, value]) => `set ${isShared ? "local" : "session"} ${name} = '${value}'`,
    );
    if (!isShared) await this.query(set.join(";"));
    this.begin = isShared ? [begin, ...set].join(";") : begin;
  }

  /** True when an error makes the connection unusable. Its transaction is then rolled back. */
  isLostBy(error: unknown): boolean {
    return lostConnection(error) || (error !== undefined && error === this.lostBy);
  }

  /**
   * Runs a query. The driver would copy a plain description of it property by property, which takes as long as parsing
   * the result.
   * @param name of the prepared statement, if it is one
   */
  ask(text: string, values: unknown[], name: string | undefined): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const callback = (error: unknown, result: QueryResult): void =>
        error ? reject(error) : resolve(result);
      this.query(Object.assign(new Query(text, values), { name, callback }));
    });
  }

  /** Runs a query that returns nothing, without waiting for its result. `settled` reports its error. */
  send(...query: Parameters<Connection["ask"]>): void {
    const answer = this.ask(...query);
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
   * rest of the work for a query. The driver's stream is used, because it may be a TLS stream over `socket`. The pool
   * gives the connection to the next unit in a later tick of the same turn, and the unit begins in a microtask after it.
   */
  private hold(): void {
    const { stream } = this.connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => queueMicrotask(() => process.nextTick(() => stream.uncork())));
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
