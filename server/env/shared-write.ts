import type { Account } from "../access/caller";
import { newId } from "../platform/ids";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { countRows } from "../store/rows";
import type { Unit } from "../store/store";
import { type SharedEnvVarRow, sharedEnvVars } from "./object";
import { isSameSet } from "./rules";
import type { EnvFailure } from "./schema";
import {
  findSharedProblem,
  type SharedAttempt,
  type SharedDraft,
  type SharedProblem,
  unknownShared,
} from "./shared-rules";
import type { CreateShared, EditShared } from "./shared-schema";
import {
  changeShared,
  draftOfShared,
  findConflicting,
  findSharedAmong,
  insertShared,
  link,
  linksOf,
  unlink,
} from "./shared-store";

/** The parts of a request that are needed to write shared variables. */
export interface SharedWriter extends Unit {
  services: Pick<Services, "vault">;
  caller: { userId: string | null };
  account: Pick<Account, "id" | "role" | "wantsSensitive">;
}

/** A variable that was not written, with the status of its refusal. */
type FailedShared = EnvFailure & { status: SharedProblem["status"] };

/**
 * Creates variables. Those that cannot be created are in `failed`.
 * @param idOf returns the id for a new variable. Default: a random one.
 * @throws Refusal when none can be created
 */
export async function createSharedVars(
  call: SharedWriter,
  { evs, type = "encrypted", target = [], projectId = [], applyToAllCustomEnvironments }: CreateShared,
  idOf: (draft: SharedDraft) => string = () => newId(sharedEnvVars),
): Promise<{ created: SharedEnvVarRow[]; failed: EnvFailure[] }> {
  const { tx, account, caller, services } = call;
  const created: SharedEnvVarRow[] = [];
  const failed: FailedShared[] = [];
  const already = await countRows(tx, "shared_env_vars", { account_id: account.id });
  for (const { key, value, comment } of evs) {
    const applyToAll = applyToAllCustomEnvironments ?? false;
    const draft: SharedDraft = { key, value, type, target, applyToAll, comment: comment || null };
    const count = already + created.length;
    const attempt = { draft, before: undefined, hasNewValue: true, count };
    const problem = await findProblem(call, attempt, undefined);
    if (problem) {
      failed.push(failureOf(draft, problem));
      continue;
    }
    const id = idOf(draft);
    const row = await insertShared(call, {
      ...{ id, account_id: account.id, created_by: caller.userId, updated_by: null },
      ...columnsOf(draft),
      value: services.vault.seal(id, value),
    });
    await link(tx, id, projectId);
    created.push(row);
  }
  return { created, failed: someOf(created, failed) };
}

/**
 * Changes variables, by their ids. An edit without changes does not write the variable.
 * @throws Refusal when none can be changed
 */
export async function editSharedVars(
  call: SharedWriter,
  updates: Readonly<Record<string, EditShared>>,
): Promise<{ updated: SharedEnvVarRow[]; failed: EnvFailure[] }> {
  const rows = new Map((await findSharedAmong(call, Object.keys(updates))).map((row) => [row.id, row]));
  const updated: SharedEnvVarRow[] = [];
  const failed: FailedShared[] = [];
  for (const [id, edit] of Object.entries(updates)) {
    const row = rows.get(id);
    const result = row ? await editSharedVar(call, row, edit) : failureOf(undefined, unknownShared(id));
    if ("error" in result) failed.push(result);
    else updated.push(result);
  }
  return { updated, failed: someOf(updated, failed) };
}

async function editSharedVar(
  call: SharedWriter,
  row: SharedEnvVarRow,
  edit: EditShared,
): Promise<SharedEnvVarRow | FailedShared> {
  const { tx, caller, services } = call;
  // A damaged variable can be edited. It stays damaged until a request has a value.
  const before = draftOfShared(row, services.vault.tryOpen(row.id, row.value) ?? "");
  const draft: SharedDraft = {
    key: edit.key ?? before.key,
    value: edit.value ?? before.value,
    type: edit.type ?? before.type,
    target: edit.target ?? before.target,
    applyToAll: edit.applyToAllCustomEnvironments ?? before.applyToAll,
    comment: edit.comment === undefined ? before.comment : edit.comment || null,
  };
  const hasNewValue = edit.value !== undefined;
  const problem = await findProblem(call, { draft, before, hasNewValue, count: 0 }, row.id);
  if (problem) return failureOf(draft, { ...problem, extra: { envVarId: row.id, ...problem.extra } });
  const links = await changeLinks(call, row.id, edit);
  const keepsValue = !hasNewValue || (draft.value === before.value && draft.type !== "sensitive");
  if (keepsValue && !links && isSame(before, draft)) return row;
  return changeShared({ tx, now: call.now }, row, {
    ...row,
    ...columnsOf(draft),
    value: keepsValue ? row.value : services.vault.seal(row.id, draft.value),
    updated_by: caller.userId,
  });
}

/** @choice Unlinking a project that is not linked changes nothing. @returns whether the links have changed */
async function changeLinks(
  { tx }: SharedWriter,
  id: string,
  { projectId, projectIdUpdates = {} }: Pick<EditShared, "projectId" | "projectIdUpdates">,
): Promise<boolean> {
  const linked = new Set((await linksOf(tx, id)).map(({ project_id }) => project_id));
  const added = (projectId ?? projectIdUpdates.link ?? []).filter((one) => !linked.has(one));
  const removed = [...linked].filter((one) =>
    projectId ? !projectId.includes(one) : projectIdUpdates.unlink?.includes(one),
  );
  await link(tx, id, added);
  await unlink(tx, id, removed);
  return added.length + removed.length > 0;
}

/** Unlinks a project from a variable. @returns whether the project was linked */
export async function unlinkShared(
  call: SharedWriter,
  row: SharedEnvVarRow,
  project: string,
): Promise<boolean> {
  const wasLinked = await changeLinks(call, row.id, { projectIdUpdates: { unlink: [project] } });
  if (wasLinked) await changeShared(call, row, { ...row, updated_by: call.caller.userId });
  return wasLinked;
}

async function findProblem(
  call: SharedWriter,
  attempt: Omit<SharedAttempt, "account" | "owner">,
  id: string | undefined,
): Promise<SharedProblem | undefined> {
  const owner = await findConflicting(call, attempt.draft, id);
  return findSharedProblem({ ...attempt, account: call.account, owner });
}

const columnsOf = ({ key, type, target, applyToAll, comment }: SharedDraft) => ({
  key,
  type,
  target: JSON.stringify(target),
  apply_to_all: applyToAll ? (1 as const) : (0 as const),
  comment,
});

/** True if two drafts have the same settings, apart from the value. */
const isSame = (before: SharedDraft, draft: SharedDraft): boolean =>
  (["key", "type", "applyToAll", "comment"] as const).every((name) => before[name] === draft[name]) &&
  isSameSet(before.target, draft.target);

export function failureOf(
  draft: SharedDraft | undefined,
  { status, code, message, extra }: SharedProblem,
): FailedShared {
  const named = draft && { key: draft.key, envVarKey: draft.key, target: [...draft.target] };
  return { status, error: { code, message, ...named, ...extra } };
}

/** The failures in an answer. @param done the variables that succeeded @throws Refusal of the first failure if none */
export function someOf(done: readonly unknown[], failures: readonly FailedShared[]): EnvFailure[] {
  const failed = failures.map(({ error }) => ({ error }));
  const [first] = failures;
  if (!first || done.length > 0) return failed;
  const { code, message, ...extra } = first.error;
  throw new Refusal(first.status, code, message, extra, { failed });
}
