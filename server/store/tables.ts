import type { Database } from "./schema";
import { StoreError, type Tx } from "./store";

/** Every table except `meta`, which describes the store itself. */
const tables: Record<Exclude<keyof Database, "meta">, true> = {
  accounts: true,
  members: true,
  tokens: true,
  projects: true,
  bypass_secrets: true,
  custom_environments: true,
  deployments: true,
  deployment_variables: true,
  deployment_files: true,
  uploads: true,
  promotions: true,
  promotion_aliases: true,
  domains: true,
  env_vars: true,
  env_slots: true,
  edge_connections: true,
  git_providers: true,
  dns_records: true,
  integrations: true,
  configurations: true,
  configuration_projects: true,
  codes: true,
  retired_ids: true,
  webhooks: true,
  log_drains: true,
  events: true,
  deliveries: true,
  receivers: true,
  mail: true,
  rate_windows: true,
  unknown_members: true,
  aliases: true,
  domain_records: true,
  shared_env_vars: true,
  shared_env_slots: true,
  shared_env_links: true,
  firewall_bypasses: true,
  project_members: true,
  edge_configs: true,
  edge_config_items: true,
  edge_config_tokens: true,
};

/** @param where the location of the store, for the message @throws StoreError when a table of this version is missing */
export function requireTables(found: readonly string[], where: string): void {
  const missing = ["meta", ...Object.keys(tables)].filter((name) => !found.includes(name));
  if (missing.length === 0) return;
  const names = missing.map((name) => `"${name}"`).join(", ");
  const what = missing.length === 1 ? `the table ${names} is` : `the tables ${names} are`;
  throw new StoreError(
    `${where} is damaged: ${what} missing. Restore the data from a copy, or start with an empty store elsewhere.`,
  );
}

/** Deletes the rows of all tables except `meta`. */
export async function emptyStore(tx: Tx): Promise<void> {
  for (const table of Object.keys(tables) as (keyof typeof tables)[]) await tx.deleteFrom(table).execute();
}
