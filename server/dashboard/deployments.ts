import { findProject } from "../access/projects";
import { servedNames } from "../deployments/promotion";
import { deploymentWithCreator } from "../deployments/view";
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
  const serves = project?.production_deployment_id === row.id && project.paused === 0;
  const steps = project ? await timelineOf(tx, project.id) : [];
  return {
    deployment: viewDeployment(row),
    projectName: row.name,
    project: item ?? null,
    creator: row.username,
    meta: JSON.parse(row.meta),
    aliases: serves ? await servedNames(tx, project, await domainsOf(tx, project.id)) : [],
    timeline: steps.filter(({ from, to }) => from === row.id || to === row.id),
  };
}
