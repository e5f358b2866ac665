import type { Alias } from "./schema";
import type { FoundAlias } from "./store";

export const viewAlias = (row: FoundAlias): Alias => ({
  uid: row.id ?? row.alias,
  alias: row.alias,
  created: isoTime(row.created_at),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  creator: { uid: row.creator_id, email: row.email ?? "", username: row.username ?? "" },
  deployment: { id: row.deployment_id, url: row.url },
  deploymentId: row.deployment_id,
  projectId: row.project_id,
  redirect: row.redirect,
  redirectStatusCode: row.redirect_status_code,
});

export const isoTime = (time: number): string => new Date(time).toISOString();
