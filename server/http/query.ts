import { type SelectQueryBuilder, sql } from "kysely";
import * as z from "zod";
import { badRequest } from "../platform/refusal";

/** Query values are text. A repeated parameter is an array, which these schemas refuse. */

export const flag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Milliseconds since the epoch. */
export const timestamp = z
  .string()
  .regex(/^\d{1,16}$/, "must be a timestamp in milliseconds")
  .transform(Number);

export const number = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);

/** A name that clients send without a value, or several times, when they have none or add it in two places. */
const accountName = z
  .preprocess((sent) => {
    const given = new Set([sent].flat().filter((value) => value !== ""));
    return given.size > 1 ? sent : [...given][0];
  }, z.string().optional())
  .optional();

/**
 * The parameters that select the account.
 * @choice A parameter without a value counts as absent, and equal values count once.
 * @source Endpoints: every endpoint accepts these two
 */
export const accountQuery = z.object({ teamId: accountName, slug: accountName });

const defaultLimit = 20;
const largestLimit = 100;

/** @choice A limit of 0 is refused, because every page would be empty. */
export const pageLimit = number.refine((limit) => limit > 0, "must be at least 1");

/**
 * A parameter of the public API that this server does not support. It is refused and not ignored, because it decides
 * what is selected or deleted.
 */
export const unsupported = z.never({ error: "is not supported by this server" }).optional();

/** The largest number of values of a parameter. */
const mostValues = 500;

/** Several values, separated by commas. */
export const commaSeparated = z
  .string()
  .transform((text) => text.split(",").map((value) => value.trim()))
  .refine((values) => values.length <= mostValues, `must have at most ${mostValues} values`);

/** The query parameters of every list. */
export const paging = {
  limit: pageLimit.optional(),
  since: timestamp.optional(),
  until: timestamp.optional(),
};

/**
 * The number of items on a page.
 * @choice A limit above 100 counts as 100, except in lists that refuse it.
 * @source wire-shapes 2
 */
export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? defaultLimit, largestLimit);
}

/** Like `pageSize`, for lists that refuse a limit above the maximum. @throws Refusal 400 */
export function strictPageSize(limit: number | undefined): number {
  if (limit !== undefined && limit > largestLimit)
    throw badRequest(`Invalid query member limit: at most ${largestLimit}.`);
  return pageSize(limit);
}

export const pagination = z.strictObject({
  count: z.number(),
  next: z.number().nullable(),
  prev: z.number().nullable(),
});

interface Paging {
  limit?: number | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

interface ListOptions {
  /** The maximum number of items. Default: the query's `limit`. */
  size?: number;
  direction?: "asc" | "desc";
  /** The name of the time in the rows. Default: the name of the column. */
  as?: string;
}

/**
 * Runs a query for one page of its rows.
 * @param column the time by which the list is ordered. It is unique in the list
 */
export function pageOf<DB, TB extends keyof DB, R>(
  list: SelectQueryBuilder<DB, TB, R>,
  column: string,
  query: Paging,
  { size = pageSize(query.limit), direction: order = "desc", as = column }: ListOptions = {},
) {
  const time = sql.ref<number>(column);
  return page(
    query,
    size,
    (row: R) => (row as Record<string, number>)[as] ?? 0,
    ({ until, since, direction, limit }) =>
      list
        .where(time, "<", until)
        .where(time, ">", since)
        .orderBy(time, direction)
        .limit(limit)
        .execute() as Promise<R[]>,
    order,
  );
}

/**
 * Reads one page of a list that is ordered by a unique time. To get the next page, a client sends `next` as `until`, or
 * as `since` in ascending order. The next page continues exactly after this one, even if rows were added or removed.
 * @param size the maximum number of items on the page
 * @param timeOf returns the unique time of a row
 * @param rows returns at most `limit` rows that are older than `until` and newer than `since`, ordered by `direction`
 * @choice `since` and `until` only limit the list. In both orders, a page starts at the first item within the limits.
 *   Paging therefore visits every item between them, and `prev` is the time of the first item.
 * @source wire-shapes 2
 */
export async function page<R>(
  { since, until }: Paging,
  size: number,
  timeOf: (row: R) => number,
  rows: (bounds: { since: number; until: number; direction: "asc" | "desc"; limit: number }) => Promise<R[]>,
  direction: "asc" | "desc" = "desc",
): Promise<{ rows: R[]; pagination: z.infer<typeof pagination> }> {
  const found = await rows({
    since: since ?? -1,
    until: until ?? Number.MAX_SAFE_INTEGER,
    direction,
    limit: size + 1,
  });
  const items = found.slice(0, size);
  const first = items[0];
  const last = items.at(-1);
  return {
    rows: items,
    pagination: {
      count: items.length,
      next: last !== undefined && found.length > size ? timeOf(last) : null,
      prev: first !== undefined ? timeOf(first) : null,
    },
  };
}
