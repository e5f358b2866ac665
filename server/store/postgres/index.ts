import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientConfig, Pool, types } from "pg";
import { type Store, StoreError, type Tx } from "../store";
import { Connection, type PooledConnection } from "./connection";
import { asStoreError, lostConnection, lostRace, placeOf } from "./errors";
import { lockSpace, prepareDatabase } from "./schema";
import { rowTypes, sessionOver } from "./session";
import { Turns, type Waiting } from "./turns";

/** Connections per server. PostgreSQL takes 100 unless told otherwise: room for nine servers. */
const poolSize = 10;
const connectMs = 10_000;
/** Longer than any query of ours takes, and than any lock is waited for: what lasts longer hangs. */
const queryMs = 60_000;
/** From when on a connection that is not used asks whether there is still somebody at the other end. */
const keepAliveMs = 10_000;

/** How long PostgreSQL may take, in milliseconds, before a connection is given up as one that hangs. */
export interface Deadlines {
  /** For a unit that only reads: it waits for no lock. */
  readMs: number;
  /** To take back what a unit did. */
  rollbackMs: number;
}
const defaultDeadlines: Deadlines = { readMs: 15_000, rollbackMs: 5_000 };
/** For how long a unit whose connection was lost is tried again on another one, in milliseconds. */
const patienceMs = 20_000;
/** How often a unit is run that loses its races. One that always does is a bug, and its error is shown. */
const attemptLimit = 8;

/**
 * Every write takes a lock first, which the database keeps to the end of its transaction: units of one turn
 * follow each other, and a unit without a turn is alone, whichever server they run on. So a rule may look
 * before it writes, as on the embedded engine, and need not think of locks. SERIALIZABLE would promise the
 * same, but writes of one account meet in its counter of events, where all but one would fail and start
 * again: with 16 writers it was measured at a third of the speed. Units of one turn that wait on this server
 * share a transaction, and so wait for the lock and the disk once.
 *
 * READ COMMITTED is what goes with it: each statement sees all that was committed before the lock was had.
 * What different accounts compete for is guarded by unique indexes: who is second finds out, is run again,
 * and is then refused by the rule that looks before it writes.
 */
const beginWrite = `begin isolation level read committed;
  set local idle_in_transaction_session_timeout = '10s'`;
/** All queries of a read see the same moment. */
const beginRead = "begin isolation level repeatable read read only";

/**
 * Opens the store that several servers can share.
 * @param address `postgres://user:password@host:port/database`
 * @throws StoreError when the database cannot be reached, is not ours, newer, or cannot be written
 */
export async function openPostgres(address: string, deadlines: Partial<Deadlines> = {}): Promise<Store> {
  const url = parseAddress(address);
  const place = placeOf(url);
  const open = new Set<Connection>();
  const pool = new Pool({
    connectionString: address,
    application_name: "slipway",
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // A transaction's first query goes out together with its beginning.
    pipeline: true,
    Client: class extends Connection {
      constructor(config?: ClientConfig) {
        super(config, open);
      }
    },
    types: rowTypes(types),
  });
  // A connection that ends is taken out of the pool, and the next unit gets another: that is all there is to do.
  pool.on("error", () => {});
  pool.on("acquire", (client) => Object.assign(client, { isIdle: false }));
  pool.on("release", (_error, client) => Object.assign(client, { isIdle: true }));
  const store = new PostgresStore(pool, place, open, { ...defaultDeadlines, ...deadlines });
  try {
    await store.prepare();
  } catch (error) {
    await pool.end();
    // One that never came as far as to be a connection is not the pool's to end.
    for (const connection of open) connection.drop();
    throw asStoreError(error, place);
  }
  return store;
}

function parseAddress(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw new StoreError(
      "--data does not hold an address of the form postgres://user:password@host:5432/database; a password's special characters are written as %XX.",
    );
  }
}

