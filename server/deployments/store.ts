import { sql } from "kysely";
import { storedSettings } from "../access/project-store";
import type { AccountRow } from "../accounts/object";
import { ownZone } from "../domains/names";
import { newId } from "../platform/ids";
import type { ProjectRow } from "../projects/object";
import { nextTime } from "../store/monotonic";
import { batched, prepared, type Tx, type Unit } from "../store/store";
import { deploymentTables } from "../store/tables";
import { type BuildRecord, buildRecordOf, canceledAt, stateAt } from "./build-record";
import { type DeploymentRow, deployments } from "./object";
import { releaseBuild } from "./rolling-release";
import { recordVariables } from "./variable-store";

/** The members of a deployment that its build sets. */
export interface Build {
  id?: string | undefined;
  /** Name of the project, which need not exist yet. */
  project: string;
  target?: DeploymentRow["target"] | undefined;
  readyState?: DeploymentRow["ready_state"] | undefined;
  gitBranch?: string | undefined;
  gitSha?: string | undefined;
  url?: string | undefined;
  meta?: Record<string, string> | undefined;
  createdAt?: number | undefined;
  customEnvironmentId?: string | undefined;
  /** Undefined: the control plane sets the state. */
  record?: BuildRecord | undefined;
}

/** Adds the deployment of a build. @param creator id of the user who created the deployment */
export async function addDeployment(
  { tx, now }: Unit,
  account: Pick<AccountRow, "id" | "slug">,
  build: Build,
  creator: string,
): Promise<DeploymentRow> {
  const id = build.id ?? newId(deployments);
  const hostSuffix = id
    .slice("dpl_".length)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(-12);
  const state = build.record && stateAt(build.record, now);
  const row = await tx
    .insertInto("deployments")
    .values({
      id,
      account_id: account.id,
      name: build.project,
      target: build.target ?? "preview",
      custom_environment_id: build.customEnvironmentId ?? null,
      ready_state: state?.readyState ?? build.readyState ?? "READY",
      git_branch: build.gitBranch ?? null,
      git_sha: build.gitSha ?? null,
      url: build.url ?? `${build.project}-${hostSuffix}-${account.slug}.${ownZone}`,
      meta: JSON.stringify(build.meta ?? {}),
      creator_id: creator,
      ready_at: state?.changesAt ?? null,
      build: build.record ? JSON.stringify(build.record) : null,
      created_at: await createdAt({ tx, now }, account.id, build.createdAt),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordVariables(tx, row);
  await followBuild({ tx, now }, undefined, row);
  return row;
}

/** Changes the deployment of a build. @choice The account and the name of the deployment stay as they are. */
export async function changeDeployment(
  { tx, now }: Unit,
  known: DeploymentRow,
  build: Build,
): Promise<DeploymentRow> {
  const row = await tx
    .updateTable("deployments")
    .set({
      target: build.target ?? known.target,
      ready_state: build.readyState ?? known.ready_state,
      ready_at: build.readyState === undefined ? known.ready_at : null,
      build: build.record ? JSON.stringify(build.record) : known.build,
      git_branch: build.gitBranch ?? known.git_branch,
      git_sha: build.gitSha ?? known.git_sha,
      meta: build.meta ? JSON.stringify(build.meta) : known.meta,
    })
    .where("id", "=", known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await followBuild({ tx, now }, known, row);
  return row;
}

/** Brings a deployment to the state that its build has reached. */
export async function continueBuild({ tx, now }: Unit, known: DeploymentRow): Promise<DeploymentRow> {
  const record = buildRecordOf(known);
  const { readyState, changesAt } = record
    ? stateAt(record, now)
    : { readyState: "READY" as const, changesAt: null };
  const row = await tx
    .updateTable("deployments")
    .set({ ready_state: readyState, ready_at: changesAt })
    .where("id", "=", known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await followBuild({ tx, now }, known, row);
  return row;
}

/** Cancels a build before it has ended. */
export async function cancelBuild({ tx, now }: Unit, known: DeploymentRow): Promise<DeploymentRow> {
  const record = buildRecordOf(known);
  return tx
    .updateTable("deployments")
    .set({
      ready_state: "CANCELED",
      ready_at: null,
      build: record ? JSON.stringify(canceledAt(record, now)) : null,
    })
    .where("id", "=", known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Removes a deployment. If it served production, nothing serves production afterwards. */
export async function deleteDeployment(tx: Tx, { id, url }: DeploymentRow): Promise<void> {
  await tx
    .updateTable("projects")
    .set({ production_deployment_id: null })
    .where("production_deployment_id", "=", id)
    .execute();
  const aliases = tx.selectFrom("aliases").select("alias").where("deployment_id", "=", id);
  await tx
    .deleteFrom("protection_exceptions")
    .where((eb) => eb.or([eb("alias", "=", url), eb("alias", "in", aliases)]))
    .execute();
  for (const table of deploymentTables) await tx.deleteFrom(table).where("deployment_id", "=", id).execute();
  await tx.deleteFrom("deployments").where("id", "=", id).execute();
}

/** Lets a successful production build serve its project. */
async function followBuild(
  unit: Unit,
  before: DeploymentRow | undefined,
  after: DeploymentRow,
): Promise<void> {
  if (!servesProduction(before) && servesProduction(after)) await takeOver(unit, after);
}

const servesProduction = (deployment: DeploymentRow | undefined): boolean =>
  deployment?.target === "production" &&
  deployment.ready_state === "READY" &&
  buildRecordOf(deployment)?.keepsProduction !== true;

/** Leaves out the builds that keep the deployment that serves production. */
export const isNotStaged = sql<boolean>`(build is null or build not like '%"keepsProduction":true%')`;

async function takeOver({ tx, now }: Unit, deployment: DeploymentRow): Promise<void> {
  const newer = await tx
    .selectFrom("deployments")
    .select("id")
    .where("account_id", "=", deployment.account_id)
    .where("name", "=", deployment.name)
    .where("target", "=", "production")
    .where("ready_state", "=", "READY")
    .where(isNotStaged)
    .where("created_at", ">", deployment.created_at)
    .executeTakeFirst();
  const project = await tx
    .selectFrom("projects")
    .selectAll()
    .where("account_id", "=", deployment.account_id)
    .where("name", "=", deployment.name)
    .executeTakeFirst();
  if (!project || newer || storedSettings(project)?.autoAssignCustomDomains === false) return;
  if (await releaseBuild({ tx, now }, { project, user: deployment.creator_id }, deployment.id)) return;
  await tx
    .updateTable("projects")
    .set({ production_deployment_id: deployment.id })
    .where("id", "=", project.id)
    .execute();
}

/** A creation time that is unique within the account and keeps the order, so that lists can be paged by it. */
async function createdAt({ tx, now }: Unit, account: string, given: number | undefined): Promise<number> {
  if (given !== undefined) return freeTime(tx, account, given);
  return nextTime(tx.selectFrom("deployments").where("account_id", "=", account), "created_at", now);
}

export function findDeployment(tx: Tx, id: string): Promise<DeploymentRow | undefined> {
  return tx.selectFrom("deployments").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The first unused creation time in an account, from a given time on. */
export async function freeTime(tx: Tx, account: string, from: number): Promise<number> {
  // The end of the series of used times that begins at `from` and has no gap.
  const { last } = await tx
    .selectFrom("deployments as d")
    .select((eb) => eb.fn.min("d.created_at").as("last"))
    .where("d.account_id", "=", account)
    .where("d.created_at", ">=", from)
    .where(({ exists, not, selectFrom }) => {
      const others = selectFrom("deployments as o").select("o.id").where("o.account_id", "=", account);
      const next = others.where("o.created_at", "=", (eb) => eb("d.created_at", "+", 1));
      return exists(others.where("o.created_at", "=", from)).and(not(exists(next)));
    })
    .executeTakeFirstOrThrow();
  return last === null ? from : Number(last) + 1;
}

/** A deployment, the user who created it, and the slug of its custom environment. */
export type DeploymentWithCreator = DeploymentRow & {
  email: string | null;
  username: string | null;
  environment: string | null;
  /** The project whose rolling release rolls the deployment out; null if none does. */
  rolling: string | null;
};

/** How many deployments are in `latestDeployments` of a project. @choice */
const latestCount = 5;

const withCreators = (tx: Tx) =>
  tx
    .selectFrom("deployments as d")
    .leftJoin("accounts as u", "u.id", "d.creator_id")
    .leftJoin("custom_environments as e", "e.id", "d.custom_environment_id")
    .leftJoin("rolling_releases as r", (join) =>
      join.onRef("r.canary_deployment_id", "=", "d.id").on("r.state", "=", sql.lit("ACTIVE" as const)),
    )
    .selectAll("d")
    .select(["u.email", "u.slug as username", "e.slug as environment", "r.project_id as rolling"]);

export const deploymentWithCreator = batched(
  (tx, has) => withCreators(tx).where(has("d.id")),
  (row) => row.id,
);

export const latestOf = prepared((tx, p: { account: string; name: string }) =>
  withCreators(tx)
    .where("d.account_id", "=", p.account)
    .where("d.name", "=", p.name)
    .orderBy("d.created_at", "desc")
    .limit(sql.lit(latestCount)),
);

/** Finds a deployment of a project by id. A project's deployments have the account and the name of the project. */
export function findDeploymentOf(
  tx: Tx,
  { account_id, name }: Pick<ProjectRow, "account_id" | "name">,
  id: string,
): Promise<DeploymentRow | undefined> {
  return tx
    .selectFrom("deployments")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** Selects the builds that are due. */
export const dueBuilds = ({ tx, now }: Unit, account: string): Promise<DeploymentRow[]> =>
  tx
    .selectFrom("deployments")
    .selectAll()
    .where("ready_at", "<=", now)
    .where("account_id", "=", account)
    .orderBy("created_at")
    .execute();
