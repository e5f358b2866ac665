import { requireScopes } from "../access/caller";
import { loadProject, projectName } from "../access/projects";
import { beingTransferred, paymentMethodNeeded, softBlocked } from "../access/rules";
import { findEnvironment } from "../env/environment-store";
import { type Call, type Route, route } from "../http/route";
import { Refusal, type RefusalRow } from "../platform/refusal";
import { makeProject } from "../projects/creation";
import type { ProjectRow } from "../projects/object";
import { invalidRootDirectory } from "../projects/rules";
import type { NewProject } from "../projects/store";
import { buildRecordOf } from "./build-record";
import { type Requested, startBuild } from "./builds";
import * as wire from "./create-schema";
import { addUploads, missingUploads } from "./file-store";
import { digestOf, storeInline } from "./inline-files";
import { loadDeployment } from "./list-store";
import type { DeploymentRow } from "./object";
import {
  invalidTarget,
  metaTooLarge,
  missingFiles,
  namelessDeployment,
  productionOrCustom,
  settingsMissing,
  unknownEnvironment,
} from "./rules";
import { changedDeployment, isDirectory } from "./schema";
import type { Build } from "./store";
import { type DeploymentFile, filesOf, recordFiles } from "./tree-store";
import { viewChanged } from "./view";

const invalidRootOfSettings: RefusalRow<{ body: wire.CreateDeployment }> = [
  invalidRootDirectory[0],
  invalidRootDirectory[1],
  "projectSettings.rootDirectory must be the path of a folder below the root, such as apps/web.",
  ({ body }) => invalidRootDirectory[3]({ body: body.projectSettings ?? {} }),
];

/**
 * Creates deployments of files, of a git ref, of another deployment, or of nothing, and simulates their builds.
 * @source the public documentation of the service: the first deployment of a name creates its project
 * @source the official command line: a redeployment without a target is a preview, whatever its source is
 * @choice The build takes a second (server time), unless the control plane plans another duration. A redeployment needs
 *   no settings. If the body has `project`, this project must exist.
 */
const postDeployment = route({
  method: "POST",
  path: "/v13/deployments",
  operationId: "createDeployment",
  summary:
    "Creates a deployment of files, of a git ref, of another deployment or of nothing, and simulates its build.",
  scope: ["read-write:deployment"],
  body: wire.createDeployment,
  example: { name: "web", target: "production", projectSettings: { framework: null } },
  query: wire.createOptions,
  success: [200, changedDeployment],
  throws: [
    [
      400,
      "bad_request",
      "neither name nor project is given, or target is neither production nor preview nor a custom environment, or is given together with a custom environment",
    ],
    [404, "not_found", "no such project, custom environment, or deployment to redeploy"],
  ],
  async before({ services, body }) {
    if (!services.contents || !body.files) return { inline: [] };
    await services.contents.load();
    return { inline: await storeInline(services.contents, body.files) };
  },
  load: loadSource,
  refuse: [
    invalidRootOfSettings,
    softBlocked,
    paymentMethodNeeded,
    beingTransferred,
    settingsMissing,
    metaTooLarge,
    missingFiles,
  ],
  async handle(call) {
    const { tx, now, account, caller, body, query, source, customEnvironmentId } = call;
    const project = call.project ?? (await makeProject(call, settingsOf(body, source)));
    const build = {
      ...buildOf(body, source),
      project: project.name,
      customEnvironmentId,
      requested: requestedBy(body, query, source),
    };
    const row = await startBuild({ tx, now }, account, build, caller.userId);
    const files = body.files ? body.files.map(deployedFile) : source && (await filesOf(tx, source.id));
    if (files) await recordFiles(tx, row.id, files);
    await addUploads({ tx, now }, account.id, call.inline);
    return viewChanged(call, row);
  },
});

/** The name and the settings of the project that a first deployment creates. */
const settingsOf = (body: wire.CreateDeployment, source: DeploymentRow | undefined): NewProject => ({
  ...body.projectSettings,
  name: nameOf(body, source),
});

