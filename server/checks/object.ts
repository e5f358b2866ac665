import { flag, integer, json, object, oneOf, publicId, type Row, text, time } from "../store/object";

/** A check that a project has: what has to be verified of its deployments. */
export const projectChecks = object("project_checks", {
  columns: {
    id: publicId("projectCheck", "chk_", 24),
    project_id: text(),
    name: text(),
    is_rerequestable: flag(),
    requires: oneOf("build-ready", "deployment-url", "none"),
    blocks: oneOf("build-start", "deployment-start", "deployment-alias", "deployment-promotion", "none"),
    /** Array of names of environments; empty: all. */
    targets: json(),
    source: json(),
    /** In milliseconds. */
    timeout: integer(),
    created_at: time(),
    updated_at: time(),
  },
  indexes: [["project_id", "created_at"]],
  section: "projectChecks",
});
export type ProjectCheckRow = Row<typeof projectChecks>;

/** A run of a project's check for one deployment. */
export const checkRuns = object("check_runs", {
  columns: {
    id: publicId("checkRun", "chkrun_", 24),
    project_id: text(),
    check_id: text(),
    deployment_id: text(),
    status: oneOf("queued", "running", "completed"),
    /** The members that updates set: `CheckRunResult`. */
    result: json(),
    created_at: time(),
    updated_at: time(),
  },
  indexes: [
    ["check_id", "created_at"],
    ["deployment_id", "created_at"],
  ],
  section: "checkRuns",
});
export type CheckRunRow = Row<typeof checkRuns>;

/** A check that an integration has registered for one deployment. */
export const deploymentChecks = object("deployment_checks", {
  columns: {
    id: publicId("deploymentCheck", "check_", 24),
    account_id: text(),
    deployment_id: text(),
    integration_id: text(),
    name: text(),
    status: oneOf("registered", "running", "completed"),
    /** The other members that requests set: `CheckDetails`. */
    details: json(),
    created_at: time(),
    updated_at: time(),
  },
  indexes: [["deployment_id", "created_at"]],
  section: "deploymentChecks",
});
export type DeploymentCheckRow = Row<typeof deploymentChecks>;
