import { object, publicId, type Row, text, time } from "../store/object";

/** A bearer token, stored only as its SHA-256 hash in hex. */
export const tokens = object("tokens", {
  columns: {
    hash: text(),
    id: publicId("token", "", 24),
    /** The name that its user gave it; of a token of an installation, the id of the installation. */
    name: text(),
    user_id: text(),
    /** The only account that the token acts on; null: the user's own account and every team of the user. */
    account_id: text().orNull(),
    /** The installation that the token was exchanged for. */
    configuration_id: text().orNull(),
    /** The last characters of the token, by which its user recognizes it; null for a token from a seed. */
    suffix: text().orNull(),
    created_at: time(),
    /** From then on, the token is refused. */
    expires_at: time().orNull(),
  },
  key: ["hash"],
  unique: [{ columns: ["id"] }],
  indexes: [["configuration_id"], ["user_id"]],
});
export type TokenRow = Row<typeof tokens>;
