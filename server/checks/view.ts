import type { DeploymentCheckRow, ProjectCheckRow } from "./object";
import type { Check, CheckDetails, CheckRun, CheckRunResult, CheckSource, ProjectCheck } from "./schema";
import type { RunWithCheck } from "./store";

export function viewProjectCheck(row: ProjectCheckRow, ownerId: string): ProjectCheck {
  const source: CheckSource = JSON.parse(row.source);
  return {
    id: row.id,
    ownerId,
    projectId: row.project_id,
    name: row.name,
    isRerequestable: row.is_rerequestable === 1,
    requires: row.requires,
    blocks: row.blocks,
    targets: JSON.parse(row.targets),
    timeout: row.timeout,
    source,
    sourceKind: source.kind,
    ...(source.kind === "integration" && {
      sourceIntegrationConfigurationId: source.integrationConfigurationId,
    }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function viewRun({ check, ...row }: RunWithCheck, owner: string): CheckRun {
  const { name, ownerId, projectId, timeout, source, blocks, requires, targets } = viewProjectCheck(
    check,
    owner,
  );
  const result: CheckRunResult = JSON.parse(row.result);
  return {
    ...{ id: row.id, checkId: row.check_id, deploymentId: row.deployment_id, status: row.status },
    ...{ name, ownerId, projectId, timeout, source, blocks, requires, targets },
    ...result,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export const detailsOf = (row: DeploymentCheckRow): CheckDetails => JSON.parse(row.details);

export const viewCheck = (row: DeploymentCheckRow): Check => ({
  id: row.id,
  deploymentId: row.deployment_id,
  integrationId: row.integration_id,
  name: row.name,
  status: row.status,
  ...detailsOf(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
