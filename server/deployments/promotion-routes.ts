import * as z from "zod";
import { loadProject, unknownProject } from "../access/projects";
import { flag, page, pagination, paging, strictPageSize } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { notFound } from "../platform/refusal";
import type { DeploymentRow, ProjectRow, PromotionRow } from "../store/schema";
import { currentPromotion, isRunning, lastPromotion, promote } from "./promotion";

const aliasStatuses = ["pending", "in-progress", "completed", "failed", "skipped"] as const;

const aliasList = z.union([
  z.strictObject({}),
  z.strictObject({
    aliases: z.array(
      z.strictObject({
        id: z.string(),
        alias: z.string(),
        status: z.enum(aliasStatuses),
        deploymentId: z.string(),
        createdAt: z.number(),
      }),
    ),
    pagination,
  }),
]);

/** Promotion and rollback differ in the name and in `lastRollbackTarget` of the project. */
function moveProduction(kind: PromotionRow["kind"], path: `/${string}`, summary: string): Route {
  return route({
    method: "POST",
    path,
    summary,
    scope: ["read-write:deployment"],
    params: z.object({ projectId: z.string(), deploymentId: z.string() }),
    success: [201, null],
    throws: [unknownProject, [404, "not_found", "no such deployment of the project"]],
    load: async (call) => {
      const { project } = await loadProject(call);
      return {
        project,
        deployment: await loadDeployment(call, project, call.params.deploymentId),
        running: isRunning(await currentPromotion(call.tx, project.id)),
      };
    },
    refuse: [
      [
        409,
        "conflict",
        "Another promotion of this project is running. Try again when it has finished.",
        ({ running }) => running,
      ],
      [
        409,
        "conflict",
        ({ deployment }) =>
          `The deployment is ${deployment.ready_state}. Only a READY deployment can serve production.`,
        ({ deployment }) => deployment.ready_state !== "READY",
      ],
    ],
    async handle(call) {
      await promote(call, call.caller.userId, call.project, call.deployment, kind);
    },
  });
}

/** @throws Refusal 404 when it is not a deployment of the project, which has the same account and name */
async function loadDeployment({ tx }: Call, project: ProjectRow, id: string): Promise<DeploymentRow> {
  const deployment = await tx
    .selectFrom("deployments")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", project.account_id)
    .where("name", "=", project.name)
    .executeTakeFirst();
  if (deployment) return deployment;
  throw notFound(`Deployment ${JSON.stringify(id)} of project ${JSON.stringify(project.name)}`);
}

function listAliases(kind: PromotionRow["kind"], path: `/${string}`, summary: string): Route {
  return route({
    method: "GET",
    path,
    summary,
    scope: ["read:project"],
    params: z.object({ projectId: z.string() }),
    query: z.object({ ...paging, failedOnly: flag.optional() }),
    success: [200, aliasList],
    throws: [unknownProject, [400, "bad_request", "a limit above 100"]],
    load: loadProject,
    async handle({ tx, project, query }) {
      const size = strictPageSize(query.limit);
      const promotion = await lastPromotion(tx, project.id, kind);
      if (promotion === null) return {};
      const running = isRunning(promotion);
      if (running && query.failedOnly)
        return { aliases: [], pagination: { count: 0, next: null, prev: null } };
      const { rows, pagination } = await page(
        query,
        size,
        (row: { created_at: number }) => row.created_at,
        (bounds) => {
          const list = tx
            .selectFrom("promotion_aliases")
            .selectAll()
            .where("promotion_id", "=", promotion.id)
            .where("created_at", "<", bounds.until)
            .where("created_at", ">", bounds.since)
            .orderBy("created_at", bounds.direction)
            .limit(bounds.limit);
          return (query.failedOnly ? list.where("outcome", "=", "failed") : list).execute();
        },
      );
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

export const promotionRoutes: readonly Route[] = [
  /** @source Projects, POST /v10/projects/{projectId}/promote/{deploymentId} */
  moveProduction(
    "promote",
    "/v10/projects/:projectId/promote/:deploymentId",
    "Promotes a deployment to production without rebuilding it.",
  ),
  /** @source Projects, GET /v1/projects/{projectId}/promote/aliases */
  listAliases(
    "promote",
    "/v1/projects/:projectId/promote/aliases",
    "Lists the aliases of the last promotion, with their status.",
  ),
  /** @source wire-shapes 6 */
  moveProduction(
    "rollback",
    "/v9/projects/:projectId/rollback/:deploymentId",
    "Rolls production back to an earlier deployment.",
  ),
  /** @source wire-shapes 6 */
  listAliases(
    "rollback",
    "/v1/projects/:projectId/rollback/aliases",
    "Lists the aliases of the last rollback, with their status.",
  ),
];
