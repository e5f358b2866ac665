import type { Role } from "../store/schema";

/** The scopes that can be set for an integration. @source Authentication, 5 */
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

/** What a route needs: this scope, or any one of several. */
export type Scope = ScopeName | { any: readonly ScopeName[] };

/** Either variable scope opens the endpoints; the narrower one sees only what its integration made. */
export const envScope: Scope = { any: ["read-write:global-project-env-vars", "read-write:project-env-vars"] };

const everything = scopeSubjects.map((subject): ScopeName => `read-write:${subject}`);
const reading = scopeSubjects.map((subject): ScopeName => `read:${subject}`);

const byRole: Record<Role, ReadonlySet<ScopeName>> = {
  OWNER: new Set(everything),
  MEMBER: new Set(everything),
  DEVELOPER: new Set([...reading, "read-write:global-project-env-vars", "read-write:deployment-check"]),
  VIEWER: new Set(reading),
  BILLING: new Set<ScopeName>(["read:team", "read:user"]),
};

/**
 * What a member of a team may do, in the words of the scopes.
 * @choice The specification names no roles. A developer reads everything and writes variables, production's
 *   aside; a viewer reads; who keeps the books sees team and user alone.
 */
export function scopesOfRole(role: Role): ReadonlySet<ScopeName> {
  return byRole[role];
}

/**
 * Whether a caller may write production variables.
 * @choice Installations may: their scope says all variables.
 * @source POST /v10/projects/{idOrName}/env, 403
 */
export function mayWriteProduction(role: Role | undefined): boolean {
  return role !== "DEVELOPER";
}
