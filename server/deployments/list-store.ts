import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { findProject, reachOf } from "../access/project-store";
import { pageOf } from "../http/query";
import type { Call } from "../http/route";
import { notFound } from "../platform/refusal";
import { escapeLike, like } from "../store/like";
import type { Tx } from "../store/store";
import type { Database } from "../store/tables";
import { productionNames } from "./name-store";
import type { DeploymentRow } from "./object";
import type { DeploymentFilters } from "./schema";

/** Deployments that a caller may see. A caller that is limited to some projects sees only the deployments of these. */

type Viewer = Pick<Call, "tx" | "account" | "caller">;
type Deployments = ExpressionBuilder<Database, "deployments">;

/** A page of the account's deployments, the newest first. */
export async function findDeployments(viewer: Viewer, query: DeploymentFilters) {
  const name = await nameOf(viewer, query);
  const list = visible(viewer).where((eb) => eb.and(conditions(eb, viewer, { ...query, name })));
  return pageOf(list, "created_at", query);
}

/** The refusal that `loadDeployment` throws, for a route's `throws`. */
export const unknownDeployment = [404, "not_found", "no such deployment in the account"] as const;

/**
 * Finds the deployment that a path names by its id, its URL, or a name that points to it.
 * @source the official command line, which inspects `my-deployment.vercel.app`
 * @throws Refusal 404
 */
export async function loadDeployment(viewer: Viewer & { params: { id: string } }): Promise<DeploymentRow> {
  const { id } = viewer.params;
  const row =
    (await visible(viewer).where("id", "=", id).executeTakeFirst()) ??
    (await visible(viewer).where("url", "=", id).executeTakeFirst()) ??
    (await visible(viewer).where("id", "in", namedBy(viewer, id)).executeTakeFirst());
  if (!row) throw notFound(`Deployment ${JSON.stringify(id)}`);
  return row;
}

/** The id of the team of a user that has a deployment with this id or URL. An invitation to a team does not count. */
export async function teamOfDeployment(tx: Tx, user: string, idOrUrl: string): Promise<string | undefined> {
  const teams = tx
    .selectFrom("members")
    .select("team_id")
    .where("user_id", "=", user)
    .where("confirmed", "=", 1);
  const found = await tx
    .selectFrom("deployments")
    .select("account_id")
    .where("account_id", "in", teams)
    .where((eb) => eb.or([eb("id", "=", idOrUrl), eb("url", "=", idOrUrl)]))
    .executeTakeFirst();
  return found?.account_id;
}

/** The id of the deployment to which an alias or a name of a project points. */
function namedBy({ tx, account }: Viewer, name: string) {
  const aliases = tx
    .selectFrom("aliases")
    .select("deployment_id")
    .where("account_id", "=", account.id)
    .where("alias", "=", name);
  const names = tx
    .selectFrom(productionNames(tx, account.id).as("names"))
    .select("deployment_id")
    .where("alias", "=", name);
  return aliases.unionAll(names);
}

function visible({ tx, account, caller }: Viewer) {
  const all = tx.selectFrom("deployments").selectAll().where("account_id", "=", account.id);
  const reach = reachOf(tx, caller);
  if (reach === undefined) return all;
  const names = tx
    .selectFrom("projects as p")
    .select("p.name")
    .where("p.account_id", "=", account.id)
    .where("p.id", "in", reach);
  return all.where("name", "in", names);
}

/** The name of the project that a filter names by id or name. The project need not exist. */
async function nameOf(
  { tx, account }: Viewer,
  { projectId, app }: DeploymentFilters,
): Promise<string | undefined> {
  const key = projectId ?? app;
  if (key === undefined) return undefined;
  return (await findProject(tx, account.id, key))?.name ?? app ?? projectId;
}

function conditions(
  eb: Deployments,
  viewer: Viewer,
  query: DeploymentFilters & { name: string | undefined },
): Expression<SqlBool>[] {
  const { name, target, state, branch, sha, users, from, to, projectIds, rollbackCandidate, meta } = query;
  const found: Expression<SqlBool>[] = [];
  if (name !== undefined) found.push(eb("name", "=", name));
  if (target !== undefined) found.push(eb("target", "=", target));
  if (state !== undefined) found.push(eb("ready_state", "in", state as DeploymentRow["ready_state"][]));
  if (branch !== undefined) found.push(comesFrom(eb, "git_branch", "CommitRef", branch));
  if (sha !== undefined) found.push(comesFrom(eb, "git_sha", "CommitSha", sha));
  if (users !== undefined) found.push(eb("creator_id", "in", users));
  if (from !== undefined) found.push(eb("created_at", ">", from));
  if (to !== undefined) found.push(eb("created_at", "<", to));
  if (projectIds !== undefined) found.push(eb("name", "in", namesOf(eb, viewer, projectIds)));
  if (rollbackCandidate !== undefined) {
    const isCandidate = eb.and([
      eb("target", "=", "production"),
      eb("ready_state", "=", "READY"),
      eb("id", "not in", serving(eb, viewer)),
    ]);
    found.push(rollbackCandidate ? isCandidate : eb.not(isCandidate));
  }
  return [...found, ...meta.map(([key, value]) => hasMeta(eb, key, value))];
}

const namesOf = (eb: Deployments, { account }: Viewer, projects: readonly string[]) =>
  eb
    .selectFrom("projects as p")
    .select("p.name")
    .where("p.account_id", "=", account.id)
    .where("p.id", "in", projects);

/** The deployments that serve production. */
const serving = (eb: Deployments, { account }: Viewer) =>
  eb
    .selectFrom("projects as p")
    .select("p.production_deployment_id")
    .where("p.account_id", "=", account.id)
    .where("p.production_deployment_id", "is not", null);

/** The members of `meta` that are stored in separate columns. */
const metaColumns: Record<string, "git_branch" | "git_sha"> = {
  githubCommitRef: "git_branch",
  githubCommitSha: "git_sha",
};

/** The git providers whose branches and commits clients put into `meta`, such as `gitlabCommitSha`. */
const providersInMeta = ["github", "gitlab", "bitbucket"];

/** A branch or commit is in its column, or only in `meta`, as deploy actions send it. */
const comesFrom = (
  eb: Deployments,
  column: "git_branch" | "git_sha",
  member: "CommitRef" | "CommitSha",
  value: string,
): Expression<SqlBool> =>
  eb.or([
    eb(column, "=", value),
    ...providersInMeta.map((provider) =>
      eb.and([eb(column, "is", null), hasMeta(eb, `${provider}${member}`, value)]),
    ),
  ]);

/** Finds a member by its exact text in the stored JSON. JSON escapes quotes, so no value can contain this text. */
function hasMeta(eb: Deployments, key: string, value: string): Expression<SqlBool> {
  const member = escapeLike(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
  const stored = eb.or([like("meta", `{${member}%`), like("meta", `%,${member}%`)]);
  const column = Object.hasOwn(metaColumns, key) ? metaColumns[key] : undefined;
  if (column === undefined) return stored;
  return eb.or([eb(column, "=", value), eb.and([eb(column, "is", null), stored])]);
}

/** The deployments of all accounts. */
export const allDeployments = (tx: Tx) =>
  tx.selectFrom("deployments").select(["id", "account_id", "created_at"]).execute();
