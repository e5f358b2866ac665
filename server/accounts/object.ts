import { flag, hide, integer, json, object, oneOf, publicId, type Row, text, time } from "../store/object";

/** A user or a team, which owns projects. */
export const accounts = object("accounts", {
  columns: {
    id: publicId(),
    kind: oneOf("user", "team"),
    /** A team's slug, a user's username. Unique per kind. */
    slug: text(),
    name: text().orNull(),
    email: text().orNull(),
    plan: oneOf("hobby", "pro", "enterprise"),
    /** Array of add-on names. */
    addons: json(),
    soft_blocked: flag(),
    payment_method_needs_update: flag(),
    /** Array of domain names that the account may not use. */
    denied_domains: json(),
    /** Whether new variables for production and preview must be sensitive; null: it was never set. */
    sensitive_policy: oneOf("on", "off", "default").orNull(),
    /** The other settings of a team; null: none was set. */
    settings: json().orNull(),
    /** The number of the account's last event; the numbers have no gaps. */
    event_sequence: hide(integer()),
    created_at: time(),
  },
  unique: [{ columns: ["kind", "slug"] }],
  section: "accounts",
});
export type AccountRow = Row<typeof accounts>;
