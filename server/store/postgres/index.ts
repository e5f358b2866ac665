// Longer than other files: units, their locks and their retries share the state of one pool.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientConfig, DatabaseError, Pool, type QueryResult, types } from "pg";
import { ledger } from "../migrate";
import { migrations } from "../migrations";
import { Pacer } from "../pacer";
import { Slots } from "../slots";
import { InDoubtError, OutdatedError, type Store, StoreError, type Tx } from "../store";
import { Connection, type PooledConnection, type Settings } from "./connection";
import { asStoreError, databaseOf, isReadOnly, lacksColumn, lostConnection, lostRace, urlOf } from "./errors";
import { lockSpace, prepareDatabase } from "./schema";
import { rowTypes, sessionOver } from "./session";
import { batchLimits, type Waiting, WriteQueue } from "./write-queue";

/**
 * The number of connections per server. PostgreSQL accepts 100 by default, enough for nine servers. Because connections
 * are separate, reads do not wait for writes that wait for a lock, writes do not wait for many reads, and checks of the
 * database's state wait for neither.
 */
const poolSizes = { reads: 8, writes: 4, checks: 1 };
/** The most connections on which reads of one caller run at the same time. */
const readsPerKey = 6;
const connectMs = 10_000;
/** The time after which a query counts as hanging, in milliseconds. */
const queryMs = 60_000;
/** The time after which an idle connection sends TCP keep-alives, in milliseconds. */
const keepAliveMs = 10_000;

/** How long PostgreSQL may take, in milliseconds, before a connection counts as hanging and is dropped. */
export interface Deadlines {
  /** For a unit that only reads, which waits for no lock. */
  readMs: number;
  /** For the rollback of a unit. */
  rollbackMs: number;
  /** The longest wait of a write for its lock, and of a read for a connection. After it, the caller is refused. */
  lockMs: number;
}
const defaultDeadlines: Deadlines = { readMs: 15_000, rollbackMs: 5_000, lockMs: 60_000 };
/**
 * The share of the time limit after which PostgreSQL itself cancels a query. Otherwise a query would still wait for its
 * lock after this server has dropped the connection.
 */
const cancelAfter = 0.8;
/** The interval at which an abandoned store drops its connections, since the pool still opens new ones (ms). */
const dropEveryMs = 50;
/** How long a unit whose connection was lost is retried on other connections, in milliseconds. */
const retryMs = 20_000;
/** How long, and at which interval, a unit that runs alone tries to take its lock, in milliseconds. */
const tryAloneMs = 20_000;
const tryEveryMs = 20;
/** The longest pause before a unit of work is run again, in milliseconds. */
const longestPauseMs = 500;
/** How often a unit that loses races is run. A unit that always loses is a bug, so its error is shown. */
const attemptLimit = 8;

/**
 * Makes PostgreSQL use an index for every query. PostgreSQL keeps the plan of a prepared query until it analyzes the
 * table again. The plan for a small table reads all rows, and the table may grow to thousands of rows before that.
 * `jit` is off because a query without an index would count as expensive, and PostgreSQL would compile its plan.
 * By index, a plan is the same whatever the parameters are, so PostgreSQL does not plan a query again for each of them.
 */
const byIndex = { enable_seqscan: "off", jit: "off", plan_cache_mode: "force_generic_plan" };

/**
 * Every write first takes advisory locks, which are released at the end of its transaction. Units with the same lock
 * key run one after the other on all servers, and a unit without keys runs alone. A rule can therefore check before it
 * writes, as on the embedded engine. SERIALIZABLE would guarantee the same. But all writes of an account update its
 * counter of events, so all but one would fail and be retried: with 16 writers, this had a third of the speed. Units
 * with the same key that wait on this server share one transaction, so they wait for the lock and the disk once.
 *
 * READ COMMITTED is enough, because each statement sees everything that was committed before the lock was taken. Unique
 * indexes detect conflicts between accounts: the second unit fails, runs again, and is then refused by the rule.
 *
 * The time limits of the role and the database are replaced, because they are not meant for waits for a lock.
 */
