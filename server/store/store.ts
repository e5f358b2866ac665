import { createHash } from "node:crypto";
import type { Compilable, CompiledQuery, DialectAdapter, Kysely } from "kysely";
import type { Database } from "./schema";

/** What queries are built on and run by: inside `read` and `write`, the connection of that unit. */
export type Tx = Kysely<Database>;

/** One set of tables behind one of two engines. */
export interface Store {
  readonly engine: "sqlite" | "postgres";
  /** Rises with every commit. Only where this process is the only one that commits. */
  generation?(): number;
  /** Runs queries that change nothing. */
  read<T>(unit: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs a unit of changes: all of it takes effect or nothing, and it is durable when the promise resolves.
   * A unit that loses a race may be run again from the start, so inside it nothing is awaited but the store
   * and nothing outside the store is changed.
   * @param turn units of the same turn run one after the other, and one without a turn runs alone, whichever
   *   server they run on: no unit sees another's half-done work. Requests take the turn of their account, and
   *   what different accounts compete for is guarded by indexes.
   */
  write<T>(unit: (tx: Tx) => Promise<T>, turn?: string): Promise<T>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** The store cannot be used as it is. The message says what is wrong and the way out. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** A query that the engine may keep prepared, under this name. */
export type NamedQuery = CompiledQuery & { readonly statement?: string };

/** The adapter of an engine on which nothing has to be waited for: its queries can be run at once. */
export interface ImmediateAdapter extends DialectAdapter {
  run(sql: string, parameters: readonly unknown[]): unknown[];
}

class Parameter {
  constructor(readonly name: string) {}
}

/**
 * A query that is built and compiled once and then run with arguments, for the paths where every request
 * passes. Other queries are built where they stand. A limit is written as a literal: SQLite plans a statement
 * anew each time that a value is bound to one.
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
      // The same in every process: between them and the database there may be one that shares connections.
      known = { ...built, statement: createHash("sha1").update(built.sql).digest("hex") };
      compiled.set(engine, known);
    }
    const values = known.parameters.map((value) => (value instanceof Parameter ? args[value.name] : value));
    if (isImmediate(adapter)) return adapter.run(known.sql, values) as R[];
    return (await tx.executeQuery<R>({ ...known, parameters: values })).rows;
  };
}

const isImmediate = (adapter: DialectAdapter): adapter is ImmediateAdapter => "run" in adapter;
