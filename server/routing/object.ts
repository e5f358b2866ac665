import { flag, integer, json, object, oneOf, publicId, type Row, text, time } from "../store/object";

/** A version of the redirects or of the routes of a project: all of them, in their order. */
export const routingVersions = object("routing_versions", {
  columns: {
    id: publicId("routingVersion", "rver_", 20),
    project_id: text(),
    kind: oneOf("redirects", "routes"),
    /** Counts from 1, for each kind. */
    number: integer(),
    /** At most one version of a kind serves production. */
    is_live: flag(),
    /** At most one version of a kind has changes that are not published. */
    is_staging: flag(),
    /** Only versions of redirects have a name. */
    name: text().orNull(),
    /** Array of `Redirect` or `Rule`. */
    items: json(),
    created_by: text(),
    updated_at: time(),
  },
  unique: [{ columns: ["project_id", "kind", "number"] }],
  section: "routingVersions",
});
export type RoutingVersionRow = Row<typeof routingVersions>;
