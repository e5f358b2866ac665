import { type SelectQueryBuilder, sql } from "kysely";

/** Unique times for the rows of a list, by which the list is paged. */

/** Returns `now` if it is later than `last`; otherwise the millisecond after `last`. */
export const laterThan = (last: number | null | undefined, now: number): number =>
  Math.max(now, Number(last ?? 0) + 1);

/**
 * The time for a new row of a list.
 * @param list a query for the rows of the list, without a selection of columns
 * @param column the column by which the list is ordered
 */
export async function nextTime<DB, TB extends keyof DB, O>(
  list: SelectQueryBuilder<DB, TB, O>,
  column: string,
  now: number,
): Promise<number> {
  const row = await list.select(sql<number | null>`max(${sql.ref(column)})`.as("last")).executeTakeFirst();
  return laterThan((row as { last: number | null } | undefined)?.last, now);
}
