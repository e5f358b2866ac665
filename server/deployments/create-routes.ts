import * as z from "zod";
import { loadProject, projectName } from "../access/projects";
import { paymentMethodNeeded, softBlocked } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { badRequest, Refusal } from "../platform/refusal";
import type { DeploymentRow, ProjectRow } from "../store/schema";
import { startBuild } from "./builds";
import { loadDeployment, oneDeployment, viewOne } from "./routes";
import type { Build } from "./store";

/**
 * Creates deployments of a git ref, of another deployment, or of nothing, and simulates their builds.
 * @choice This server builds nothing. It answers files with 501 rather than pretend to have built them.
 */

const unbuilt = (what: string): Refusal =>
  new Refusal(
    501,
    "builds_not_supported",
    `${what} This server builds nothing. Create the deployment without files, of a git ref or of nothing: it is READY a moment later.`,
  );

const text = z.string().max(500);

/** A source of any git provider. They name the repository differently and the commit alike. */
const gitSource = z.looseObject({
  type: z.string(),
  ref: text.nullable().optional(),
  sha: text.optional(),
});

/** The largest number of members of a deployment's metadata, and the largest length of all, as JSON. */
const mostMeta = 100;
const largestMeta = 32_768;

const fitsMeta = (meta: Record<string, string>): boolean =>
  Object.keys(meta).length <= mostMeta && JSON.stringify(meta).length <= largestMeta;
const metaLimit = `must have at most ${mostMeta} members, and ${largestMeta} characters as JSON`;
const deploymentMeta = z.record(z.string(), z.string()).refine(fitsMeta, { message: metaLimit });

const createDeployment = z.strictObject({
  name: projectName.optional(),
  project: z.string().optional(),
  target: z.string().nullable().optional(),
  /** The deployment to redeploy. */
  deploymentId: z.string().optional(),
  gitSource: gitSource.optional(),
  gitMetadata: z.looseObject({ commitRef: text.optional(), commitSha: text.optional() }).optional(),
  meta: deploymentMeta.optional(),
  files: z.array(z.unknown()).optional(),
  customEnvironmentSlugOrId: z.string().optional(),
  /** Of the variables of a build, the answer has the names. */
  env: z.record(z.string(), z.string()).optional(),
  build: z.looseObject({ env: z.record(z.string(), z.string()).optional() }).optional(),
  /** Members that only affect builds are accepted and ignored. */
  functions: z.unknown().optional(),
  regions: z.array(z.string()).optional(),
  routes: z.array(z.unknown()).optional(),
  buildMachine: z.unknown().optional(),
  gitAccessToken: z.string().optional(),
  monorepoManager: z.string().nullable().optional(),
  projectSettings: z.unknown().optional(),
  withLatestCommit: z.boolean().optional(),
});
type Body = z.infer<typeof createDeployment>;

/** A new deployment has members about its build, which clients require. */
const created = oneDeployment.extend({
  ownerId: z.string(),
  build: z.strictObject({ env: z.array(z.string()) }),
  env: z.array(z.string()),
  routes: z.array(z.never()),
  projectSettings: z.strictObject({}),
  isInConcurrentBuildsQueue: z.literal(false),
  isInSystemBuildsQueue: z.literal(false),
});

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
  body: createDeployment,
  query: z.object({ forceNew: z.string().optional(), skipAutoDetectionConfirmation: z.string().optional() }),
  success: [200, created],
  throws: [
    [400, "bad_request", "neither name nor project is given, or target is not production or preview"],
    [404, "not_found", "no such project, or no such deployment to redeploy"],
    [501, "builds_not_supported", "files are to be built"],
  ],
  load: loadSource,
  refuse: [
    softBlocked,
    paymentMethodNeeded,
    [
      400,
      "bad_request",
      `The metadata with that of the other deployment ${metaLimit}.`,
      ({ body, source }) => !fitsMeta(buildOf(body, source).meta ?? {}),
    ],
  ],
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
async function loadSource(
  call: Call<unknown, unknown, Body>,
): Promise<{ project: ProjectRow | undefined; source: DeploymentRow | undefined }> {
  const { body } = call;
  if (body.files && body.files.length > 0) throw unbuilt("The deployment carries files.");
  if (body.customEnvironmentSlugOrId !== undefined)
    throw unbuilt("The deployment is for a custom environment.");
  if (!["production", "preview", "staging", null, undefined].includes(body.target))
    throw badRequest("Invalid body member target: must be production or preview.");
  const source =
    body.deploymentId === undefined
      ? undefined
      : await loadDeployment({ ...call, params: { id: body.deploymentId } });
  return { project: await loadOwn(call, source), source };
}

async function loadOwn(
  call: Call<unknown, unknown, Body>,
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

function nameOf({ name }: Body, source: DeploymentRow | undefined): string {
  const found = name ?? source?.name;
  if (found === undefined) throw badRequest("Invalid body: give the name of the deployment, or a project.");
  return found;
}

function buildOf(
  { target, gitSource, gitMetadata, meta }: Body,
  source: DeploymentRow | undefined,
): Omit<Build, "project" | "readyState"> {
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
  handle: () => Promise.reject(unbuilt("The request uploads a file to build.")),
});

export const createDeploymentRoutes: readonly Route[] = [postDeployment, postFile];
