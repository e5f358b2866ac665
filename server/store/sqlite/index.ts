import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { migrate } from "../migrate";
import type { Database } from "../schema";
import { type ImmediateAdapter, type Store, StoreError, type Tx } from "../store";
import { OneConnection } from "./driver";
import { asStoreError, fileIn, makeDurable, openFile } from "./file";

/** Units that share one commit, at most: bounds how long the first of them waits for its answer. */
const batchLimit = 256;
/** Statements kept prepared per connection. */
const statementLimit = 512;

/**
 * Opens the embedded store.
 * @param folder where `slipway.db` lies or is made; undefined keeps everything in memory
 * @throws StoreError when the file is damaged, not ours, newer, or cannot be written
 */
export async function openSqlite(folder: string | undefined): Promise<Store> {
  const file = openFile(folder);
  const { db: writer, close } = file;
  const connection = new Connection(writer);
  const tx = kyselyOver(connection);
  try {
    await migrate(tx, { text: "text" });
    makeDurable(file);
  } catch (error) {
    close();
    throw asStoreError(error, folder === undefined ? "memory" : fileIn(folder));
  }
  const queue = new GroupCommit(connection, tx);
  if (folder === undefined) {
    // One connection alone sees a database in memory: reads take their turn among the writes.
    return {
      engine: "sqlite",
      generation: () => queue.generation,
      read: (unit) => queue.run(unit, false),
      write: (unit) => queue.run(unit, true),
      close: () => queue.close().then(close),
    };
  }
  const reader = new DatabaseSync(fileIn(folder), { readOnly: true, timeout: 5000 });
  const readTx = kyselyOver(new Connection(reader));
  return {
    engine: "sqlite",
    generation: () => queue.generation,
    read: (unit) => unit(readTx),
    write: (unit) => queue.run(unit, true),
    async close() {
      await queue.close();
      reader.close();
      close();
    },
  };
}

/**
 * Group commit: units wait in one queue, run one after the other in one transaction, and their answers wait for its
 * commit. A unit that fails before it has written leaves nothing behind. One that fails later is rare: then all of
 * them run again, each in a savepoint, which a commit without failures is spared.
 */
class GroupCommit {
  /** Rises with every commit that changed something. */
  generation = 0;
  private waiting: Waiting[] = [];
  private running: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly connection: Connection,
    private readonly tx: Tx,
  ) {}

  run<T>(unit: (tx: Tx) => Promise<T>, writes: boolean): Promise<T> {
    if (this.closed) return Promise.reject(new StoreError("The store is closed."));
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ unit, writes, resolve: resolve as (value: unknown) => void, reject });
      // Not before the requests that already arrived were read: they join the batch.
      this.running ??= new Promise((done) => setImmediate(() => this.drain().then(done)));
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.running;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const { batch, writes } = this.nextBatch();
      try {
        const answers = (await this.runTogether(batch)) ?? (await this.runApart(batch));
        if (writes) this.generation += 1;
        for (const answer of answers) answer();
      } catch (error) {
        if (this.connection.inTransaction) this.connection.exec("rollback");
        for (const { reject } of batch) reject(error);
      }
      // Lets the answers out and the next requests in.
      await new Promise((next) => setImmediate(next));
    }
    this.running = undefined;
  }

  /**
   * Reads and writes never share a batch: what a read keeps in memory must not come from a write that may yet be
   * taken back, or run again with another outcome.
   */
  private nextBatch(): { batch: Waiting[]; writes: boolean } {
    const writes = this.waiting[0]?.writes ?? false;
    const end = this.waiting.findIndex((one) => one.writes !== writes);
    return { batch: this.waiting.splice(0, Math.min(end < 0 ? batchLimit : end, batchLimit)), writes };
  }

  /** @returns what answers the units; undefined when one that failed had written, and nothing was committed */
  private async runTogether(batch: readonly Waiting[]): Promise<Answer[] | undefined> {
    const answers: Answer[] = [];
    this.connection.exec("begin immediate");
    for (const { unit, resolve, reject } of batch) {
      const before = this.connection.writes;
      try {
        const value = await unit(this.tx);
        answers.push(() => resolve(value));
      } catch (error) {
        // A full disk or a broken file ends the whole transaction.
        if (!this.connection.inTransaction) throw error;
        answers.push(() => reject(error));
        if (this.connection.writes === before) continue;
        this.connection.exec("rollback");
        return batch.length === 1 ? answers : undefined;
      }
    }
    this.connection.exec("commit");
    return answers;
  }

  private async runApart(batch: readonly Waiting[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    this.connection.exec("begin immediate");
    for (const { unit, resolve, reject } of batch) {
      this.connection.exec("savepoint unit");
      try {
        const value = await unit(this.tx);
        answers.push(() => resolve(value));
      } catch (error) {
        if (!this.connection.inTransaction) throw error;
        this.connection.exec("rollback to unit");
        answers.push(() => reject(error));
      }
      this.connection.exec("release unit");
    }
    this.connection.exec("commit");
    return answers;
  }
}

