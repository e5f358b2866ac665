import { object, text, time } from "../store/object";

/** A bearer token, stored only as its SHA-256 hash in hex. */
export const tokens = object("tokens", {
  columns: {
    hash: text(),
    user_id: text(),
    /** The only account that the token acts on; null: the user's own account and every team of the user. */
    account_id: text().orNull(),
    /** The installation that the token was exchanged for. */
    configuration_id: text().orNull(),
    created_at: time(),
  },
  key: ["hash"],
  indexes: [["configuration_id"]],
});
