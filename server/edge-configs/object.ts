import { hide, integer, json, object, publicId, type Row, sealed, text, time } from "../store/object";

/** The connection of a project to an Edge Config, with the token that it uses, if any. */
export const edgeConnections = object("edge_connections", {
  columns: {
    project_id: text(),
    edge_config_id: text(),
    token_id: text().orNull(),
  },
  key: ["project_id", "edge_config_id"],
});

export const edgeConfigs = object("edge_configs", {
  columns: {
    id: publicId("edgeConfig", "ecfg_", 28),
    account_id: text(),
    /** Not unique. */
    slug: text(),
    /** The JSON schema of its items. */
    schema: json().orNull(),
    /** Changes with the items. */
    digest: hide(text()),
    item_count: integer(),
    /** The bytes of the keys and values. */
    size: hide(integer()),
    created_by: text().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  indexes: [["account_id", "created_at"]],
  section: "edgeConfigs",
});
export type EdgeConfigRow = Row<typeof edgeConfigs>;

export const edgeConfigItems = object("edge_config_items", {
  columns: {
    edge_config_id: text(),
    key: text(),
    /** Sealed JSON. */
    value: sealed(),
    /** HMAC of the item. */
    digest: hide(text()),
    /** The bytes of key and value together. */
    size: hide(integer()),
    description: text().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  key: ["edge_config_id", "key"],
  section: "edgeConfigItems",
});
export type EdgeConfigItemRow = Row<typeof edgeConfigItems>;

export const edgeConfigTokens = object("edge_config_tokens", {
  columns: {
    id: publicId("edgeConfigToken", "", 24),
    edge_config_id: text(),
    label: text(),
    /** HMAC of the token, which is not kept itself. */
    digest: hide(text()),
    /** The first characters of the token. */
    partial: hide(text()),
    created_at: time(),
  },
  unique: [{ columns: ["edge_config_id", "digest"] }],
  section: "edgeConfigTokens",
});
export type EdgeConfigTokenRow = Row<typeof edgeConfigTokens>;

/** The items of an Edge Config after one of its last changes. */
export const edgeConfigBackups = object("edge_config_backups", {
  columns: {
    id: publicId("edgeConfigBackup", "", 24),
    edge_config_id: text(),
    /** The slug at that time. */
    slug: text(),
    digest: hide(text()),
    /** Array of `BackupItem`, whose values are sealed. */
    items: hide(json()),
    item_count: integer(),
    /** The bytes of the keys and values. */
    size: hide(integer()),
    created_by: text().orNull(),
    created_at: time(),
  },
  indexes: [["edge_config_id", "created_at"]],
  section: "edgeConfigBackups",
});
export type EdgeConfigBackupRow = Row<typeof edgeConfigBackups>;
