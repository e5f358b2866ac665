import type { Account } from "../access/caller";
import { pageOf } from "../http/query";
import { contains, lower } from "../store/like";
import { laterThan, nextTime } from "../store/monotonic";
import { batched, type Tx, type Unit } from "../store/store";
import type { EnvVarRow, SharedEnvVarRow } from "./object";
import { type SharedDraft, sharedSlots } from "./shared-rules";
import type { SharedFilters } from "./shared-schema";

/** The variables of a team, and their links to projects. */

interface OfAccount {
  tx: Tx;
  account: Pick<Account, "id">;
}

const sharedOf = ({ tx, account }: OfAccount) =>
  tx.selectFrom("shared_env_vars").where("account_id", "=", account.id);

/** The shared variables of an account with these ids, the oldest first. */
export const findSharedAmong = (of: OfAccount, ids: readonly string[]): Promise<SharedEnvVarRow[]> =>
  sharedOf(of).selectAll().where("id", "in", ids).orderBy("created_at").execute();

/** A page of a team's variables, the newest first. */
export function listShared(of: OfAccount, query: SharedFilters) {
  let list = sharedOf(of).selectAll();
  const linkedTo = (project: string) =>
    of.tx.selectFrom("shared_env_links").select("env_id").where("project_id", "=", project);
  const { search, projectId, ids } = query;
  if (search) list = list.where(contains(lower("key"), search.toLowerCase()));
  if (projectId !== undefined) list = list.where("id", "in", linkedTo(projectId));
  if (ids !== undefined) list = list.where("id", "in", ids);
  for (const left of [query.exclude_ids, query["exclude-ids"]])
    if (left !== undefined) list = list.where("id", "not in", left);
  for (const project of [query.exclude_projectId, query["exclude-projectId"]])
    if (project !== undefined) list = list.where("id", "not in", linkedTo(project));
  return pageOf(list, "created_at", query);
}

/**
 * Returns the id of a variable that has the same key as a draft and at least one target in common with it.
 * @param except the id of the variable that is being changed
 */
export async function findConflicting(
  { tx, account }: OfAccount,
  draft: SharedDraft,
  except: string | undefined,
): Promise<string | undefined> {
  const targets = sharedSlots(draft);
  if (targets.length === 0) return undefined;
  let slots = tx
    .selectFrom("shared_env_slots")
    .select("env_id")
    .where("account_id", "=", account.id)
    .where("key", "=", draft.key)
    .where("target", "in", targets);
  if (except !== undefined) slots = slots.where("env_id", "!=", except);
  return (await slots.limit(1).executeTakeFirst())?.env_id;
}

/** The ids of the projects that variables are linked to, in a stable order. */
export const linksOf = batched(
  (tx, has) => tx.selectFrom("shared_env_links").selectAll().where(has("env_id")).orderBy("project_id"),
  (row) => row.env_id,
);

export const draftOfShared = (
  { key, type, target, apply_to_all, comment }: SharedEnvVarRow,
  value: string,
): SharedDraft => ({
  key,
  type,
  value,
  target: JSON.parse(target),
  applyToAll: apply_to_all === 1,
  comment,
});

/**
 * Adds a variable. Without `times`, its `created_at` is unique in the account, because lists are paged by it.
 * @param times `createdAt` and `updatedAt` of a variable that a seed restores
 */
export async function insertShared(
  { tx, now }: Unit,
  row: Omit<SharedEnvVarRow, "created_at" | "updated_at">,
  times: { createdAt?: number | undefined; updatedAt?: number | undefined } = {},
): Promise<SharedEnvVarRow> {
  const createdAt =
    times.createdAt ?? (await nextTime(sharedOf({ tx, account: { id: row.account_id } }), "created_at", now));
  const whole = { ...row, created_at: createdAt, updated_at: times.updatedAt ?? createdAt };
  await tx.insertInto("shared_env_vars").values(whole).execute();
  await insertSlots(tx, whole);
  return whole;
}

/** Changes a variable. Each change sets a later `updated_at`, so that clients can detect changes by others. */
export async function changeShared(
  { tx, now }: Unit,
  before: SharedEnvVarRow,
  changed: SharedEnvVarRow,
): Promise<SharedEnvVarRow> {
  const { id, ...columns } = { ...changed, updated_at: laterThan(before.updated_at, now) };
  await tx.updateTable("shared_env_vars").set(columns).where("id", "=", id).execute();
  await deleteSlots(tx, [id]);
  await insertSlots(tx, changed);
  return { id, ...columns };
}

export async function deleteShared(tx: Tx, ids: readonly string[]): Promise<void> {
  await deleteSlots(tx, ids);
  await tx.deleteFrom("shared_env_links").where("env_id", "in", ids).execute();
  await tx.deleteFrom("shared_env_vars").where("id", "in", ids).execute();
}

async function insertSlots(tx: Tx, row: SharedEnvVarRow): Promise<void> {
  const slots = sharedSlots(draftOfShared(row, "")).map((target) => ({
    account_id: row.account_id,
    key: row.key,
    target,
    env_id: row.id,
  }));
  if (slots.length > 0) await tx.insertInto("shared_env_slots").values(slots).execute();
}

const deleteSlots = (tx: Tx, ids: readonly string[]) =>
  tx.deleteFrom("shared_env_slots").where("env_id", "in", ids).execute();

export async function link(tx: Tx, id: string, projects: readonly string[]): Promise<void> {
  if (projects.length === 0) return;
  await tx
    .insertInto("shared_env_links")
    .values(projects.map((project) => ({ env_id: id, project_id: project })))
    .onConflict((conflict) => conflict.columns(["env_id", "project_id"]).doNothing())
    .execute();
}

export async function unlink(tx: Tx, id: string, projects: readonly string[]): Promise<void> {
  if (projects.length === 0) return;
  await tx
    .deleteFrom("shared_env_links")
    .where("env_id", "=", id)
    .where("project_id", "in", projects)
    .execute();
}

/**
 * Returns the shared variables that a project's deployments get in one environment. The caller must give precedence to
 * the variables of the project itself.
 * @param target a target, or the id of a custom environment
 */
export async function sharedVariablesFor(
  tx: Tx,
  project: string,
  target: string,
): Promise<Pick<EnvVarRow, "id" | "key" | "type" | "value">[]> {
  const linked = await tx
    .selectFrom("shared_env_vars as v")
    .innerJoin("shared_env_links as l", "l.env_id", "v.id")
    .selectAll("v")
    .where("l.project_id", "=", project)
    .orderBy("v.created_at")
    .execute();
  const isStandard = ["production", "preview", "development"].includes(target);
  return linked.filter((row) =>
    isStandard ? (JSON.parse(row.target) as string[]).includes(target) : row.apply_to_all === 1,
  );
}
