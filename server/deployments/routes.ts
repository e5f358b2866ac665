import * as z from "zod";
import { pagination } from "../http/query";
import { type Route, route } from "../http/route";
import { findDeployments, loadDeployment, unknownDeployment } from "./list-store";
import * as wire from "./schema";
import { viewListed, viewOne } from "./view";

/** Finds deployments by commit, branch or state, and reads them. @source wire-shapes 11 */

const listDeployments = route({
  method: "GET",
  path: "/v6/deployments",
  summary: "Lists deployments, the newest first.",
  scope: ["read:deployment"],
  query: wire.deploymentFilters,
  success: [200, z.strictObject({ deployments: z.array(wire.deployment), pagination })],
  async handle(call) {
    const { rows, pagination } = await findDeployments(call, call.query);
    const deployments: wire.ListedDeployment[] = [];
    for (const row of rows) deployments.push(await viewListed(call, row));
    return { deployments, pagination };
  },
});

const getDeployment = route({
  method: "GET",
  path: "/v13/deployments/:id",
  summary: "Returns a deployment, by id or URL.",
  scope: ["read:deployment"],
  params: z.object({ id: z.string() }),
  success: [200, wire.oneDeployment],
  throws: [unknownDeployment],
  async handle(call) {
    return viewOne(call, await loadDeployment(call));
  },
});

/** @choice Always empty, since this server builds nothing. */
const listBuilds = route({
  method: "GET",
  path: "/v11/deployments/:id/builds",
  summary: "Lists the builds of a deployment. The list is always empty.",
  scope: ["read:deployment"],
  params: z.object({ id: z.string() }),
  success: [200, z.strictObject({ builds: z.array(z.never()) })],
  throws: [unknownDeployment],
  async handle(call) {
    await loadDeployment(call);
    return { builds: [] };
  },
});

export const deploymentRoutes: readonly Route[] = [listDeployments, getDeployment, listBuilds];
