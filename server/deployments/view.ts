import { accountById } from "../access/account-store";
import { findProject, storedSettings } from "../access/project-store";
import type { AccountRow } from "../accounts/object";
import { domainsOf } from "../domains/store";
import { present } from "../http/reply";
import type { Call } from "../http/route";
import type { ProjectRow } from "../projects/object";
import type { Tx } from "../store/store";
import { isEnded, type LogLine } from "./build-log";
import { buildRecordOf } from "./build-record";
import type { DeploymentRow } from "./object";
import { servedNames } from "./promotion";
import type * as wire from "./schema";
import type { ChangedDeployment, DeploymentSummary, ListedDeployment, OneDeployment } from "./schema";
import { type DeploymentWithCreator, deploymentWithCreator } from "./store";

type Viewer = Pick<Call, "tx" | "account" | "origin">;

/** A deployment as `targets` of a project shows it. */
export async function viewDeployment(
  tx: Tx,
  id: string,
  project: ProjectRow | undefined,
): Promise<DeploymentSummary> {
  const [row] = await deploymentWithCreator(tx, id);
  if (!row) throw new Error(`deployment ${id} is gone`);
  const serves = project !== undefined && project.production_deployment_id === id && project.paused === 0;
  const names = serves ? await servedNames(tx, project, await domainsOf(tx, project.id)) : [];
  return summarize(row, await accountById(tx, row.account_id), names, assignsNames(project));
}

/** True if new production deployments of a project get its names. @param stored its settings, if they were read */
export const assignsNames = (
  project: ProjectRow | undefined,
  stored = project && storedSettings(project),
): boolean => project?.paused === 0 && stored?.autoAssignCustomDomains !== false;

/** @param assigns whether new production deployments of the project get its names, see `assignsNames` */
export function summarize(
  deployment: DeploymentWithCreator,
  account: Pick<AccountRow, "id" | "kind" | "plan"> | undefined,
  alias: string[],
  assigns: boolean,
): DeploymentSummary {
  const isServed = alias.length > 0 || hasServed(deployment, assigns);
  return present<DeploymentSummary>({
    id: deployment.id,
    name: deployment.name,
    url: deployment.url,
    deploymentHostname: deployment.url,
    createdAt: deployment.created_at,
    createdIn: "iad1",
    creator:
      deployment.username === null
        ? null
        : { uid: deployment.creator_id, email: deployment.email ?? "", username: deployment.username },
    userId: deployment.creator_id,
    teamId: account?.kind === "team" ? account.id : undefined,
    plan: account?.plan ?? "hobby",
    private: false,
    readyState: deployment.ready_state,
    target: deployment.target === "production" ? "production" : undefined,
    type: "LAMBDAS",
    alias,
    // @choice A preview has only its own URL, which counts as assigned when the preview is ready. Clients wait until
    // `aliasAssigned` is set. A promotion does not change the time.
    aliasAssigned:
      isServed || (isReady(deployment) && !isForProduction(deployment)) ? endOf(deployment) : false,
    readySubstate:
      isReady(deployment) && deployment.target === "production"
        ? substateOf(deployment, isServed)
        : undefined,
    meta: {
      ...(JSON.parse(deployment.meta) as Record<string, string>),
      ...(deployment.git_branch === null ? {} : { githubCommitRef: deployment.git_branch }),
      ...(deployment.git_sha === null ? {} : { githubCommitSha: deployment.git_sha }),
    },
    customEnvironment:
      deployment.custom_environment_id === null
        ? undefined
        : present({ id: deployment.custom_environment_id, slug: deployment.environment ?? undefined }),
  });
}

const substateOf = ({ rolling }: DeploymentWithCreator, isServed: boolean) => {
  if (rolling !== null) return "ROLLING";
  return isServed ? "PROMOTED" : "STAGED";
};

const isReady = ({ ready_state }: DeploymentRow): boolean => ready_state === "READY";

/** True for a production deployment that is to get the names of the project. */
const isForProduction = (deployment: DeploymentRow): boolean =>
  deployment.target === "production" && buildRecordOf(deployment)?.keepsProduction !== true;

/**
 * True for a deployment that got the names of its project, also if another deployment has them now.
 * @choice A deployment that was promoted later counts only while it serves production.
 */
const hasServed = (deployment: DeploymentRow, assigns: boolean): boolean =>
  assigns && isReady(deployment) && isForProduction(deployment);

/** When the build of a deployment ended. */
const endOf = (deployment: DeploymentRow): number =>
  buildRecordOf(deployment)?.endsAt ?? deployment.created_at;

/** A deployment in a list. */
export async function viewListed(viewer: Viewer, row: DeploymentRow): Promise<ListedDeployment> {
  const view = await viewCommon(viewer, row, await findProject(viewer.tx, viewer.account.id, row.name));
  return { ...view, aliasAssigned: view.aliasAssigned || (isEnded(row) && !isReady(row) ? null : false) };
}

/** The members of a deployment in a list and of a single deployment. */
async function viewCommon({ tx, account, origin }: Viewer, row: DeploymentRow, project?: ProjectRow) {
  const summary = await viewDeployment(tx, row.id, project);
  const isServing = project?.production_deployment_id === row.id;
  return {
    ...summary,
    uid: row.id,
    target: row.target === "production" ? "production" : null,
    state: row.ready_state,
    created: row.created_at,
    source: sourceOf(row),
    isRollbackCandidate: row.target === "production" && isReady(row) && !isServing,
    inspectorUrl: `${origin}/#/deployments/${row.id}?account=${account.id}`,
    projectSettings: { commandForIgnoringBuildStep: settingsOf(project).commandForIgnoringBuildStep },
    ...viewTimes(row),
    ...viewProblem(row),
    ...(project ? { projectId: project.id } : {}),
  };
}