class PostgresStore implements Store {
  readonly engine = "postgres";
  private readonly sessions = new WeakMap<PooledConnection, Tx>();
  private readonly turns = new Turns((turn, batch) => this.commit(turn, batch));
  private readonly underWay = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly place: string,
    private readonly open: ReadonlySet<Connection>,
    private readonly deadlines: Deadlines,
  ) {}

  async prepare(): Promise<void> {
    const client = await this.connect();
    try {
      await prepareDatabase(this.session(client), this.place);
    } finally {
      client.release();
    }
  }

  readonly read = <T>(unit: (tx: Tx) => Promise<T>): Promise<T> =>
    this.track(() => this.repeat(() => this.transact(unit)));

  readonly write = <T>(unit: (tx: Tx) => Promise<T>, turn?: string): Promise<T> =>
    this.track(() => this.turns.take(turn, unit));

  close(): Promise<void> {
    this.closing ??= Promise.allSettled(this.underWay).then(() => this.pool.end());
    return this.closing;
  }

  private track<T>(run: () => Promise<T>): Promise<T> {
    if (this.closing) return Promise.reject(new StoreError("The store is closed."));
    const running = run();
    this.underWay.add(running);
    const forget = (): boolean => this.underWay.delete(running);
    running.then(forget, forget);
    return running;
  }

  /** Carries out units of one turn: together, where there are several, and otherwise each for itself. */
  private async commit(turn: string | undefined, batch: Waiting[]): Promise<void> {
    const lock = lockOf(turn);
    const left = batch.length > 1 ? await this.together(batch, lock) : batch;
    for (const { unit, resolve, reject } of left) {
      await this.repeat(() => this.transact(unit, lock)).then(resolve, reject);
    }
  }

  /**
   * Group commit: the account's lock is taken once and the disk waited for once. Each unit has a savepoint, to
   * which what it did is taken back when it fails.
   * @returns the units that are to be run again, each for itself: those that lost a race, or all of them when
   *   the connection was lost before the commit
   */
  private async together(batch: Waiting[], lock: Lock): Promise<Waiting[]> {
    const again: Waiting[] = [];
    const answers: (() => void)[] = [];
    try {
      await this.transact(async (_tx, client) => {
        for (const one of batch) {
          const outcome = await this.inSavepoint(client, one.unit);
          if ("value" in outcome) answers.push(() => one.resolve(outcome.value));
          else if (lostRace(outcome.error)) again.push(one);
          else answers.push(() => one.reject(asStoreError(outcome.error, this.place)));
        }
      }, lock);
    } catch (error) {
      if (error instanceof NothingDone) return batch;
      for (const { reject } of batch) reject(asStoreError(error, this.place));
      return [];
    }
    for (const answer of answers) answer();
    return again;
  }

  /** @throws what ended the whole transaction */
  private async inSavepoint(
    client: PooledConnection,
    unit: Waiting["unit"],
  ): Promise<{ value: unknown } | { error: unknown }> {
    // It goes out together with the unit's first query.
    const saved = client.query("savepoint unit");
    saved.catch((error) => client.dropIfLostBy(error));
    try {
      const value = await unit(this.session(client));
      await client.query("release savepoint unit");
      return { value };
    } catch (error) {
      if (client.isLostBy(error)) throw error;
      await client.within(this.deadlines.rollbackMs, () =>
        client.query("rollback to savepoint unit; release savepoint unit"),
      );
      return { error };
    }
  }

  private async repeat<T>(run: () => Promise<T>): Promise<T> {
    const begunAt = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        const isLost = error instanceof NothingDone;
        const again = isLost ? performance.now() - begunAt < patienceMs : lostRace(error);
        if (!again || attempt === attemptLimit) throw asStoreError(isLost ? error.cause : error, this.place);
        await sleep(Math.random() * 2 ** attempt);
      }
    }
  }

  /** @param lock the query that takes the lock; without it, the unit only reads */
  private async transact<T>(unit: (tx: Tx, client: PooledConnection) => Promise<T>, lock?: Lock): Promise<T> {
    const client = await this.connect().catch((error) => {
      throw lostConnection(error) ? new NothingDone(error) : error;
    });
    const hung = lock ? undefined : setTimeout(() => this.giveUp(client), this.deadlines.readMs);
    let usable = false;
    let committing = false;
    try {
      const opening = [client.query(lock ? beginWrite : beginRead), ...(lock ? [client.query(lock)] : [])];
      const opened = Promise.all(opening);
      opened.catch((error) => client.dropIfLostBy(error));
      const value = await unit(this.session(client), client);
      await opened;
      committing = true;
      const committed = client.query("commit");
      // The end of a read is nothing to wait for: whoever has the connection next comes after it.
      if (lock) await committed;
      else committed.catch(() => {});
      usable = true;
      return value;
    } catch (error) {
      if (client.isLostBy(error)) throw committing ? error : new NothingDone(error);
      usable = await client
        .within(this.deadlines.rollbackMs, () => client.query("rollback"))
        .then(
          () => true,
          () => false,
        );
      throw error;
    } finally {
      clearTimeout(hung);
      // The pool would wait for what is still under way on it, for which there may be no answer.
      if (!usable) client.drop();
      client.release(!usable);
    }
  }

  private async connect(): Promise<PooledConnection> {
    return (await this.pool.connect()) as PooledConnection;
  }

  /** A connection hangs, so those that nobody uses have most likely lost the other side with it. */
  private giveUp(client: Connection): void {
    client.drop();
    for (const one of this.open) if (one.isIdle) one.drop();
  }

  private session(client: PooledConnection): Tx {
    let session = this.sessions.get(client);
    if (session === undefined) {
      session = sessionOver(client);
      this.sessions.set(client, session);
    }
    return session;
  }
}

/** The connection was lost before the commit was asked for: nothing of the unit took effect. */
class NothingDone extends Error {
  constructor(override readonly cause: unknown) {
    super("nothing was done");
  }
}

interface Lock {
  name: string;
  text: string;
  values: number[];
}

/** Alone, or beside units of other turns: the former waits until none of the latter runs, and the reverse. */
function lockOf(turn: string | undefined): Lock {
  if (turn === undefined) {
    return { name: "slipway-alone", text: "select pg_advisory_xact_lock($1)", values: [lockSpace] };
  }
  const name = createHash("sha1").update(turn).digest().readInt32BE(0);
  return {
    name: "slipway-turn",
    text: "select pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock($2::int, $3::int)",
    values: [lockSpace, lockSpace, name],
  };
}
