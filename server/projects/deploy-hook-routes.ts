import * as z from "zod";
import { sameSecret } from "../access/caller";
import { changeProject } from "../access/project-store";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred, changeRefusals, softBlocked } from "../access/rules";
import { startBuild } from "../deployments/builds";
import { hostZone } from "../domains/names";
import { type Call, type OpenCall, openRoute, type Route, type RouteName, route } from "../http/route";
import { newId, newSecret } from "../platform/ids";
import { notFound, refuseIf } from "../platform/refusal";
import { findHooked, type Hooked } from "./deploy-hook-store";
import { linkOf } from "./link";
import type { ProjectRow } from "./object";
import { notLinked, tooManyDeployHooks } from "./rules";
import * as wire from "./schema";
import { viewProject } from "./view";

/**
 * The deploy hooks of a project, which are part of its link. A deploy hook is a URL that deploys a branch.
 * @choice Unlinking a project deletes its hooks. The
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
    const url = `https://api.${hostZone}/v1/integrations/deploy/${project.id}/${newSecret(24)}`;
    const hook = { id: newId("deployHook"), ...body, url, createdAt: now };
    return viewProject(call, await writeHooks(call, [...hooksOf(project), hook]));
  },
});

const oneHook = projectPath.extend({ id: z.string().describe("Id of the deploy hook.") });

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

const hookUrl = z.object({ projectId: z.string(), secret: z.string() });
type HookCall = OpenCall<unknown, z.infer<typeof hookUrl>>;

/** The project and the hook of a URL. @throws Refusal 404 */
async function findHook({
  tx,
  params: { projectId, secret },
}: Pick<HookCall, "tx" | "params">): Promise<Hooked & { hook: wire.ProjectLink["deployHooks"][number] }> {
  const found = await findHooked(tx, projectId);
  const hook =
    found &&
    hooksOf(found.project).find(({ url }) => sameSecret(secret, url.slice(url.lastIndexOf("/") + 1)));
  // The message does not repeat the secret.
  if (!found || !hook) throw notFound("The deploy hook");
  return { ...found, hook };
}

/**
 * Deploys the branch of a hook. The secret in the URL is the only proof, so the body may be anything.
 * @choice The deployment is for production if the hook has the production branch. Its creator is the owner of the
 *   account. Parameters such as `buildCache` have no effect, because this server only simulates builds.
 * @source the public documentation of the service
 */
const deployByHook = (method: "GET" | "POST", { operationId, summary }: Omit<RouteName, "path">): Route =>
  openRoute({
    method,
    path: "/v1/integrations/deploy/:projectId/:secret",
    operationId,
    summary,
    params: hookUrl,
    success: [201, wire.hookJob],
    throws: [
      [404, "not_found", "no such deploy hook"],
      [405, "method_unknown", "the request is a HEAD, which must change nothing"],
      [softBlocked[0], softBlocked[1], "the account is blocked, or needs another payment method"],
      [beingTransferred[0], beingTransferred[1], "the project is being transferred"],
    ],
    accountOf: ({ params, services }) =>
      services.store.read(
        async (tx) => (await findHook({ tx, params })).project.account_id,
        params.projectId,
      ),
    async handle(call: HookCall) {
      const { tx, now } = call;
      const { project, account, creator, hook } = await findHook(call);
      const state = {
        project,
        account: {
          softBlocked: account.soft_blocked === 1,
          paymentMethodNeedsUpdate: account.payment_method_needs_update === 1,
        },
      };
      await refuseIf(changeRefusals, state);
      const build = {
        project: project.name,
        target:
          hook.ref === linkOf(project)?.productionBranch ? ("production" as const) : ("preview" as const),
        gitBranch: hook.ref,
        meta: { deployHookId: hook.id, deployHookName: hook.name, deployHookRef: hook.ref },
        requested: {},
      };
      await startBuild({ tx, now }, account, build, creator);
      return { job: { id: newId("row"), state: "PENDING", createdAt: now } };
    },
  });

export const deployHookRoutes: readonly Route[] = [createDeployHook, deleteDeployHook];

export const hookUrlRoutes: readonly Route[] = [
  deployByHook("POST", {
    operationId: "triggerDeployHook",
    summary: "Deploys the branch of a deploy hook. Needs no access token.",
  }),
  deployByHook("GET", {
    operationId: "triggerDeployHookByGet",
    summary: "Like POST, for callers that can only send GET.",
  }),
];
