import { flag, object, publicId, type Row, text, time } from "../store/object";

/** A group of projects that are composed to one application. */
export const microfrontendGroups = object("microfrontend_groups", {
  columns: {
    id: publicId("microfrontendGroup", "mfe_", 28),
    /** The team. */
    account_id: text(),
    name: text(),
    /** The name as in URLs. */
    slug: text(),
    fallback_environment: text(),
    polyrepo_branches: flag(),
    created_at: time(),
    updated_at: time(),
  },
  unique: [{ columns: ["account_id", "name"] }, { columns: ["account_id", "slug"] }],
  section: "microfrontendGroups",
});
export type GroupRow = Row<typeof microfrontendGroups>;

/** A project of a group. A project belongs to one group at most. */
export const microfrontends = object("microfrontends", {
  columns: {
    project_id: text(),
    group_id: text(),
    is_default_app: flag(),
    default_route: text().orNull(),
    /** Null in these two: the project was never given the setting. */
    observability_here: flag().orNull(),
    no_routing: flag().orNull(),
    updated_at: time(),
  },
  key: ["project_id"],
  indexes: [["group_id"]],
  section: "microfrontends",
});
export type MicrofrontendRow = Row<typeof microfrontends>;
