import {
  type Expression,
  expressionBuilder,
  type Insertable,
  type SqlBool,
  sql,
  type Updateable,
} from "kysely";
import type { Tx } from "./store";
import type { Database } from "./tables";

/** The queries that are the same for every table: rows are selected by the values of some of their columns. */

type Table = keyof Database;

/** The values that columns must have; null is a value too. */
type Values<T extends Table> = { readonly [Column in keyof Database[T]]?: Database[T][Column] };

/** A column by which rows are ordered; with `-`, in descending order. */
type Order<T extends Table> = `${"" | "-"}${keyof Database[T] & string}`;

/** Rows per insert statement, since both engines limit the number of parameters. */
const chunk = 500;

export function listRows<T extends Table>(
  tx: Tx,
  table: T,
  values: Values<T>,
  ...order: readonly Order<T>[]
): Promise<Database[T][]> {
  let query = tx
    .selectFrom(table as Table)
    .selectAll()
    .where(matches(values));
  for (const column of order)
    query = query.orderBy(column.replace("-", "") as never, column.startsWith("-") ? "desc" : "asc");
  return query.execute() as Promise<unknown> as Promise<Database[T][]>;
}

/** @returns undefined if there is no such row */
export const findRow = <T extends Table>(
  tx: Tx,
  table: T,
  values: Values<T>,
): Promise<Database[T] | undefined> =>
  tx
    .selectFrom(table as Table)
    .selectAll()
    .where(matches(values))
    .limit(sql.lit(1))
    .executeTakeFirst() as Promise<unknown> as Promise<Database[T] | undefined>;

export const hasRow = async <T extends Table>(tx: Tx, table: T, values: Values<T>): Promise<boolean> =>
  (await findRow(tx, table, values)) !== undefined;

export async function countRows<T extends Table>(tx: Tx, table: T, values: Values<T>): Promise<number> {
  const { count } = await tx
    .selectFrom(table as Table)
    .select((eb) => eb.fn.countAll().as("count"))
    .where(matches(values))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertRow<T extends Table>(
  tx: Tx,
  table: T,
  row: Insertable<Database[T]>,
): Promise<void> {
  await tx.insertInto(table).values(row).execute();
}

/** Adds rows, many per statement. */
export async function insertRows<T extends Table>(
  tx: Tx,
  table: T,
  rows: readonly Database[T][],
): Promise<void> {
  for (let at = 0; at < rows.length; at += chunk)
    await tx
      .insertInto(table)
      .values(rows.slice(at, at + chunk) as never)
      .execute();
}

/** Changes columns of rows. */
export async function changeRows<T extends Table>(
  tx: Tx,
  table: T,
  values: Values<T>,
  columns: Updateable<Database[T]>,
): Promise<void> {
  await tx
    .updateTable(table as Table)
    .set(columns as never)
    .where(matches(values))
    .execute();
}

export async function deleteRows<T extends Table>(tx: Tx, table: T, values: Values<T>): Promise<void> {
  await tx
    .deleteFrom(table as Table)
    .where(matches(values))
    .execute();
}

function matches(values: object): Expression<SqlBool> {
  const eb = expressionBuilder<Database, Table>();
  return eb.and(
    Object.entries(values).map(([column, value]) =>
      eb(column as never, value === null ? "is" : "=", value as never),
    ),
  );
}
