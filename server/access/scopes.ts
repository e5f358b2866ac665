import type { Role } from "../members/object";

/** The subjects of the scopes that an integration can have. @source Authentication, 5 */
export const scopeSubjects = [
  "integration-configuration",
  "deployment",
  "deployment-check",
  "edge-config",
  "project",
  "project-env-vars",
  "global-project-env-vars",
  "team",
  "user",
  "log-drain",
  "domain",
] as const;

export type ScopeSubject = (typeof scopeSubjects)[number];
export type ScopeName = `${"read" | "read-write"}:${ScopeSubject}`;

/** A scope in the settings of an integration. @choice The bare name of the specification means read and write. */
export type ScopeSetting = ScopeName | ScopeSubject;

/** The scope that a route needs, or a list of alternative scopes. */
export type Scope = ScopeName | { any: readonly ScopeName[] };

/** The endpoints of variables accept either scope. The second one covers only variables of the integration itself. */
export const envScope: Scope = { any: ["read-write:global-project-env-vars", "read-write:project-env-vars"] };

const everything = scopeSubjects.map((subject): ScopeName => `read-write:${subject}`);
/** The user is the caller, whatever the role in a team. */
const reading = scopeSubjects.map(
  (subject): ScopeName => (subject === "user" ? "read-write:user" : `read:${subject}`),
);

/** Adds the scopes that the given scopes include: each scope to write includes the scope to read. */
export const grantedBy = (scopes: readonly ScopeName[]): ReadonlySet<ScopeName> =>
  new Set(scopes.flatMap((name) => [name, name.replace(/^read-write:/, "read:") as ScopeName]));

const byRole: Record<Role, ReadonlySet<ScopeName>> = {
  OWNER: grantedBy(everything),
  MEMBER: grantedBy(everything),
  DEVELOPER: grantedBy([...reading, "read-write:global-project-env-vars", "read-write:deployment-check"]),
  SECURITY: grantedBy(reading),
  VIEWER: grantedBy(reading),
  VIEWER_FOR_PLUS: grantedBy(reading),
  BILLING: grantedBy(reading),
  CONTRIBUTOR: grantedBy(["read:team", "read-write:user"]),
};

/**
 * The scopes of a member of a team.
 * @choice The specification names no roles. Developers read everything, and write deployment checks and variables,
 *   except production variables. Viewers, security and billing members read everything. Contributors read only the team
 *   and the user: see `project-roles.ts`. Every role permits changes of the user's own objects, such as access tokens.
 * @source the public documentation of the service: access roles
 */
export function scopesOfRole(role: Role): ReadonlySet<ScopeName> {
  return byRole[role];
}

/**
 * True when the caller may write variables of production.
 * @choice Installations may, because their scope covers the variables of all environments.
 * @source POST /v10/projects/{idOrName}/env, 403
 */
export function mayWriteProduction(role: Role | undefined): boolean {
  return role !== "DEVELOPER";
}