const beginWrite = "begin isolation level read committed";
const writeSettings = {
  ...byIndex,
  idle_in_transaction_session_timeout: "10s",
  lock_timeout: 0,
  statement_timeout: Math.ceil(cancelAfter * queryMs),
};
/** All queries of a read see the same snapshot. */
const beginRead = "begin isolation level repeatable read read only";
const readSettings = (readMs: number): Settings => ({
  ...byIndex,
  statement_timeout: Math.ceil(cancelAfter * readMs),
});

/**
 * Opens a store that several servers can share.
 * @param address `postgres://user:password@host:port/database`
 * @param pacer divides long units into slices, so that they do not block other work
 * @throws StoreError when the database is unreachable, read-only, of a newer version, or not Slipway's
 */
export async function openPostgres(
  address: string,
  deadlines: Partial<Deadlines> = {},
  pacer = new Pacer(),
): Promise<Store> {
  const url = parseAddress(address);
  const place = databaseOf(url);
  const open = new Set<Connection>();
  const pools = {
    reads: poolOf(address, poolSizes.reads, open),
    writes: poolOf(address, poolSizes.writes, open),
    checks: poolOf(address, poolSizes.checks, open),
  };
  const store = new PostgresStore(pools, place, open, { ...defaultDeadlines, ...deadlines }, pacer);
  try {
    await store.prepare();
  } catch (error) {
    await pools.reads.end();
    // The pool does not close connections that were still being opened.
    for (const connection of open) connection.drop();
    throw asStoreError(error, place);
  }
  return store;
}

function poolOf(address: string, size: number, open: Set<Connection>): Pool {
  const pool = new Pool({
    connectionString: address,
    application_name: "slipway",
    max: size,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // `begin` and the first query of a transaction are sent together.
    pipeline: true,
    Client: class extends Connection {
      constructor(config?: ClientConfig) {
        super(config, open);
      }
    },
    types: rowTypes(types),
  });
  // Nothing to do: the pool removes a connection that ends, and gives the next unit another one.
  pool.on("error", () => {});
  pool.on("acquire", (client) => Object.assign(client, { isIdle: false }));
  pool.on("release", (_error, client) => Object.assign(client, { isIdle: true }));
  return pool;
}

interface Pools {
  reads: Pool;
  writes: Pool;
  checks: Pool;
}

function parseAddress(address: string): URL {
  if (/^[^/]*\/\/([^/@]*@)?[^/@?]*,|[?&]host=[^&]*,/.test(address)) {
    throw new StoreError(
      "--data names several hosts. Slipway takes one: give a name, or the address of a proxy, that leads to the primary.",
    );
  }
  try {
    return urlOf(address);
  } catch {
    throw new StoreError(
      "--data is not an address of the form postgres://user:password@host:5432/database. Write special characters of the password as %XX.",
    );
  }
}

class PostgresStore implements Store {
  readonly engine = "postgres";
  private readonly sessions = new WeakMap<PooledConnection, Tx>();
  private readonly queue = new WriteQueue((lockKeys, waiting) => this.commit(lockKeys, waiting));
  private readonly slots = new Slots(poolSizes.reads, readsPerKey);
  private readonly underWay = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;
  private dropping: NodeJS.Timeout | undefined;
  private outdated: OutdatedError | undefined;

  constructor(
    private readonly pools: Pools,
    private readonly place: string,
    private readonly open: ReadonlySet<Connection>,
    private readonly deadlines: Deadlines,
    private readonly pacer: Pacer,
  ) {}

  async prepare(): Promise<void> {
    const client = await this.connect("reads");
    try {
      await prepareDatabase(this.session(client), this.place);
    } finally {
      client.release();
    }
  }

  readonly read = <T>(unit: (tx: Tx) => Promise<T>, key = ""): Promise<T> => {
    const since = performance.now();
    return this.track(() =>
      this.slots.run(key, async () => {
        if (performance.now() - since > this.deadlines.lockMs)
          throw new StoreError(`${this.place}: no connection was free in time.`);
        return this.repeat(() => this.transact(unit), performance.now());
      }),
    );
  };

