import * as z from "zod";
import { requireScopes, resolveAccount } from "../access/caller";
import { type Acting, inProject } from "../access/project-roles";
import { pagination } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { isCanary } from "../rolling-releases/store";
import { emitDeploymentEvents } from "./events";
import { findDeployments, loadDeployment, teamOfDeployment, unknownDeployment } from "./list-store";
import type { DeploymentRow } from "./object";
import { isPromoting } from "./promotion-store";
import { beingPromoted, buildEnded } from "./rules";
import * as wire from "./schema";
import { cancelBuild, deleteDeployment } from "./store";
import { filesOf, treeOf } from "./tree-store";
import { viewChanged, viewListed, viewOne } from "./view";

/** Finds deployments by commit, branch or state, and reads them. @source wire-shapes 11 */

const listDeployments = route({
  method: "GET",
  path: "/v6/deployments",
  operationId: "getDeployments",
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

/**
 * @source deploy actions, which send `GET /v11/now/deployments/get?url=HOST` without a team, and the Terraform
 *   provider's tests, which read deployments of a team by their ids alone
 */
const getDeployment = route({
  method: "GET",
  path: "/v13/deployments/:id",
  operationId: "getDeployment",
  summary: "Returns a deployment, by its id, its URL or a name that points to it.",
  scope: ["read:deployment"],
  params: wire.deploymentPath,
  query: z.object({ url: z.string().optional() }),
  success: [200, wire.oneDeployment],
  throws: [unknownDeployment],
  async handle(call) {
    const { params, query } = call;
    const id = params.id === "get" && query.url !== undefined ? hostOf(query.url) : params.id;
    const named = { ...call, params: { id }, ...(await actingOnDeployment(call, id)) };
    return viewOne(named, await loadDeployment(named));
  },
});

/**
 * The account that has a deployment, and the caller there. A user's token that is not bound to a team reads deployments
 * of the user's teams by id and URL also if the request names no team.
 * @throws Refusal 403
 */
async function actingOnDeployment({ tx, caller, account }: Call, idOrUrl: string): Promise<Acting> {
  const isUnbound = account.kind === "user" && caller.boundTo === null && !caller.installation;
  const team = isUnbound ? await teamOfDeployment(tx, caller.userId, idOrUrl) : undefined;
  if (team === undefined) return { account, caller };
  const inTeam = await resolveAccount(tx, caller, team);
  const named = { method: "GET", route: "/deployments/:id", params: { id: idOrUrl }, query: {} };
  const found = await inProject(tx, { account: inTeam, caller }, named);
  requireScopes(found.account, ["read:deployment"]);
  return found;
}

/** The host of a URL, which clients send with or without its scheme. */
const hostOf = (url: string): string => url.replace(/^https?:\/\//, "").replace(/\/.*$/s, "");

/** @choice The list is always empty, because this server builds nothing. */
const listBuilds = route({
  method: "GET",
  path: "/v11/deployments/:id/builds",
  operationId: "getDeploymentBuilds",
  summary: "Lists the builds of a deployment. The list is always empty.",
  scope: ["read:deployment"],
  params: wire.deploymentPath,
  success: [200, z.strictObject({ builds: z.array(z.never()) })],
  throws: [unknownDeployment],
  async handle(call) {
    await loadDeployment(call);
    return { builds: [] };
  },
});

/**
 * @source the newest official client: listDeploymentFiles
 * @choice A deployment that was created without files has an empty tree. A redeployment has the files of its source.
 */
const listFiles = route({
  method: "GET",
  path: "/v6/deployments/:id/files",
  operationId: "listDeploymentFiles",
  summary: "Returns the tree of files that a deployment was created with.",
  scope: ["read:deployment"],
  params: wire.deploymentPath,
  success: [200, z.array(wire.treeEntry)],
  throws: [unknownDeployment],
  async handle(call) {
    const { id } = await loadDeployment(call);
    return treeOf((await filesOf(call.tx, id)) ?? []);
  },
});

/** @source the newest official client: cancelDeployment */
const cancelDeployment = route({
  method: "PATCH",
  path: "/v12/deployments/:id/cancel",
  operationId: "cancelDeployment",
  summary: "Cancels the build of a deployment.",
  scope: ["read-write:deployment"],
  params: wire.deploymentPath,
  success: [200, wire.changedDeployment],
  throws: [unknownDeployment],
  load: loadBuild,
  refuse: [buildEnded],
  async handle(call) {
    const row = await cancelBuild(call, call.deployment);
    await emitDeploymentEvents(call, call.deployment, row);
    return viewChanged(call, row);
  },
});

async function loadBuild(call: Call<{ id: string }>): Promise<{ deployment: DeploymentRow }> {
  return { deployment: await loadDeployment(call) };
}

/**
 * @source the newest official client: deleteDeployment
 * @choice A project whose production deployment is deleted serves nothing until the next promotion.
 */
const deleteOne = route({
  method: "DELETE",
  path: "/v13/deployments/:id",
  operationId: "deleteDeployment",
  summary: "Deletes a deployment with its aliases.",
  scope: ["read-write:deployment"],
  params: wire.deploymentPath,
  query: z.object({ url: z.string().optional() }),
  success: [200, z.strictObject({ uid: z.string(), state: z.literal("DELETED") })],
  throws: [unknownDeployment],
  load: loadRemoval,
  refuse: [beingPromoted],
  async handle({ tx, deployment }) {
    await deleteDeployment(tx, deployment);
    return { uid: deployment.id, state: "DELETED" };
  },
});

async function loadRemoval(
  call: Call<{ id: string }, { url?: string | undefined }>,
): Promise<{ deployment: DeploymentRow; isPromoted: boolean }> {
  const id = call.query.url ?? call.params.id;
  const deployment = await loadDeployment({ ...call, params: { id } });
  const isPromoted = (await isPromoting(call.tx, deployment.id)) || (await isCanary(call.tx, deployment.id));
  return { deployment, isPromoted };
}

export const deploymentRoutes: readonly Route[] = [
  listDeployments,
  getDeployment,
  listBuilds,
  listFiles,
  cancelDeployment,
  deleteOne,
];