/** @throws Refusal 400, 403, 404 */
async function loadSource(call: Call<unknown, unknown, wire.CreateDeployment>): Promise<{
  /** Undefined for the first deployment of a name, which creates the project. */
  project: ProjectRow | undefined;
  source: DeploymentRow | undefined;
  customEnvironmentId: string | undefined;
  meta: Record<string, string>;
  missing: string[];
}> {
  const { tx, account, body, services } = call;
  const source =
    body.deploymentId === undefined
      ? undefined
      : await loadDeployment({ ...call, params: { id: body.deploymentId } });
  const { meta } = buildOf(body, source);
  const project = await findOwnProject(call, source);
  if (!project) requireScopes(account, ["read-write:project"]);
  const digests = (body.files ?? []).flatMap(({ sha }) => sha ?? []);
  return {
    project,
    source,
    customEnvironmentId: await findCustomEnvironment(call, project),
    meta,
    missing: await missingUploads(tx, account.id, digests, services.contents),
  };
}

/** @returns the id of the custom environment */
async function findCustomEnvironment(
  { tx, body }: Call<unknown, unknown, wire.CreateDeployment>,
  project: ProjectRow | undefined,
): Promise<string | undefined> {
  const { target, customEnvironmentSlugOrId: key } = body;
  if (!isStandardTarget(target)) {
    const environment = project && key === undefined && (await findEnvironment(tx, project.id, target));
    if (!environment) throw invalidTarget();
    return environment.id;
  }
  if (key === undefined) return undefined;
  if (target === "production") throw productionOrCustom();
  const environment = project && (await findEnvironment(tx, project.id, key));
  if (!environment) throw unknownEnvironment(key);
  return environment.id;
}

type StandardTarget = "production" | "preview" | "staging" | null | undefined;

/** False for a target that may name a custom environment, by its slug or id. */
const isStandardTarget = (target: string | null | undefined): target is StandardTarget =>
  target === undefined || target === null || ["production", "preview", "staging"].includes(target);

/** @returns the project of the new deployment; undefined if the deployment creates its project @throws Refusal 403, 404 */
async function findOwnProject(
  call: Call<unknown, unknown, wire.CreateDeployment>,
  source: DeploymentRow | undefined,
): Promise<ProjectRow | undefined> {
  const { body, caller } = call;
  const idOrName = body.project ?? nameOf(body, source);
  try {
    return (await loadProject({ ...call, params: { idOrName } })).project;
  } catch (error) {
    // An installation with selected projects may only deploy to these.
    const isName = body.project === undefined && projectName.safeParse(idOrName).success;
    const mayCreate = isName && !caller.installation?.selected;
    if (mayCreate && error instanceof Refusal && error.status === 404) return undefined;
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
    target: target === "production" ? target : "preview",
    gitBranch: gitSource?.ref ?? gitMetadata?.commitRef ?? source?.git_branch ?? undefined,
    gitSha: gitSource?.sha ?? gitMetadata?.commitSha ?? source?.git_sha ?? undefined,
    meta: { ...(source ? JSON.parse(source.meta) : {}), ...metaOf(gitMetadata), ...meta },
  };
}

/** The metadata that a deployment has from the commit of a working copy. @source the Terraform provider, its tests */
const metaOf = ({ commitMessage, commitAuthorName }: wire.CreateDeployment["gitMetadata"] = {}) => ({
  ...(commitMessage === undefined ? {} : { githubCommitMessage: commitMessage }),
  ...(commitAuthorName === undefined ? {} : { githubCommitAuthorName: commitAuthorName }),
});

/** The mode of a file that is sent without one. */
const usualMode = 0o100644;

function deployedFile({
  file,
  sha,
  mode = usualMode,
  ...inline
}: NonNullable<wire.CreateDeployment["files"]>[number]): DeploymentFile {
  if (isDirectory(mode)) return { path: file, mode };
  return { path: file, sha: sha ?? digestOf(inline), mode };
}

/** The members of a build's record that come from the request. A redeployment builds the files of its source again. */
function requestedBy(
  { files, env, build, autoAssignCustomDomains }: wire.CreateDeployment,
  { prebuilt }: wire.CreateOptions,
  source: DeploymentRow | undefined,
): Requested {
  const before = source && buildRecordOf(source);
  const count = files?.filter(({ mode = usualMode }) => !isDirectory(mode)).length ?? before?.files;
  const isPrebuilt = prebuilt === "1" || (files === undefined && before?.isPrebuilt === true);
  return {
    ...(build?.env ? { buildEnv: Object.keys(build.env) } : {}),
    ...(env ? { env: Object.keys(env) } : {}),
    ...(count === undefined ? {} : { files: count }),
    ...(isPrebuilt ? { isPrebuilt } : {}),
    ...(autoAssignCustomDomains === false ? { keepsProduction: true } : {}),
  };
}

export const createDeploymentRoutes: readonly Route[] = [postDeployment];
