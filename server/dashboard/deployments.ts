import { findProject } from "../access/project-store";
import { buildLog } from "../deployments/build-log";
import { servedNames } from "../deployments/promotion";
import { deploymentWithCreator } from "../deployments/store";
import { domainsOf } from "../domains/store";
import { notFound } from "../platform/refusal";
import type { Tx } from "../store/store";
import { describeProjects, timelineOf, viewDeployment } from "./projects";
import type { DeploymentDetail } from "./wire";

/** @throws Refusal 404 */
export async function showDeployment(tx: Tx, account: string, id: string): Promise<DeploymentDetail> {
  const [row] = await deploymentWithCreator(tx, id);
  if (row?.account_id !== account) throw notFound(`Deployment ${JSON.stringify(id)}`);
  const project = await findProject(tx, account, row.name);
  const [item] = project ? await describeProjects(tx, [project]) : [];
  const serving = project?.production_deployment_id === row.id && project.paused === 0 ? project : undefined;
  const steps = project ? await timelineOf(tx, project.id) : [];
  return {
    deployment: viewDeployment(row),
    projectName: row.name,
    project: item ?? null,
    creator: row.username,
    meta: JSON.parse(row.meta),
    aliases: serving ? await servedNames(tx, serving, await domainsOf(tx, serving.id)) : [],
    log: buildLog(row, project?.repo_url?.replace(/^https?:\/\//, "")),
    timeline: steps.filter(({ from, to }) => from === row.id || to === row.id),
  };
}
