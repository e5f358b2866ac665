import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { projectsOf } from "../access/project-role-store";
import { reachOf } from "../access/project-store";
import { pageOf } from "../http/query";
import type { Call } from "../http/route";
import { contains, escapeLike, like, lower } from "../store/like";
import type { Database } from "../store/tables";
import type { ProjectFilters } from "./list-query";
import { withPresence } from "./presence-store";

type Projects = ExpressionBuilder<Database, "projects">;

/** A page of the account's projects that the caller may see, the most recently changed first. */
export function findProjects(
  { tx, account, caller }: Pick<Call, "tx" | "account" | "caller">,
  query: ProjectFilters,
) {
  const list = withPresence(tx.selectFrom("projects").selectAll("projects"))
    .where("account_id", "=", account.id)
    .where((eb) =>
      eb.and([...coverage(eb, tx, account, caller), ...conditions(eb, query), ...settings(query)]),
    );
  return pageOf(list, "updated_at", query);
}

/** An installation with selected projects sees these, and a contributor the projects in which the contributor has a role. */
function coverage(
  eb: Projects,
  tx: Call["tx"],
  { id, role }: Pick<Call["account"], "id" | "role">,
  caller: Call["caller"],
): Expression<SqlBool>[] {
  if (role === "CONTRIBUTOR") return [eb("id", "in", projectsOf(tx, { account: id, user: caller.userId }))];
  const reach = reachOf(tx, caller);
  return reach === undefined ? [] : [eb("id", "in", reach)];
}

/** @choice `search` and repositories are not case-sensitive. `excludeRepos` leaves out the projects that `repo` finds. */
function conditions(eb: Projects, query: ProjectFilters): Expression<SqlBool>[] {
  const { from, search, repo, repoId, repoUrl, excludeRepos = [], gitForkProtection, deprecated } = query;
  const found: Expression<SqlBool>[] = [];
  if (from !== undefined) found.push(eb("updated_at", ">", from));
  if (search !== undefined) found.push(contains(lower("name"), search.toLowerCase()));
  if (repo !== undefined) found.push(belongsTo(repo));
  if (repoId !== undefined) found.push(eb("repo_id", "=", repoId));
  if (repoUrl !== undefined) {
    const url = repoUrl.toLowerCase().replace(/(\.git)?\/?$/, "");
    found.push(sql<SqlBool>`lower(repo_url) = ${url}`);
  }
  for (const excluded of excludeRepos) {
    found.push(eb.or([eb("repo", "is", null), eb.not(belongsTo(excluded))]));
  }
  if (gitForkProtection !== undefined)
    found.push(eb("git_fork_protection", "=", gitForkProtection === "1" ? 1 : 0));
  if (deprecated !== undefined)
    found.push(eb("node_version", deprecated ? "in" : "not in", deprecatedNodeVersions));
  return [...found, ...connections(eb, query)];
}

function connections(
  eb: Projects,
  { edgeConfigId, edgeConfigTokenId }: ProjectFilters,
): Expression<SqlBool>[] {
  if (edgeConfigId === undefined && edgeConfigTokenId === undefined) return [];
  let connected = eb.selectFrom("edge_connections").select("project_id");
  if (edgeConfigId !== undefined) connected = connected.where("edge_config_id", "=", edgeConfigId);
  if (edgeConfigTokenId !== undefined) connected = connected.where("token_id", "=", edgeConfigTokenId);
  return [eb("id", "in", connected)];
}

/**
 * Conditions on members of the settings, which are stored as JSON text. They search the text for `"name":value`. A text
 * of a client cannot contain this, because JSON escapes the quotes in it.
 */
function settings(query: ProjectFilters): Expression<SqlBool>[] {
  const { elasticConcurrencyEnabled, staticIpsEnabled, buildQueueConfiguration, buildMachineTypes } = query;
  const found: Expression<SqlBool>[] = [];
  if (elasticConcurrencyEnabled !== undefined)
    found.push(
      unless(elasticConcurrencyEnabled === "0", contains("settings", `"elasticConcurrencyEnabled":true`)),
    );
  if (staticIpsEnabled !== undefined)
    found.push(unless(staticIpsEnabled === "0", contains("settings", `"staticIps":{"enabled":true`)));
  if (buildQueueConfiguration !== undefined) {
    const waits = contains("settings", `"configuration":"WAIT_FOR_NAMESPACE_QUEUE"`);
    found.push(unless(buildQueueConfiguration === "SKIP_NAMESPACE_QUEUE", waits));
  }
  if (buildMachineTypes !== undefined) found.push(anyOf(buildMachineTypes.map(hasMachine)));
  return found;
}

const isElastic = contains("settings", `"buildMachineSelection":"elastic"`);

function hasMachine(type: string): Expression<SqlBool> {
  const wanted =
    type === "default"
      ? unless(true, contains("settings", `"buildMachineType":`))
      : contains("settings", `"buildMachineType":${JSON.stringify(type)}`);
  return type === "elastic"
    ? sql<SqlBool>`(${wanted} or ${isElastic})`
    : sql<SqlBool>`(${wanted} and not ${isElastic})`;
}

/** @choice A project is deprecated when its Node.js version no longer gets fixes. */
const deprecatedNodeVersions = ["16.x", "14.x", "12.x", "10.x", "8.10.x"];

/** True for projects that are linked to a repository. @param repo with or without its owner */
function belongsTo(repo: string): Expression<SqlBool> {
  const name = repo.toLowerCase();
  return sql<SqlBool>`(${lower("repo")} = ${name} or ${like(lower("repo"), `%/${escapeLike(name)}`)})`;
}

const unless = (negated: boolean, condition: Expression<SqlBool>): Expression<SqlBool> =>
  negated ? sql<SqlBool>`not ${condition}` : condition;

const anyOf = (conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
