import type { Client } from "../../client/client";
import { isNotFound } from "../../client/errors";
import { deploymentPath } from "../../client/paths";
import * as responses from "../../client/responses";

/** Checks whether a deployment can serve the production of a project. */

export const missingHint =
  "Give a deployment of this project; `getDeployment` finds it by branch or commit. If a Deployment of this program " +
  "created it, `pulumi up --refresh` creates another one.";

/** @throws Error if the deployment cannot serve production */
export async function refuseUnpromotable(
  client: Client,
  project: responses.Project,
  id: string,
): Promise<void> {
  const reason = await reasonAgainst(client, project, id);
  if (reason !== undefined) throw new Error(reason);
}

/**
 * @param project undefined if it is not known which project will have the name, for example because the run creates it
 * @returns why a deployment cannot serve production; undefined if it can, or if only the service knows
 */
export async function reasonAgainst(
  client: Client,
  project: responses.Project | undefined,
  id: string,
): Promise<string | undefined> {
  let deployment: responses.Deployment;
  try {
    // Projects list deployments under the name that the project had at their creation, and without its id.
    deployment = await client.get(deploymentPath(id), responses.deployment);
  } catch (error) {
    if (!isNotFound(error)) return undefined;
    return `The deployment ${id} does not exist. ${missingHint}`;
  }
  return project && reasonIn(project, id, deployment);
}

function reasonIn(
  project: responses.Project,
  id: string,
  { readyState, name, projectId, target, ...deployment }: responses.Deployment,
): string | undefined {
  if (projectId != null && projectId !== project.id) {
    return (
      `The deployment ${id} belongs to ${name ?? projectId}, not to the project ${project.name}. ` +
      "Choose a deployment of this project."
    );
  }
  if (readyState != null && readyState !== "READY") {
    const { readyStateReason, errorLink } = deployment;
    const why = [readyStateReason?.replace(/\.$/, ""), errorLink].filter(Boolean).join(", see ");
    return (
      `The deployment ${id} is ${readyState}${why && ` (${why})`}. Only a READY deployment can serve production. ` +
      "Wait until it is built (getDeployment with waitUntilReady), or choose another one."
    );
  }
  // Previews have the target null. A record without the member says nothing.
  if (target !== undefined && target !== "production") {
    return (
      `The deployment ${id} was built for ${target ?? "preview"}, and only a deployment for production can serve ` +
      'production. Deploy with `target: "production"`, or build this one again for production: a Deployment with ' +
      `\`redeploy: "${id}"\` and \`target: "production"\`.`
    );
  }
  return undefined;
}
