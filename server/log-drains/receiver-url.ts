import type { Call } from "../http/route";

interface WithUrl {
  body: { url?: string | undefined };
}

/** For a route's `before`: checks whether the URL in the body leads to an address that is not public. */
export async function checkReceiverUrl({
  body: { url },
  services,
}: Pick<Call, "services"> & WithUrl): Promise<{ isPrivate: boolean }> {
  return { isPrivate: url !== undefined && (await services.egress.isPrivate(url)) };
}
