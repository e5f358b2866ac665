import { accountById } from "../access/account-store";
import { findProject } from "../access/project-store";
import { domainsOf } from "../domains/store";
import { present } from "../http/reply";
import type { Call } from "../http/route";
import type { AccountRow, DeploymentRow, ProjectRow } from "../store/schema";
import type { Tx } from "../store/store";
import type { LogLine } from "./build-log";
import { buildRecordOf } from "./build-record";
import { servedNames } from "./promotion";
import type * as wire from "./schema";
import type { ChangedDeployment, DeploymentSummary, ListedDeployment, OneDeployment } from "./schema";
import { type DeploymentWithCreator, deploymentWithCreator } from "./store";

type Viewer = Pick<Call, "tx" | "account">;

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
  return summarize(row, await accountById(tx, row.account_id), names);
}

export function summarize(
  deployment: DeploymentWithCreator,
  account: Pick<AccountRow, "id" | "kind" | "plan"> | undefined,
  alias: string[],
): DeploymentSummary {
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
    // `aliasAssigned` is true.
    aliasAssigned: alias.length > 0 || (!isAwaitingDomains(deployment) && deployment.ready_state === "READY"),
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

/** True for a production deployment that is to get the names of the project. */
const isAwaitingDomains = (deployment: DeploymentRow): boolean =>
  deployment.target === "production" && buildRecordOf(deployment)?.keepsProduction !== true;

/** A deployment in a list. */
export async function viewListed({ tx, account }: Viewer, row: DeploymentRow): Promise<ListedDeployment> {
  const project = await findProject(tx, account.id, row.name);
  return {
    ...(await viewDeployment(tx, row.id, project)),
    uid: row.id,
    target: row.target === "production" ? "production" : null,
    state: row.ready_state,
    created: row.created_at,
    inspectorUrl: null,
    ...viewTimes(row),
    ...(project ? { projectId: project.id } : {}),
  };
}

/** A single deployment as an answer. */
export async function viewOne(viewer: Viewer, row: DeploymentRow): Promise<OneDeployment> {
  const { account } = viewer;
  const view = await viewListed(viewer, row);
  return {
    ...view,
    status: view.readyState,
    bootedAt: view.createdAt,
    ...viewBuild(row),
    public: false,
    regions: [view.createdIn],
    version: 2,
    ownerId: account.id,
    ...(await gitSourceOf(viewer, row)),
    ...(account.kind === "team"
      ? { team: { id: account.id, name: account.name ?? account.slug, slug: account.slug } }
      : {}),
  };
}

/** A deployment as the answer to a request that changes it. @param sent the variables in the request */
export async function viewChanged(
  viewer: Viewer,
  row: DeploymentRow,
  sent: { env?: object | undefined; build?: { env?: object | undefined } | undefined } = {},
): Promise<ChangedDeployment> {
  return {
    ...(await viewOne(viewer, row)),
    build: { env: Object.keys(sent.build?.env ?? {}) },
    env: Object.keys(sent.env ?? {}),
    routes: [],
    projectSettings: {},
    isInConcurrentBuildsQueue: false,
    isInSystemBuildsQueue: false,
  };
}

/** When the build of a deployment began, and when it succeeded. */
function viewTimes(row: DeploymentRow): { buildingAt: number; ready?: number } {
  const { buildingAt, endsAt } = buildRecordOf(row) ?? { buildingAt: row.created_at, endsAt: row.created_at };
  return { buildingAt, ...(row.ready_state === "READY" ? { ready: endsAt } : {}) };
}

/** The outcome of a build that failed or was canceled. */
function viewBuild(row: DeploymentRow) {
  const record = buildRecordOf(row);
  const { ready_state: state } = row;
  if (!record) return { buildSkipped: false };
  const { endsAt, error, block, isSkipped = false } = record;
  return {
    buildSkipped: (isSkipped && state === "CANCELED") || state === "BLOCKED",
    ...(state === "CANCELED" ? { canceledAt: endsAt } : {}),
    ...(state === "ERROR" && error ? { errorCode: error.code, errorMessage: error.message } : {}),
    ...(state === "BLOCKED" && block
      ? { readyStateReason: block.reason, errorLink: block.link, seatBlock: { blockCode: block.code } }
      : {}),
  };
}

/** @choice The repository is the one that the project is linked to now. */
async function gitSourceOf({ tx, account }: Viewer, { name, git_branch, git_sha }: DeploymentRow) {
  if (git_branch === null) return {};
  const project = await findProject(tx, account.id, name);
  if (!project?.link) return {};
  const repository = repositoryOf(JSON.parse(project.link));
  return { gitSource: { ...repository, ref: git_branch, ...(git_sha === null ? {} : { sha: git_sha }) } };
}

/** The repository as a deployment shows it, which depends on the git provider. */
function repositoryOf(link: Record<string, string>): { type: string } & Record<string, unknown> {
  const { type = "" } = link;
  if (type === "github") return { type, org: link.org, repo: link.repo, repoId: link.repoId };
  if (type === "gitlab") return { type, projectId: Number(link.projectId) };
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
