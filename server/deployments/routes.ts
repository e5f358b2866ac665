import * as z from "zod";
import { findProject } from "../access/projects";
import { pageOf, pagination, paging } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { notFound } from "../platform/refusal";
import type { DeploymentRow } from "../store/schema";
import { deploymentSummary } from "./schema";
import { viewDeployment } from "./view";

/** Finds deployments by commit, branch or state, and reads them. @source wire-shapes 11 */

const deployment = deploymentSummary.extend({
  uid: z.string(),
  state: deploymentSummary.shape.readyState,
  created: z.number(),
  projectId: z.string().optional(),
  /** This server has no page for a deployment. */
  inspectorUrl: z.null(),
});

/** A single deployment has more members than one in a list; clients require them. */
export const oneDeployment = deployment.extend({
  status: deploymentSummary.shape.readyState,
  /** @choice All times of the build are the same, since the server builds nothing. */
  buildingAt: z.number(),
  bootedAt: z.number(),
  buildSkipped: z.literal(false),
  public: z.literal(false),
  regions: z.array(z.string()),
  version: z.literal(2),
  /** Absent for a user's own account. */
  team: z.strictObject({ id: z.string(), name: z.string(), slug: z.string() }).optional(),
});

const unknownDeployment = [404, "not_found", "no such deployment in the account"] as const;

const listDeployments = route({
  method: "GET",
  path: "/v6/deployments",
  summary: "Lists deployments, the newest first.",
  scope: ["read:deployment"],
  query: z.object({
    ...paging,
    app: z.string().optional(),
    projectId: z.string().optional(),
    target: z.enum(["production", "preview"]).optional(),
    state: z.string().optional(),
    branch: z.string().optional(),
    sha: z.string().optional(),
  }),
  success: [200, z.strictObject({ deployments: z.array(deployment), pagination })],
  async handle(call) {
    const { tx, account, query } = call;
    const key = query.projectId ?? query.app;
    const project = key === undefined ? undefined : await findProject(tx, account.id, key);
    const name = project?.name ?? query.app ?? query.projectId;
    const states = query.state?.split(",").map((state) => state.trim().toUpperCase());
    let list = tx.selectFrom("deployments").selectAll().where("account_id", "=", account.id);
    const covered = coveredNames(call);
    if (covered) list = list.where("name", "in", covered);
    if (name !== undefined) list = list.where("name", "=", name);
    if (query.target !== undefined) list = list.where("target", "=", query.target);
    if (states !== undefined)
      list = list.where("ready_state", "in", states as DeploymentRow["ready_state"][]);
    if (query.branch !== undefined) list = list.where("git_branch", "=", query.branch);
    if (query.sha !== undefined) list = list.where("git_sha", "=", query.sha);
    const { rows, pagination } = await pageOf(list, "created_at", query);
    const deployments: z.infer<typeof deployment>[] = [];
    for (const row of rows) deployments.push(await viewWithProject(call, row));
    return { deployments, pagination };
  },
});

/** The names of the projects whose deployments an installation with selected projects sees. */
function coveredNames({ tx, account, caller }: Call) {
  if (!caller.installation?.selected) return undefined;
  return tx
    .selectFrom("projects as p")
    .innerJoin("configuration_projects as c", "c.project_id", "p.id")
    .select("p.name")
    .where("p.account_id", "=", account.id)
    .where("c.configuration_id", "=", caller.installation.id);
}

async function viewWithProject(
  { tx, account }: Call,
  row: DeploymentRow,
): Promise<z.infer<typeof deployment>> {
  const project = await findProject(tx, account.id, row.name);
  return {
    ...(await viewDeployment(tx, row.id, project)),
    uid: row.id,
    state: row.ready_state,
    created: row.created_at,
    inspectorUrl: null,
    ...(project ? { projectId: project.id } : {}),
  };
}

const getDeployment = route({
  method: "GET",
  path: "/v13/deployments/:id",
  summary: "Returns a deployment, by id or URL.",
  scope: ["read:deployment"],
  params: z.object({ id: z.string() }),
  success: [200, oneDeployment],
  throws: [unknownDeployment],
  async handle(call) {
    return viewOne(call, await loadDeployment(call));
  },
});

/** A single deployment as an answer. */
export async function viewOne(call: Call, row: DeploymentRow): Promise<z.infer<typeof oneDeployment>> {
  const { account } = call;
  const view = await viewWithProject(call, row);
  return {
    ...view,
    status: view.readyState,
    buildingAt: view.createdAt,
    bootedAt: view.createdAt,
    buildSkipped: false,
    public: false,
    regions: [view.createdIn],
    version: 2,
    ...(account.kind === "team"
      ? { team: { id: account.id, name: account.name ?? account.slug, slug: account.slug } }
      : {}),
  };
}

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

/** @throws Refusal 404 */
export async function loadDeployment(call: Call<{ id: string }>): Promise<DeploymentRow> {
  const { tx, account, params } = call;
  const covered = coveredNames(call);
  const all = tx.selectFrom("deployments").selectAll().where("account_id", "=", account.id);
  const seen = covered ? all.where("name", "in", covered) : all;
  const row =
    (await seen.where("id", "=", params.id).executeTakeFirst()) ??
    (await seen.where("url", "=", params.id).executeTakeFirst());
  if (!row) throw notFound(`Deployment ${JSON.stringify(params.id)}`);
  return row;
}

export const deploymentRoutes: readonly Route[] = [listDeployments, getDeployment, listBuilds];
