import * as z from "zod";
import { derivedId } from "../platform/ids";
import { id, name, ownedRow, owner, projectOf, section, times } from "../seed/section";
import { hasRow, insertRow } from "../store/rows";
import { customEnvironments } from "./object";

const row = ownedRow({
  ...owner,
  project: name,
  id: id.optional(),
  slug: name,
  description: z.string().optional(),
  branchMatcher: z.looseObject({ type: z.string(), pattern: z.string() }).optional(),
  ...times,
});

/** Adds a custom environment, unless its project has one with this slug. */
export const environments = section(
  "custom_environments",
  row,
  async ({ tx, now }, given, place) => {
    const project = await projectOf(tx, given, place);
    const { slug, description = null, branchMatcher, createdAt = now, updatedAt = createdAt } = given;
    const id = given.id ?? derivedId(customEnvironments, project.id, slug);
    if (await hasRow(tx, "custom_environments", { id })) return;
    if (await hasRow(tx, "custom_environments", { project_id: project.id, slug })) return;
    await insertRow(tx, "custom_environments", {
      id,
      project_id: project.id,
      slug,
      description,
      branch_matcher: branchMatcher ? JSON.stringify(branchMatcher) : null,
      created_at: createdAt,
      updated_at: updatedAt,
    });
  },
  ({ team, user, project, slug }) => [[team, user, project, slug]],
);
