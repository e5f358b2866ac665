import { type SelectQueryBuilder, sql } from "kysely";

/** Times that no two rows of a list share, so that it can be paged by them. */

/** A time later than the last one, and not before now. */
export const laterThan = (last: number | null | undefined, now: number): number =>
  Math.max(now, Number(last ?? 0) + 1);

/**
 * The time of what is added to a list.
 * @param list its rows, without any selection
 * @param column what it is ordered by
 */
export async function nextTime<DB, TB extends keyof DB, O>(
  list: SelectQueryBuilder<DB, TB, O>,
  column: string,
  now: number,
): Promise<number> {
  const row = await list.select(sql<number | null>`max(${sql.ref(column)})`.as("last")).executeTakeFirst();
  return laterThan((row as { last: number | null } | undefined)?.last, now);
}
