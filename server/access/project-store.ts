import type { SelectQueryBuilder, Updateable } from "kysely";
import type { ProjectRow } from "../projects/object";
import { nextTime } from "../store/monotonic";
import { hasRow } from "../store/rows";
import { prepared, type Tx, type Unit } from "../store/store";
import type { Database } from "../store/tables";

/**
 * Finds a project of an account.
 * @param key id or name. @choice A project with this id takes precedence over a project with this name.
 */
export type Find<R> = (tx: Tx, account: string, key: string) => Promise<R | undefined>;

/** Makes a function that finds a project. @param rows builds the query, without the condition on the project */
export function findBy<R>(rows: (tx: Tx) => SelectQueryBuilder<Database, "projects", R>): Find<R> {
  const byId = prepared((tx, p: { account: string; key: string }) =>
    rows(tx).where("projects.id", "=", p.key).where("projects.account_id", "=", p.account),
  );
  const byName = prepared((tx, p: { account: string; key: string }) =>
    rows(tx).where("projects.account_id", "=", p.account).where("projects.name", "=", p.key),
  );
  return async (tx, account, key) => {
    const found = key.startsWith("prj_") ? await byId(tx, { account, key }) : [];
    return found[0] ?? (await byName(tx, { account, key }))[0];
  };
}

/** The names of projects, of any account. Projects that no longer exist are left out. */
export async function findProjectNames(
  tx: Tx,
  ids: readonly string[],
): Promise<Pick<ProjectRow, "id" | "name">[]> {
  if (ids.length === 0) return [];
  return tx
    .selectFrom("projects")
    .select(["id", "name"])
    .where("id", "in", [...new Set(ids)])
    .execute();
}

export const findProject = findBy((tx) => tx.selectFrom("projects").selectAll());

/** True when an installation with selected projects covers a project. */
export const isCovered = (tx: Tx, configuration: string, project: string): Promise<boolean> =>
  hasRow(tx, "configuration_projects", { configuration_id: configuration, project_id: project });

/** Limits a caller to some projects. */
export interface Reach {
  installation: { id: string; selected: boolean } | undefined;
  onlyProject?: string | undefined;
}

/** The ids of the projects to which a caller is limited, as a query; undefined if the caller is not limited. */
export function reachOf(tx: Tx, { installation, onlyProject }: Reach) {
  if (onlyProject !== undefined)
    return tx
      .selectFrom("projects")
      .select("projects.id as project_id")
      .where("projects.id", "=", onlyProject);
  if (!installation?.selected) return undefined;
  return tx
    .selectFrom("configuration_projects")
    .select("project_id")
    .where("configuration_id", "=", installation.id);
}

/** Finds the projects of an account with these ids that a caller may access. */
export async function knownProjects(
  tx: Tx,
  account: string,
  ids: readonly string[],
  caller: Reach,
): Promise<{ id: string }[]> {
  const known = tx
    .selectFrom("projects")
    .select("id")
    .where("account_id", "=", account)
    .where("id", "in", ids);
  const reach = reachOf(tx, caller);
  return (reach === undefined ? known : known.where("id", "in", reach)).execute();
}

/** The settings that a project stores as text; undefined if the text is not a JSON object. */
export function storedSettings({
  settings,
}: Pick<ProjectRow, "settings">): Record<string, unknown> | undefined {
  try {
    const stored = JSON.parse(settings);
    return typeof stored === "object" && stored !== null ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** The time of a change, unique within the account so that lists can be paged by it. */
export const nextUpdatedAt = ({ tx, now }: Unit, account: string): Promise<number> =>
  nextTime(tx.selectFrom("projects").where("account_id", "=", account), "updated_at", now);

/** Changes columns of a project. Also changes its `updatedAt`, which moves the project to the front of the list. */
export async function changeProject(
  { tx, now }: Unit,
  project: ProjectRow,
  columns: Updateable<Database["projects"]>,
): Promise<ProjectRow> {
  return tx
    .updateTable("projects")
    .set({ ...columns, updated_at: await nextUpdatedAt({ tx, now }, project.account_id) })
    .where("id", "=", project.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
