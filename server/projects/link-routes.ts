import * as z from "zod";
import { changeProject } from "../access/project-store";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { linkTo } from "./link";
import { findGitProvider, isBranchInUse } from "./link-store";
import type { ProjectRow } from "./object";
import { alreadyLinked, branchInUse, notLinked, webhookForbidden, webhookUnavailable } from "./rules";
import * as wire from "./schema";
import { viewProject } from "./view";

/**
 * Links and unlinks the repository of an existing project, for the official command line and the Terraform provider.
 * @choice The specification has a link only at creation. These routes are from the public API.
 */

type OfProject = Call<z.infer<typeof projectPath>>;

/** @choice Other members about the repository are ignored, because clients send some. */
const linkProject = route({
  method: "POST",
  path: "/v9/projects/:idOrName/link",
  operationId: "linkProject",
  summary: "Links a project to a repository.",
  scope: ["read-write:project"],
  params: projectPath,
  body: z.object(wire.gitRepository.shape),
  example: { type: "github", repo: "acme/web" },
  success: [200, wire.project],
  throws: [unknownProject],
  load: loadLinking,
  refuse: [webhookForbidden, webhookUnavailable, alreadyLinked, beingTransferred],
  async handle(call) {
    const { link, repo, repoId, repoUrl } = linkTo(call.body, call.now);
    const columns = { link: JSON.stringify(link), repo, repo_id: repoId, repo_url: repoUrl };
    return viewProject(call, await changeProject(call, call.project, columns));
  },
});

async function loadLinking(
  call: Call<z.infer<typeof projectPath>, unknown, z.output<typeof wire.gitRepository>>,
) {
  const { project } = await loadProject(call);
  const provider = await findGitProvider(call.tx, call.account.id, call.body.type);
  return { project, provider, repository: call.body };
}

/** @choice Existing deployments continue to serve. Unlinking a project without a link changes nothing. */
const unlinkProject = route({
  method: "DELETE",
  path: "/v9/projects/:idOrName/link",
  operationId: "unlinkProject",
  summary: "Unlinks a project from its repository.",
  scope: ["read-write:project"],
  params: projectPath,
  success: [200, wire.project],
  throws: [unknownProject],
  load: (call: OfProject) => loadProject(call),
  refuse: [beingTransferred],
  async handle(call) {
    if (call.project.link === null) return viewProject(call, call.project);
    const columns = { link: null, repo: null, repo_id: null, repo_url: null };
    return viewProject(call, await changeProject(call, call.project, columns));
  },
});

/**
 * @choice A branch that has its own domain or variables cannot become the production branch, because the production
 *   branch cannot have these.
 */
const changeBranch = route({
  method: "PATCH",
  path: "/v9/projects/:idOrName/branch",
  operationId: "updateProjectBranch",
  summary: "Changes the production branch of a project.",
  scope: ["read-write:project"],
  params: projectPath,
  body: z.strictObject({ branch: z.string().min(1).max(250) }),
  example: { branch: "main" },
  success: [200, wire.project],
  throws: [unknownProject],
  load: loadBranchChange,
  refuse: [notLinked, branchInUse, beingTransferred],
  async handle(call) {
    const { tx, project, body, now } = call;
    const before = JSON.parse(project.link ?? "{}");
    if (before.productionBranch === body.branch) return viewProject(call, project);
    const link = { ...before, productionBranch: body.branch, updatedAt: now };
    return viewProject(call, await changeProject({ tx, now }, project, { link: JSON.stringify(link) }));
  },
});

async function loadBranchChange(
  call: Call<z.infer<typeof projectPath>, unknown, { branch: string }>,
): Promise<{ project: ProjectRow; isBranchInUse: boolean }> {
  const { project } = await loadProject(call);
  return { project, isBranchInUse: await isBranchInUse(call.tx, project.id, call.body.branch) };
}

export const projectLinkRoutes: readonly Route[] = [linkProject, unlinkProject, changeBranch];
