import { object, type Row, text, time } from "../store/object";

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
