import { createHmac } from "node:crypto";
import type { Client } from "../../client/client";
import { deploymentPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { Operation } from "../../core/definition";
import { identityOf } from "../../core/urn";
import { fingerprint } from "../../core/values";
import { type Inputs, ownMetaKeys, ownMetaLength } from "./inputs";
import type { Source } from "./source";
import { missingIn, upload } from "./upload";
import { isFailed, isReady, stateOf } from "./wait";

/**
 * Creates each deployment exactly once, even if an answer is lost or the run is killed. The metadata of a deployment
 * records its resource and a hash of the inputs. A create continues with the newest deployment of its resource if the
 * inputs are the same.
 */

/** The members of the metadata that identify the resource, and that have the hash of the inputs. */
const [resourceKey, inputsKey] = ownMetaKeys;

/**
 * For how long a create of the same resource, with the same inputs, continues with a finished deployment (milliseconds
 * after the deployment was created).
 * @choice Longer than the longest build, for a run that was killed while it waited. A later create probably belongs to
 *   a resource that was destroyed and declared again, so a later create builds again.
 */
const resumeMs = 3_600_000;

/**
 * Returns the new deployment, or an existing one with which the create continues.
 * @param before the id of the deployment that the new one replaces; undefined if none is known
 */
export async function createOnce(
  operation: Operation<Inputs, unknown>,
  project: responses.Project,
  declared: Inputs,
  source: Source,
  before: string | undefined,
): Promise<responses.OneDeployment> {
  const { client } = operation;
  const meta = metaOf(operation, declared, project.id, source);
  const hasSameInputs = (one: responses.OneDeployment): boolean => one.meta?.[inputsKey] === meta[inputsKey];
  const last = await newestOf(client, project.id, meta);
  if (
    last &&
    hasSameInputs(last) &&
    isResumable(project, last) &&
    (await isUnowned(operation, last.id, before))
  )
    return last;
  const look = async (): Promise<responses.OneDeployment | undefined> => {
    const found = await newestOf(client, project.id, meta);
    return found && found.id !== last?.id && hasSameInputs(found) ? found : undefined;
  };
  const request = requestOf(bodyOf(project, declared, source, meta), declared);
  return withFiles(operation, source, () =>
    client.create({ request, look, existed: false, mayBeTwice: true }),
  );
}

/** False for a deployment that failed, is finished and older than `resumeMs`, or was replaced in production. */
function isResumable(project: responses.Project, deployment: responses.OneDeployment): boolean {
  const state = stateOf(deployment);
  if (isFailed(state)) return false;
  if (!isReady(state)) return true;
  const isServed = project.targets?.production?.id === deployment.id;
  const isReplacedInProduction =
    deployment.target === "production" && project.autoAssignCustomDomains !== false && !isServed;
  return !isReplacedInProduction && Date.now() - (deployment.createdAt ?? 0) < resumeMs;
}

/** True for a deployment without a resource: a killed run created it, or its resource was destroyed. */
async function isUnowned(
  { run, isOthers }: Operation<Inputs, unknown>,
  id: string,
  before: string | undefined,
): Promise<boolean> {
  return id !== before && !isOthers(id) && !(await run.ownership.isRecorded(id));
}

/** How often missing files are uploaded before a create fails. */
const mostUploads = 3;

/** Runs a create, and uploads the files that the service reports as missing. */
async function withFiles<T>(
  operation: Operation<Inputs, unknown>,
  { files }: Source,
  create: () => Promise<T>,
): Promise<T> {
  for (let uploads = 0; ; uploads++) {
    try {
      return await create();
    } catch (error) {
      const missing = missingIn(error);
      if (!missing || uploads >= mostUploads) throw error;
      await upload(operation, files, missing);
    }
  }
}

const requestOf = (body: object, { environment = {}, prebuilt }: Inputs) =>
  ({
    method: "POST",
    path: deploymentPath(),
    // Without the first two, the service may answer with an equal deployment, or ask for a confirmation.
    query: {
      forceNew: "1",
      skipAutoDetectionConfirmation: "1",
      prebuilt: prebuilt === undefined ? undefined : "1",
    },
    body,
    shape: responses.oneDeployment,
    secrets: Object.values(environment),
  }) as const;

function bodyOf(
  { id, name }: responses.Project,
  { target, customEnvironmentId, environment, projectSettings, meta }: Inputs,
  source: Source,
  own: Meta,
): object {
  return {
    name,
    project: id,
    ...(target === "production" && { target }),
    ...(customEnvironmentId !== undefined && { customEnvironmentSlugOrId: customEnvironmentId }),
    ...(environment && { env: environment, build: { env: environment } }),
    ...(projectSettings && { projectSettings }),
    ...source.body,
    meta: { ...meta, ...own },
  };
}

type Meta = Record<typeof resourceKey | typeof inputsKey, string>;

/**
 * The metadata by which a create finds its deployment after a lost answer. The inputs are hashed with the access token
 * as the key, so that nobody can guess secrets in the inputs.
 */
function metaOf(
  { client, urn = "" }: Operation<Inputs, unknown>,
  { ref, redeploy, target, customEnvironmentId, triggers, environment, projectSettings, meta }: Inputs,
  projectId: string,
  { digest }: Source,
): Meta {
  const inputs = fingerprint({
    ...{ ref, redeploy, digest, target: customEnvironmentId ?? target, triggers },
    ...{ environment, projectSettings, meta },
  });
  return {
    [resourceKey]: fingerprint({ urn: identityOf(urn), projectId }).slice(0, ownMetaLength),
    [inputsKey]: createHmac("sha256", client.settings.token)
      .update(inputs)
      .digest("base64url")
      .slice(0, ownMetaLength),
  };
}

/** The newest deployment of a resource. */
async function newestOf(
  client: Client,
  projectId: string,
  meta: Meta,
): Promise<responses.OneDeployment | undefined> {
  const { deployments } = await client.send({
    method: "GET",
    path: deploymentPath(undefined, "v6"),
    query: { projectId, [`meta-${resourceKey}`]: meta[resourceKey] },
    shape: responses.deploymentList,
  });
  const [newest] = deployments.sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
  return newest && client.get(deploymentPath(newest.id), responses.oneDeployment);
}