/** @choice A deployment without files and without a branch counts as one of a client. */
const sourceOf = (row: DeploymentRow): ListedDeployment["source"] =>
  row.git_branch === null || buildRecordOf(row)?.files !== undefined ? "cli" : "git";

const shownSettings = [
  "buildCommand",
  "commandForIgnoringBuildStep",
  "devCommand",
  "framework",
  "installCommand",
  "outputDirectory",
] as const;

/** The settings that a deployment shows. @choice These are the settings that its project has now. */
function settingsOf(project: ProjectRow | undefined): ChangedDeployment["projectSettings"] {
  const stored = project && storedSettings(project);
  return Object.fromEntries(
    shownSettings.map((name) => [name, stored?.[name] ?? null]),
  ) as ChangedDeployment["projectSettings"];
}

/** A single deployment as an answer. */
export async function viewOne(viewer: Viewer, row: DeploymentRow): Promise<OneDeployment> {
  const { tx, account } = viewer;
  const project = await findProject(tx, account.id, row.name);
  const view = await viewCommon(viewer, row, project);
  const { framework } = settingsOf(project);
  return {
    ...view,
    status: view.readyState,
    bootedAt: view.createdAt,
    aliasAssigned: view.aliasAssigned !== false,
    aliasAssignedAt: view.aliasAssigned || null,
    ...viewEnd(row),
    ...(project ? { project: { id: project.id, name: project.name, framework } } : {}),
    public: false,
    regions: [view.createdIn],
    version: 2,
    ...viewVariables(row),
    ownerId: account.id,
    ...gitSourceOf(project, row),
    ...(account.kind === "team"
      ? { team: { id: account.id, name: account.name ?? account.slug, slug: account.slug } }
      : {}),
  };
}

/** A deployment as the answer to a request that changes it. */
export async function viewChanged(viewer: Viewer, row: DeploymentRow): Promise<ChangedDeployment> {
  return {
    ...(await viewOne(viewer, row)),
    routes: [],
    projectSettings: settingsOf(await findProject(viewer.tx, viewer.account.id, row.name)),
    isInConcurrentBuildsQueue: false,
    isInSystemBuildsQueue: false,
  };
}

/** The names of the variables that the request for a deployment set. */
function viewVariables(row: DeploymentRow): Pick<OneDeployment, "build" | "env"> {
  const { buildEnv = [], env = [] } = buildRecordOf(row) ?? {};
  return { build: { env: buildEnv }, env };
}

/** When the build of a deployment began, and when it ended. */
function viewTimes(row: DeploymentRow): { buildingAt: number; ready?: number } {
  const { buildingAt } = buildRecordOf(row) ?? { buildingAt: row.created_at };
  return { buildingAt, ...(isEnded(row) ? { ready: endOf(row) } : {}) };
}

/** Whether a build was skipped, and when it was canceled. */
function viewEnd(row: DeploymentRow) {
  const record = buildRecordOf(row);
  const { ready_state: state } = row;
  if (!record) return { buildSkipped: false };
  return {
    buildSkipped: (record.isSkipped === true && state === "CANCELED") || state === "BLOCKED",
    ...(state === "CANCELED" ? { canceledAt: record.endsAt } : {}),
  };
}

/** Why a build failed or was blocked. */
function viewProblem(row: DeploymentRow) {
  const { error, block } = buildRecordOf(row) ?? {};
  const { ready_state: state } = row;
  return {
    ...(state === "ERROR" && error ? { errorCode: error.code, errorMessage: error.message } : {}),
    ...(state === "BLOCKED" && block
      ? { readyStateReason: block.reason, errorLink: block.link, seatBlock: { blockCode: block.code } }
      : {}),
  };
}

/**
 * Files that a client has uploaded have no source in git, also if the client names the branch of its working copy.
 * @choice The repository is the one that the project is linked to now.
 * @source the Terraform provider, which takes the branch of an answer as the one that was requested
 */
function gitSourceOf(project: ProjectRow | undefined, row: DeploymentRow) {
  const { git_branch, git_sha } = row;
  if (git_branch === null || sourceOf(row) === "cli" || !project?.link) return {};
  const repository = repositoryOf(JSON.parse(project.link));
  return { gitSource: { ...repository, ref: git_branch, ...(git_sha === null ? {} : { sha: git_sha }) } };
}

/** The repository as a deployment shows it, which depends on the git provider. */
function repositoryOf(link: Record<string, string>): { type: string } & Record<string, unknown> {
  const { type = "" } = link;
  if (type === "gitlab") return { type, projectId: Number(link.projectId) };
  if (type !== "bitbucket") return { type, org: link.org, repo: link.repo, repoId: link.repoId };
  return { type, owner: link.owner, slug: link.slug, repoUuid: link.uuid, workspaceUuid: link.workspaceUuid };
}

/** The log of a build as an answer. @choice The id of a line consists of the deployment's id and the line's number. */
export const viewLogLines = ({ id }: DeploymentRow, log: readonly LogLine[]): wire.LogLine[] =>
  log.map(({ createdAt, text, level }, at) =>
    present<wire.LogLine>({
      type: level === "error" ? "stderr" : "stdout",
      created: createdAt,
      date: createdAt,
      deploymentId: id,
      id: `${id}_${at}`,
      serial: String(at).padStart(6, "0"),
      text,
      level,
      info: { type: "build", name: id.replace(/^dpl_/, "bld_"), entrypoint: "." },
    }),
  );
