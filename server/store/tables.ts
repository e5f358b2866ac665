import type { Database } from "./schema";
import { StoreError, type Tx } from "./store";

type Table = Exclude<keyof Database, "meta">;
type TableWith<Columns> = { [T in Table]: Database[T] extends Columns ? T : never }[Table];

/** The rows of a table `ofProject` are deleted with their project. `hasPublicId`: their ids are in answers of the API. */
type Traits<Row> = (Row extends { project_id: string } ? { ofProject: true } : { ofProject?: undefined }) &
  (Row extends { id: string } ? { hasPublicId: boolean } : { hasPublicId?: undefined });

/** Every table except `meta`, which describes the store itself. */
const tables: { readonly [T in Table]: Traits<Database[T]> } = {
  accounts: { hasPublicId: true },
  members: {},
  tokens: {},
  projects: { hasPublicId: true },
  bypass_secrets: { ofProject: true, hasPublicId: false },
  custom_environments: { ofProject: true, hasPublicId: true },
  deployments: { hasPublicId: true },
  deployment_variables: {},
  deployment_files: {},
  uploads: {},
  promotions: { ofProject: true, hasPublicId: false },
  promotion_aliases: { hasPublicId: false },
  domains: { ofProject: true, hasPublicId: false },
  env_vars: { ofProject: true, hasPublicId: true },
  env_slots: { ofProject: true },
  edge_connections: { ofProject: true },
  git_providers: {},
  dns_records: { hasPublicId: false },
  integrations: { hasPublicId: true },
  configurations: { hasPublicId: true },
  configuration_projects: { ofProject: true },
  codes: {},
  retired_ids: { hasPublicId: false },
  webhooks: { hasPublicId: true },
  log_drains: { hasPublicId: true },
  events: { hasPublicId: false },
  deliveries: { hasPublicId: false },
  receivers: { hasPublicId: false },
  mail: { hasPublicId: false },
  rate_windows: {},
  unknown_members: {},
  aliases: { hasPublicId: false },
  domain_records: { hasPublicId: true },
  shared_env_vars: { hasPublicId: true },
  shared_env_slots: {},
  shared_env_links: { ofProject: true },
  firewall_bypasses: { ofProject: true, hasPublicId: false },
  project_members: { ofProject: true },
  edge_configs: { hasPublicId: true },
  edge_config_items: {},
  edge_config_tokens: { hasPublicId: true },
  added_domains: {},
};

/** The names of all tables except `meta`. */
export const tableNames = Object.keys(tables) as Table[];

/** The tables whose rows are deleted with their project. */
export const projectTables = tableNames.filter((name) => tables[name].ofProject) as TableWith<{
  project_id: string;
}>[];

/** The tables whose ids are in answers of the API. */
export const publicTables = tableNames.filter((name) => tables[name].hasPublicId) as TableWith<{
  id: string;
}>[];

/** @param where the location of the store, for the message @throws StoreError when a table of this version is missing */
export function requireTables(found: readonly string[], where: string): void {
  const missing = ["meta", ...tableNames].filter((name) => !found.includes(name));
  if (missing.length === 0) return;
  const names = missing.map((name) => `"${name}"`).join(", ");
  const what = missing.length === 1 ? `the table ${names} is` : `the tables ${names} are`;
  throw new StoreError(
    `${where} is damaged: ${what} missing. Restore the data from a copy, or start with an empty store elsewhere.`,
  );
}

/** Deletes the rows of all tables except `meta`. */
export async function emptyStore(tx: Tx): Promise<void> {
  for (const table of tableNames) await tx.deleteFrom(table).execute();
}
