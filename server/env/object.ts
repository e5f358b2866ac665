import {
  flag,
  hide,
  integer,
  json,
  object,
  oneOf,
  publicId,
  type Row,
  sealed,
  text,
  time,
} from "../store/object";

export const envVars = object("env_vars", {
  columns: {
    id: publicId("envVar", "", 16),
    project_id: text(),
    key: text(),
    type: oneOf("system", "secret", "encrypted", "plain", "sensitive"),
    value: sealed(),
    /** The bytes of key and value together, for the limit on an environment. */
    size: hide(integer()),
    /** Array of target names, in the order given. */
    target: json(),
    custom_environment_ids: json(),
    git_branch: text().orNull(),
    comment: text().orNull(),
    configuration_id: text().orNull(),
    /** The Blob store whose connection to the project sets the value. */
    store_id: text().orNull(),
    created_by: text().orNull(),
    updated_by: text().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  unique: [{ columns: ["project_id", "created_at"] }],
  section: "env",
});
export type EnvVarRow = Row<typeof envVars>;

/** A combination of key, target and branch that a variable has. The primary key makes it unique in the project. */
export const envSlots = object("env_slots", {
  columns: {
    project_id: text(),
    key: text(),
    /** A target, or the id of a custom environment. */
    target: text(),
    /** Empty if the variable has no branch. */
    git_branch: text(),
    env_id: text(),
  },
  key: ["project_id", "key", "target", "git_branch"],
});

/** A shared variable: a variable of a team, to which projects are linked. */
export const sharedEnvVars = object("shared_env_vars", {
  columns: {
    id: publicId("sharedEnvVar", "env_", 24),
    account_id: text(),
    key: text(),
    type: oneOf("encrypted", "sensitive"),
    value: sealed(),
    /** Array of target names, in the order given. */
    target: json(),
    /** 1 if the custom environments of the linked projects get the variable too. */
    apply_to_all: flag(),
    comment: text().orNull(),
    created_by: text().orNull(),
    updated_by: text().orNull(),
    /** Unique in the account, since its list is paged by it. */
    created_at: time(),
    updated_at: time(),
  },
  indexes: [
    ["account_id", "created_at"],
    ["account_id", "key"],
  ],
  section: "sharedEnv",
});
export type SharedEnvVarRow = Row<typeof sharedEnvVars>;

/** A combination of key and target that a shared variable has. The primary key makes it unique in the team. */
export const sharedEnvSlots = object("shared_env_slots", {
  columns: {
    account_id: text(),
    key: text(),
    /** A target, or `*` for all custom environments. */
    target: text(),
    env_id: text(),
  },
  key: ["account_id", "key", "target"],
});

/** The link of a project to a shared variable. */
export const sharedEnvLinks = object("shared_env_links", {
  columns: {
    env_id: text(),
    project_id: text(),
  },
  key: ["env_id", "project_id"],
  indexes: [["project_id"]],
  section: "sharedEnvLinks",
});
