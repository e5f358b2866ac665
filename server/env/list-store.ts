import type * as z from "zod";
import { findSlugs } from "../access/account-store";
import { pageOf, pageSize } from "../http/query";
import type { Call } from "../http/route";
import type { ProjectRow } from "../projects/object";
import type { Tx } from "../store/store";
import { ownVariablesOf } from "./access";
import { findSlotTarget } from "./environment-store";
import type { EnvVarRow } from "./object";
import type { listFilters } from "./schema";

/** A limit that no project reaches, because both environments and variables per environment are limited. */
const everything = 100_000;

/**
 * A page of a project's variables.
 * @choice Without `limit`, the page has all variables, because clients do not page this list. With `gitBranch`, it has
 *   the variables of the branch and the preview variables without a branch.
 * @source wire-shapes 4
 */
export async function findPage(
  call: Pick<Call, "tx" | "caller" | "account"> & {
    project: ProjectRow;
    query: z.output<typeof listFilters>;
  },
) {
  const { tx, project, query } = call;
  const environments: string[] = [];
  for (const key of [query.target, query.customEnvironmentId, query.customEnvironmentSlug]) {
    if (key !== undefined) environments.push((await findSlotTarget(tx, project.id, key)) ?? key);
  }
  let list = tx.selectFrom("env_vars").selectAll().where("project_id", "=", project.id);
  const slots = tx.selectFrom("env_slots").select("env_id").where("project_id", "=", project.id);
  if (query.gitBranch !== undefined) {
    const ofBranch = slots.where("target", "=", "preview").where("git_branch", "in", ["", query.gitBranch]);
    list = list.where("id", "in", ofBranch);
  }
  for (const target of environments) list = list.where("id", "in", slots.where("target", "=", target));
  const own = ownVariablesOf(call);
  if (own !== undefined) list = list.where("configuration_id", "=", own);
  const size = query.limit === undefined ? everything : pageSize(query.limit);
  return pageOf(list, "created_at", query, { size });
}

/** Reads the names of the users who changed variables last. @returns the member that shows the name of a variable */
export async function editorsOf(tx: Tx, rows: readonly EnvVarRow[]) {
  const editorOf = ({ created_by, updated_by }: EnvVarRow): string => updated_by ?? created_by ?? "";
  const names = await findSlugs(tx, [...new Set(rows.map(editorOf))]);
  return (row: EnvVarRow) => ({ lastEditedByDisplayName: names.get(editorOf(row)) });
}
