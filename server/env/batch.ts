import { newId } from "../platform/ids";
import type { ProjectRow } from "../projects/object";
import { laterThan } from "../store/monotonic";
import { type EnvWriter, mayManage, mayWrite } from "./access";
import { type EnvVarRow, envVars } from "./object";
import {
  conflictWith,
  type EnvDraft,
  type EnvProblem,
  findBrokenRule,
  isForProductionBranch,
  isReadableWhereDeployed,
  isSameSet,
  notOwned,
  notSensitive,
  productionBranch,
  productionDenied,
  type Slot,
  sizeOf,
  slotsOf,
} from "./rules";
import { assignmentOf, countOf, findEnvVars, findSlots, lastCreatedAt, writeChange } from "./store";
import { EnvTotals } from "./totals";

/**
 * Writes several variables of a project together. Each variable is checked against the existing variables and against
 * the earlier variables of the batch.
 */
export class EnvBatch {
  private readonly rows = new Map<string, EnvVarRow>();
  /** The ids of new variables. */
  private readonly fresh = new Set<string>();
  /** The existing variables that change, in their old form. */
  private readonly before = new Map<string, EnvVarRow>();

  private constructor(
    private readonly call: EnvWriter,
    private readonly project: ProjectRow,
    /** The id of the variable that has a slot, by the slot's name. */
    private readonly owners: Map<string, string>,
    /** The variables that have these slots, by id, if they may change. */
    private readonly existing: ReadonlyMap<string, EnvVarRow>,
    private readonly totals: EnvTotals,
    private newest: number,
  ) {}

  /** @param keys the keys of all variables that will be put @param upsert true if existing variables may change */
  static async begin(
    call: EnvWriter,
    project: ProjectRow,
    keys: readonly string[],
    upsert = false,
  ): Promise<EnvBatch> {
    const { tx } = call;
    const totals = new EnvTotals(project);
    const [slots, newest] = await Promise.all([
      findSlots(tx, project.id, [...new Set(keys)]),
      lastCreatedAt(tx, project.id),
    ]);
    const owners = new Map<string, string>();
    for (const row of slots) {
      owners.set(slotName(row.key, { target: row.target, branch: row.git_branch }), row.env_id);
    }
    const existing = upsert ? await findEnvVars(tx, project.id, [...owners.values()]) : [];
    const byId = new Map(existing.map((row) => [row.id, row]));
    return new EnvBatch(call, project, owners, byId, totals, newest);
  }

  /** The variables that have slots of a draft. */
  findOwners(draft: EnvDraft): EnvVarRow[] {
    return [...this.ownersOf(draft)].flatMap((id) => this.rows.get(id) ?? this.existing.get(id) ?? []);
  }

  private ownersOf(draft: EnvDraft): Set<string> {
    return new Set(slotsOf(draft).flatMap((slot) => this.owners.get(slotName(draft.key, slot)) ?? []));
  }

  /**
   * Adds a variable to the batch, unless a rule refuses it.
   * @param before the variable that changes; undefined for a new one
   */
  put(given: EnvDraft, before?: EnvVarRow): EnvProblem | undefined {
    // @choice The service sets the value of a system variable, so a value in the request is ignored.
    const draft = given.type === "system" ? { ...given, value: "", keepsValue: false } : given;
    const { call, project, owners } = this;
    const [owner] = [...this.ownersOf(draft)].filter((id) => id !== before?.id);
    for (const refuse of refusals) {
      const problem = refuse({ call, project, draft, before, owner });
      if (problem) return problem;
    }
    const excess = this.exchange(before, draft);
    if (excess) return excess;
    const row = this.rowOf(draft, before);
    if (before && isSame(before, row, draft)) {
      this.rows.set(row.id, before);
      return undefined;
    }
    for (const slot of before ? slotsOf(assignmentOf(before)) : [])
      owners.delete(slotName(before?.key ?? "", slot));
    for (const slot of slotsOf(draft)) owners.set(slotName(draft.key, slot), row.id);
    if (!before) this.fresh.add(row.id);
    else if (!this.fresh.has(row.id) && !this.before.has(row.id)) this.before.set(row.id, before);
    this.rows.set(row.id, row);
    return undefined;
  }

