import type { ProjectRole, Role } from "../members/object";
import type { Tx } from "../store/store";
import type { Account, Caller } from "./caller";
import { hasProjects, roleInDeploymentsProject, roleInProject } from "./project-role-store";
import { type ScopeName, scopesOfRole } from "./scopes";

/** A request, as far as it names a project. */
interface Named {
  method: string;
  route: string | undefined;
  params: Record<string, string | undefined>;
  query: Record<string, unknown>;
}

/**
 * The team role that permits in every project what a project role permits in its project.
 * @choice A guest of a project has no access to it over the API.
 * @source the public documentation of the service: project level roles, equivalency roles
 */
const equivalent: Record<ProjectRole, Role | undefined> = {
  ADMIN: "MEMBER",
  PROJECT_DEVELOPER: "DEVELOPER",
  PROJECT_VIEWER: "VIEWER",
  PROJECT_GUEST: undefined,
};

/** Team roles by what they permit in projects; the roles that are left out permit nothing. */
const ascending: readonly Role[] = ["VIEWER_FOR_PLUS", "VIEWER", "SECURITY", "DEVELOPER", "MEMBER", "OWNER"];

/**
 * The account as the caller may use it for a request. In a project, a member has the higher of two roles: the role in
 * the project, and the role in the team.
 * @choice The project is that of the path, also by one of its deployments, or that of the query. A request that names
 *   it in the body uses the role in the team alone. A contributor lists the projects in which the contributor has a role.
 */
export async function inProject(tx: Tx, account: Account, caller: Caller, named: Named): Promise<Account> {
  const { role } = account;
  if (role === undefined || role === "OWNER" || role === "MEMBER") return account;
  const who = { account: account.id, user: caller.userId };
  if (named.method === "GET" && named.route === "/projects" && role === "CONTRIBUTOR")
    return (await hasProjects(tx, who)) ? withScopes(account, ["read:project"]) : account;
  const held = await heldRole(tx, who, named);
  const raised = held && equivalent[held];
  if (raised === undefined || ascending.indexOf(raised) <= ascending.indexOf(role)) return account;
  return { ...withScopes(account, [...scopesOfRole(raised)]), role: raised };
}

const withScopes = (account: Account, more: readonly ScopeName[]): Account => ({
  ...account,
  scopes: new Set([...account.scopes, ...more]),
});

/** The caller's role in the project that a request names; undefined if there is no such project or role. */
async function heldRole(
  tx: Tx,
  who: { account: string; user: string },
  { route = "", params, query }: Named,
): Promise<ProjectRole | undefined> {
  if (route.startsWith("/deployments/:id") && params.id !== undefined)
    return roleInDeploymentsProject(tx, { ...who, deployment: params.id });
  const key = byPath.test(route)
    ? (params.idOrName ?? params.projectId)
    : byQuery.test(route)
      ? (query.projectIdOrName ?? query.projectId)
      : undefined;
  return typeof key === "string" ? roleInProject(tx, { ...who, key }) : undefined;
}

const byPath = /^\/(projects|env\/pull|data-cache\/projects)\/:/;
const byQuery = /^\/(security\/firewall\/bypass|(data|edge)-cache\/purge-all)$/;
