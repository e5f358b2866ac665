import * as z from "zod";
import { emailPattern, projectRoles, teamRoles } from "../../provider/vocabulary";
import { commaSeparated, pagination, paging } from "../http/query";

/**
 * Bodies and answers of the members of teams.
 * @source the newest official client: /v3/teams/{teamId}/members, /v2/teams/{teamId}/members
 */

const role = z.enum(teamRoles);

export const emailAddress = z.email({ pattern: emailPattern }).max(254);

/** The properties of an answer that say who a user is. */
export const person = {
  uid: z.string(),
  username: z.string(),
  email: z.string(),
  name: z.string().optional(),
};

/** From where a user asks to join a team. @source the newest official client: requestAccessToTeam */
const joinedFrom = z.strictObject({
  origin: z.enum(["import", "teams", "github", "gitlab", "bitbucket", "feedback", "organization-teams"]),
  commitId: z.string().max(256).optional(),
  repoId: z.string().max(256).optional(),
  repoPath: z.string().max(256).optional(),
  gitUserId: z.union([z.string().max(256), z.number()]).optional(),
  gitUserLogin: z.string().max(256).optional(),
});
export type JoinedFrom = z.infer<typeof joinedFrom>;

export const requestAccess = z.strictObject({ joinedFrom });

/** @choice The server knows no accounts of users at Git providers. */
export const accessRequest = z.strictObject({
  teamName: z.string(),
  teamSlug: z.string(),
  confirmed: z.boolean(),
  accessRequestedAt: z.number(),
  joinedFrom,
  ...{ github: z.null(), gitlab: z.null(), bitbucket: z.null() },
});
export type AccessRequest = z.infer<typeof accessRequest>;

const member = z.strictObject({
  ...person,
  role,
  /** False for a user who was invited and has not accepted, or asked to join and was not accepted. */
  confirmed: z.boolean(),
  /** When the user asked to join; absent for a user who did not ask. */
  accessRequestedAt: z.number().optional(),
  joinedFrom: joinedFrom.optional(),
  createdAt: z.number(),
});
export type Member = z.infer<typeof member>;

export const memberFilters = z.object({
  ...paging,
  role: role.optional(),
  /** Finds members by name, username and email address. */
  search: z.string().optional(),
  filterByUserIds: commaSeparated.optional(),
  /** Leaves out the members of a project, by id or name. */
  excludeProject: z.string().optional(),
  /** Only users whom a project (id or name) may add. @choice These are the users who are not members of the project. */
  eligibleMembersForProjectId: z.string().optional(),
});
export type MemberFilters = z.infer<typeof memberFilters>;

export const memberList = z.strictObject({
  members: z.array(member),
  /** Only lists of members have `hasNext` too. @source the API's official clients */
  pagination: pagination.extend({ hasNext: z.boolean() }),
});

/**
 * The roles of a member in projects of the team.
 * @source the newest official client: inviteUserToTeam and updateTeamMember
 */
const projectGrants = z
  .array(z.strictObject({ projectId: z.string().max(256), role: z.enum(projectRoles) }))
  .max(100)
  .refine(
    (grants) => new Set(grants.map(({ projectId }) => projectId)).size === grants.length,
    "must not name a project twice",
  );
export type ProjectGrants = z.infer<typeof projectGrants>;

/** @choice `uid` is refused, as the service does: users are invited by their email addresses alone. */
const invitation = z.strictObject({
  email: emailAddress,
  role: role.optional(),
  projects: projectGrants.optional(),
});
export type Invitation = z.infer<typeof invitation>;

/**
 * The newest client sends an array, the older ones and the Terraform provider one object.
 * @choice An array must have one invitation, because the answer shows only one.
 */
export const invite = z.union([invitation, z.array(invitation).length(1)]);

export const invited = z.strictObject({
  uid: z.string(),
  username: z.string(),
  email: z.string(),
  role,
});
export type Invited = z.infer<typeof invited>;

export const updateMember = z.strictObject({
  role: role.optional(),
  /** The only projects in which the member keeps or gets a role. @source the Terraform provider, which sends all of them */
  projects: projectGrants.optional(),
  /** Accepts a user who asked to join. @choice It changes nothing for others, as invited users accept themselves. */
  confirmed: z.literal(true).optional(),
});

export const changedTeam = z.strictObject({ id: z.string() });

/** @choice An invitation is bound to its user, so the code is ignored. */
export const join = z.strictObject({ inviteCode: z.string().optional() });

export const joined = z.strictObject({
  teamId: z.string(),
  slug: z.string(),
  name: z.string(),
  from: z.literal("mail"),
});

/** @choice Ignored: this server has no default team that a user could set. */
export const leaving = z.object({ newDefaultTeamId: z.string().optional() });

/** Why the team is deleted, which has no effect. @source the newest official client: deleteTeam */
export const deleteTeam = z
  .strictObject({
    reasons: z
      .array(z.strictObject({ slug: z.string().max(256), description: z.string().max(10_000) }))
      .max(100)
      .optional(),
  })
  .default({});

export const deletedTeam = z.strictObject({
  id: z.string(),
  /** True if the request names a new default team, because this server has no default team that a user could set. */
  newDefaultTeamIdError: z.literal(true).optional(),
});
