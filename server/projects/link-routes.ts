import * as z from "zod";
import { changeProject, loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/refusals";
import { type Call, type Route, route } from "../http/route";
import type { RefusalRow } from "../platform/refusal";
import type { ProjectRow } from "../store/schema";
import type { Tx } from "../store/store";
import { type GitProvider, linkTo, webhookForbidden, webhookUnavailable } from "./link";
import * as wire from "./schema";
import { viewProject } from "./view";

/**
 * The repository of a project that exists: the command-line client and the Terraform provider change it here.
 * @choice The specification knows a link at creation only; these operations are the public API's.
 */

type OfProject = Call<z.infer<typeof projectPath>>;

/** @choice An account that names no git provider may link any repository. */
export async function gitProvider(
  tx: Tx,
  account: string,
  type: "github" | "gitlab" | "bitbucket",
): Promise<GitProvider> {
  const row = await tx
    .selectFrom("git_providers")
    .selectAll()
    .where("account_id", "=", account)
    .where("type", "=", type)
    .executeTakeFirst();
  return { repos: row?.repos ? JSON.parse(row.repos) : null, webhooks: row?.webhooks ?? "ok" };
}

const notLinked: RefusalRow<{ project: ProjectRow }> = [
  400,
  "bad_request",
  "The project is not linked to a repository.",
  ({ project }) => project.link === null,
];

/** @choice Clients send what they know of the repository beside its name; it is not needed. */
const linkProject = route({
  method: "POST",
  path: "/v9/projects/:idOrName/link",
  summary: "Links a project to a repository.",
  scope: ["read-write:project"],
  params: projectPath,
  body: z.object(wire.gitRepository.shape),
  success: [200, wire.project],
  throws: [unknownProject],
  load: loadLinking,
  refuse: [
    webhookForbidden,
    webhookUnavailable,
    [
      400,
      "bad_request",
      "The project is linked to a repository already. Unlink that one first.",
      ({ project }) => project.link !== null,
    ],
    beingTransferred,
  ],
  async handle(call) {
    const { link, repo, repoId, repoUrl } = linkTo(call.body, call.now);
    const columns = { link: JSON.stringify(link), repo, repo_id: repoId, repo_url: repoUrl };
    return viewProject(call, await changeProject(call.tx, call.project, columns, call.now));
  },
});

async function loadLinking(
  call: Call<z.infer<typeof projectPath>, unknown, z.output<typeof wire.gitRepository>>,
) {
  const { project } = await loadProject(call);
  const provider = await gitProvider(call.tx, call.account.id, call.body.type);
  return { project, provider, repository: call.body };
}

/** @choice What was deployed from the repository goes on serving. A project without a link stays as it is. */
const unlinkProject = route({
  method: "DELETE",
  path: "/v9/projects/:idOrName/link",
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
    return viewProject(call, await changeProject(call.tx, call.project, columns, call.now));
  },
});

/**
 * @choice A branch that has a domain or variables of its own cannot become the production branch, as these
 *   cannot be made for it.
 */
const changeBranch = route({
  method: "PATCH",
  path: "/v9/projects/:idOrName/branch",
  summary: "Changes the branch of the repository that production is built from.",
  scope: ["read-write:project"],
  params: projectPath,
  body: z.strictObject({ branch: z.string().min(1).max(250) }),
  success: [200, wire.project],
  throws: [unknownProject],
  load: loadProject,
  refuse: [
    notLinked,
    [
      400,
      "bad_request",
      ({ body }) => `A domain or a variable of the project is for the branch ${body.branch}.`,
      ({ tx, project, body }) => isInUse(tx, project.id, body.branch),
    ],
    beingTransferred,
  ],
  async handle(call) {
    const { tx, project, body, now } = call;
    const before = JSON.parse(project.link ?? "{}");
    if (before.productionBranch === body.branch) return viewProject(call, project);
    const link = { ...before, productionBranch: body.branch, updatedAt: now };
    return viewProject(call, await changeProject(tx, project, { link: JSON.stringify(link) }, now));
  },
});

async function isInUse(tx: Tx, project: string, branch: string): Promise<boolean> {
  for (const table of ["domains", "env_vars"] as const) {
    const row = await tx
      .selectFrom(table)
      .select("id")
      .where("project_id", "=", project)
      .where("git_branch", "=", branch)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}

export const projectLinkRoutes: readonly Route[] = [linkProject, unlinkProject, changeBranch];
