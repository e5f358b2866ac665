import {
  flag,
  hide,
  integer,
  json,
  object,
  oneOf,
  publicId,
  type Row,
  sealed,
  text,
  time,
} from "../store/object";

export const projects = object("projects", {
  columns: {
    id: publicId("project", "prj_", 28),
    account_id: text(),
    name: text(),
    /** The writable fields without a column of their own. */
    settings: json(),
    /** Sealed password of `passwordProtection`. */
    password: sealed().orNull(),
    link: hide(json().orNull()),
    repo: text().orNull(),
    repo_id: hide(text().orNull()),
    repo_url: text().orNull(),
    git_fork_protection: flag(),
    node_version: text(),
    paused: flag(),
    data_cache_disabled: flag(),
    production_deployment_id: text().orNull(),
    last_rollback_target: json().orNull(),
    transfer_started_at: time().orNull(),
    transfer_to_account_id: text().orNull(),
    transfer_completed_at: time().orNull(),
    transferred_from_account_id: text().orNull(),
    /** Number and size of the project's variables, for their limits: `env/totals.ts`. */
    env_totals: hide(json()),
    created_at: time(),
    /** Unique per account, since lists are ordered and paged by it. */
    updated_at: time(),
  },
  unique: [{ columns: ["account_id", "name"] }, { columns: ["account_id", "updated_at"] }],
  section: "projects",
});
export type ProjectRow = Row<typeof projects>;

export const bypassSecrets = object("bypass_secrets", {
  columns: {
    id: text(),
    project_id: text(),
    /** HMAC of the secret, to find it without decrypting every row. */
    digest: text(),
    secret: text(),
    note: text().orNull(),
    /** 1 for the one secret of a project that deployments get as a variable. */
    is_env_var: integer(),
    created_at: time(),
    created_by: text(),
  },
  unique: [{ columns: ["project_id", "digest"] }],
});
export type BypassSecretRow = Row<typeof bypassSecrets>;

export const gitProviders = object("git_providers", {
  columns: {
    account_id: text(),
    type: oneOf("github", "gitlab", "bitbucket"),
    /** Array of `owner/name`; null: every repository. */
    repos: json().orNull(),
    webhooks: oneOf("ok", "forbidden", "unavailable"),
  },
  key: ["account_id", "type"],
});

/** The code with which another account may take over a project. Only its hash is stored. */
export const transferRequests = object("transfer_requests", {
  columns: { project_id: text(), hash: text(), expires_at: time() },
  key: ["project_id"],
  unique: [{ columns: ["hash"] }],
});
export type TransferRequestRow = Row<typeof transferRequests>;
