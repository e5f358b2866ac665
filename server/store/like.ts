import { type Expression, type SqlBool, sql } from "kysely";

/**
 * True if a column contains a text. Pass both in lower case, because only one of the engines is case-sensitive.
 * @param column an expression or a column's name
 */
export function contains(column: string | Expression<string | null>, text: string): Expression<SqlBool> {
  return like(column, `%${escapeLike(text)}%`);
}

/** True if one of the columns contains a text, in upper or lower case. */
export const someContain = (columns: readonly string[], text: string): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    columns.map((column) => contains(lower(column), text.toLowerCase())),
    sql` or `,
  )})`;

/** @param pattern a pattern in which texts of clients are escaped by `escapeLike` */
export function like(column: string | Expression<string | null>, pattern: string): Expression<SqlBool> {
  const value = typeof column === "string" ? sql.ref(column) : column;
  return sql<SqlBool>`(${value} like ${pattern} escape '\\')`;
}

export const lower = (column: string): Expression<string | null> =>
  sql<string | null>`lower(${sql.ref(column)})`;

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");
