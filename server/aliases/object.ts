import { object, type Row, text, time } from "../store/object";

/** A name that points to a deployment, independently of production. */
export const aliases = object("aliases", {
  columns: {
    id: text(),
    account_id: text(),
    deployment_id: text(),
    /** In lower case and ASCII; unique in the store. */
    alias: text(),
    /** The domain to which the alias redirects instead of serving the deployment. */
    redirect: text().orNull(),
    creator_id: text(),
    created_at: time(),
    updated_at: time(),
  },
  unique: [{ columns: ["alias"] }],
  indexes: [["account_id", "created_at"], ["deployment_id"]],
  section: "aliases",
});
export type AliasRow = Row<typeof aliases>;
