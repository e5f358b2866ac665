import { sql } from "kysely";
import type * as z from "zod";
import { changeProject, storedSettings } from "../access/project-store";
import type { ProjectRow } from "../projects/object";
import { prepared, type Tx, type Unit } from "../store/store";
import type { RollingReleaseRow } from "./object";
import { endOf } from "./rules";
import type { Config, restoredRelease } from "./schema";

/** The configuration of a project, which is stored in the settings of the project. */
export const configOf = (project: Pick<ProjectRow, "settings">): Config | undefined =>
  storedSettings(project)?.rollingRelease as Config | undefined;

/** @choice The default duration of skew protection, in seconds: the twelve hours that new projects of the hosted API have. */
const defaultSkewSeconds = 43_200;

/**
 * Stores the configuration of a project; undefined disables rolling releases.
 * @source the newest official client: enabling them enables skew protection if it was not configured
 */
export async function writeConfig(
  unit: Unit,
  project: ProjectRow,
  rollingRelease: Config | undefined,
): Promise<ProjectRow> {
  const { skewProtectionMaxAge = rollingRelease && defaultSkewSeconds, ...settings } =
    storedSettings(project) ?? {};
  return changeProject(unit, project, {
    settings: JSON.stringify({ ...settings, skewProtectionMaxAge, rollingRelease }),
  });
}

const ofProject = prepared((tx, p: { project: string }) =>
  tx.selectFrom("rolling_releases").selectAll().where("project_id", "=", p.project),
);

/** The last rolling release of a project. */
export async function lastRelease(tx: Tx, project: string): Promise<RollingReleaseRow | undefined> {
  return (await ofProject(tx, { project }))[0];
}

/** The rolling release that runs in a project. */
export async function activeRelease(tx: Tx, project: string): Promise<RollingReleaseRow | undefined> {
  const last = await lastRelease(tx, project);
  return last?.state === "ACTIVE" ? last : undefined;
}

/** Replaces the last rolling release of a project. */
export async function putRelease(tx: Tx, release: RollingReleaseRow): Promise<RollingReleaseRow> {
  await tx.deleteFrom("rolling_releases").where("project_id", "=", release.project_id).execute();
  await tx.insertInto("rolling_releases").values(release).execute();
  return release;
}

/** Writes the release of a snapshot. @choice The active stage began with the last change of the release. */
export async function restoreRelease(
  tx: Tx,
  projectId: string,
  given: z.infer<typeof restoredRelease>,
): Promise<void> {
  const { stages, stage, state, updatedAt } = given;
  await putRelease(tx, {
    project_id: projectId,
    base_deployment_id: given.base,
    canary_deployment_id: given.canary,
    queued_deployment_id: given.queued,
    ...{ state, stage, stages: JSON.stringify(stages) },
    started_at: given.startedAt,
    updated_at: updatedAt,
    advances_at: state === "ACTIVE" ? endOf(stages[stage], updatedAt) : null,
  });
}

/** The releases of an account whose next stage is due, with their projects. */
export const dueReleases = ({ tx, now }: Unit, account: string): Promise<RollingReleaseRow[]> =>
  tx
    .selectFrom("rolling_releases")
    .selectAll()
    .where("advances_at", "<=", now)
    .where("project_id", "in", tx.selectFrom("projects").select("id").where("account_id", "=", account))
    .execute();

export const releasedProject = (tx: Tx, { project_id }: RollingReleaseRow): Promise<ProjectRow> =>
  tx.selectFrom("projects").selectAll().where("id", "=", project_id).executeTakeFirstOrThrow();

/** True while a rolling release directs visitors to a deployment. */
export async function isCanary(tx: Tx, deployment: string): Promise<boolean> {
  const found = await tx
    .selectFrom("rolling_releases")
    .select(sql.lit(1).as("found"))
    .where("canary_deployment_id", "=", deployment)
    .where("state", "=", "ACTIVE")
    .executeTakeFirst();
  return found !== undefined;
}
