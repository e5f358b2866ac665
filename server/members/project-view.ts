import { computedRole } from "./project-rules";
import type { ProjectMember } from "./project-schema";
import type { ProjectMemberRow } from "./project-store";

export const viewProjectMember = (row: ProjectMemberRow): ProjectMember => ({
  uid: row.id,
  username: row.slug,
  email: row.email ?? "",
  ...(row.name === null ? {} : { name: row.name }),
  role: row.role,
  computedProjectRole: computedRole(row.role, row.team_role),
  teamRole: row.team_role,
  createdAt: row.joined_at,
});
