import { createHash } from "node:crypto";
// Kysely is an ES module; TypeScript with `module: node16` needs to be told where a CommonJS file takes its types.
import type { Compilable, CompiledQuery, DialectAdapter, Expression, Kysely, SqlBool } from "kysely" with {
  "resolution-mode": "import",
};
import { sql } from "kysely";
import type { Database } from "./schema";

/** Builds and runs queries; inside `read` and `write`, on the connection of that unit. */
export type Tx = Kysely<Database>;

/** A unit of work: its transaction, and its time, which is the same throughout. The call of a route is one. */
export interface Unit {
  readonly tx: Tx;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** The tables, on one of two engines. */
export interface Store {
  readonly engine: "sqlite" | "postgres";
  /** Incremented by every commit. Absent where other processes commit too. */
  generation?(): number;
  /** Runs queries that change nothing. */
  read<T>(unit: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs a unit of changes: a transaction that is durable when the promise resolves. A unit that loses a race may be
   * run again from the start, so it awaits nothing but the store and changes nothing outside of it.
   * @param lockKey units with the same key run one after the other, and a unit without a key runs alone, on
   *   whichever servers they are. The key of a request is its account; unique indexes guard what different accounts
   *   compete for.
   */
  write<T>(unit: (tx: Tx) => Promise<T>, lockKey?: string): Promise<T>;
  /** @throws StoreError when it can change nothing, or is not the one that was opened */
  check(): Promise<void>;
  /** Fails the units under way, and all later ones: for a database that hangs while the server has to end. */
  abandon(): void;
  /** Finishes the units under way. */
  close(): Promise<void>;
}

/** The store cannot be used, and nothing was changed. The message says what is wrong and what to do. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
}

/** The store was lost while it committed: nobody knows whether it did. */
export class InDoubtError extends Error {
  override readonly name = "InDoubtError";
}

/** A newer version has migrated the store while this server ran: this one can no longer use it. */
export class OutdatedError extends StoreError {
  override readonly name = "OutdatedError";
}

/** A query that the engine may keep as a prepared statement of this name. */
export type NamedQuery = CompiledQuery & {
  readonly statement?: string;
  /** It changes rows and returns none: its unit need not wait for it. */
  readonly isUnread?: boolean;
};

/** The adapter of a synchronous engine. */
export interface ImmediateAdapter extends DialectAdapter {
  run(sql: string, parameters: readonly unknown[]): unknown[];
}

class Parameter {
  constructor(readonly name: string) {}
}

/**
 * Builds and compiles a query once, to run it with arguments; for queries that every request makes. Write a limit
 * as a literal: SQLite plans a statement again each time that a value is bound to a limit.
 *
 * On PostgreSQL a change that returns no rows is only sent: the store waits for it before it commits, and the unit
 * fails then when it failed.
 */
export function prepared<A extends Record<string, string | number | null>, R>(
  build: (tx: Tx, parameter: A) => Compilable<R>,
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
    if (isImmediate(adapter)) return adapter.run(known.sql, values) as R[];
    return (await tx.executeQuery<R>({ ...known, parameters: values })).rows;
  };
}

/** Keys that are asked for in one turn of the event loop, and their rows to come. */
type Asked<R> = Map<string, PromiseWithResolvers<R[]>>;

/**
 * A query for the rows of one key, `prepared`. Those of several keys that are asked for in one turn of the event loop,
 * as a list asks for what each of its items has, come by one statement.
 * @param build `has` is the condition that a column holds the key
 * @param keyOf that column
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

/** The condition that a column holds one of the texts in a JSON array. */
export const isAmong = (tx: Tx, column: string, texts: string): Expression<SqlBool> =>
  isImmediate(tx.getExecutor().adapter)
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${texts}))`
    : sql<SqlBool>`${sql.ref(column)} = any(array(select jsonb_array_elements_text(${texts}::jsonb)))`;

const isUnread = ({ query }: CompiledQuery): boolean =>
  (query.kind === "InsertQueryNode" ||
    query.kind === "UpdateQueryNode" ||
    query.kind === "DeleteQueryNode") &&
  query.returning === undefined;

const isImmediate = (adapter: DialectAdapter): adapter is ImmediateAdapter => "run" in adapter;
