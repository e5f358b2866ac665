import { hide, json, object, publicId, type Row, sealed, text, time } from "../store/object";

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
