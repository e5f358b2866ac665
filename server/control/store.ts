import type { Selectable } from "kysely";
import type { Database, EventRow, ProjectRow } from "../store/schema";
import type { Tx } from "../store/store";

/** Queries over all accounts, for the control plane alone. */

export interface EventFilter {
  account?: string | undefined;
  type?: string | undefined;
  /** The position of the last event of the previous page, such as `1700000000000.12.team_acme`. */
  until?: string | undefined;
}

/** Lists events, newest first. */
export async function listEvents(
  tx: Tx,
  { account, type, until }: EventFilter,
  limit: number,
): Promise<EventRow[]> {
  let events = tx
    .selectFrom("events")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("sequence", "desc")
    .orderBy("account_id", "desc")
    .limit(limit);
  if (account !== undefined) events = events.where("account_id", "=", account);
  if (type !== undefined) events = events.where("type", "=", type);
  const [, at, sequence, lastAccount] = /^(\d+)\.(\d+)\.(.+)$/.exec(until ?? "") ?? [];
  if (lastAccount === undefined) return events.execute();
  // Sequences are per account, so only time, sequence and account together are unique.
  return events
    .where((eb) =>
      eb.or([
        eb("created_at", "<", Number(at)),
        eb.and([eb("created_at", "=", Number(at)), eb("sequence", "<", Number(sequence))]),
        eb.and([
          eb("created_at", "=", Number(at)),
          eb("sequence", "=", Number(sequence)),
          eb("account_id", "<", lastAccount),
        ]),
      ]),
    )
    .execute();
}

/** The largest number of names in a query, because both engines limit the number of parameters. */
const chunk = 500;

/** The ids of the accounts with these slugs, usernames or ids. */
export async function accountsNamed(tx: Tx, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < names.length; at += chunk) {
    const some = names.slice(at, at + chunk);
    const rows = await tx
      .selectFrom("accounts")
      .select("id")
      .where((eb) => eb.or([eb("slug", "in", some), eb("id", "in", some)]))
      .execute();
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}

/** @param recipient undefined: all mail */
export function mailTo(tx: Tx, recipient: string | undefined) {
  const mail = tx.selectFrom("mail").selectAll();
  return recipient === undefined ? mail : mail.where("recipient", "=", recipient);
}

/** Finds a project by its id. Projects of several accounts may have the same name. */
export const projectById = (tx: Tx, id: string): Promise<ProjectRow | undefined> =>
  tx.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirst();

/**
 * The columns that order the rows of each table in `GET /_control/snapshot`. undefined: the answer does not have the
 * table.
 */
const orders = {
  accounts: ["id"],
  members: ["team_id", "user_id"],
  projects: ["id"],
  domains: ["project_id", "name"],
  custom_environments: ["id"],
  env_vars: ["id"],
  shared_env_vars: ["id"],
  shared_env_links: ["project_id"],
  deployments: ["id"],
  promotions: ["id"],
  integrations: ["id"],
  configurations: ["id"],
  configuration_projects: ["project_id"],
  added_domains: ["account_id", "name"],
  domain_records: ["account_id", "domain", "id"],
  firewall_bypasses: ["id"],
  project_members: ["project_id", "user_id"],
  edge_configs: ["id"],
  edge_config_items: ["edge_config_id", "key"],
  edge_config_tokens: ["id"],
  webhooks: ["id"],
  log_drains: ["id"],
  dns_records: ["name", "value"],
  aliases: undefined,
  bypass_secrets: undefined,
  codes: undefined,
  deliveries: undefined,
  deployment_files: undefined,
  deployment_variables: undefined,
  edge_connections: undefined,
  env_slots: undefined,
  events: undefined,
  git_providers: undefined,
  mail: undefined,
  meta: undefined,
  promotion_aliases: undefined,
  rate_windows: undefined,
  receivers: undefined,
  retired_ids: undefined,
  shared_env_slots: undefined,
  tokens: undefined,
  unknown_members: undefined,
  uploads: undefined,
} as const satisfies { [T in keyof Database]: readonly (keyof Database[T])[] | undefined };

type Ordered = { [T in keyof Database]: (typeof orders)[T] extends undefined ? never : T }[keyof Database];

/** The rows of all accounts, by table, in a stable order. */
export async function allRows(tx: Tx): Promise<{ [T in Ordered]: Selectable<Database[T]>[] }> {
  const found: Record<string, unknown[]> = {};
  for (const [table, columns] of Object.entries(orders)) {
    if (columns === undefined) continue;
    let query = tx.selectFrom(table as Ordered).selectAll();
    for (const column of columns) query = query.orderBy(column);
    found[table] = await query.execute();
  }
  return found as Awaited<ReturnType<typeof allRows>>;
}
