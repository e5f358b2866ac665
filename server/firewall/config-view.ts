import type { Account } from "../access/caller";
import type { Config } from "./config-schema";
import { readSettings } from "./config-store";
import type { FirewallConfigRow } from "./object";

export function viewConfig(account: Pick<Account, "id">, row: FirewallConfigRow): Config {
  return {
    id: row.id,
    ownerId: account.id,
    projectKey: row.project_id,
    version: row.version,
    updatedAt: new Date(row.updated_at).toISOString(),
    ...readSettings(row),
    changes: JSON.parse(row.changes),
  };
}
