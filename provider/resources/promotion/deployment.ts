import type { Client } from "../../client/client";
import { isNotFound } from "../../client/errors";
import { deploymentPath } from "../../client/paths";
import * as responses from "../../client/responses";

/** Checks whether a deployment can serve the production of a project. */

type FoundDeployment = responses.Deployment | NonNullable<responses.Project["latestDeployments"]>[number];

/** @throws Error if the deployment cannot serve production */
export async function refuseUnpromotable(
  client: Client,
  project: responses.Project,
  id: string,
): Promise<void> {
  const deployment = await findDeployment(client, project, id);
  // The service itself refuses a missing deployment.
  const reason = deployment === "missing" ? undefined : reasonOf(project, id, deployment);
  if (reason !== undefined) throw new Error(reason);
}

/** @returns why a deployment cannot serve production; undefined if it can, or if only the service knows */
export async function reasonAgainst(
  client: Client,
  project: responses.Project,
  id: string,
): Promise<string | undefined> {
  const deployment = await findDeployment(client, project, id);
  if (deployment !== "missing") return reasonOf(project, id, deployment);
  return (
    `The deployment ${id} does not exist. Give a deployment of the project ${project.name}; \`getDeployment\` finds it ` +
    "by branch or commit."
  );
}

const findDeployment = async (
  client: Client,
  project: responses.Project,
  id: string,
): Promise<FoundDeployment | "missing" | undefined> =>
  project.latestDeployments?.find((known) => known.id === id) ?? (await deploymentOf(client, id));

function reasonOf(
  project: responses.Project,
  id: string,
  deployment: FoundDeployment | undefined,
): string | undefined {
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

/** Reads a deployment; undefined if it cannot be read, for example without permission. @source wire-shapes 11 */
async function deploymentOf(
  client: Client,
  id: string,
): Promise<responses.Deployment | "missing" | undefined> {
  try {
    return await client.get(deploymentPath(id), responses.deployment);
  } catch (error) {
    return isNotFound(error) ? "missing" : undefined;
  }
}