  readonly write = <T>(unit: (tx: Tx) => Promise<T>, ...lockKeys: readonly string[]): Promise<T> =>
    this.track(() => this.queue.take(lockKeys, unit));

  check(): Promise<void> {
    const unit = async (_tx: Tx, client: PooledConnection): Promise<void> => {
      const [{ rows }] = await Promise.all([client.query(canWrite), this.requireCurrent(client)]);
      if (rows[0]?.can === 0) throw asStoreError(readOnly, this.place);
    };
    return this.track(() => this.repeat(() => this.transact(unit, undefined, "checks"), performance.now()));
  }

  abandon(): void {
    const drop = (): void => {
      for (const one of this.open) one.drop();
    };
    this.dropping ??= setInterval(drop, dropEveryMs);
    drop();
  }

  close(): Promise<void> {
    this.closing ??= Promise.allSettled(this.underWay)
      .then(() => Promise.all(Object.values(this.pools).map((pool: Pool) => pool.end())))
      .then(() => {})
      .finally(() => clearInterval(this.dropping));
    return this.closing;
  }

  private track<T>(run: () => Promise<T>): Promise<T> {
    if (this.closing || this.dropping) return Promise.reject(new StoreError("The store is closed."));
    if (this.outdated) return Promise.reject(this.outdated);
    const running = run();
    this.underWay.add(running);
    const forget = (): boolean => this.underWay.delete(running);
    running.then(forget, forget);
    return running;
  }

  /** Runs units with the same lock keys, and removes them from `waiting`: several in one transaction, or a single one. */
  private async commit(lockKeys: readonly string[], waiting: Waiting[]): Promise<void> {
    const lock = lockOf(lockKeys);
    const together =
      lockKeys.length > 0 && waiting.length > 1 ? await this.together(waiting, lock) : undefined;
    // Without a connection, no unit was taken.
    const left = together ?? waiting.splice(0, 1);
    for (const one of left) {
      if (this.refuseLate(one)) continue;
      await this.repeat(() => this.transact(one.unit, lock), one.since).then(one.resolve, one.reject);
    }
  }

  private refuseLate({ since, reject }: Waiting): boolean {
    const isLate = performance.now() - since > this.deadlines.lockMs;
    if (isLate)
      reject(new StoreError(`${this.place}: the lock for writes was not free in time. Nothing was changed.`));
    return isLate;
  }

  /**
   * Group commit: the units share one lock and one write to the disk. A unit that fails before it has written needs no
   * rollback.
   * @returns the units to run again, each in its own transaction: none, or all of them if one failed after it had
   *   written (which is rare) or the connection was lost before the commit; undefined if no unit was taken
   */
  private async together(waiting: Waiting[], lock: Lock): Promise<Waiting[] | undefined> {
    const batch: Waiting[] = [];
    const answers: (() => void)[] = [];
    try {
      await this.transact(async (tx, client) => {
        for (const { unit, resolve, reject } of this.takeNext(waiting, batch)) {
          const before = client.writes;
          try {
            const value = await unit(tx);
            answers.push(() => resolve(value));
          } catch (error) {
            // After a failed query, PostgreSQL runs no further query of the transaction.
            if (client.writes > before || error instanceof DatabaseError || client.isLostBy(error))
              throw error;
            answers.push(() => reject(error));
          }
        }
      }, lock);
    } catch (error) {
      if (!(error instanceof InDoubtError)) return batch.length > 0 ? batch : undefined;
      for (const { reject } of batch) reject(error);
      return [];
    }
    for (const answer of answers) answer();
    return [];
  }

