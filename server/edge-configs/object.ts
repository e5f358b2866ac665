import { integer, json, object, type Row, sealed, text, time } from "../store/object";

/** The connection of a project to an Edge Config, with the token that it uses, if any. */
export const edgeConnections = object({
  columns: {
    project_id: text(),
    edge_config_id: text(),
    token_id: text().orNull(),
  },
  key: ["project_id", "edge_config_id"],
});

export const edgeConfigs = object({
  columns: {
    id: text(),
    account_id: text(),
    /** Not unique. */
    slug: text(),
    /** The JSON schema of its items. */
    schema: json().orNull(),
    /** Changes with the items. */
    digest: text(),
    item_count: integer(),
    /** The bytes of the keys and values. */
    size: integer(),
    created_by: text().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  indexes: [["account_id", "created_at"]],
  hasPublicId: true,
  order: ["id"],
});
export type EdgeConfigRow = Row<typeof edgeConfigs>;

export const edgeConfigItems = object({
  columns: {
    edge_config_id: text(),
    key: text(),
    /** Sealed JSON. */
    value: sealed(),
    /** HMAC of the item. */
    digest: text(),
    /** The bytes of key and value together. */
    size: integer(),
    description: text().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  key: ["edge_config_id", "key"],
  order: ["edge_config_id", "key"],
});
export type EdgeConfigItemRow = Row<typeof edgeConfigItems>;

export const edgeConfigTokens = object({
  columns: {
    id: text(),
    edge_config_id: text(),
    label: text(),
    /** HMAC of the token, which is not kept itself. */
    digest: text(),
    /** The first characters of the token. */
    partial: text(),
    created_at: time(),
  },
  unique: [{ columns: ["edge_config_id", "digest"] }],
  hasPublicId: true,
  order: ["id"],
});
export type EdgeConfigTokenRow = Row<typeof edgeConfigTokens>;
