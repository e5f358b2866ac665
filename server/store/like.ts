import { type Expression, type SqlBool, sql } from "kysely";

/**
 * True for a column that contains a text. The engines differ in whether this is case-sensitive: compare lower case.
 * @param column an expression or a column's name
 */
export function contains(column: string | Expression<string | null>, text: string): Expression<SqlBool> {
  return like(column, `%${escapeLike(text)}%`);
}

/** True when one of some columns contains a text, whatever the case of either. */
export const someContain = (columns: readonly string[], text: string): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    columns.map((column) => contains(lower(column), text.toLowerCase())),
    sql` or `,
  )})`;

/** @param pattern with the texts of clients escaped by `escapeLike` */
export function like(column: string | Expression<string | null>, pattern: string): Expression<SqlBool> {
  const value = typeof column === "string" ? sql.ref(column) : column;
  return sql<SqlBool>`(${value} like ${pattern} escape '\\')`;
}

export const lower = (column: string): Expression<string | null> =>
  sql<string | null>`lower(${sql.ref(column)})`;

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");
