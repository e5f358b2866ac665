import type { Call } from "../http/route";
import type { RefusalRow } from "../platform/refusal";

interface WithUrl {
  body: { url?: string | undefined };
}

/** For a route's `before`: checks whether the URL in the body leads to an address that is not public. */
export async function checkReceiverUrl({
  body: { url },
  services,
}: Pick<Call, "services"> & WithUrl): Promise<{ isInside: boolean }> {
  return { isInside: url !== undefined && (await services.egress.leadsInside(url)) };
}

/** @choice Clients of a shared server must not make it send requests into its own network. */
export const leadsInside: RefusalRow<{ isInside: boolean }> = [
  400,
  "bad_request",
  "The url leads to a private, link-local or loopback address. Give a public one, or start the server with --private-receivers.",
  ({ isInside }) => isInside,
];
