import { createHmac } from "node:crypto";
import type { Client } from "../../client/client";
import { deploymentPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { Operation } from "../../core/definition";
import { identityOf } from "../../core/urn";
import { fingerprint } from "../../core/values";
import type { Inputs } from "./inputs";
import type { Source } from "./source";
import { missingIn, upload } from "./upload";
import { isDead, isReady, stateOf } from "./wait";

/**
 * Creates each deployment exactly once, even if an answer is lost or the run is killed: a key in its metadata, by
 * which it is looked up before it is created, says which resource it is for, with which inputs and after which
 * deployment.
 */

/** The member of the metadata with the key. */
const keyName = "slipwayKey";

/**
 * How long a finished deployment is taken up by a create of the same resource with the same inputs.
 * @choice Longer than the longest build, for a run that was killed while it waited. Afterwards, the resource is rather
 *   one that was destroyed and is declared again, which builds again.
 */
const resumeMs = 3_600_000;

/** @param before the id of the deployment that is replaced */
export async function createOnce(
  operation: Operation<Inputs, unknown>,
  project: responses.Project,
  declared: Inputs,
  source: Source,
  before: string | undefined,
): Promise<responses.OneDeployment> {
  const { client, isOthers } = operation;
  for (let previous = before; ; ) {
    const key = keyOf(operation, declared, project.id, source, previous);
    const look = async (): Promise<responses.OneDeployment | undefined> => {
      const found = (await deploymentsWith(client, project.id, key)).find(({ id }) => !isOthers(id));
      return found && client.get(deploymentPath(found.id), responses.oneDeployment);
    };
    const found = await look();
    if (found && isDead(stateOf(found))) {
      // Of a run that was killed before it could say so. The next one is built after it.
      previous = found.id;
      continue;
    }
    const isRecent = Date.now() - (found?.createdAt ?? 0) < resumeMs;
    if (found && (isRecent || !isReady(stateOf(found)))) return found;
    const request = requestOf(bodyOf(project, declared, source, key), declared);
    return withFiles(operation, source, () => client.create({ request, look, existed: found !== undefined }));
  }
}

/** How often the service is told again of a deployment whose files it lacks. */
const mostUploads = 3;

/** Runs a create, and uploads the files that the service then says it lacks. */
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
    // A service may otherwise answer with an equal deployment, or ask for a confirmation.
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
  key: string,
): object {
  return {
    name,
    project: id,
    ...(target === "production" && { target }),
    ...(customEnvironmentId !== undefined && { customEnvironmentSlugOrId: customEnvironmentId }),
    ...(environment && { env: environment, build: { env: environment } }),
    ...(projectSettings && { projectSettings }),
    ...source.body,
    meta: { ...meta, [keyName]: key },
  };
}

/**
 * The key of a deployment. It is keyed with the access token, since a trigger may be a secret, which nobody must be
 * able to guess from metadata. The environment is left out: a changed one makes no new deployment.
 */
function keyOf(
  { client, urn = "" }: Operation<Inputs, unknown>,
  { ref, redeploy, target, customEnvironmentId, triggers }: Inputs,
  projectId: string,
  { digest }: Source,
  previous: string | undefined,
): string {
  const environment = customEnvironmentId ?? target;
  const subject = fingerprint({
    urn: identityOf(urn),
    projectId,
    ref,
    redeploy,
    environment,
    triggers,
    digest,
    previous,
  });
  return createHmac("sha256", client.settings.token).update(subject).digest("base64url").slice(0, 32);
}

async function deploymentsWith(client: Client, projectId: string, key: string): Promise<{ id: string }[]> {
  const { deployments } = await client.send({
    method: "GET",
    path: deploymentPath(undefined, "v6"),
    query: { projectId, [`meta-${keyName}`]: key },
    shape: responses.deploymentList,
  });
  return deployments;
}
