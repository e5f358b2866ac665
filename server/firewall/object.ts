import { flag, integer, json, object, publicId, type Row, text, time } from "../store/object";

/** A rule that lets an IP address bypass the firewall of a project. */
export const firewallBypasses = object("firewall_bypasses", {
  columns: {
    /** Derived from project, domain and address, so that a project cannot have the same rule twice. */
    id: text(),
    project_id: text(),
    /** `*` means all domains of the project. */
    domain: text(),
    /** An IP address or a range, in lower case. */
    ip: text(),
    note: text().orNull(),
    /** The user who created it. */
    actor_id: text(),
    created_at: time(),
    updated_at: time(),
    /** null if it does not expire. */
    expires_at: time().orNull(),
  },
  indexes: [["project_id", "id"]],
  section: "firewallBypasses",
});
export type FirewallBypassRow = Row<typeof firewallBypasses>;

/** A version of the firewall configuration of a project. */
export const firewallConfigs = object("firewall_configs", {
  columns: {
    id: publicId("firewallConfig", "waf_", 20),
    project_id: text(),
    /** Counts from 1. 0 for the draft. */
    version: integer(),
    /** One version of the project is active. */
    is_active: flag(),
    /** The configuration as a request writes it; each rule has an id. */
    settings: json(),
    /** The changes of the draft. */
    changes: json(),
    updated_at: time(),
  },
  unique: [{ columns: ["project_id", "version"] }],
  section: "firewallConfigs",
});
export type FirewallConfigRow = Row<typeof firewallConfigs>;
