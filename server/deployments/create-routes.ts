import * as z from "zod";
import { loadProject } from "../access/projects";
import { paymentMethodNeeded, softBlocked } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { Refusal } from "../platform/refusal";
import type { DeploymentRow, ProjectRow } from "../store/schema";
import { startBuild } from "./builds";
import { loadDeployment } from "./list-store";
import { buildsNothing, invalidTarget, metaTooLarge, namelessDeployment } from "./rules";
import * as wire from "./schema";
import type { Build } from "./store";
import { viewOne } from "./view";

/**
 * Creates deployments of a git ref, of another deployment, or of nothing, and simulates their builds.
 * @choice This server builds nothing. It answers files with 501 rather than pretend to have built them.
 */

/**
 * @choice A deployment may be made before its project, as those of the control plane may, unless it names the
 *   project with `project`. It is READY after `buildMs` of the server's clock.
 */
const postDeployment = route({
  method: "POST",
  path: "/v13/deployments",
  summary:
    "Creates a deployment of a git ref, of another deployment or of nothing, which is ready a moment later.",
  scope: ["read-write:deployment"],
  body: wire.createDeployment,
  query: wire.createOptions,
  success: [200, wire.createdDeployment],
  throws: [
    [400, "bad_request", "neither name nor project is given, or target is not production or preview"],
    [404, "not_found", "no such project, or no such deployment to redeploy"],
    [501, "builds_not_supported", "files are to be built"],
  ],
  load: loadSource,
  refuse: [softBlocked, paymentMethodNeeded, metaTooLarge],
  async handle(call) {
    const { tx, now, account, caller, body, project, source } = call;
    const build = { ...buildOf(body, source), project: project?.name ?? nameOf(body, source) };
    const row = await startBuild({ tx, now }, account, build, caller.userId);
    return {
      ...(await viewOne(call, row)),
      ownerId: account.id,
      build: { env: Object.keys(body.build?.env ?? {}) },
      env: Object.keys(body.env ?? {}),
      routes: [],
      projectSettings: {},
      isInConcurrentBuildsQueue: false,
      isInSystemBuildsQueue: false,
    };
  },
});

/** @throws Refusal 400, 404, 501 */
async function loadSource(call: Call<unknown, unknown, wire.CreateDeployment>): Promise<{
  project: ProjectRow | undefined;
  source: DeploymentRow | undefined;
  meta: Record<string, string>;
}> {
  const { body } = call;
  if (body.files && body.files.length > 0) throw buildsNothing("The deployment carries files.");
  if (body.customEnvironmentSlugOrId !== undefined)
    throw buildsNothing("The deployment is for a custom environment.");
  if (!["production", "preview", "staging", null, undefined].includes(body.target)) throw invalidTarget();
  const source =
    body.deploymentId === undefined
      ? undefined
      : await loadDeployment({ ...call, params: { id: body.deploymentId } });
  const { meta } = buildOf(body, source);
  return { project: await loadOwn(call, source), source, meta };
}

async function loadOwn(
  call: Call<unknown, unknown, wire.CreateDeployment>,
  source: DeploymentRow | undefined,
): Promise<ProjectRow | undefined> {
  const { body, caller } = call;
  try {
    const idOrName = body.project ?? nameOf(body, source);
    return (await loadProject({ ...call, params: { idOrName } })).project;
  } catch (error) {
    // An installation with selected projects may only deploy to these.
    const mayPrecede = body.project === undefined && !caller.installation?.selected;
    if (mayPrecede && error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

function nameOf({ name }: wire.CreateDeployment, source: DeploymentRow | undefined): string {
  const found = name ?? source?.name;
  if (found === undefined) throw namelessDeployment();
  return found;
}

function buildOf(
  { target, gitSource, gitMetadata, meta }: wire.CreateDeployment,
  source: DeploymentRow | undefined,
): Omit<Build, "project" | "readyState"> & { meta: Record<string, string> } {
  return {
    target: target === undefined && source ? source.target : target === "production" ? target : "preview",
    gitBranch: gitSource?.ref ?? gitMetadata?.commitRef ?? source?.git_branch ?? undefined,
    gitSha: gitSource?.sha ?? gitMetadata?.commitSha ?? source?.git_sha ?? undefined,
    meta: { ...(source ? JSON.parse(source.meta) : {}), ...meta },
  };
}

const postFile = route({
  method: "POST",
  path: "/v2/files",
  summary: "Is refused: this server builds nothing and accepts no files.",
  scope: ["read-write:deployment"],
  success: [200, z.strictObject({})],
  throws: [[501, "builds_not_supported", "always"]],
  handle: () => Promise.reject(buildsNothing("The request uploads a file to build.")),
});

export const createDeploymentRoutes: readonly Route[] = [postDeployment, postFile];
