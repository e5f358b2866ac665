import { hide, json, object, oneOf, publicId, type Row, sealed, text, time } from "../store/object";

export const logDrains = object("log_drains", {
  columns: {
    id: publicId("logDrain", "ld_", 16),
    account_id: text(),
    configuration_id: text().orNull(),
    /** The drain as the API shows it, without its secret; its headers are sealed. */
    settings: hide(json()),
    secret: sealed().orNull(),
    created_at: time(),
    /** null if it was never changed. */
    updated_at: time().orNull(),
  },
  indexes: [["account_id"]],
  section: "logDrains",
});
export type LogDrainRow = Row<typeof logDrains>;

/** A drain of data other than logs. This server stores these drains, and sends them nothing. */
export const otherDrains = object("other_drains", {
  columns: {
    id: publicId("drain", "drn_", 24),
    account_id: text(),
    /** The data that the drain receives. */
    kind: oneOf("trace", "audit_log"),
    /** The drain as the API shows it, without its secret; its headers are sealed. */
    settings: hide(json()),
    secret: sealed().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  indexes: [["account_id"]],
  section: "otherDrains",
});
export type OtherDrainRow = Row<typeof otherDrains>;
