import { computedRole } from "./project-rules";
import type { ProjectMember } from "./project-schema";
import type { ProjectMemberRow } from "./project-store";
import { viewPerson } from "./view";

export const viewProjectMember = (row: ProjectMemberRow): ProjectMember => ({
  ...viewPerson(row),
  role: row.role,
  computedProjectRole: computedRole(row.role, row.team_role),
  teamRole: row.team_role,
  createdAt: row.joined_at,
});
