// Longer than other files: all migrations are here in their order, and none of them ever changes.

/** Makes the statements of a migration in the dialect of an engine. */
type Migration = (spell: Spelling) => string[];

/**
 * The migrations in their order. A released migration never changes. A new one is added at the end.
 * Every migration runs on both engines, so integers have 64 bits on both.
 */
export const migrations: Record<string, Migration> = {
  "0001-first": first,
  "0002-retention": retention,
  "0003-rivals": rivals,
  "0004-bypass-notes": bypassNotes,
  "0005-builds": builds,
  "0006-unversioned": unversioned,
  "0007-unknown-members": unknownMembers,
  "0008-aliases": aliases,
  "0009-receiver-accounts": receiverAccounts,
  "0010-uploads": uploads,
  "0011-sensitive-policy": sensitivePolicy,
  "0012-deployment-files": deploymentFiles,
  "0013-domain-records": domainRecords,
  "0014-shared-variables": sharedVariables,
  "0015-drain-changes": drainChanges,
  "0016-invitations": invitations,
  "0017-firewall-bypasses": firewallBypasses,
  "0018-project-members": projectMembers,
  "0019-edge-configs": edgeConfigs,
  "0020-added-domains": addedDomains,
  "0021-team-settings": teamSettings,
};

/** Types that the engines spell differently. */
export interface Spelling {
  /** The type of text that is ordered by its bytes, whatever the collation of the database. */
  text: string;
}

type Columns = Record<string, "text" | "text?" | "integer" | "integer?">;

function first(spell: Spelling): string[] {
  const table = (name: string, columns: Columns, key: string[]): string =>
    createTable(spell, name, columns, key);
  return [
    table("meta", { name: "text", value: "text" }, ["name"]),
    table(
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
    ),
    unique("accounts", ["kind", "slug"]),
    table("members", { team_id: "text", user_id: "text", role: "text", created_at: "integer" }, [
      "team_id",
      "user_id",
    ]),
    index("members", ["user_id"]),
    table(
      "tokens",
      {
        hash: "text",
        user_id: "text",
        account_id: "text?",
        configuration_id: "text?",
        created_at: "integer",
      },
      ["hash"],
    ),
    index("tokens", ["configuration_id"]),
    table(
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
    ),
    unique("projects", ["account_id", "name"]),
    unique("projects", ["account_id", "updated_at"]),
    table(
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
    ),
    unique("bypass_secrets", ["project_id", "digest"]),
    table(
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
    ),
    unique("custom_environments", ["project_id", "slug"]),
    table("edge_connections", { project_id: "text", edge_config_id: "text", token_id: "text?" }, [
      "project_id",
      "edge_config_id",
    ]),
    table("git_providers", { account_id: "text", type: "text", repos: "text?", webhooks: "text" }, [
      "account_id",
      "type",
    ]),
    table(
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
    ),
    index("deployments", ["account_id", "name", "created_at"]),
    table(
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
    ),
    unique("promotions", ["project_id", "requested_at"]),
    unique("promotions", ["project_id"], "status in ('pending', 'in-progress')"),
    table(
      "promotion_aliases",
      { id: "text", promotion_id: "text", alias: "text", outcome: "text", created_at: "integer" },
      ["id"],
    ),
    unique("promotion_aliases", ["promotion_id", "created_at"]),
    table(
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
    ),
    unique("domains", ["account_id", "name"]),
    unique("domains", ["name"], "verified = 1"),
    unique("domains", ["project_id", "created_at"]),
    index("domains", ["account_id", "apex_name"]),
    table(
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
    ),
    unique("env_vars", ["project_id", "created_at"]),
    table(
      "env_slots",
      { project_id: "text", key: "text", target: "text", git_branch: "text", env_id: "text" },
      ["project_id", "key", "target", "git_branch"],
    ),
    table("dns_records", { id: "text", name: "text", type: "text", value: "text" }, ["id"]),
    index("dns_records", ["name", "type"]),
    table(
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
    ),
    unique("integrations", ["slug"]),
    table(
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
    ),
    index("configurations", ["account_id"]),
    index("configurations", ["integration_id"]),
    index("configurations", ["delete_at"]),
    table("configuration_projects", { configuration_id: "text", project_id: "text" }, [
      "configuration_id",
      "project_id",
    ]),
    table("codes", { hash: "text", configuration_id: "text", expires_at: "integer", used_at: "integer?" }, [
      "hash",
    ]),
    table("retired_ids", { id: "text" }, ["id"]),
    table(
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
    ),
    index("webhooks", ["account_id"]),
    table(
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
    ),
    index("log_drains", ["account_id"]),
    table(
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
    ),
    unique("events", ["account_id", "sequence"]),
    table(
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
    ),
    index("receivers", ["next_attempt_at"]),
    table(
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
    ),
    unique("deliveries", ["receiver_id", "position"]),
    index("deliveries", ["receiver_id", "state", "position"]),
    index("deliveries", ["event_id"]),
    table(
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
    ),
    unique("mail", ["sequence"]),
    index("mail", ["next_attempt_at"]),
    table("rate_windows", { bucket: "text", resets_at: "integer", count: "integer" }, ["bucket"]),
  ];
}

