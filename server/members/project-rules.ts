import { higherRole } from "../access/project-roles";
import type { RefusalRow } from "../platform/refusal";
import type { ProjectRole, Role } from "./object";

/**
 * The project role that each team role gives in every project of the team.
 * @choice The documentation of the API has no such table. Owners and members administer projects, developers develop
 *   them, and others view them. A contributor has only the projects to which the contributor was added.
 */
const byTeamRole: Record<Role, ProjectRole | undefined> = {
  OWNER: "ADMIN",
  MEMBER: "ADMIN",
  DEVELOPER: "PROJECT_DEVELOPER",
  SECURITY: "PROJECT_VIEWER",
  BILLING: "PROJECT_VIEWER",
  VIEWER: "PROJECT_VIEWER",
  VIEWER_FOR_PLUS: "PROJECT_VIEWER",
  CONTRIBUTOR: undefined,
};

/**
 * The highest of several project roles: the user's role in the project, the role that the team role gives, and those of
 * the user's access groups.
 */
export const computedRole = (
  role: ProjectRole,
  teamRole: Role,
  groupRoles: readonly ProjectRole[] = [],
): ProjectRole => [byTeamRole[teamRole] ?? role, ...groupRoles].reduce(higherRole, role);

/** The users that a body names. */
export interface Named {
  /**
   * `name`: as in the body. `id`: the id of a user of the team or of an invited user; undefined: there is no such user.
   * `isMember`: true if the user is a member of the project.
   */
  users: readonly { name: string; id: string | undefined; isMember: boolean }[];
}

/** @choice 400, since the public API lists no 404 here. */
export const notOfTeam: RefusalRow<Named> = [
  400,
  "bad_request",
  ({ users }) =>
    `${users.find(({ id }) => id === undefined)?.name} is not a member of the team. Invite the user to the team first.`,
  ({ users }) => users.some(({ id }) => id === undefined),
];

export const namedTwice: RefusalRow<Named> = [
  400,
  "bad_request",
  "The same user is named twice.",
  ({ users }) => new Set(users.map(({ id }) => id)).size < users.length,
];

/** @choice 400, as for a member of the team, because the public API lists no 409 for this request. */
export const isProjectMember: RefusalRow<Named> = [
  400,
  "bad_request",
  ({ users }) => `${users.find(({ isMember }) => isMember)?.name} is a member of the project.`,
  ({ users }) => users.some(({ isMember }) => isMember),
];

export const noProjectMember: RefusalRow<Named> = [
  404,
  "not_found",
  ({ users }) => `Member ${JSON.stringify(users.find(({ isMember }) => !isMember)?.name)} was not found.`,
  ({ users }) => users.some(({ isMember }) => !isMember),
];
