import type { Client } from "../../client/client";
import * as responses from "../../client/responses";

/** Whether a deployment may serve the production of a project. */

/** @throws Error when the deployment may not serve, before anything is changed */
export async function refuseUnready(client: Client, project: responses.Project, id: string): Promise<void> {
  const reason = await reasonAgainst(client, project, id);
  if (reason !== undefined) throw new Error(reason);
}

/** @returns why a deployment may not serve; undefined when it may, or when only the service knows */
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
      `The deployment ${id} is one of ${name ?? projectId}, not of the project ${project.name}. ` +
      "Give a deployment of this project."
    );
  }
  if (readyState != null && readyState !== "READY") {
    return (
      `The deployment ${id} is ${readyState}, and only one that is READY can serve production. ` +
      "Wait until it is built (getDeployment with waitUntilReady), or give another one."
    );
  }
  return undefined;
}

/** A deployment, if the service tells of single ones. @source wire-shapes 11 */
async function deploymentOf(client: Client, id: string): Promise<responses.Deployment | undefined> {
  try {
    return await client.get(`/v13/deployments/${encodeURIComponent(id)}`, responses.deployment);
  } catch {
    return undefined;
  }
}
