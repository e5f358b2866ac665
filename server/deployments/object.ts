import { readyStates } from "../../provider/vocabulary";
import { hide, integer, json, object, oneOf, publicId, type Row, text, time } from "../store/object";

/** A deployment of a project. It refers to the project by name and may be created before it. */
export const deployments = object("deployments", {
  columns: {
    id: publicId("deployment", "dpl_", 28),
    account_id: text(),
    name: text(),
    target: oneOf("production", "preview"),
    ready_state: oneOf(...readyStates),
    git_branch: text().orNull(),
    git_sha: text().orNull(),
    url: text(),
    meta: json(),
    creator_id: text(),
    /** When the simulated build changes the state; null if it has ended or the control plane sets the state. */
    ready_at: time().orNull(),
    created_at: time(),
    /** Null for production and preview. */
    custom_environment_id: text().orNull(),
    /** A `BuildRecord`; null for deployments that the control plane or a seed has made. */
    build: hide(json().orNull()),
  },
  indexes: [["account_id", "name", "created_at"], ["ready_at"], ["url"]],
  section: "deployments",
});
export type DeploymentRow = Row<typeof deployments>;

/** The variables that a deployment was built with. */
export const deploymentVariables = object("deployment_variables", {
  columns: {
    deployment_id: text(),
    /** Object from the key of each variable to the revision of its value. */
    revisions: json(),
  },
  key: ["deployment_id"],
});

/** The files that a deployment was created with. */
export const deploymentFiles = object("deployment_files", {
  columns: {
    deployment_id: text(),
    /** Array of `DeploymentFile`. */
    files: json(),
  },
  key: ["deployment_id"],
});

/** A file that an account has uploaded for its deployments. */
export const uploads = object("uploads", {
  columns: {
    account_id: text(),
    /** SHA-1 of the contents, in hex. */
    sha: text(),
    size: integer(),
    created_at: time(),
  },
  key: ["account_id", "sha"],
  indexes: [["created_at"]],
});

export const promotions = object("promotions", {
  columns: {
    id: hide(text()),
    project_id: text(),
    kind: oneOf("promote", "rollback"),
    from_deployment_id: text().orNull(),
    to_deployment_id: text(),
    status: oneOf("pending", "in-progress", "succeeded", "failed"),
    requested_at: time(),
    /** When the promotion completes and its aliases have moved. */
    completes_at: time(),
  },
  unique: [
    { columns: ["project_id", "requested_at"] },
    { columns: ["project_id"], where: "status in ('pending', 'in-progress')" },
  ],
  section: "promotions",
  order: ["project_id", "requested_at"],
});
export type PromotionRow = Row<typeof promotions>;

export const promotionAliases = object("promotion_aliases", {
  columns: {
    id: text(),
    promotion_id: text(),
    alias: text(),
    /** The status of the alias once the promotion completes. */
    outcome: oneOf("completed", "failed"),
    /** The deployment that the alias still points to after the promotion failed to move it. */
    deployment_id: text().orNull(),
    created_at: time(),
  },
  unique: [{ columns: ["promotion_id", "created_at"] }],
});
export type PromotionAliasRow = Row<typeof promotionAliases>;
