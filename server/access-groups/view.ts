import { storedSettings } from "../access/project-store";
import { viewPerson } from "../members/view";
import type { AccessGroupRow, GroupProjectRow } from "./object";
import type { ChangedGroup, GroupMember, GroupProject, ListedProject } from "./schema";
import type { CountedGroup, GroupMemberRow, ListedProjectRow } from "./store";

export const viewChangedGroup = (row: CountedGroup): ChangedGroup => ({
  accessGroupId: row.id,
  name: row.name,
  teamId: row.account_id,
  createdAt: String(row.created_at),
  updatedAt: String(row.updated_at),
  membersCount: Number(row.member_count),
  projectsCount: Number(row.project_count),
  entitlements: [],
});

export const viewGroup = (row: CountedGroup) => ({ ...viewChangedGroup(row), isDsyncManaged: false });

export const viewGroupMember = (row: GroupMemberRow): GroupMember => ({
  ...viewPerson(row),
  teamRole: row.team_role,
  createdAt: String(row.joined_at),
});

const viewRole = (row: Omit<GroupProjectRow, "access_group_id">) => ({
  projectId: row.project_id,
  role: row.role,
  createdAt: String(row.created_at),
  updatedAt: String(row.updated_at),
});

export const viewListedProject = (row: ListedProjectRow): ListedProject => ({
  ...viewRole(row),
  project: {
    name: row.name,
    framework: (storedSettings(row)?.framework as string | null | undefined) ?? null,
    ...(row.latest_deployment_id !== null && { latestDeploymentId: row.latest_deployment_id }),
  },
});

export const viewGroupProject = (group: AccessGroupRow, row: GroupProjectRow): GroupProject => ({
  accessGroupId: group.id,
  teamId: group.account_id,
  ...viewRole(row),
});

/** @choice The cursor is the time of the last item on the page. */
export const viewPagination = ({ count, next }: { count: number; next: number | null }) => ({
  count,
  next: next === null ? null : String(next),
});
