import { blobTokenKey } from "../../provider/vocabulary";
import { storedSettings } from "../access/project-store";
import type { Tx } from "../store/store";
import type { BlobStoreRow } from "./object";
import type { BlobConnection, BlobStore } from "./schema";
import { connectionsOf, type ListedConnection } from "./store";

/** A store with its projects. @choice A store is always available, and no limit is ever exceeded. */
export async function viewStore(tx: Tx, row: BlobStoreRow, withProjects = true): Promise<BlobStore> {
  const connections = await connectionsOf(tx, row.id);
  return {
    ...{ id: row.id, type: "blob", name: row.name, ownerId: row.account_id },
    ...{ access: row.access, region: row.region, status: "available" },
    ...{ count: Number(row.file_count), size: Number(row.size) },
    ...{ usageQuotaExceeded: false, isTokenExpired: false, totalConnectedProjects: connections.length },
    projectsMetadata: withProjects ? connections.map(viewProject) : [],
    ...{ createdAt: row.created_at, updatedAt: row.updated_at },
  };
}

const viewProject = (row: ListedConnection) => ({
  ...{ id: row.id, projectId: row.project_id, name: row.name, framework: frameworkOf(row) },
  ...{ environments: JSON.parse(row.environments), envVarPrefix: row.prefix },
  environmentVariables: [blobTokenKey(row.prefix)],
});

export const viewConnection = (row: ListedConnection): BlobConnection => ({
  ...{ id: row.id, projectId: row.project_id },
  ...{ envVarEnvironments: JSON.parse(row.environments), envVarPrefix: row.prefix },
  project: { id: row.project_id, name: row.name, framework: frameworkOf(row) },
  productionDeployment:
    row.deployment_id === null ? null : { id: row.deployment_id, url: row.deployment_url ?? "" },
});

const frameworkOf = (row: ListedConnection): string | null =>
  (storedSettings(row)?.framework as string | null | undefined) ?? null;
