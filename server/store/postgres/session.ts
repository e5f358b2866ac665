import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { CustomTypesConfig, types } from "pg";
import type { Pacer } from "../pacer";
import { OneConnection } from "../sqlite/driver";
import type { NamedQuery, Tx } from "../store";
import type { Database } from "../tables";
import type { Connection as Client } from "./connection";

/** Makes a Kysely instance on one connection of the pool. */
export function sessionOver(client: Client, pacer: Pacer): Tx {
  const connection = new Connection(client);
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new Adapter(pacer),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => new OneConnection(connection),
    },
  });
}

class Adapter extends PostgresAdapter {
  constructor(private readonly pacer: Pacer) {
    super();
  }

  pauseIfDue(): Promise<void> | undefined {
    return this.pacer.pauseIfDue();
  }
}

/**
 * Parses values as the embedded engine returns them: numbers for integers, 0 and 1 for booleans.
 * No integer in the store is too large for a number.
 */
export function rowTypes({ builtins, getTypeParser }: typeof types): CustomTypesConfig {
  const parserOf = (oid: number, format?: "text") => {
    if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number;
    if (oid === builtins.BOOL) return (text: string) => (text === "t" ? 1 : 0);
    return getTypeParser(oid, format);
  };
  return { getTypeParser: parserOf as typeof getTypeParser };
}

/** True if a query only reads. A common table expression may change rows, so a query with one does not count. */
const isReading = ({ query }: CompiledQuery): boolean =>
  query.kind === "SelectQueryNode" && query.with === undefined;

class Connection implements DatabaseConnection {
  constructor(private readonly client: Client) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, isUnread } = query as NamedQuery;
    const values = [...query.parameters];
    if (!isReading(query)) this.client.writes += 1;
    if (isUnread) {
      this.client.send(query.sql, values, statement);
      return { rows: [] };
    }
    const { command, rowCount, rows } = await this.client.ask(query.sql, values, statement);
    if (command === "SELECT" || rowCount === null) return { rows };
    return { rows, numAffectedRows: BigInt(rowCount) };
  }

  // biome-ignore lint/correctness/useYield: the server streams no results
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("This engine does not stream.");
  }
}
