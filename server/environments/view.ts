import { present } from "../http/reply";
import type { CustomEnvironmentRow } from "./object";

/** A custom environment as an answer. */
export function viewEnvironment(row: CustomEnvironmentRow) {
  return present({
    id: row.id,
    slug: row.slug,
    type: "preview" as const,
    description: row.description ?? undefined,
    branchMatcher: row.branch_matcher === null ? undefined : JSON.parse(row.branch_matcher),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  });
}
