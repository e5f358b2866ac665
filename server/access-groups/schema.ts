import * as z from "zod";
import { heldProjectRoles, projectRoles, teamRoles } from "../../provider/vocabulary";
import { number } from "../http/query";
import { person } from "../members/schema";

/**
 * Bodies and answers of access groups. Their times are texts.
 * @source the newest official client: /v1/access-groups
 */

/** @choice The public API gives no limit. The other two forms would be ambiguous in a path. */
export const groupName = z
  .string()
  .min(1)
  .max(256)
  .regex(
    /^(?!ag_|\.{1,2}$)[^/]*[^/\s][^/]*$/,
    "must not begin with ag_, which ids begin with, must not be '.', '..' or blank, and must not contain '/'",
  );

const id = z.string().max(256);

/** @choice A limit above 100 is refused. */
const limit = number
  .refine((value) => value >= 1 && value <= 100, "must be between 1 and 100")
  .describe("The largest number of items, from 1 to 100. Default: 20.");

/** The lists have no `since` and `until`. */
const paging = {
  limit: limit.optional(),
  next: z
    .string()
    .regex(/^\d{1,16}$/, "must be the value of pagination.next in an earlier answer")
    .transform(Number)
    .optional()
    .describe("Continues the list: the value of `pagination.next` in the answer before."),
};

const pagination = z.strictObject({ count: z.number(), next: z.string().nullable() });

export const groupFilters = z.object({
  ...paging,
  projectId: id.optional().describe("Only groups that have this project (id or name)."),
  search: z.string().optional().describe("Finds groups by name."),
  membersLimit: limit.optional().describe("Shows the ids of up to so many members of each group."),
  projectsLimit: limit.optional().describe("Shows the ids of up to so many projects of each group."),
});
export type GroupFilters = z.infer<typeof groupFilters>;

export const memberFilters = z.object({
  ...paging,
  search: z.string().optional().describe("Finds members by name, username and email address."),
});
export type MemberFilters = z.infer<typeof memberFilters>;

export const projectFilters = z.object(paging);
export type ProjectFilters = z.infer<typeof projectFilters>;

/** @choice The largest number of members and of projects in a body. */
const most = 1000;

/** @choice A list that names a member or a project twice is refused. */
const userIds = z
  .array(id)
  .max(most)
  .refine((ids) => new Set(ids).size === ids.length, "must not name a member twice");

/** `null` removes the project from the group. */
const grants = z
  .array(z.strictObject({ projectId: id, role: z.enum(projectRoles).nullable() }))
  .max(most)
  .refine(
    (all) => new Set(all.map(({ projectId }) => projectId)).size === all.length,
    "must not name a project twice",
  );
export type Grants = z.infer<typeof grants>;

export const createGroup = z.strictObject({
  name: groupName,
  projects: grants.optional(),
  membersToAdd: userIds.optional(),
});

/** @choice A member who is both added and removed is refused. */
export const updateGroup = z
  .strictObject({ ...createGroup.partial().shape, membersToRemove: userIds.optional() })
  .refine(
    ({ membersToAdd = [], membersToRemove = [] }) =>
      !membersToAdd.some((one) => membersToRemove.includes(one)),
    "must not add and remove the same member",
  );

const group = {
  accessGroupId: z.string(),
  name: z.string(),
  teamId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  membersCount: z.number(),
  projectsCount: z.number(),
  /** @choice Groups give no access to other products, so the list is empty. */
  entitlements: z.array(z.string()),
};

export const changedGroup = z.strictObject(group);
export type ChangedGroup = z.infer<typeof changedGroup>;

/** @choice No group is managed by a directory. */
export const accessGroup = z.strictObject({ ...group, isDsyncManaged: z.boolean() });

const listedGroup = accessGroup.extend({
  /** The ids of members, the latest first; only with `membersLimit`. */
  members: z.array(z.string()).optional(),
  /** The ids of projects, the latest first; only with `projectsLimit`. */
  projects: z.array(z.string()).optional(),
});
export type ListedGroup = z.infer<typeof listedGroup>;

export const groupList = z.strictObject({ accessGroups: z.array(listedGroup), pagination });

const groupMember = z.strictObject({ ...person, teamRole: z.enum(teamRoles), createdAt: z.string() });
export type GroupMember = z.infer<typeof groupMember>;

export const groupMemberList = z.strictObject({ members: z.array(groupMember), pagination });

const projectRole = {
  projectId: z.string(),
  role: z.enum(heldProjectRoles),
  createdAt: z.string(),
  updatedAt: z.string(),
};

const listedProject = z.strictObject({
  ...projectRole,
  project: z.strictObject({
    name: z.string(),
    framework: z.string().nullable(),
    latestDeploymentId: z.string().optional(),
  }),
});
export type ListedProject = z.infer<typeof listedProject>;

export const groupProjectList = z.strictObject({ projects: z.array(listedProject), pagination });

export const createGroupProject = z.strictObject({ projectId: id, role: z.enum(projectRoles) });

export const updateGroupProject = z.strictObject({ role: z.enum(projectRoles) });

export const groupProject = z.strictObject({ accessGroupId: z.string(), teamId: z.string(), ...projectRole });
export type GroupProject = z.infer<typeof groupProject>;
