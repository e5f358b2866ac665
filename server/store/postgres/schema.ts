import { sql } from "kysely";
import { ledger, migrate, requireTables } from "../migrate";
import { migrations } from "../migrations";
import { StoreError, type Tx } from "../store";

const oldestVersion = 130000;
/** The space of Slipway's advisory locks in the database: "slip" in ASCII. */
export const lockSpace = 0x736c6970;

/**
 * Checks that a database can hold a store, and migrates it. Servers that start at the same time do this one after the
 * other.
 * @throws StoreError when the database has tables of another program, is of a newer version, or is read-only
 */
export async function prepareDatabase(tx: Tx, place: string): Promise<void> {
  const found = await inspect(tx);
  if (found.version < oldestVersion) {
    throw new StoreError(
      `${place}: PostgreSQL ${Math.floor(found.version / 10000)} is too old. Use version 13 or later.`,
    );
  }
  if (found.encoding !== "UTF8") {
    throw new StoreError(
      `${place}: its encoding is ${found.encoding}. Create a database with createdb --encoding=UTF8.`,
    );
  }
  if (found.schema === null) {
    throw new StoreError(
      `${place}: its search_path names no existing schema. Create the schema, or correct --data.`,
    );
  }
  if (found.read_only === 1) {
    throw new StoreError(
      `${place}: the database is read-only. Give the primary server's address with --data.`,
    );
  }
  const done = found.ledger === 1 ? await migrationsOf(tx) : [];
  const [first = ""] = Object.keys(migrations);
  if (found.tables.length > 0 && !done.includes(first)) {
    throw new StoreError(
      `${place}: the schema "${found.schema}" holds tables that are not Slipway's. Give an empty database with --data.`,
    );
  }
  const isOurs = done.length === Object.keys(migrations).length && done.every((name) => name in migrations);
  if (!isOurs) await migrate(tx, { text: 'text collate "C"' }, `select pg_advisory_xact_lock(${lockSpace})`);
  requireTables(isOurs ? found.tables : (await inspect(tx)).tables, `${place}: the schema "${found.schema}"`);
}

interface Found {
  version: number;
  encoding: string;
  schema: string | null;
  read_only: number;
  /** 1 when the table of migrations exists. */
  ledger: number;
  /** The names of the other tables and views. */
  tables: string[];
}

async function inspect(tx: Tx): Promise<Found> {
  const { rows } = await sql<Found>`select
    current_setting('server_version_num')::bigint as version,
    current_setting('server_encoding') as encoding,
    current_schema() as schema,
    current_setting('transaction_read_only') = 'on' as read_only,
    to_regclass(quote_ident(current_schema()) || ${`.${ledger}`}) is not null as ledger,
    array(select c.relname::text from pg_catalog.pg_class as c
      join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and c.relname not in (${ledger}, ${`${ledger}_lock`})) as tables`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error("the query about the database returned no row");
  return found;
}

async function migrationsOf(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(ledger)}`.execute(tx);
  return rows.map(({ name }) => name);
}
