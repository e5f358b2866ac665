import { createHash } from "node:crypto";
// Kysely is an ES module; TypeScript with `module: node16` needs to be told where a CommonJS file takes its types.
import type { Compilable, CompiledQuery, DialectAdapter, Expression, Kysely, SqlBool } from "kysely" with {
  "resolution-mode": "import",
};
import { sql } from "kysely";
import type { Database } from "./tables";

/** Builds and runs queries. Inside `read` and `write`, they run in the transaction of the unit. */
export type Tx = Kysely<Database>;

/** A unit of work: a transaction and its time, which does not change. The call of a route is a unit of work. */
export interface Unit {
  readonly tx: Tx;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** The tables, on one of two engines. */
export interface Store {
  readonly engine: "sqlite" | "postgres";
  /** The number of commits that changed something. Absent if other processes can commit too. */
  generation?(): number;
  /** Runs queries that change nothing. @param key of the caller. Callers are served round robin */
  read<T>(unit: (tx: Tx) => Promise<T>, key?: string): Promise<T>;
  /**
   * Runs a unit of changes in a transaction, which is durable when the promise resolves. A unit may run again from the
   * start after a conflict with another one. It must therefore await only the store and change nothing else.
   * @param lockKeys units that share a key run one after the other, on all servers. A unit without keys runs alone,
   *   so use it only before the first request and to replace all data. The keys of a unit are the ids of the accounts
   *   that it changes. Conflicts between accounts are detected by unique indexes.
   */
  write<T>(unit: (tx: Tx) => Promise<T>, ...lockKeys: readonly string[]): Promise<T>;
  /** @throws StoreError when the store cannot be written, or is not the one that was opened */
  check(): Promise<void>;
  /** Fails the units in progress and all later ones, so that the server can end although units take long. */
  abandon(): void;
  /** Finishes the units in progress, and closes the store. */
  close(): Promise<void>;
}

/** The store cannot be used, and nothing was changed. The message says what is wrong and what to do. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
}

/** The connection was lost during a commit, so it is unknown whether the commit took effect. */
export class InDoubtError extends Error {
  override readonly name = "InDoubtError";
}

/** A newer version has migrated the store while this server was running, so this server can no longer use it. */
export class OutdatedError extends StoreError {
  override readonly name = "OutdatedError";
}

/** A query that the engine may cache as a prepared statement with this name. */
export type NamedQuery = CompiledQuery & {
  readonly statement?: string;
  /** True for a query that changes rows and returns none. Its unit does not wait for the result. */
  readonly isUnread?: boolean;
};

interface PausingAdapter extends DialectAdapter {
  /** Pauses a unit that has run for too long, so that the event loop can turn. @returns undefined if it may go on */
  pauseIfDue(): Promise<void> | undefined;
}

/** The adapter of a synchronous engine. */
export interface ImmediateAdapter extends PausingAdapter {
  run(sql: string, parameters: readonly unknown[]): unknown[];
  /** Does the same, but may return the rows of an equal query in the same transaction, if nothing changed since. */
  runRepeated(sql: string, parameters: readonly unknown[]): readonly unknown[];
}

/** The number of rows after which a unit may pause before it goes on. */
const manyRows = 100;

class Parameter {
  constructor(readonly name: string) {}
}

/**
 * Builds and compiles a query once, to run it with different arguments. Use it for queries that every request makes.
 * Write a limit as a literal, because SQLite plans a statement again each time that a value is bound to a limit.
 *
 * On PostgreSQL, a unit does not wait for a change that returns no rows. If the change fails, the commit of the unit
 * fails.
 * @param isRepeated true for a query that many requests make with the same arguments. SQLite keeps its rows until the
 *   next change, so do not change them
 */
export function prepared<A extends Record<string, string | number | null>, R>(
  build: (tx: Tx, parameter: A) => Compilable<R>,
  { isRepeated = false } = {},
): (tx: Tx, args: A) => Promise<R[]> {
  const compiled = new Map<unknown, CompiledQuery<R> & NamedQuery>();
  const parameters = new Proxy({} as A, { get: (_, name) => new Parameter(String(name)) });
  return async (tx, args) => {
    const { adapter } = tx.getExecutor();
    const engine = adapter.constructor;
    let known = compiled.get(engine);
    if (known === undefined) {
      const built = build(tx, parameters).compile();
      // The name is the same in every process, since a connection pooler may share connections between them.
      const statement = createHash("sha1").update(built.sql).digest("hex");
      known = { ...built, statement, isUnread: isUnread(built) };
      compiled.set(engine, known);
    }
    const values = known.parameters.map((value) => (value instanceof Parameter ? args[value.name] : value));
    if (isImmediate(adapter)) {
      const pause = adapter.pauseIfDue();
      if (pause) await pause;
      const found = isRepeated ? adapter.runRepeated(known.sql, values) : adapter.run(known.sql, values);
      const rows = found as R[];
      // The caller probably works on each of many rows.
      const another = rows.length > manyRows ? adapter.pauseIfDue() : undefined;
      if (another) await another;
      return rows;
    }
    return (await tx.executeQuery<R>({ ...known, parameters: values })).rows;
  };
}

/** The keys that were requested in one turn of the event loop, with the promises of their rows. */
type Asked<R> = Map<string, PromiseWithResolvers<R[]>>;

/**
 * A prepared query for the rows of a key. If several keys are requested in one turn of the event loop, such as those of
 * all items of a list, one statement reads the rows of all keys.
 * @param build builds the query; its argument `has` returns the condition that a column has the key
 * @param keyOf returns the value of that column in a row
 */
export function batched<R>(
  build: (tx: Tx, has: (column: string) => Expression<SqlBool>) => Compilable<R>,
  keyOf: (row: R) => string,
): (tx: Tx, key: string) => Promise<R[]> {
  const one = prepared((tx, p: { key: string }) =>
    build(tx, (column) => sql<SqlBool>`${sql.ref(column)} = ${p.key}`),
  );
  const several = prepared((tx, p: { keys: string }) => build(tx, (column) => isAmong(tx, column, p.keys)));
  const waiting = new Map<Tx, Asked<R>>();
  const ask = async (tx: Tx, asked: Asked<R>): Promise<void> => {
    const keys = [...asked.keys()];
    const [key = ""] = keys;
    try {
      const rows =
        keys.length === 1 ? await one(tx, { key }) : await several(tx, { keys: JSON.stringify(keys) });
      const found = Map.groupBy(rows, keyOf);
      for (const [each, { resolve }] of asked) resolve(found.get(each) ?? []);
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  };
  return (tx, key) => {
    const asked: Asked<R> = waiting.get(tx) ?? new Map();
    if (asked.size === 0) {
      waiting.set(tx, asked);
      queueMicrotask(() => {
        waiting.delete(tx);
        void ask(tx, asked);
      });
    }
    const answer = asked.get(key) ?? Promise.withResolvers<R[]>();
    asked.set(key, answer);
    return answer.promise;
  };
}

/** The condition that a column has one of the texts in a JSON array. */
export const isAmong = (tx: Tx, column: string, texts: string): Expression<SqlBool> =>
  isImmediate(tx.getExecutor().adapter)
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${texts}))`
    : sql<SqlBool>`${sql.ref(column)} = any(array(select jsonb_array_elements_text(${texts}::jsonb)))`;

/** Pauses a unit between two steps of long work without queries. @returns undefined if the unit may go on */
export function pauseIfDue(tx: Tx): Promise<void> | undefined {
  const { adapter } = tx.getExecutor();
  return "pauseIfDue" in adapter ? (adapter as PausingAdapter).pauseIfDue() : undefined;
}

const isUnread = ({ query }: CompiledQuery): boolean =>
  (query.kind === "InsertQueryNode" ||
    query.kind === "UpdateQueryNode" ||
    query.kind === "DeleteQueryNode") &&
  query.returning === undefined;

const isImmediate = (adapter: DialectAdapter): adapter is ImmediateAdapter => "run" in adapter;