  /** Counts the draft in place of the old variable. @returns a refusal, without counting the draft, at a limit */
  private exchange(before: EnvVarRow | undefined, draft: EnvDraft): EnvProblem | undefined {
    const old = before && countOf(before);
    const counted = { slots: slotsOf(draft), size: sizeOf(draft) };
    this.totals.exchange(old, counted);
    const excess = this.totals.findExcess(counted.slots);
    if (excess) this.totals.exchange(counted, old);
    return excess;
  }

  private rowOf(draft: EnvDraft, before: EnvVarRow | undefined): EnvVarRow {
    const { now, caller, services, idOf = () => newId(envVars) } = this.call;
    const id = before?.id ?? idOf(draft);
    const isSameValue =
      before !== undefined && (draft.keepsValue || services.vault.tryOpen(id, before.value) === draft.value);
    if (!before) this.newest = laterThan(this.newest, now);
    return {
      id,
      project_id: this.project.id,
      key: draft.key,
      type: draft.type,
      value: isSameValue ? before.value : services.vault.seal(id, draft.value),
      size: sizeOf(draft),
      target: JSON.stringify(draft.target),
      custom_environment_ids: JSON.stringify(draft.customEnvironmentIds),
      git_branch: draft.gitBranch,
      comment: draft.comment,
      configuration_id: before ? before.configuration_id : (caller.installation?.id ?? null),
      store_id: before ? before.store_id : null,
      created_by: before ? before.created_by : caller.userId,
      updated_by: before ? caller.userId : null,
      created_at: before ? before.created_at : this.newest,
      // Every write has a later time, so that a client can detect the writes of others.
      updated_at: before ? laterThan(before.updated_at, now) : this.newest,
    };
  }

  /** Writes the batch. @returns its variables, and by id whether each variable that changed was created or updated */
  async write(): Promise<{ rows: EnvVarRow[]; changes: ReadonlyMap<string, "created" | "updated"> }> {
    const rows = [...this.rows.values()];
    const changed = rows.filter(({ id }) => this.before.has(id));
    const fresh = rows.filter(({ id }) => this.fresh.has(id));
    if (changed.length + fresh.length === 0) return { rows, changes: new Map() };
    await writeChange(this.call.tx, this.project, this.totals, {
      fresh,
      changed,
      before: [...this.before.values()],
    });
    return {
      rows,
      changes: new Map([
        ...changed.map(({ id }) => [id, "updated"] as const),
        ...fresh.map(({ id }) => [id, "created"] as const),
      ]),
    };
  }
}

/** A variable to write. */
interface Attempt {
  call: EnvWriter;
  project: ProjectRow;
  draft: EnvDraft;
  before: EnvVarRow | undefined;
  /** The id of another variable that has one of the draft's slots. */
  owner: string | undefined;
}

/** The refusals of a variable, in the order of the specification. The first that applies is the answer. */
const refusals: readonly ((attempt: Attempt) => EnvProblem | false | undefined)[] = [
  ({ draft }) => findBrokenRule(draft),
  ({ project, draft }) => isForProductionBranch(project, draft) && productionBranch,
  // @choice A variable that existed before the policy may keep its type.
  ({ call, draft, before }) =>
    call.account.wantsSensitive &&
    isReadableWhereDeployed(draft) &&
    (before === undefined || !isReadableWhereDeployed({ ...assignmentOf(before), type: before.type })) &&
    notSensitive,
  ({ call, before }) => before !== undefined && !mayManage(call, before) && notOwned,
  ({ call, draft }) => !mayWrite(call, draft) && productionDenied,
  ({ call, before }) => before !== undefined && !mayWrite(call, assignmentOf(before)) && productionDenied,
  ({ draft, owner }) => owner !== undefined && conflictWith(owner, draft),
];

/**
 * True if an edit would change nothing.
 * @choice A sensitive value in a request always counts as a change. Otherwise a client could guess values and would
 *   learn from the answer which guess is right.
 */
function isSame(before: EnvVarRow, row: EnvVarRow, { type, keepsValue }: EnvDraft): boolean {
  const [was, is] = [assignmentOf(before), assignmentOf(row)];
  return (
    (["key", "type", "value", "git_branch", "comment"] as const).every(
      (name) => before[name] === row[name],
    ) &&
    isSameSet(was.target, is.target) &&
    isSameSet(was.customEnvironmentIds, is.customEnvironmentIds) &&
    (type !== "sensitive" || keepsValue === true)
  );
}

/** A unique text for a slot. Keys and targets contain no spaces. */
const slotName = (key: string, { target, branch }: Slot): string => `${key} ${target} ${branch}`;
