import * as z from "zod";
import { envTypes } from "../../provider/vocabulary";
import { present } from "../http/reply";
import { InvalidItem } from "../http/validate";
import { Refusal } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { laterThan } from "../store/monotonic";
import { pauseIfDue } from "../store/store";
import type { EnvWriter } from "./access";
import { EnvBatch } from "./batch";
import { listEnvironments } from "./environment-store";
import type { EnvVarRow } from "./object";
import {
  type EnvDraft,
  type EnvProblem,
  findBrokenRule,
  findDisagreement,
  findMissing,
  isSameSet,
  locked,
  slotsOf,
  typeFor,
  unknownEnvironment,
  wouldReveal,
} from "./rules";
import type { EditEnv, EnvFailure, NewEnv } from "./schema";
import { assignmentOf, countOf, writeChange } from "./store";
import { EnvTotals } from "./totals";

type Changes = Awaited<ReturnType<EnvBatch["write"]>>["changes"];

/** A variable that was not created, with the status of its refusal. */
export type FailedEnv = EnvFailure & { status: EnvProblem["status"] };

/**
 * Creates variables. Those that cannot be created are in `failed`.
 * The caller emits the events, because the variables of a new project have no events of their own.
 * @param options.upsert changes an existing variable instead of refusing the request
 * @returns the variables after the write, and by id whether each variable that changed was created or updated
 * @choice `upsert` changes the variable that has exactly this key, branch and set of targets. If the request has custom
 *   environments, these must be the same too. The variable keeps its custom environments, type or comment if the
 *   request does not have this member. A variable with only some of the targets is a conflict, because the change would
 *   also apply to its other targets.
 * @source Environment variables, POST /v10/projects/{idOrName}/env; wire-shapes 4
 */
export async function createEnvVars(
  call: EnvWriter,
  project: ProjectRow,
  given: readonly (NewEnv | InvalidItem)[],
  { upsert = false }: { upsert?: boolean } = {},
): Promise<{ created: EnvVarRow[]; changes: Changes; failed: FailedEnv[] }> {
  if (given.length === 0) return { created: [], changes: new Map(), failed: [] };
  const items = given.filter(isFitting);
  const batch = await EnvBatch.begin(
    call,
    project,
    items.map(({ key = "" }) => key),
    upsert,
  );
  const environments = await environmentsOf(call, project, items);
  const failed: FailedEnv[] = [];
  for (const item of given) {
    const pause = pauseIfDue(call.tx);
    if (pause) await pause;
    if (!isFitting(item)) {
      failed.push(invalidItemFailure(item));
      continue;
    }
    const owners = upsert ? batch.findOwners(draftOf(item)) : [];
    const before = owners.find((row) => hasSameTargets(row, item));
    const whole = before ? keeping(before, item) : item;
    const draft = { ...draftOf(whole), ...(before && currentEnvironments(before)) };
    const problem =
      findMissing(whole) ??
      (before ? undefined : findUnknownEnvironment(environments, draft)) ??
      batch.put(draft, before);
    if (problem) failed.push(failureOf(draft, problem));
  }
  const { rows: created, changes } = await batch.write();
  return { created, changes, failed };
}

/**
 * Refuses a request in which every variable breaks a rule that does not depend on the project.
 * @throws Refusal 400
 * @source Environment variables, POST /v10/projects/{idOrName}/env, 400
 */
export function refuseInvalid(
  items: readonly (NewEnv | InvalidItem)[],
  { upsert = false }: { upsert?: boolean } = {},
): void {
  const failed: FailedEnv[] = [];
  for (const item of items) {
    if (!isFitting(item)) {
      failed.push(invalidItemFailure(item));
      continue;
    }
    const problem = invalid(item);
    // Without a type in the request, an existing variable keeps its type, on which the rules depend.
    const depends = upsert && item.type === undefined && item.visibility === undefined;
    if (!problem || (depends && envTypes.some((type) => !invalid({ ...item, type })))) return;
    failed.push(failureOf(draftOf(item), problem));
  }
  const [first] = failed;
  if (first) throw refusalOf(first, { failed: failed.map(({ error }) => ({ error })) });
}

const invalid = (item: NewEnv): EnvProblem | undefined => findMissing(item) ?? findBrokenRule(draftOf(item));

function draftOf({
  key,
  value,
  type,
  visibility,
  target,
  customEnvironmentIds,
  gitBranch,
  comment,
}: NewEnv): EnvDraft {
  return {
    key: key ?? "",
    value: value ?? "",
    type: type ?? typeFor(visibility) ?? "encrypted",
    target: target ?? [],
    customEnvironmentIds: customEnvironmentIds ?? [],
    gitBranch: gitBranch ?? null,
    comment: comment ?? null,
  };
}

/**
 * True when a variable has exactly the targets in the request, and its custom environments if the request gives them.
 */
function hasSameTargets(row: EnvVarRow, { target = [], customEnvironmentIds }: NewEnv): boolean {
  const current = assignmentOf(row);
  return (
    isSameSet(current.target, target) &&
    (customEnvironmentIds === undefined || isSameSet(current.customEnvironmentIds, customEnvironmentIds))
  );
}

