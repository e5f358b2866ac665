import { hide, json, object, type Row, sealed, text, time } from "../store/object";

export const logDrains = object({
  columns: {
    id: text(),
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
  hasPublicId: true,
  section: "logDrains",
});
export type LogDrainRow = Row<typeof logDrains>;
