import * as z from "zod";
import { changeProject } from "../access/project-store";
import { loadProject, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { flag, paging, strictPageSize } from "../http/query";
import { type Call, type Route, type RouteName, route } from "../http/route";
import { notFound } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import type { RollingReleaseRow } from "../rolling-releases/object";
import { releaseRunning } from "../rolling-releases/rules";
import { activeRelease } from "../rolling-releases/store";
import type { PromotionRow } from "./object";
import { isRunning, promote } from "./promotion";
import { currentPromotion, lastPromotion, listPromotionAliases } from "./promotion-store";
import { abortRelease, configFor, startRelease } from "./rolling-release";
import {
  deploymentNotReady,
  type Move,
  previewNotPromoted,
  promotesCurrent,
  promotionRunning,
  rollsBackToCurrent,
} from "./rules";
import { promotionAliases } from "./schema";
import { findDeploymentOf } from "./store";

/**
 * Makes the route of promotions or of rollbacks. Only a rollback sets `lastRollbackTarget` of the project. If rolling
 * releases are configured, a promotion starts one. A rollback aborts the one that runs, and takes effect at once.
 * @source the public documentation of the service; the official command line, which starts and aborts them so
 */
function moveProduction(kind: PromotionRow["kind"], name: RouteName): Route {
  return route({
    method: "POST",
    ...name,
    scope: ["read-write:deployment"],
    params: z.object({ projectId: z.string(), deploymentId: z.string() }),
    success: [201, null],
    throws: [unknownProject, [404, "not_found", "no such deployment of the project"]],
    load: loadMove,
    refuse: [
      promotionRunning,
      ...(kind === "promote" ? [releaseRunning] : []),
      kind === "promote" ? promotesCurrent : rollsBackToCurrent,
      deploymentNotReady,
      previewNotPromoted,
    ],
    async handle(call) {
      const { project, deployment, release, caller } = call;
      const change = { project, user: caller.userId };
      const config = kind === "promote" ? configFor(project, deployment.id) : undefined;
      if (config) return void (await startRelease(call, change, deployment.id, config));
      if (release) await abortRelease(call, change, release);
      await promote(call, caller.userId, project, deployment, kind);
    },
  });
}

/** @throws Refusal 404 unless the deployment has the account and the name of the project */
async function loadMove(
  call: Call<{ projectId: string; deploymentId: string }>,
): Promise<Move & { project: ProjectRow; running: boolean; release: RollingReleaseRow | undefined }> {
  const { tx, params } = call;
  const { project } = await loadProject(call);
  const deployment = await findDeploymentOf(tx, project, params.deploymentId);
  if (!deployment)
    throw notFound(
      `Deployment ${JSON.stringify(params.deploymentId)} of project ${JSON.stringify(project.name)}`,
    );
  const last = await currentPromotion(tx, project.id);
  const release = await activeRelease(tx, project.id);
  const isServing = release === undefined && project.production_deployment_id === deployment.id;
  return {
    project,
    deployment,
    running: isRunning(last),
    release,
    isCurrent: isServing && !(last?.to_deployment_id === deployment.id && last.status === "failed"),
  };
}

function listAliases(kind: PromotionRow["kind"], name: RouteName): Route {
  return route({
    method: "GET",
    ...name,
    scope: ["read:project"],
    params: z.object({ projectId: z.string() }),
    query: z.object({ ...paging, failedOnly: flag.optional() }),
    success: [200, promotionAliases],
    throws: [unknownProject, [400, "bad_request", "a limit above 100"]],
    load: loadProject,
    async handle({ tx, project, query }) {
      const size = strictPageSize(query.limit);
      const promotion = await lastPromotion(tx, project.id, kind);
      if (promotion === null) return {};
      const running = isRunning(promotion);
      if (running && query.failedOnly)
        return { aliases: [], pagination: { count: 0, next: null, prev: null } };
      const { rows, pagination } = await listPromotionAliases(tx, promotion.id, query, size);
      return {
        aliases: rows.map((row) => ({
          id: row.id,
          alias: row.alias,
          status: running ? promotion.status : row.outcome,
          deploymentId: promotion.to_deployment_id,
          createdAt: row.created_at,
        })),
        pagination,
      };
    },
  });
}

/** @choice Only the last rollback can be described: that to the deployment of `lastRollbackTarget`. */
const describeRollback = route({
  method: "PATCH",
  path: "/v1/projects/:projectId/rollback/:deploymentId/update-description",
  operationId: "updateProjectsByProjectIdRollbackByDeploymentIdUpdateDescription",
  summary: "Changes the reason of the last rollback.",
  scope: ["read-write:deployment"],
  params: z.object({ projectId: z.string(), deploymentId: z.string() }),
  body: z.strictObject({ description: z.string().max(500).optional() }),
  example: { description: "The check-out failed." },
  success: [200, null],
  throws: [unknownProject, [404, "not_found", "the project was not rolled back to the deployment"]],
  load: loadProject,
  refuse: [beingTransferred],
  async handle(call) {
    const { project, params, body } = call;
    const target = JSON.parse(project.last_rollback_target ?? "{}");
    if (target.deploymentId !== params.deploymentId)
      throw notFound(
        `A rollback of ${JSON.stringify(project.name)} to ${JSON.stringify(params.deploymentId)}`,
      );
    const { description: _, ...others } = target;
    await changeProject(call, project, { last_rollback_target: JSON.stringify({ ...others, ...body }) });
  },
});

export const promotionRoutes: readonly Route[] = [
  /** @source Projects, POST /v10/projects/{projectId}/promote/{deploymentId} */
  moveProduction("promote", {
    path: "/v10/projects/:projectId/promote/:deploymentId",
    operationId: "requestPromote",
    summary: "Promotes a deployment to production without rebuilding it.",
  }),
  /** @source Projects, GET /v1/projects/{projectId}/promote/aliases */
  listAliases("promote", {
    path: "/v1/projects/:projectId/promote/aliases",
    operationId: "listPromoteAliases",
    summary: "Lists the aliases of the last promotion, with their status.",
  }),
  /** @source wire-shapes 6 */
  moveProduction("rollback", {
    path: "/v9/projects/:projectId/rollback/:deploymentId",
    operationId: "requestRollback",
    summary: "Rolls production back to an earlier deployment.",
  }),
  /** @source wire-shapes 6 */
  listAliases("rollback", {
    path: "/v1/projects/:projectId/rollback/aliases",
    operationId: "listRollbackAliases",
    summary: "Lists the aliases of the last rollback, with their status.",
  }),
  describeRollback,
];
