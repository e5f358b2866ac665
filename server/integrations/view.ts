import { coveredProjects } from "../access/coverage-store";
import { present } from "../http/reply";
import type { Tx } from "../store/store";
import type { Configuration } from "./schema";
import type { Installed } from "./store";

/** A configuration as an answer. @source wire-shapes 9 */
export async function viewConfiguration(tx: Tx, row: Installed): Promise<Configuration> {
  return present<Configuration>({
    id: row.id,
    integrationId: row.integration_id,
    ownerId: row.account_id,
    userId: row.user_id,
    teamId: row.account_kind === "team" ? row.account_id : null,
    slug: row.slug,
    type: "integration-configuration",
    scopes: JSON.parse(row.scopes),
    projects: row.selected === 1 ? await coveredProjects(tx, row.id) : undefined,
    source: row.source,
    installationType: row.source === "marketplace" ? "marketplace" : "external",
    status: row.disabled_at !== null ? "suspended" : row.completed_at === null ? "pending" : "ready",
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at ?? undefined,
    disabledAt: row.disabled_at ?? undefined,
    disabledReason: (row.disabled_reason as Configuration["disabledReason"]) ?? undefined,
    deletedAt: null,
    deleteRequestedAt: null,
  });
}
