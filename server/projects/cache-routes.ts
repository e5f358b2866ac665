import * as z from "zod";
import { loadProject, unknownProject } from "../access/projects";
import { type Route, route } from "../http/route";

/**
 * @choice This server answers no visitors, so that a project has nothing in a cache.
 * @source the official command line: `cache purge`
 */
const purge = (method: "POST" | "DELETE", path: `/v1/${string}`, operationId: string, cache: string): Route =>
  route({
    method,
    path,
    operationId,
    summary: `Empties the ${cache} of a project, which has nothing in this server.`,
    scope: ["read-write:project"],
    query: z.object({ projectIdOrName: z.string() }),
    success: [200, z.strictObject({})],
    throws: [unknownProject],
    load: (call) => loadProject({ ...call, params: { idOrName: call.query.projectIdOrName } }),
    handle: async () => ({}),
  });

export const cacheRoutes: readonly Route[] = [
  purge("POST", "/v1/edge-cache/purge-all", "purgeEdgeCache", "cache of the CDN"),
  purge("DELETE", "/v1/data-cache/purge-all", "purgeDataCache", "data cache"),
];
