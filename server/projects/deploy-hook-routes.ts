import * as z from "zod";
import { changeProject } from "../access/project-store";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { hostZone } from "../domains/names";
import { type Call, type Route, route } from "../http/route";
import { newId, newSecret } from "../platform/ids";
import { notFound } from "../platform/refusal";
import type { ProjectRow } from "../store/schema";
import { linkOf } from "./link";
import { notLinked, tooManyDeployHooks } from "./rules";
import * as wire from "./schema";
import { viewProject } from "./view";

/**
 * The deploy hooks of a project, which are part of its link. A deploy hook is a URL that deploys a branch.
 * @choice This server builds nothing, so the URL of a hook does not work. Unlinking a project deletes its hooks. The
 *   Terraform provider unlinks first and then deletes the hooks, so deleting a hook of an unlinked project succeeds.
 * @source the official command line and the Terraform provider
 */

const createDeployHook = route({
  method: "POST",
  path: "/v2/projects/:idOrName/deploy-hooks",
  operationId: "createDeployHook",
  summary: "Adds a deploy hook to a project, and returns the project.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.newDeployHook,
  example: { name: "Content changed", ref: "main" },
  success: [200, wire.project],
  throws: [unknownProject],
  load: loadProject,
  refuse: [notLinked, tooManyDeployHooks, beingTransferred],
  async handle(call) {
    const { project, body, now } = call;
    const url = `https://api.${hostZone}/v1/integrations/deploy/${project.id}/${newSecret("deployHook")}`;
    const hook = { id: newId("deployHook"), ...body, url, createdAt: now };
    return viewProject(call, await writeHooks(call, [...hooksOf(project), hook]));
  },
});

const oneHook = projectPath.extend({ id: z.string() });

const deleteDeployHook = route({
  method: "DELETE",
  path: "/v2/projects/:idOrName/deploy-hooks/:id",
  operationId: "deleteDeployHook",
  summary: "Deletes a deploy hook of a project, and returns the project.",
  scope: ["read-write:project"],
  params: oneHook,
  success: [200, wire.project],
  throws: [unknownProject, [404, "not_found", "no such deploy hook of the project"]],
  load: loadHook,
  refuse: [beingTransferred],
  async handle(call) {
    const { project, params } = call;
    if (project.link === null) return viewProject(call, project);
    const left = hooksOf(project).filter(({ id }) => id !== params.id);
    return viewProject(call, await writeHooks(call, left));
  },
});

async function loadHook(call: Call<z.infer<typeof oneHook>>): Promise<{ project: ProjectRow }> {
  const { project } = await loadProject(call);
  if (project.link === null || hooksOf(project).some(({ id }) => id === call.params.id)) return { project };
  throw notFound(`Deploy hook ${JSON.stringify(call.params.id)}`);
}

const hooksOf = (project: ProjectRow): wire.ProjectLink["deployHooks"] => linkOf(project)?.deployHooks ?? [];

function writeHooks(
  call: Pick<Call, "tx" | "now"> & { project: ProjectRow },
  deployHooks: wire.ProjectLink["deployHooks"],
): Promise<ProjectRow> {
  const link = { ...linkOf(call.project), deployHooks, updatedAt: call.now };
  return changeProject(call, call.project, { link: JSON.stringify(link) });
}

export const deployHookRoutes: readonly Route[] = [createDeployHook, deleteDeployHook];
