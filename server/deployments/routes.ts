import * as z from "zod";
import { findProject } from "../access/projects";
import { pagination } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { notFound } from "../platform/refusal";
import type { DeploymentRow } from "../store/schema";
import { findDeployments, findVisibleDeployment } from "./list-store";
import { deploymentFilters, deploymentSummary } from "./schema";
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
  /** The branch and commit in the repository of the project; absent without either. */
  gitSource: z
    .looseObject({ type: z.string(), ref: z.string().optional(), sha: z.string().optional() })
    .optional(),
  /** Absent for a user's own account. */
  team: z.strictObject({ id: z.string(), name: z.string(), slug: z.string() }).optional(),
});

const unknownDeployment = [404, "not_found", "no such deployment in the account"] as const;

const listDeployments = route({
  method: "GET",
  path: "/v6/deployments",
  summary: "Lists deployments, the newest first.",
  scope: ["read:deployment"],
  query: deploymentFilters,
  success: [200, z.strictObject({ deployments: z.array(deployment), pagination })],
  async handle(call) {
    const { rows, pagination } = await findDeployments(call, call.query);
    const deployments: z.infer<typeof deployment>[] = [];
    for (const row of rows) deployments.push(await viewWithProject(call, row));
    return { deployments, pagination };
  },
});

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
    ...(await gitSourceOf(call, row)),
    ...(account.kind === "team"
      ? { team: { id: account.id, name: account.name ?? account.slug, slug: account.slug } }
      : {}),
  };
}

/** @choice The repository is that of the project as it is linked now. */
async function gitSourceOf({ tx, account }: Call, { name, git_branch, git_sha }: DeploymentRow) {
  if (git_branch === null) return {};
  const project = await findProject(tx, account.id, name);
  if (!project?.link) return {};
  const repository = repositoryOf(JSON.parse(project.link));
  return { gitSource: { ...repository, ref: git_branch, ...(git_sha === null ? {} : { sha: git_sha }) } };
}

/** How a deployment names its repository, by the kind of its git provider. */
function repositoryOf(link: Record<string, string>): { type: string } & Record<string, unknown> {
  const { type = "" } = link;
  if (type === "github") return { type, org: link.org, repo: link.repo, repoId: link.repoId };
  if (type === "gitlab") return { type, projectId: Number(link.projectId) };
  return { type, owner: link.owner, slug: link.slug, repoUuid: link.uuid, workspaceUuid: link.workspaceUuid };
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
  const { id } = call.params;
  const row = await findVisibleDeployment(call, id);
  if (!row) throw notFound(`Deployment ${JSON.stringify(id)}`);
  return row;
}

export const deploymentRoutes: readonly Route[] = [listDeployments, getDeployment, listBuilds];