/** Indexes by time, for the removal of old rows. */
function retention(): string[] {
  return [
    index("events", ["created_at"]),
    index("mail", ["created_at"]),
    index("codes", ["expires_at"]),
    index("rate_windows", ["resets_at"]),
  ];
}

/** An index of domains by name, to find the same domain in other accounts. */
function rivals(): string[] {
  return [index("domains", ["name"])];
}

/** Simulated builds, after which deployments become ready. */
function builds(): string[] {
  return [`alter table "deployments" add column "ready_at" bigint`, index("deployments", ["ready_at"])];
}

/** Answers are no longer cached, so projects need no version. */
function unversioned(): string[] {
  return [`alter table "projects" drop column "version"`];
}

/** Unknown members that newer clients sent (`--lenient`). */
function unknownMembers(spell: Spelling): string[] {
  return [createTable(spell, "unknown_members", { owner: "text", members: "text" }, ["owner"])];
}

/** Aliases of deployments, besides the names of projects. */
function aliases(spell: Spelling): string[] {
  const columns: Columns = {
    id: "text",
    account_id: "text",
    deployment_id: "text",
    alias: "text",
    redirect: "text?",
    creator_id: "text",
    created_at: "integer",
    updated_at: "integer",
  };
  return [
    createTable(spell, "aliases", columns, ["id"]),
    unique("aliases", ["alias"]),
    index("aliases", ["account_id", "created_at"]),
    index("aliases", ["deployment_id"]),
  ];
}

/** The account of a receiver, so that each account gets its share of deliveries. */
function receiverAccounts({ text }: Spelling): string[] {
  return [
    `alter table "receivers" add column "account_id" ${text} not null default ''`,
    `update "receivers" set "account_id" = coalesce((select max(e."account_id") from "deliveries" as d
       join "events" as e on e."id" = d."event_id" where d."receiver_id" = "receivers"."id"), '')`,
  ];
}

/** The notes of bypass secrets, and the secret that deployments get as a variable: until now the oldest one. */
function bypassNotes({ text }: Spelling): string[] {
  return [
    `alter table "bypass_secrets" add column "note" ${text}`,
    `alter table "bypass_secrets" add column "is_env_var" bigint not null default 0`,
    `update "bypass_secrets" set "is_env_var" = 1 where not exists (select 1 from "bypass_secrets" as o
       where o."project_id" = "bypass_secrets"."project_id" and (o."created_at" < "bypass_secrets"."created_at"
         or (o."created_at" = "bypass_secrets"."created_at" and o."id" < "bypass_secrets"."id")))`,
  ];
}

/** Uploaded files, and the environments, variables and states of builds. */
function uploads(spell: Spelling): string[] {
  const { text } = spell;
  return [
    createTable(
      spell,
      "uploads",
      { account_id: "text", sha: "text", size: "integer", created_at: "integer" },
      ["account_id", "sha"],
    ),
    index("uploads", ["created_at"]),
    `alter table "deployments" add column "custom_environment_id" ${text}`,
    `alter table "deployments" add column "build" ${text}`,
    createTable(spell, "deployment_variables", { deployment_id: "text", revisions: "text" }, [
      "deployment_id",
    ]),
  ];
}

/** Whether new variables of a team must be sensitive. */
function sensitivePolicy({ text }: Spelling): string[] {
  return [`alter table "accounts" add column "sensitive_policy" ${text}`];
}

/** The files that deployments were created with. */
function deploymentFiles(spell: Spelling): string[] {
  return [
    createTable(spell, "deployment_files", { deployment_id: "text", files: "text" }, ["deployment_id"]),
  ];
}

/** The DNS records of the domains of accounts. */
function domainRecords(spell: Spelling): string[] {
  const columns: Columns = {
    id: "text",
    account_id: "text",
    domain: "text",
    name: "text",
    type: "text",
    priority: "integer?",
    value: "text",
    digest: "text",
    ttl: "integer",
    comment: "text?",
    creator_id: "text",
    created_at: "integer",
    updated_at: "integer",
  };
  return [
    createTable(spell, "domain_records", columns, ["id"]),
    unique("domain_records", ["account_id", "domain", "digest"]),
    index("domain_records", ["account_id", "domain", "created_at"]),
    index("domain_records", ["account_id", "domain", "name"]),
  ];
}