const currentEnvironments = (row: EnvVarRow): Pick<EnvDraft, "customEnvironmentIds"> => ({
  customEnvironmentIds: assignmentOf(row).customEnvironmentIds,
});

/** The variable after `upsert`: members that the request lacks keep their value. */
const keeping = (row: EnvVarRow, item: NewEnv): NewEnv => ({
  ...item,
  type: item.type ?? typeFor(item.visibility, row.type),
  comment: item.comment === undefined ? row.comment : item.comment,
});

/**
 * Edits a variable. Absent members keep their value. An edit without changes does not write the variable.
 * @throws Refusal 400 when the variable would break a rule, 403 for a conflict or a missing permission
 * @source Environment variables, PATCH /v9/projects/{idOrName}/env/{id}
 */
export async function editEnvVar(
  call: EnvWriter,
  project: ProjectRow,
  row: EnvVarRow,
  body: EditEnv,
): Promise<{ edited: EnvVarRow; isChanged: boolean }> {
  const before = assignmentOf(row);
  const or = <T, K>(given: T | undefined, kept: K): T | K => (given === undefined ? kept : given);
  const draft: EnvDraft = {
    key: body.key ?? row.key,
    // A damaged variable can be edited. It stays damaged until a request has a value.
    value: body.value ?? call.services.vault.tryOpen(row.id, row.value) ?? "",
    keepsValue: body.value === undefined,
    type: body.type ?? typeFor(body.visibility, row.type) ?? row.type,
    target: or(body.target, before.target) ?? [],
    customEnvironmentIds: or(body.customEnvironmentIds, before.customEnvironmentIds) ?? [],
    gitBranch: or(body.gitBranch, row.git_branch),
    comment: or(body.comment, row.comment),
    unassigned: slotsOf(before).length === 0 && !body.target && !body.customEnvironmentIds,
  };
  const batch = await EnvBatch.begin(call, project, [draft.key]);
  const problem =
    findDisagreement(body) ??
    (body.value === undefined && wouldReveal(row.type, draft.type) ? locked : undefined) ??
    findUnknownEnvironment(await environmentsOf(call, project, [draft]), draft) ??
    batch.put(draft, row);
  if (problem) throw refusalOf(failureOf(draft, problem));
  const { rows, changes } = await batch.write();
  return { edited: rows[0] ?? row, isChanged: changes.size > 0 };
}

/**
 * Removes a variable from a custom environment.
 * @returns the changed variable; undefined, without a change, if the variable has no other environment
 */
export async function removeFromEnvironment(
  { tx, now, caller }: Pick<EnvWriter, "tx" | "now" | "caller">,
  project: ProjectRow,
  row: EnvVarRow,
  environment: string,
): Promise<EnvVarRow | undefined> {
  const ids = assignmentOf(row).customEnvironmentIds.filter((id) => id !== environment);
  const changed: EnvVarRow = {
    ...row,
    custom_environment_ids: JSON.stringify(ids),
    updated_by: caller.userId,
    updated_at: laterThan(row.updated_at, now),
  };
  const counted = countOf(changed);
  if (counted.slots.length === 0) return undefined;
  const totals = new EnvTotals(project);
  totals.exchange(countOf(row), counted);
  await writeChange(tx, project, totals, { changed: [changed], before: [row] });
  return changed;
}

/** The ids of the project's custom environments; empty, without a query, if no variable has custom environments. */
async function environmentsOf(
  { tx }: EnvWriter,
  project: ProjectRow,
  items: readonly { customEnvironmentIds?: readonly string[] | undefined }[],
): Promise<ReadonlySet<string>> {
  if (!items.some(({ customEnvironmentIds = [] }) => customEnvironmentIds.length > 0)) return new Set();
  return new Set((await listEnvironments(tx, project.id)).map(({ id }) => id));
}

function findUnknownEnvironment(
  known: ReadonlySet<string>,
  { customEnvironmentIds }: EnvDraft,
): EnvProblem | undefined {
  if (customEnvironmentIds.every((id) => known.has(id))) return undefined;
  return unknownEnvironment;
}

const isFitting = (item: NewEnv | InvalidItem): item is NewEnv => !(item instanceof InvalidItem);

const named = z.object({
  key: z.string().optional().catch(undefined),
  target: z.array(z.string()).optional().catch(undefined),
});

/** The failure of an item that does not match its schema. The failure has the key and the targets if they are valid. */
function invalidItemFailure({ item, message }: InvalidItem): FailedEnv {
  const { key, target } = named.safeParse(item).data ?? {};
  const names = present<{ key: string; envVarKey: string; target: string[] }>({
    key,
    envVarKey: key,
    target,
  });
  return { status: 400, error: { code: "bad_request", message, ...names } };
}

/** @source wire-shapes 1, 4 */
function failureOf(
  { key, target, gitBranch }: EnvDraft,
  { status, code, message, extra }: EnvProblem,
): FailedEnv {
  const named = { key, envVarKey: key, target: [...target], ...(gitBranch === null ? {} : { gitBranch }) };
  return { status, error: { code, message, ...named, ...extra } };
}

export function refusalOf({ status, error }: FailedEnv, beside: Record<string, unknown> = {}): Refusal {
  const { code, message, ...extra } = error;
  return new Refusal(status, code, message, extra, beside);
}
