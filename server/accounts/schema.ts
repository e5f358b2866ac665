import * as z from "zod";
import { commaSeparated, pagination, paging, unsupported } from "../http/query";

/** Answers about the caller's user and teams, which official clients ask for first. @source wire-shapes 11 */

const role = z.enum(["OWNER", "MEMBER", "DEVELOPER", "VIEWER", "BILLING"]);

/** @choice The limited form, which every version of the official clients accepts. */
export const user = z.strictObject({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  avatar: z.null(),
  /** The team that the access token is bound to; null for a token of the user's own account. */
  defaultTeamId: z.string().nullable(),
  limited: z.literal(true),
  version: z.literal("northstar"),
});
export type User = z.infer<typeof user>;

export const team = z.strictObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  avatar: z.null(),
  description: z.null(),
  creatorId: z.string(),
  stagingPrefix: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Absent if it was never set. */
  sensitiveEnvironmentVariablePolicy: z.enum(["on", "off", "default"]).optional(),
  membership: z.strictObject({
    role,
    confirmed: z.literal(true),
    uid: z.string(),
    teamId: z.string(),
    createdAt: z.number(),
    created: z.number(),
  }),
});
export type Team = z.infer<typeof team>;

/** @choice What Slipway and its clients need of the members that the service accepts. */
export const updateTeam = z.strictObject({
  name: z.string().min(1).max(256).optional(),
  /** `on`: new variables for production and preview must be sensitive. */
  sensitiveEnvironmentVariablePolicy: z.enum(["on", "off", "default"]).optional(),
});

/** @choice Never limited: this server has no log-in of a team. */
const listedTeam = team.extend({ limited: z.boolean(), limitedBy: z.array(z.string()) });

export const teamFilters = z.object(paging);

export const teamList = z.strictObject({ teams: z.array(listedTeam), pagination });

const member = z.strictObject({
  uid: z.string(),
  username: z.string(),
  email: z.string(),
  name: z.string().optional(),
  role,
  confirmed: z.literal(true),
  createdAt: z.number(),
});
export type Member = z.infer<typeof member>;

/** @choice This server has no members of projects, so the filters by project are refused. */
export const memberFilters = z.object({
  ...paging,
  role: role.optional(),
  /** Finds members by name, username and email address. */
  search: z.string().optional(),
  filterByUserIds: commaSeparated.optional(),
  excludeProject: unsupported,
  eligibleMembersForProjectId: unsupported,
});
export type MemberFilters = z.infer<typeof memberFilters>;

export const memberList = z.strictObject({
  members: z.array(member),
  /** This list alone has `hasNext` too. @source the API's official clients */
  pagination: pagination.extend({ hasNext: z.boolean() }),
});
