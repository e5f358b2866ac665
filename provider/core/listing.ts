import type { z } from "zod";
import type { Client } from "../client/client";
import type * as responses from "../client/responses";
import type { RequestOptions } from "../client/transport";

/** An object at the service. `id` is the id for `pulumi import`. */
export interface Listed {
  id: string;
  name: string;
}

/** The position of a page in a list. */
export interface PageAt {
  /** The `next` of the previous page; undefined for the first page. */
  until: string | undefined;
  /** The maximum number of objects on the page: 1 to 100. */
  limit: number;
}

export interface ListedPage {
  items: Listed[];
  /** The position of the next page; undefined on the last page. */
  next?: string | undefined;
}

/** Lists the objects of one kind that the service has. */
export interface Listing<F extends z.ZodObject = z.ZodObject> {
  /** The schema of the arguments that select objects. */
  filters: F;
  /** @throws ApiError */
  page(client: Client, filters: z.output<F>, at: PageAt): Promise<ListedPage>;
}

/** Defines how the objects of one kind are listed. @param page reads one page; throws ApiError */
export const listing = <F extends z.ZodObject>(filters: F, page: Listing<F>["page"]): Listing =>
  ({ filters, page }) as unknown as Listing;

/** A list of the API, and how to read its objects. */
interface List<Page> {
  path: string;
  query?: RequestOptions["query"];
  shape: z.ZodType<Page>;
  items(page: Page): Listed[];
  /** Default: `until`. */
  cursor?: responses.Cursor;
}

/** Reads one page of a list of the API. @source Pagination */
export async function readPage<Page extends responses.Page>(
  client: Client,
  { until, limit }: PageAt,
  { path, query, shape, items, cursor = "until" }: List<Page>,
): Promise<ListedPage> {
  const page = await client.send({
    method: "GET",
    path,
    shape,
    query: { ...query, limit: `${limit}`, [cursor]: until },
  });
  const next = page.pagination?.next;
  return { items: items(page), next: next == null ? undefined : `${next}` };
}
