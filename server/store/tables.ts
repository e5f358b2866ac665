import { tokens } from "../access/object";
import { accounts } from "../accounts/object";
import { aliases } from "../aliases/object";
import { savedRows } from "../control/object";
import {
  deploymentFiles,
  deployments,
  deploymentVariables,
  promotionAliases,
  promotions,
  uploads,
} from "../deployments/object";
import { addedDomains, domainRecords, domains } from "../domains/object";
import { edgeConfigItems, edgeConfigs, edgeConfigTokens, edgeConnections } from "../edge-configs/object";
import { envSlots, envVars, sharedEnvLinks, sharedEnvSlots, sharedEnvVars } from "../env/object";
import { customEnvironments } from "../environments/object";
import { deliveries, events, receivers } from "../events/object";
import { firewallBypasses } from "../firewall/object";
import { rateWindows } from "../http/object";
import {
  codes,
  configurationProjects,
  configurations,
  integrations,
  retiredIds,
} from "../integrations/object";
import { unknownMembers } from "../lenient/object";
import { logDrains } from "../log-drains/object";
import { mail } from "../mail/object";
import { members, projectMembers } from "../members/object";
import { dnsRecords } from "../platform/object";
import { bypassSecrets, gitProviders, projects } from "../projects/object";
import { webhooks } from "../webhooks/object";
import { object, type Row, type Shown, type StoredObject, text } from "./object";

/** Settings of the store itself. */
const meta = object({ columns: { name: text(), value: text() }, key: ["name"] });

const tables = {
  accounts,
  members,
  tokens,
  projects,
  bypass_secrets: bypassSecrets,
  custom_environments: customEnvironments,
  deployments,
  deployment_variables: deploymentVariables,
  deployment_files: deploymentFiles,
  uploads,
  promotions,
  promotion_aliases: promotionAliases,
  domains,
  env_vars: envVars,
  env_slots: envSlots,
  edge_connections: edgeConnections,
  git_providers: gitProviders,
  dns_records: dnsRecords,
  integrations,
  configurations,
  configuration_projects: configurationProjects,
  codes,
  retired_ids: retiredIds,
  webhooks,
  log_drains: logDrains,
  events,
  deliveries,
  receivers,
  mail,
  rate_windows: rateWindows,
  unknown_members: unknownMembers,
  aliases,
  domain_records: domainRecords,
  shared_env_vars: sharedEnvVars,
  shared_env_slots: sharedEnvSlots,
  shared_env_links: sharedEnvLinks,
  firewall_bypasses: firewallBypasses,
  project_members: projectMembers,
  edge_configs: edgeConfigs,
  edge_config_items: edgeConfigItems,
  edge_config_tokens: edgeConfigTokens,
  added_domains: addedDomains,
  saved_rows: savedRows,
};

type Tables = typeof tables & { meta: typeof meta };
type Table = keyof typeof tables;

/** The rows of all tables. They are the same in both engines. */
export type Database = { [T in keyof Tables]: Row<Tables[T]> };

type TableWith<Columns> = { [T in Table]: Database[T] extends Columns ? T : never }[Table];

/** The descriptions of all tables, by name. */
export const objects: Readonly<Record<keyof Database, StoredObject>> = { meta, ...tables };

/** The names of all tables except `meta`. */
export const tableNames = Object.keys(tables) as Table[];

/** The tables whose rows are deleted with their project. */
export const projectTables = tableNames.filter(
  (name) => objects[name].columns.project_id?.isNullable === false,
) as TableWith<{ project_id: string }>[];

/** The tables whose ids are in answers of the API. */
export const publicTables = tableNames.filter((name) => objects[name].hasPublicId) as TableWith<{
  id: string;
}>[];

/** The tables whose rows are in `GET /_control/snapshot`. */
export type ShownTable = { [T in Table]: Tables[T] extends { section: string } ? T : never }[Table];
export const shownTables = tableNames.filter((name) => objects[name].section) as ShownTable[];

/** The rows of all tables for people, by section. */
export type Sections = {
  [T in ShownTable as Tables[T] extends { section: infer Section extends string } ? Section : never]: Shown<
    Tables[T]
  >[];
};
