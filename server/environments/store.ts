import type { Updateable } from "kysely";
import { newId } from "../platform/ids";
import type { Unit } from "../store/store";
import type { Database } from "../store/tables";
import { type CustomEnvironmentRow, customEnvironments } from "./object";
import type { CreateCustomEnvironment } from "./schema";

/** Writes custom environments. `env/environment-store` reads them, because variables refer to them. */

export function insertEnvironment(
  { tx, now }: Unit,
  project: string,
  { slug, description, branchMatcher }: CreateCustomEnvironment,
): Promise<CustomEnvironmentRow> {
  return tx
    .insertInto("custom_environments")
    .values({
      id: newId(customEnvironments),
      project_id: project,
      slug,
      description: description ?? null,
      branch_matcher: branchMatcher ? JSON.stringify(branchMatcher) : null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export type EnvironmentColumns = Updateable<Database["custom_environments"]>;

export function changeEnvironment(
  { tx, now }: Unit,
  id: string,
  columns: EnvironmentColumns,
): Promise<CustomEnvironmentRow> {
  return tx
    .updateTable("custom_environments")
    .set({ ...columns, updated_at: now })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