/** A unit in the queue, and who waits for it. */
interface Waiting {
  unit: (tx: Tx) => Promise<unknown>;
  writes: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Answer = () => void;

function kyselyOver(connection: Connection): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new Adapter(connection),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createDriver: () => new OneConnection(connection, "begin immediate"),
    },
  });
}

class Adapter extends SqliteAdapter implements ImmediateAdapter {
  constructor(private readonly connection: Connection) {
    super();
  }

  /** Changes of the schema are part of a transaction, as in PostgreSQL: a migration is made whole or not at all. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  run(sql: string, parameters: readonly unknown[]): unknown[] {
    return this.connection.run(sql, parameters).rows;
  }
}

class Connection implements DatabaseConnection {
  /** How many statements ran that may have changed something. */
  writes = 0;
  private readonly statements = new Map<string, Prepared>();

  constructor(private readonly db: DatabaseSync) {}

  get inTransaction(): boolean {
    return this.db.isTransaction;
  }

  exec(text: string): void {
    this.prepare(text).statement.run();
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.run<R>(sql, parameters);
  }

  run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const { statement, columns, reads } = this.prepare(sql);
    if (!reads) this.writes += 1;
    const values = parameters as SQLInputValue[];
    if (columns.length > 0) {
      const rows = statement.all(...values) as unknown as SQLOutputValue[][];
      return { rows: rows.map((row) => objectOf(columns, row) as R) };
    }
    const { changes } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: node:sqlite streams nothing that the server would need
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("The embedded engine does not stream.");
  }

  /** Prepares a statement once; the least recently used one makes room for a new one. */
  private prepare(text: string): Prepared {
    let entry = this.statements.get(text);
    if (entry !== undefined) {
      if (this.statements.size > statementLimit / 2) {
        this.statements.delete(text);
        this.statements.set(text, entry);
      }
      return entry;
    }
    const statement = this.db.prepare(text);
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    entry = { statement, columns, reads: /^select\b/i.test(text) };
    const oldest = this.statements.size >= statementLimit ? this.statements.keys().next().value : undefined;
    if (oldest !== undefined) this.statements.delete(oldest);
    this.statements.set(text, entry);
    return entry;
  }
}

interface Prepared {
  /** Gives rows as arrays. */
  statement: StatementSync;
  /** Their names; none when it returns no rows. */
  columns: readonly string[];
  /** It changes nothing for certain. */
  reads: boolean;
}

/** Made here, a row of many columns takes half the time that it takes the driver, which makes each name anew. */
function objectOf(
  columns: readonly string[],
  row: readonly SQLOutputValue[],
): Record<string, SQLOutputValue> {
  const object: Record<string, SQLOutputValue> = {};
  for (let at = 0; at < columns.length; at++) object[columns[at] ?? ""] = row[at] ?? null;
  return object;
}
