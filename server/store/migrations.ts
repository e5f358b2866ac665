import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";

type Columns = Record<string, "text" | "text?" | "integer" | "integer?">;

/**
 * The schema, step by step. A step that was released never changes; the next one is added below it.
 * Every step runs on both engines: `integer` is 64 bits wide in either.
 */
export const migrations: Record<string, Migration> = {
  "0001-first": { up: first },
  "0002-retention": { up: retention },
  "0003-rivals": { up: rivals },
};

async function first(db: Kysely<unknown>): Promise<void> {
  const table = (name: string, columns: Columns, key: string[]): Promise<void> =>
    createTable(db, name, columns, key);
  const unique = (table: string, columns: string[], where?: string): Promise<void> =>
    createIndex(db, table, columns, true, where);
  const index = (table: string, columns: string[]): Promise<void> => createIndex(db, table, columns, false);

  await table("meta", { name: "text", value: "text" }, ["name"]);

  await table(
    "accounts",
    {
      id: "text",
      kind: "text",
      slug: "text",
      name: "text?",
      email: "text?",
      plan: "text",
      addons: "text",
      soft_blocked: "integer",
      payment_method_needs_update: "integer",
      denied_domains: "text",
      event_sequence: "integer",
      created_at: "integer",
    },
    ["id"],
  );
  await unique("accounts", ["kind", "slug"]);
  await table("members", { team_id: "text", user_id: "text", role: "text", created_at: "integer" }, [
    "team_id",
    "user_id",
  ]);
  await index("members", ["user_id"]);
  await table(
    "tokens",
    { hash: "text", user_id: "text", account_id: "text?", configuration_id: "text?", created_at: "integer" },
    ["hash"],
  );
  await index("tokens", ["configuration_id"]);

  await table(
    "projects",
    {
      id: "text",
      account_id: "text",
      name: "text",
      settings: "text",
      password: "text?",
      link: "text?",
      repo: "text?",
      repo_id: "text?",
      repo_url: "text?",
      git_fork_protection: "integer",
      node_version: "text",
      paused: "integer",
      data_cache_disabled: "integer",
      production_deployment_id: "text?",
      last_rollback_target: "text?",
      transfer_started_at: "integer?",
      transfer_to_account_id: "text?",
      transfer_completed_at: "integer?",
      transferred_from_account_id: "text?",
      env_totals: "text",
      created_at: "integer",
      updated_at: "integer",
      version: "integer",
    },
    ["id"],
  );
  await unique("projects", ["account_id", "name"]);
  await unique("projects", ["account_id", "updated_at"]);
  await table(
    "bypass_secrets",
    {
      id: "text",
      project_id: "text",
      digest: "text",
      secret: "text",
      created_at: "integer",
      created_by: "text",
    },
    ["id"],
  );
  await unique("bypass_secrets", ["project_id", "digest"]);
  await table(
    "custom_environments",
    {
      id: "text",
      project_id: "text",
      slug: "text",
      description: "text?",
      branch_matcher: "text?",
      created_at: "integer",
      updated_at: "integer",
    },
    ["id"],
  );
  await unique("custom_environments", ["project_id", "slug"]);
  await table("edge_connections", { project_id: "text", edge_config_id: "text", token_id: "text?" }, [
    "project_id",
    "edge_config_id",
  ]);
  await table("git_providers", { account_id: "text", type: "text", repos: "text?", webhooks: "text" }, [
    "account_id",
    "type",
  ]);

  await table(
    "deployments",
    {
      id: "text",
      account_id: "text",
      name: "text",
      target: "text",
      ready_state: "text",
      git_branch: "text?",
      git_sha: "text?",
      url: "text",
      meta: "text",
      creator_id: "text",
      created_at: "integer",
    },
    ["id"],
  );
  await index("deployments", ["account_id", "name", "created_at"]);
  await table(
    "promotions",
    {
      id: "text",
      project_id: "text",
      kind: "text",
      from_deployment_id: "text?",
      to_deployment_id: "text",
      status: "text",
      requested_at: "integer",
      completes_at: "integer",
    },
    ["id"],
  );
  await unique("promotions", ["project_id", "requested_at"]);
  await unique("promotions", ["project_id"], "status in ('pending', 'in-progress')");
  await table(
    "promotion_aliases",
    { id: "text", promotion_id: "text", alias: "text", outcome: "text", created_at: "integer" },
    ["id"],
  );
  await unique("promotion_aliases", ["promotion_id", "created_at"]);

  await table(
    "domains",
    {
      id: "text",
      project_id: "text",
      account_id: "text",
      name: "text",
      apex_name: "text",
      verified: "integer",
      challenge: "text",
      git_branch: "text?",
      custom_environment_id: "text?",
      redirect: "text?",
      redirect_status_code: "integer?",
      created_at: "integer",
      updated_at: "integer",
    },
    ["id"],
  );
  await unique("domains", ["account_id", "name"]);
  await unique("domains", ["name"], "verified = 1");
  await unique("domains", ["project_id", "created_at"]);
  await index("domains", ["account_id", "apex_name"]);

  await table(
    "env_vars",
    {
      id: "text",
      project_id: "text",
      key: "text",
      type: "text",
      value: "text",
      size: "integer",
      target: "text",
      custom_environment_ids: "text",
      git_branch: "text?",
      comment: "text?",
      configuration_id: "text?",
      created_by: "text?",
      updated_by: "text?",
      created_at: "integer",
      updated_at: "integer",
    },
    ["id"],
  );
  await unique("env_vars", ["project_id", "created_at"]);
  await table(
    "env_slots",
    { project_id: "text", key: "text", target: "text", git_branch: "text", env_id: "text" },
    ["project_id", "key", "target", "git_branch"],
  );

  await table("dns_records", { id: "text", name: "text", type: "text", value: "text" }, ["id"]);
  await index("dns_records", ["name", "type"]);

  await table(
    "integrations",
    {
      id: "text",
      slug: "text",
      name: "text",
      owner_id: "text",
      client_secret: "text",
      redirect_url: "text",
      webhook_url: "text?",
      scopes: "text",
      created_at: "integer",
    },
    ["id"],
  );
  await unique("integrations", ["slug"]);
  await table(
    "configurations",
    {
      id: "text",
      integration_id: "text",
      account_id: "text",
      user_id: "text",
      scopes: "text",
      pending_scopes: "text",
      selected: "integer",
      source: "text",
      completed_at: "integer?",
      disabled_at: "integer?",
      disabled_reason: "text?",
      delete_at: "integer?",
      created_at: "integer",
      updated_at: "integer",
    },
    ["id"],
  );
  await index("configurations", ["account_id"]);
  await index("configurations", ["integration_id"]);
  await index("configurations", ["delete_at"]);
  await table("configuration_projects", { configuration_id: "text", project_id: "text" }, [
    "configuration_id",
    "project_id",
  ]);
  await table(
    "codes",
    { hash: "text", configuration_id: "text", expires_at: "integer", used_at: "integer?" },
    ["hash"],
  );
  await table("retired_ids", { id: "text" }, ["id"]);

  await table(
    "webhooks",
    {
      id: "text",
      account_id: "text",
      url: "text",
      events: "text",
      project_ids: "text?",
      secret: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    ["id"],
  );
  await index("webhooks", ["account_id"]);
  await table(
    "log_drains",
    {
      id: "text",
      account_id: "text",
      configuration_id: "text?",
      settings: "text",
      secret: "text?",
      created_at: "integer",
    },
    ["id"],
  );
  await index("log_drains", ["account_id"]);
  await table(
    "events",
    {
      id: "text",
      account_id: "text",
      sequence: "integer",
      type: "text",
      payload: "text",
      project_id: "text?",
      user_id: "text?",
      created_at: "integer",
    },
    ["id"],
  );
  await unique("events", ["account_id", "sequence"]);
  await table(
    "receivers",
    {
      id: "text",
      kind: "text",
      url: "text",
      secret: "text",
      secret_row: "text",
      position: "integer",
      next_attempt_at: "integer?",
      lease: "text?",
      leased_until: "integer",
    },
    ["id"],
  );
  await index("receivers", ["next_attempt_at"]);
  await table(
    "deliveries",
    {
      id: "text",
      receiver_id: "text",
      event_id: "text",
      position: "integer",
      state: "text",
      attempts: "integer",
      first_attempt_at: "integer?",
      last_error: "text?",
    },
    ["id"],
  );
  await unique("deliveries", ["receiver_id", "position"]);
  await index("deliveries", ["receiver_id", "state", "position"]);
  await index("deliveries", ["event_id"]);
  await table(
    "mail",
    {
      id: "text",
      sequence: "integer",
      recipient: "text",
      subject: "text",
      body: "text",
      created_at: "integer",
      sent_at: "integer?",
      attempts: "integer",
      next_attempt_at: "integer?",
      last_error: "text?",
      lease: "text?",
      leased_until: "integer",
    },
    ["id"],
  );
  await unique("mail", ["sequence"]);
  await index("mail", ["next_attempt_at"]);
  await table("rate_windows", { bucket: "text", resets_at: "integer", count: "integer" }, ["bucket"]);
}

/** What is past is found by its time. */
async function retention(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, "events", ["created_at"], false);
  await createIndex(db, "mail", ["created_at"], false);
  await createIndex(db, "codes", ["expires_at"], false);
  await createIndex(db, "rate_windows", ["resets_at"], false);
}

/** Whoever else claims a domain is found by its name. */
async function rivals(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, "domains", ["name"], false);
}

async function createTable(
  db: Kysely<unknown>,
  name: string,
  columns: Columns,
  key: string[],
): Promise<void> {
  // Text is ordered by its bytes on both engines, whatever order a PostgreSQL database has for its own.
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : sql`text`;
  let table = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) {
    const optional = type.endsWith("?");
    table = table.addColumn(column, type.startsWith("text") ? text : "bigint", (c) =>
      optional ? c : c.notNull(),
    );
  }
  await table.addPrimaryKeyConstraint(`${name}_pk`, key as never[]).execute();
}

async function createIndex(
  db: Kysely<unknown>,
  table: string,
  columns: string[],
  isUnique: boolean,
  where?: string,
): Promise<void> {
  const name = [table, ...columns, ...(where ? ["partly"] : [])].join("_");
  await sql`create ${sql.raw(isUnique ? "unique" : "")} index ${sql.id(name)} on ${sql.table(table)}
    (${sql.join(columns.map((column) => sql.id(column)))}) ${sql.raw(where ? `where ${where}` : "")}`.execute(
    db,
  );
}
