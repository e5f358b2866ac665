import { hide, object, oneOf, type Row, text, time } from "../store/object";

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

/** Lets visitors pass the deployment protection at one name: everybody, those who have a link, or one user. */
export const protectionExceptions = object("protection_exceptions", {
  columns: {
    /** The project whose protection it is. */
    project_id: text(),
    /** An alias, or the URL of a deployment. */
    alias: text(),
    /** `*` for everybody, the id or the email address of a user, or the secret of a link. */
    key: hide(text()),
    scope: oneOf("alias-protection-override", "shareable-link", "user", "email_invite"),
    /** The user who created or changed it. */
    actor_id: text(),
    created_at: time(),
    updated_at: time(),
    /** null if it does not expire. */
    expires_at: time().orNull(),
  },
  key: ["alias", "key"],
  indexes: [["project_id"]],
  section: "protectionExceptions",
});
export type ExceptionRow = Row<typeof protectionExceptions>;