  /** Moves units one by one to a batch, until it is full or has taken its time. */
  private *takeNext(waiting: Waiting[], batch: Waiting[]): Generator<Waiting> {
    // The first unit also waits for the lock, which does not count.
    let firstEndedAt: number | undefined;
    const { units, ms } = batchLimits;
    while (batch.length < units && (firstEndedAt ?? Infinity) + ms > performance.now()) {
      const one = waiting.shift();
      if (!one) return;
      if (this.refuseLate(one)) continue;
      batch.push(one);
      yield one;
      firstEndedAt ??= performance.now();
    }
  }

  private async repeat<T>(run: () => Promise<T>, since: number): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        const isLost = error instanceof NothingDone;
        const again = isLost
          ? performance.now() - since < retryMs
          : lostRace(error) && attempt < attemptLimit;
        if (!again || this.dropping) throw asStoreError(isLost ? error.cause : error, this.place);
        await sleep(Math.random() * Math.min(2 ** attempt, longestPauseMs));
      }
    }
  }

  /** @param lock the query that takes the lock; undefined for a unit that only reads */
  private async transact<T>(
    unit: (tx: Tx, client: PooledConnection) => Promise<T>,
    lock?: Lock,
    pool: keyof Pools = lock ? "writes" : "reads",
  ): Promise<T> {
    const client = await this.connect(pool).catch(throwAsNothingDone);
    if (client.begin === "") await this.setUp(client, lock).catch(throwAsNothingDone);
    const hung = lock ? undefined : setTimeout(() => this.discard(client), this.deadlines.readMs);
    let usable = false;
    let notOpened: unknown;
    let committed: Promise<QueryResult> | undefined;
    try {
      const isAlone = lock?.name === alone.name;
      const opened = lock
        ? isAlone
          ? this.openAlone(client, lock)
          : this.openWrite(client, lock)
        : client.query(client.begin).then(() => {});
      opened.catch((error) => {
        notOpened = error;
        client.dropIfLostBy(error);
      });
      // The first query of other units is sent together with those that open the transaction.
      if (isAlone) await opened;
      const value = await unit(this.session(client), client);
      await opened;
      committed = client.query("commit");
      committed.catch(() => {});
      // The end of a read is not awaited, because the next unit on the connection runs after it anyway.
      const [, done] = await Promise.all([client.settled(), lock ? committed : undefined]);
      if (done && done.command !== "COMMIT") throw new Error("a unit went on after a query of it had failed");
      usable = true;
      return value;
    } catch (last) {
      // The first failure is the cause of the later ones.
      const sent = await client.settled().then(
        () => last,
        (first) => first,
      );
      const error = notOpened ?? sent;
      if (client.isLostBy(error))
        throw committed && lock ? inDoubt(error, this.place) : new NothingDone(error);
      // The session may be connected to a server that is no longer the primary.
      if (lock && isReadOnly(error)) throw new NothingDone(error);
      // If a query has failed, the commit rolls the transaction back.
      usable = await client
        .within(this.deadlines.rollbackMs, () => committed ?? client.query("rollback"))
        .then(
          () => true,
          () => false,
        );
      if (usable && lacksColumn(error)) await this.requireCurrent(client);
      throw this.outdated ?? error;
    } finally {
      clearTimeout(hung);
      // Otherwise the pool would wait for pending queries, which may never be answered.
      if (!usable) client.drop();
      client.release(!usable);
    }
  }

  /** Prepares a new connection for its units. */
  private async setUp(client: PooledConnection, lock: Lock | undefined): Promise<void> {
    const { readMs } = this.deadlines;
    try {
      await client.within(readMs, () =>
        lock ? client.setUp(beginWrite, writeSettings) : client.setUp(beginRead, readSettings(readMs)),
      );
    } catch (error) {
      client.drop();
      client.release(true);
      throw error;
    }
  }

  /** Begins a transaction and takes the lock. The unit's first query is sent together with these queries. */
  private async openWrite(client: PooledConnection, lock: Lock): Promise<void> {
    // A migration waits for earlier writes. Later writes find out here that it ran.
    await Promise.all([client.query(client.begin), client.query(lock), this.requireCurrent(client)]);
  }

  /**
   * Like `openWrite`, for a unit that runs alone. The lock is only tried, because PostgreSQL lets later units wait behind
   * a unit that waits for it. After a long time the unit waits nevertheless, so that it runs at all.
   */
  private async openAlone(client: PooledConnection, lock: Lock): Promise<void> {
    const since = performance.now();
    await client.query(client.begin);
    while (performance.now() - since < tryAloneMs) {
      const { rows } = await client.query<{ taken: number }>(tryAlone);
      if (rows[0]?.taken === 1) break;
      await sleep(tryEveryMs);
    }
    await Promise.all([client.query(lock), this.requireCurrent(client)]);
  }

  /** @throws OutdatedError when a newer version has migrated the database, StoreError when its tables are missing */
  private async requireCurrent(client: PooledConnection): Promise<void> {
    const count = await client.query<{ count: number }>(migrationCount).then(
      ({ rows }) => rows[0]?.count ?? 0,
      (error) => {
        if (lacksColumn(error)) return 0;
        throw error;
      },
    );
    const own = Object.keys(migrations).length;
    if (count === own) return;
    if (count < own) {
      throw new StoreError(
        `${this.place}: tables of the database are missing, for example because a backup is being restored. If the backup is of an earlier version, restart this server afterwards: it migrates the database.`,
      );
    }
    this.outdated ??= new OutdatedError(
      `${this.place}: a newer version of Slipway has migrated the database. Stop this server, and start that version.`,
    );
    throw this.outdated;
  }

  private async connect(to: keyof Pools): Promise<PooledConnection> {
    return (await this.pools[to].connect()) as PooledConnection;
  }

  /** When one connection hangs, the idle ones have most likely lost the database too. */
  private discard(client: Connection): void {
    client.drop();
    for (const one of this.open) if (one.isIdle) one.drop();
  }

  private session(client: PooledConnection): Tx {
    let session = this.sessions.get(client);
    if (session === undefined) {
      session = sessionOver(client, this.pacer);
      this.sessions.set(client, session);
    }
    return session;
  }
}

