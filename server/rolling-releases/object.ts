import { integer, json, object, oneOf, type Row, text, time } from "../store/object";

/** The last rolling release of a project: the one that runs, or the last one that ran. */
export const rollingReleases = object("rolling_releases", {
  columns: {
    project_id: text(),
    /** The deployment that serves the visitors whom the canary does not serve. */
    base_deployment_id: text(),
    canary_deployment_id: text(),
    /** The newest build for production that became ready meanwhile. Its release follows the completion of this one. */
    queued_deployment_id: text().orNull(),
    state: oneOf("ACTIVE", "COMPLETE", "ABORTED"),
    /** The index of the active stage. */
    stage: integer(),
    /** Array of `Stage`: the stages that the project had when the release started. */
    stages: json(),
    started_at: time(),
    updated_at: time(),
    /** When the next stage begins by itself; null if the stage needs an approval, or the release has ended. */
    advances_at: time().orNull(),
  },
  key: ["project_id"],
  indexes: [["advances_at"], ["canary_deployment_id"]],
  section: "rollingReleases",
  order: ["project_id"],
});
export type RollingReleaseRow = Row<typeof rollingReleases>;
