import * as z from "zod";
import { heldProjectRoles, projectRoles, teamRoles } from "../../provider/vocabulary";
import { pagination, paging } from "../http/query";
import { emailAddress, person } from "./schema";

/**
 * Bodies and answers of the members of projects.
 * @source the newest official client: /v1/projects/{idOrName}/members; the Terraform provider
 */

const role = z.enum(projectRoles);

const member = z.strictObject({
  ...person,
  /** The role in the project. */
  role: z.enum(heldProjectRoles),
  /** The highest of the role in the project, the one that the team role gives, and those of the access groups. */
  computedProjectRole: z.enum(heldProjectRoles),
  teamRole: z.enum(teamRoles),
  createdAt: z.number(),
});
export type ProjectMember = z.infer<typeof member>;

export const memberFilters = z.object({
  ...paging,
  /** Finds members by name, username and email address. */
  search: z.string().optional(),
});
export type MemberFilters = z.infer<typeof memberFilters>;

/** @choice The list of a personal account's project is empty. */
export const memberList = z.strictObject({
  members: z.array(member),
  pagination: pagination.extend({ hasNext: z.boolean() }),
});

/** The id of a user. */
export const userId = z.string().max(256);

const who = { uid: userId, username: z.string().max(256), email: emailAddress };

/** The service looks for the user by the first of `uid`, `username` and `email` that is given. */
export const addMember = z
  .strictObject({ ...z.strictObject(who).partial().shape, role })
  .refine(
    ({ uid, username, email }) => [uid, username, email].some((one) => one !== undefined),
    "must have uid, username or email",
  );
export type AddMember = z.infer<typeof addMember>;

const most = 100;

export const addMembers = z.strictObject({ members: z.array(addMember).min(1).max(most) });

export const updateMembers = z.strictObject({
  members: z
    .array(z.strictObject({ uid: userId, role }))
    .min(1)
    .max(most),
});

export const removeMembers = z.strictObject({ members: z.array(userId).min(1).max(most) });

/** The id of the project. */
export const changedProject = z.strictObject({ id: z.string() });
