import type { Client } from "../../client/client";
import { deploymentPath } from "../../client/paths";
import * as responses from "../../client/responses";

/** Checks whether a deployment can serve the production of a project. */

/** @throws Error if the deployment cannot serve production */
export async function refuseUnpromotable(
  client: Client,
  project: responses.Project,
  id: string,
): Promise<void> {
  const reason = await reasonAgainst(client, project, id);
  if (reason !== undefined) throw new Error(reason);
}

/** @returns why a deployment cannot serve production; undefined if it can, or if only the service knows */
export async function reasonAgainst(
  client: Client,
  project: responses.Project,
  id: string,
): Promise<string | undefined> {
  const deployment =
    project.latestDeployments?.find((known) => known.id === id) ?? (await deploymentOf(client, id));
  if (!deployment) return undefined;
  const { readyState, name, projectId } = deployment;
  if (
    (projectId != null && projectId !== project.id) ||
    (projectId == null && name != null && name !== project.name)
  ) {
    return (
      `The deployment ${id} belongs to ${name ?? projectId}, not to the project ${project.name}. ` +
      "Choose a deployment of this project."
    );
  }
  if (readyState != null && readyState !== "READY") {
    return (
      `The deployment ${id} is ${readyState}. Only a READY deployment can serve production. ` +
      "Wait until it is built (getDeployment with waitUntilReady), or choose another one."
    );
  }
  return undefined;
}

/** Reads a deployment; undefined if the read fails, as at a service without this request. @source wire-shapes 11 */
async function deploymentOf(client: Client, id: string): Promise<responses.Deployment | undefined> {
  try {
    return await client.get(deploymentPath(id), responses.deployment);
  } catch {
    return undefined;
  }
}