/** The connection was lost before the commit was sent, or is read-only, so the unit had no effect. */
class NothingDone extends Error {
  constructor(override readonly cause: unknown) {
    super("nothing was done");
  }
}

/** Nothing was sent for a unit whose connection could not be opened. */
function throwAsNothingDone(error: unknown): never {
  throw lostConnection(error) ? new NothingDone(error) : error;
}

interface Lock {
  name: string;
  text: string;
  values: number[];
}

const canWrite = `
  select not (pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean) as can`;
/** The error with which PostgreSQL refuses a write to a read-only database. */
const readOnly = { code: "25006", message: "read-only" };

const inDoubt = (error: unknown, place: string): InDoubtError =>
  new InDoubtError(`${place}: the connection was lost at the commit, which may have been carried out.`, {
    cause: error,
  });

const migrationCount = { name: "slipway-migrations", text: `select count(*) from "${ledger}"` };

const alone: Lock = { name: "slipway-alone", text: "select pg_advisory_xact_lock($1)", values: [lockSpace] };
const tryAlone: Lock = {
  name: "slipway-try-alone",
  text: "select pg_try_advisory_xact_lock($1) as taken",
  values: [lockSpace],
};

/** Returns an exclusive lock for a unit without keys; for other units, a shared lock and the locks of their keys. */
function lockOf(lockKeys: readonly string[]): Lock {
  if (lockKeys.length === 0) return alone;
  // In one order, so that no two units wait for each other.
  const names = [...new Set(lockKeys.map(hashOf))].sort((a, b) => a - b);
  const locks = names.map((_, at) => `, pg_advisory_xact_lock($1::int, $${at + 2}::int)`);
  return {
    name: `slipway-lock-${names.length}`,
    text: `select pg_advisory_xact_lock_shared($1::int)${locks.join("")}`,
    values: [lockSpace, ...names],
  };
}

const hashOf = (key: string): number => createHash("sha1").update(key).digest().readInt32BE(0);
