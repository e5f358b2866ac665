import { challengeOf } from "./names";
import type { DomainRow } from "./object";
import type { ProjectDomain } from "./schema";

/** A domain in an answer. @source Project domain; wire-shapes 5 */
export function viewDomain(row: DomainRow): ProjectDomain {
  return {
    name: row.name,
    apexName: row.apex_name,
    projectId: row.project_id,
    redirect: row.redirect,
    redirectStatusCode: row.redirect_status_code as ProjectDomain["redirectStatusCode"],
    gitBranch: row.git_branch,
    customEnvironmentId: row.custom_environment_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    verified: row.verified === 1,
    ...(row.verified === 1 ? {} : { verification: [challengeOf(row)] }),
  };
}
