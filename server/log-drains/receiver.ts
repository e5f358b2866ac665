import type { Call } from "../http/route";
import type { RefusalRow } from "../platform/refusal";

interface WithUrl {
  body: { url?: string | undefined };
}

/** For a route's `before`: whether the URL that it is given leads to an address that is not public. */
export async function findWhereUrlLeads({
  body: { url },
  services,
}: Pick<Call, "services"> & WithUrl): Promise<{ isInside: boolean }> {
  return { isInside: url !== undefined && (await services.reach.leadsInside(url)) };
}

/** @choice A server that others reach is not led into its own network by whoever may make a receiver. */
export const leadsInside: RefusalRow<{ isInside: boolean }> = [
  400,
  "bad_request",
  "The url leads to a private, link-local or loopback address. The server takes it with --private-receivers.",
  ({ isInside }) => isInside,
];
