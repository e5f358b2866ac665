import type { ListRequest } from "@pulumi/pulumi/proto/provider_pb";
import type { Settings } from "../client/config";
import { failuresOf, withoutNulls } from "../core/check";
import type { ListedPage } from "../core/listing";
import { resourceOfType } from "../hosting";
import type { LookupClients } from "../lookups/lookup";
import { tokenStart } from "./tokens";
import { plain, received } from "./wire";

/** The maximum number of objects on a page of the API. */
const largestPage = 100;

/**
 * Lists the objects of a resource type. Returns one page, and the position of the next page.
 * @throws Error for a type that cannot be listed, or for invalid filters
 */
export async function list(
  request: ListRequest,
  settings: () => Settings,
  clients: LookupClients,
): Promise<ListedPage> {
  const token = request.getToken();
  const listing = resourceOfType.get(token.slice(tokenStart.length))?.list;
  if (!token.startsWith(tokenStart) || !listing) throw new Error(`${token} cannot be listed.`);
  const given = withoutNulls(listing.filters, plain(received(request.getQuery())));
  const reasons = failuresOf(listing.filters, [], given).map(({ reason }) => reason);
  if (reasons.length > 0) throw new Error(`${token}: ${reasons.join(" ")}`);
  const wanted = [request.getLimit(), request.getPageSize(), largestPage].filter((count) => count > 0);
  const limit = Math.min(...wanted);
  const until = request.getContinuationToken() || undefined;
  const page = await listing.page(clients.for(settings()), listing.filters.parse(given), { until, limit });
  return { ...page, items: page.items.slice(0, request.getLimit() || undefined) };
}
