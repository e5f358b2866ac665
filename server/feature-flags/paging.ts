import * as z from "zod";
import { number } from "../http/query";
import { badRequest } from "../platform/refusal";

/** Lists with an opaque cursor, the newest first. */

export const cursorPaging = {
  limit: number.refine((limit) => limit >= 1 && limit <= 1000, "must be between 1 and 1000").optional(),
  cursor: z
    .string()
    .optional()
    .describe("Continues the list: the value of `pagination.next` in the answer before."),
};

interface Item {
  created_at: number;
  id: string;
}

const form = /^(\d{1,16})_([A-Za-z0-9_-]+)$/;

/**
 * A page of items: those after the last item of the page before, even if items were added or removed meanwhile.
 * @choice Without a limit, the page has all items. Items of the same time are ordered by their ids.
 * @throws Refusal 400 for a text that is no cursor
 */
export function cursorPage<T extends Item>(
  items: readonly T[],
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): { rows: T[]; pagination: { next: string | null } } {
  const [, time, id = ""] = form.exec(cursor ?? "") ?? [];
  if (cursor !== undefined && time === undefined)
    throw badRequest(
      "Invalid query member cursor: must be the value of pagination.next in an earlier answer.",
    );
  const rest = [...items]
    .sort(newestFirst)
    .filter((item) => time === undefined || newestFirst({ created_at: Number(time), id }, item) < 0);
  const rows = rest.slice(0, limit);
  const last = rows.at(-1);
  const next = last && rows.length < rest.length ? `${last.created_at}_${last.id}` : null;
  return { rows, pagination: { next } };
}

const newestFirst = (a: Item, b: Item): number =>
  b.created_at - a.created_at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
