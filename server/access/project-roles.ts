import type { ProjectRole, Role } from "../members/object";
import type { Tx } from "../store/store";
import type { Account, Caller } from "./caller";
import { type HeldRole, hasProjects, rolesInDeploymentsProject, rolesInProject } from "./project-role-store";
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

/** Team roles by what they permit in projects. */
const ascending: readonly Role[] = [
  ...(["CONTRIBUTOR", "BILLING", "VIEWER_FOR_PLUS", "SECURITY", "VIEWER"] as const),
  ...(["DEVELOPER", "MEMBER", "OWNER"] as const),
];

const ascendingInProject: readonly ProjectRole[] = [
  "PROJECT_GUEST",
  "PROJECT_VIEWER",
  "PROJECT_DEVELOPER",
  "ADMIN",
];

/** The higher of two roles in a project. */
export const higherRole = (one: ProjectRole, other: ProjectRole): ProjectRole =>
  ascendingInProject.indexOf(other) > ascendingInProject.indexOf(one) ? other : one;

/** The caller of a request, and the account that it acts on. */
export interface Acting {
  account: Account;
  caller: Caller;
}

/**
 * The account and the caller as a request may use them. A role that only the project gives limits the caller to it. In
 * a project, a member has the highest of these roles: the role in the team, the role in the project, and those of the
 * member's access groups in the project.
 * @choice The project is that of the path, also by the id or URL of a deployment, or that of the query where the path
 *   has none. A request that names
 *   it in the body uses the role in the team alone. A contributor lists the projects in which the contributor has a role.
 */
export async function inProject(tx: Tx, { account, caller }: Acting, named: Named): Promise<Acting> {
  const { role } = account;
  if (role === undefined || role === "OWNER" || role === "MEMBER") return { account, caller };
  const who = { account: account.id, user: caller.userId };
  if (/^(GET|HEAD)$/.test(named.method) && named.route === "/projects" && role === "CONTRIBUTOR") {
    const mayList = await hasProjects(tx, who);
    return { account: mayList ? withScopes(account, ["read:project"]) : account, caller };
  }
  const held = await heldRole(tx, who, named);
  const raised = held && equivalent[held.role];
  if (held === undefined || raised === undefined || ascending.indexOf(raised) <= ascending.indexOf(role))
    return { account, caller };
  return {
    account: { ...withScopes(account, [...scopesOfRole(raised)]), role: raised },
    caller: { ...caller, onlyProject: held.project },
  };
}

const withScopes = (account: Account, more: readonly ScopeName[]): Account => ({
  ...account,
  scopes: new Set([...account.scopes, ...more]),
});

/** The project that a request names, with the caller's highest role there; undefined if there is none. */
async function heldRole(
  tx: Tx,
  who: { account: string; user: string },
  named: Named,
): Promise<HeldRole | undefined> {
  const held = await heldRoles(tx, who, named);
  const [first] = held;
  if (first === undefined) return undefined;
  // If a request names deployments of two projects, only the roles in one of them count.
  const roles = held.filter(({ project }) => project === first.project).map(({ role }) => role);
  return { project: first.project, role: roles.reduce(higherRole) };
}

/** The roles of the caller in the project that a request names. */
async function heldRoles(
  tx: Tx,
  who: { account: string; user: string },
  { route = "", params, query }: Named,
): Promise<HeldRole[]> {
  if (route.startsWith("/deployments/:id"))
    return rolesInDeploymentsProject(tx, { ...who, deployments: [params.id, query.url].filter(isText) });
  const key = byPath.test(route)
    ? (params.idOrName ?? params.projectId)
    : byQuery.test(route)
      ? (query.projectId ?? query.projectIdOrName)
      : undefined;
  return typeof key === "string" ? rolesInProject(tx, { ...who, key }) : [];
}

const isText = (value: unknown): value is string => typeof value === "string";

const byPath = /^\/(projects|env\/pull|data-cache\/projects)\/:/;
const byQuery = /^\/(security\/firewall\/(bypass|config.*)|(data|edge)-cache\/purge-all)$/;
