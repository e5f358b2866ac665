import type { EventRow, ProjectRow } from "../store/schema";
import type { Tx } from "../store/store";

/** Queries over all accounts, which only the control plane makes. */

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

/** @param recipient undefined: all mail */
export function mailTo(tx: Tx, recipient: string | undefined) {
  const mail = tx.selectFrom("mail").selectAll();
  return recipient === undefined ? mail : mail.where("recipient", "=", recipient);
}

/** Finds a project by its id alone, since projects of several accounts may have the same name. */
export const projectById = (tx: Tx, id: string): Promise<ProjectRow | undefined> =>
  tx.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirst();

/** The rows of all accounts, in a stable order. */
export async function allRows(tx: Tx) {
  return {
    accounts: await tx.selectFrom("accounts").selectAll().orderBy("id").execute(),
    members: await tx.selectFrom("members").selectAll().orderBy("team_id").orderBy("user_id").execute(),
    projects: await tx.selectFrom("projects").selectAll().orderBy("id").execute(),
    domains: await tx.selectFrom("domains").selectAll().orderBy("project_id").orderBy("name").execute(),
    environments: await tx.selectFrom("custom_environments").selectAll().orderBy("id").execute(),
    env: await tx.selectFrom("env_vars").selectAll().orderBy("id").execute(),
    sharedEnv: await tx.selectFrom("shared_env_vars").selectAll().orderBy("id").execute(),
    sharedLinks: await tx.selectFrom("shared_env_links").selectAll().orderBy("project_id").execute(),
    deployments: await tx.selectFrom("deployments").selectAll().orderBy("id").execute(),
    promotions: await tx.selectFrom("promotions").selectAll().orderBy("id").execute(),
    integrations: await tx.selectFrom("integrations").selectAll().orderBy("id").execute(),
    installations: await tx.selectFrom("configurations").selectAll().orderBy("id").execute(),
    covered: await tx.selectFrom("configuration_projects").selectAll().orderBy("project_id").execute(),
    dnsRecords: await tx
      .selectFrom("domain_records")
      .selectAll()
      .orderBy("account_id")
      .orderBy("domain")
      .orderBy("id")
      .execute(),
    firewallBypasses: await tx.selectFrom("firewall_bypasses").selectAll().orderBy("id").execute(),
    projectMembers: await tx
      .selectFrom("project_members")
      .selectAll()
      .orderBy("project_id")
      .orderBy("user_id")
      .execute(),
    edgeConfigs: await tx.selectFrom("edge_configs").selectAll().orderBy("id").execute(),
    edgeConfigItems: await tx
      .selectFrom("edge_config_items")
      .selectAll()
      .orderBy("edge_config_id")
      .orderBy("key")
      .execute(),
    edgeConfigTokens: await tx.selectFrom("edge_config_tokens").selectAll().orderBy("id").execute(),
    webhooks: await tx.selectFrom("webhooks").selectAll().orderBy("id").execute(),
    drains: await tx.selectFrom("log_drains").selectAll().orderBy("id").execute(),
    dns: await tx.selectFrom("dns_records").selectAll().orderBy("name").orderBy("value").execute(),
  };
}