/** The variables of teams, and the projects that they are linked to. */
function sharedVariables(spell: Spelling): string[] {
  const columns: Columns = {
    id: "text",
    account_id: "text",
    key: "text",
    type: "text",
    value: "text",
    target: "text",
    apply_to_all: "integer",
    comment: "text?",
    created_by: "text?",
    updated_by: "text?",
    created_at: "integer",
    updated_at: "integer",
  };
  return [
    createTable(spell, "shared_env_vars", columns, ["id"]),
    index("shared_env_vars", ["account_id", "created_at"]),
    index("shared_env_vars", ["account_id", "key"]),
    createTable(
      spell,
      "shared_env_slots",
      { account_id: "text", key: "text", target: "text", env_id: "text" },
      ["account_id", "key", "target"],
    ),
    createTable(spell, "shared_env_links", { env_id: "text", project_id: "text" }, ["env_id", "project_id"]),
    index("shared_env_links", ["project_id"]),
  ];
}

/** The time of the last change of a log drain; null if it was never changed. */
function drainChanges(): string[] {
  return ['alter table "log_drains" add column "updated_at" bigint'];
}

/** Users who were invited to a team and have not accepted. */
function invitations(): string[] {
  return [`alter table "members" add column "confirmed" bigint not null default 1`];
}

/** The rules of projects that let IP addresses bypass the firewall. */
function firewallBypasses(spell: Spelling): string[] {
  const columns: Columns = {
    id: "text",
    project_id: "text",
    domain: "text",
    ip: "text",
    note: "text?",
    actor_id: "text",
    created_at: "integer",
    updated_at: "integer",
    expires_at: "integer?",
  };
  return [
    createTable(spell, "firewall_bypasses", columns, ["id"]),
    index("firewall_bypasses", ["project_id", "id"]),
  ];
}

/** The roles of members of teams in projects. */
function projectMembers(spell: Spelling): string[] {
  const columns: Columns = { project_id: "text", user_id: "text", role: "text", created_at: "integer" };
  return [
    createTable(spell, "project_members", columns, ["project_id", "user_id"]),
    index("project_members", ["user_id"]),
  ];
}

/** The Edge Configs of accounts, with their items and tokens. */
function edgeConfigs(spell: Spelling): string[] {
  const configs: Columns = {
    id: "text",
    account_id: "text",
    slug: "text",
    schema: "text?",
    digest: "text",
    item_count: "integer",
    size: "integer",
    created_by: "text?",
    created_at: "integer",
    updated_at: "integer",
  };
  const items: Columns = {
    edge_config_id: "text",
    key: "text",
    value: "text",
    digest: "text",
    size: "integer",
    description: "text?",
    created_at: "integer",
    updated_at: "integer",
  };
  const tokens: Columns = {
    id: "text",
    edge_config_id: "text",
    label: "text",
    digest: "text",
    partial: "text",
    created_at: "integer",
  };
  return [
    createTable(spell, "edge_configs", configs, ["id"]),
    index("edge_configs", ["account_id", "created_at"]),
    createTable(spell, "edge_config_items", items, ["edge_config_id", "key"]),
    createTable(spell, "edge_config_tokens", tokens, ["id"]),
    unique("edge_config_tokens", ["edge_config_id", "digest"]),
  ];
}

/** The domains that were added to accounts without a project. */
function addedDomains(spell: Spelling): string[] {
  const columns: Columns = {
    account_id: "text",
    name: "text",
    verified: "integer",
    zone: "integer",
    ech_mode: "text",
    created_at: "integer",
  };
  return [
    createTable(spell, "added_domains", columns, ["account_id", "name"]),
    index("added_domains", ["name"]),
  ];
}

/** The settings of teams that have no column of their own. */
function teamSettings({ text }: Spelling): string[] {
  return [`alter table "accounts" add column "settings" ${text}`];
}

function createTable({ text }: Spelling, name: string, columns: Columns, key: string[]): string {
  const parts = Object.entries(columns).map(
    ([column, type]) =>
      `"${column}" ${type.startsWith("text") ? text : "bigint"}${type.endsWith("?") ? "" : " not null"}`,
  );
  return `create table "${name}" (${parts.join(", ")}, constraint "${name}_pk" primary key (${quoted(key)}))`;
}

const index = (table: string, columns: string[]): string =>
  `create index "${[table, ...columns].join("_")}" on "${table}" (${quoted(columns)})`;

/** @param where the condition of a partial index */
function unique(table: string, columns: string[], where?: string): string {
  const name = [table, ...columns, ...(where ? ["partly"] : [])].join("_");
  return `create unique index "${name}" on "${table}" (${quoted(columns)})${where ? ` where ${where}` : ""}`;
}

const quoted = (names: string[]): string => names.map((name) => `"${name}"`).join(", ");
