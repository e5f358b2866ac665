import {
  flag,
  json,
  object,
  oneOf,
  publicId,
  type Row,
  receiverUrl,
  sealed,
  text,
  time,
} from "../store/object";

export const integrations = object("integrations", {
  columns: {
    id: publicId("integration", "oac_", 24),
    slug: text(),
    name: text(),
    owner_id: text(),
    client_secret: sealed(),
    redirect_url: text(),
    webhook_url: receiverUrl().orNull(),
    scopes: json(),
    created_at: time(),
  },
  unique: [{ columns: ["slug"] }],
  section: "integrations",
});
export type IntegrationRow = Row<typeof integrations>;

export const configurations = object("configurations", {
  columns: {
    id: publicId("configuration", "icfg_", 24),
    integration_id: text(),
    account_id: text(),
    /** The user who installed it, or who took over its ownership. */
    user_id: text(),
    scopes: json(),
    /** Scopes that are not yet confirmed. */
    pending_scopes: json(),
    /** 1 if the installation covers only the projects in `configuration_projects`. */
    selected: flag(),
    source: oneOf("marketplace", "deploy-button", "external"),
    /** When the first code was exchanged. */
    completed_at: time().orNull(),
    disabled_at: time().orNull(),
    disabled_reason: text().orNull(),
    /** When the configuration will be deleted, if it was disabled because its owner left. */
    delete_at: time().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  indexes: [["account_id"], ["integration_id"], ["delete_at"]],
  section: "installations",
});
export type ConfigurationRow = Row<typeof configurations>;

export const configurationProjects = object("configuration_projects", {
  columns: {
    configuration_id: text(),
    project_id: text(),
  },
  key: ["configuration_id", "project_id"],
  section: "installationProjects",
});

export const codes = object("codes", {
  columns: {
    hash: text(),
    configuration_id: text(),
    expires_at: time(),
    used_at: time().orNull(),
  },
  key: ["hash"],
  indexes: [["expires_at"]],
});

/** The id of a removed configuration, which is never used again. */
export const retiredIds = object("retired_ids", {
  columns: {
    id: text(),
  },
});
