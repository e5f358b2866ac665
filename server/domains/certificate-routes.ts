import * as z from "zod";
import { pagination, paging } from "../http/query";
import { type Route, route } from "../http/route";

/**
 * @choice This server answers no visitors, and issues no certificates.
 * @source the official command line: `certs ls`
 */
const list = route({
  method: "GET",
  path: "/v4/certs",
  operationId: "getCerts",
  summary: "Lists the certificates of the account. The list is always empty.",
  scope: ["read:domain"],
  query: z.object(paging),
  success: [200, z.strictObject({ certs: z.array(z.never()), pagination })],
  handle: async () => ({ certs: [], pagination: { count: 0, next: null, prev: null } }),
});

export const certificateRoutes: readonly Route[] = [list];
