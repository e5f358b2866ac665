import type { SelectQueryBuilder, Updateable } from "kysely";
import * as z from "zod";
import { notFound, Refusal } from "../platform/refusal";
import { nextTime } from "../store/monotonic";
import type { Database, ProjectRow } from "../store/schema";
import { prepared, type Tx, type Unit } from "../store/store";
import type { Account } from "./caller";

/**
 * Finds a project of an account.
 * @param key id or name. @choice An id takes precedence over a project of that name.
 */
type Find<R> = (tx: Tx, account: string, key: string) => Promise<R | undefined>;

/** @param rows what is asked for of projects */
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

export const projectName = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^(?!.*---)[a-z0-9._-]+$/,
    "may have lower case letters, digits, '.', '_' and '-', and no three dashes in a row",
  );

/** What names a project in a path. */
export const projectPath = z.object({ idOrName: z.string() });

/** What `loadProject` throws, for a route's `throws`. */
export const unknownProject = [404, "not_found", "no such project in the account"] as const;

/**
 * Finds the project that a path names, for a route's `load`. Projects of other accounts count as not found.
 * @choice One of the account that the caller's installation does not cover is 403: a client that takes 404 for gone
 *   must not lose what it only may not see any more.
 * @throws Refusal 403, 404
 */
export const loadProject = (call: OfProject): Promise<{ project: ProjectRow }> => loadBy(findProject, call);

interface OfProject {
  tx: Tx;
  account: Account;
  caller: { installation: { id: string; selected: boolean } | undefined };
  params: { idOrName: string } | { projectId: string };
}

/** The same with what else `find` asks for. */
export async function loadBy<R extends { id: string }>(
  find: Find<R>,
  call: OfProject,
): Promise<{ project: R }> {
  const key = "idOrName" in call.params ? call.params.idOrName : call.params.projectId;
  const project = await find(call.tx, call.account.id, key);
  if (project === undefined) throw notFound(`Project ${JSON.stringify(key)}`);
  if (await reachesProject(call, project.id)) return { project };
  throw new Refusal(
    403,
    "forbidden",
    `The integration has no access to the project ${JSON.stringify(key)}: its installation covers selected projects.`,
  );
}

/** True unless the caller is an installation with selected projects and this is not one of them. */
export async function reachesProject(
  {
    tx,
    caller: { installation },
  }: { tx: Tx; caller: { installation: { id: string; selected: boolean } | undefined } },
  project: string,
): Promise<boolean> {
  if (!installation?.selected) return true;
  const row = await tx
    .selectFrom("configuration_projects")
    .select("project_id")
    .where("configuration_id", "=", installation.id)
    .where("project_id", "=", project)
    .executeTakeFirst();
  return row !== undefined;
}

/** True when one of the ids is not of a project of the account that the caller reaches. */
export async function hasUnknownProjects(
  { tx, account, caller: { installation } }: Pick<OfProject, "tx" | "account" | "caller">,
  ids: readonly string[] = [],
): Promise<boolean> {
  if (ids.length === 0) return false;
  let known = tx
    .selectFrom("projects")
    .select("id")
    .where("account_id", "=", account.id)
    .where("id", "in", ids);
  if (installation?.selected) {
    known = known.where("id", "in", (eb) =>
      eb
        .selectFrom("configuration_projects")
        .select("project_id")
        .where("configuration_id", "=", installation.id),
    );
  }
  return (await known.execute()).length < new Set(ids).size;
}

/** What a project keeps as text; undefined when it is damaged. */
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

/** Changes columns of a project and its `updatedAt`, so that it moves to the front of the list. */
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
