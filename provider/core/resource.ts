// Longer than other files: the interface of a resource, and its one implementation.
import type { z } from "zod";
import type { Client } from "../client/client";
import type { Settings } from "../client/config";
import { ApiError, ifFound, isNotFound, isRefused } from "../client/errors";
import { Changes, ignoredIn, ownerAfter } from "./changes";
import { type Failure, failuresOf, withoutNulls } from "./check";
import { plannedComputed } from "./computed";
import type { Definition, ReadResult, ResolvedDefinition, State } from "./definition";
import { type Change, changesOf } from "./diff";
import { type IdInput, missingIds, projectIdInput } from "./existing-ids";
import { parsePath } from "./ignored";
import { inputsWith, rolesOf } from "./input-roles";
import { planKeys } from "./key-check";
import { suggestionsOf, warningsOf } from "./known-values";
import { isElsewhere, refuseOtherAccount } from "./other-account";
import { sharedBy } from "./ownership-messages";
import {
  format,
  isOnlyRead,
  newOwnerId,
  objectKey,
  originOf,
  ownerIdOf,
  parse,
  recordKey,
} from "./ownership-record";
import { isSameProject, nameMovedToOtherProject, projectIdOf } from "./project-reference";
import { keepsRevision, revisionKey } from "./revision";
import type { RunContext } from "./run-context";
import type { CheckStep, Step } from "./step";
import { holdKeys, keysIn, plannedKey } from "./unique-keys";
import { isUnsure, unsureInputs } from "./unsure";
import { digest, type Plain, safeRecord, unknown } from "./values";

export interface Diff {
  changes: Change[];
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** An object at the service, with its state. */
interface Recorded {
  id: string;
  state: Plain;
}

/** The members of a definition that only the methods of the resource use. */
type Behavior = "checks" | "diff" | "ownership" | "production" | "create" | "read" | "update" | "remove";

/**
 * A kind of resource, as the hosts use it. The methods take and return plain JSON.
 *
 * Each call of the engine becomes these calls, in this order:
 *
 * | engine | methods                                            | what they record in the run                          |
 * | ------ | -------------------------------------------------- | ---------------------------------------------------- |
 * | Check  | normalize, complete, check, then warnings, declare | declare: the declared keys, what a new object changes |
 * | Diff   | record, diff                                       | record: whose object it is; diff: what a change does |
 * | Create | create (planned in a preview of the plugin)        | the object, its owner and keys                       |
 * | Update | update (planned in a preview of the plugin)        | the same                                             |
 * | Delete | remove                                             | that the object has no owner                         |
 * | Read   | read                                               | whose object it is, its variables                    |
 *
 * The engine checks the resources of a program one after the other, in the order in which the program declares them. It
 * diffs a resource right after its check, and checks a resource that it replaces again, as a new one. Steps begin while
 * later resources are still checked. A preview and an update are two processes, so each has a `RunContext` of its own.
 */
export interface Resource<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject>
  extends Readonly<Omit<ResolvedDefinition<I, O>, Behavior>> {
  /** True when a replacement always deletes the old object first. */
  readonly deletesFirst: boolean;
  /** Returns the inputs in the form of the schema, without inputs that are null but must not be. */
  normalize(news: Plain): Plain;
  /** Adds inputs that the program does not declare. @param previous see `check` */
  complete(settings: Settings, previous: Plain, inputs: Plain): Plain;
  /** Checks the known inputs. @param previous the inputs of the last run; empty for a new object */
  check(previous: Plain, news: Plain): Failure[];
  /** Warnings about inputs that pass `check`, and about the files that they name. */
  warnings(news: Plain): Promise<string[]>;
  /**
   * Declares the resource in the plan of the run: its keys, and how it changes production.
   * @returns the inputs that the service would refuse, and keys that the resource cannot have
   */
  declare(run: RunContext, previous: Plain, news: Plain, step?: CheckStep): Promise<Failure[]>;
  /**
   * Records in the run which objects the resource has, and how they will change. The host calls this method before each
   * diff.
   * @throws Error when another resource of the state has the same object
   */
  record(run: RunContext, id: string, state: Plain, news: Plain): void;
  /** The keys of the objects in a recorded state (`objectKey`); empty if the object is only read. */
  recordedObjects(state: Plain): string[];
  /** The unique keys of the object with this state. Only one resource of a program can declare each. */
  uniqueKeysOf(state: Plain): string[];
  /**
   * @param ignored the inputs that the program ignores, as property paths in Pulumi's notation
   * @throws Error when the change would lose a value that the program does not know
   */
  diff(run: RunContext, id: string, state: Plain, news: Plain, ignored?: readonly string[]): Promise<Diff>;
  /**
   * True if the setting `refreshBeforeUpdate` applies to the object.
   * @param state the expanded state (see `expanded`)
   */
  needsRefresh(state: Plain): boolean;
  /**
   * The planned state after a create or update. Values that are not known yet are `unknown`.
   * @param state the state with computed outputs as top-level members; undefined for a create
   */
  planned(news: Plain, state?: Plain): Plain;
  create(run: RunContext, step: Step, inputs: Plain): Promise<Recorded>;
  /** @param state undefined when only the id is known @returns undefined if the object was deleted */
  read(run: RunContext, id: string, state?: Plain): Promise<(Recorded & { inputs: Plain }) | undefined>;
  /**
   * Reads an object for a look-up, without a run: its id, and its inputs and outputs as an import has them.
   * @throws ApiError 404 with a hint
   */
  find(client: Client, id: string): Promise<Plain>;
  update(run: RunContext, step: Step, id: string, state: Plain, news: Plain): Promise<Plain>;
  remove(run: RunContext, step: Step, id: string, state: Plain): Promise<void>;
}

/**
 * Creates a kind of resource from its definition. The state of a resource contains the declared inputs, the outputs,
 * and the ownership record. An update sends only the differences between the state and the program, so ignored inputs
 * (`ignoreChanges`) are not written. An input is managed if the state has its key. The removal of an input from the
 * program is therefore a change, and inputs that were never declared are not compared.
 */
export function resource<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Definition<I, O>,
): Resource<I, O> {
  const { checks = {}, diff = {}, ownership = {}, production = {}, ...rest } = definition;
  const { create, read, update, remove, traits = {}, ...identity } = rest;
  const noTraits = { secret: [], defaults: {}, stable: [], computed: [], replaceOn: [] };
  const facts = { ...identity, traits: { ...noTraits, ...traits } };
  return Object.assign(new Lifecycle({ ...rest, ...facts, checks, diff, ownership, production }), facts);
}

class Lifecycle<I extends z.ZodObject, O extends z.ZodObject> {
  readonly #definition: ResolvedDefinition<I, O>;
  readonly #changes: Changes<I, O>;

  constructor(definition: ResolvedDefinition<I, O>) {
    this.#definition = definition;
    this.#changes = new Changes(definition);
    if (definition.ownership.uniqueKeys && !this.#changes.ownsObjects)
      throw new Error(`${definition.type} has uniqueKeys, and therefore needs objects or the input adopt`);
  }

  get deletesFirst(): boolean {
    return this.#definition.diff.deleteFirst === true;
  }

  normalize(news: Plain): Plain {
    const inputs = withoutNulls(this.#definition.inputs, news);
    return this.#definition.checks.normalize?.(inputs) ?? inputs;
  }

  complete(settings: Settings, previous: Plain, inputs: Plain): Plain {
    return this.#definition.checks.complete?.(settings, previous, inputs) ?? inputs;
  }

  check(_previous: Plain, news: Plain): Failure[] {
    return failuresOf(this.#definition.inputs, this.#definition.checks.rules ?? [], news);
  }

  async warnings(news: Plain): Promise<string[]> {
    const { inputs, checks } = this.#definition;
    return [...warningsOf(inputs, news), ...((await checks.warnings?.(news)) ?? [])];
  }

  declare(run: RunContext, previous: Plain, news: Plain, step: CheckStep = {}): Promise<Failure[]> {
    return run.phases.check(() => this.#declare(run, previous, news, step));
  }

  async #declare(
    run: RunContext,
    previous: Plain,
    news: Plain,
    { urn, ignored, isDeletedFirst = false }: CheckStep,
  ): Promise<Failure[]> {
    // Before `refusals`, because a promotion is refused by what the resources before it build. The changes of existing
    // objects are planned in `diff`.
    if (Object.keys(previous).length === 0) run.production.plan(this.#definition.production, urn, news);
    const ids = { project: projectIdInput, ...this.#definition.traits.ids } as Record<string, IdInput>;
    const failures = [
      ...(await missingIds(run.client, ids, previous, news)),
      ...((await this.#definition.checks.refusals?.(run.client, previous, news, run)) ?? []),
    ];
    const { uniqueKeys } = this.#definition.ownership;
    if (failures.length > 0 || !uniqueKeys) return failures;
    try {
      const roles = await rolesOf(this.#definition, { state: previous, news });
      const reason = await planKeys(run, uniqueKeys, {
        ...{ previous, news, urn, isDeletedFirst, deletesFirst: this.deletesFirst },
        ignored: ignored?.map(parsePath),
        adopts: "adopt" in this.#definition.inputs.shape,
        isReplaced: inputsWith(roles, "forcing").length > 0,
      });
      return reason === undefined ? [] : [{ property: undefined, reason }];
    } catch (error) {
      // A token that cannot read the objects may still be able to create one.
      if (error instanceof ApiError) return [];
      throw error;
    }
  }

  record(run: RunContext, id: string, state: Plain, news: Plain): void {
    const objects = this.#changes.objectsOf(id, state as z.output<O>);
    const { uniqueKeys } = this.#definition.ownership;
    if (uniqueKeys && objects.includes(id)) holdKeys(run, uniqueKeys, id, state);
    const projectId = /^prj_[^/]+/.exec(id)?.[0];
    if (projectId !== undefined) run.ownership.visit(projectId);
    const owner = ownerIdOf(state);
    const shared = objects.find((object) => run.ownership.isOthers(owner, object));
    if (shared !== undefined && !uniqueKeys?.mayBeShared)
      throw new Error(sharedBy(`${this.#definition.type} ${shared}`));
    // If another resource has taken over the object in this run, that resource stays its owner.
    if (!objects.some((object) => run.ownership.isDone(object))) run.ownership.assign(owner, objects);
    this.#definition.diff.plan?.(run, id, state, news);
  }

  uniqueKeysOf(state: Plain): string[] {
    return this.#definition.ownership.uniqueKeys?.of(state, `${state.projectId ?? state.accountId}`) ?? [];
  }

  recordedObjects(state: Plain): string[] {
    const record = parse(state);
    if (!record || record.reader !== undefined || !this.#changes.ownsObjects) return [];
    const { recordedObjects, uniqueKeys } = this.#definition.ownership;
    const objects =
      recordedObjects?.(state as z.output<O>).map(digest) ??
      (uniqueKeys?.isAlwaysThere || record.object === undefined
        ? this.uniqueKeysOf(state).map(digest)
        : [record.object]);
    return objects.map((object) => objectKey(record, object));
  }

  async diff(
    run: RunContext,
    id: string,
    state: Plain,
    news: Plain,
    ignored: readonly string[] = [],
  ): Promise<Diff> {
    const changes = await this.#changesOf(run, id, state, news);
    const replaces = changes.filter((change) => change.replace).map((change) => change.path);
    // After an unknown outcome, the engine updates the resource nevertheless. That update plans nothing: it restores what
    // the state has.
    if (changes.length === 0) return { changes, replaces, deleteBeforeReplace: false };
    const change = { state, isReplaced: replaces.length > 0 };
    const { deleteFirst, refuseLoss, replacing } = this.#definition.diff;
    if (run.phases.hasProgram) {
      const reason = refuseLoss?.({ ...change, news, ignored: ignored.map(parsePath) });
      if (reason !== undefined) throw new Error(reason);
    }
    if (change.isReplaced) {
      replacing?.(run, id, news);
      if (this.#definition.ownership.uniqueKeys) await run.ownership.replace(ownerIdOf(state), id);
    }
    run.production.plan(this.#definition.production, ownerIdOf(state), news, change);
    // `deleteBeforeReplace` applies to every change, because with `replaceOnChanges` the engine replaces the object for
    // any change.
    const isFirst = typeof deleteFirst === "function" ? deleteFirst(state, news) : this.deletesFirst;
    return { changes, replaces, deleteBeforeReplace: isFirst };
  }

  async #changesOf(run: RunContext, id: string, state: Plain, news: Plain): Promise<Change[]> {
    const changes = (await this.#definition.diff.drift?.(state, news, run)) ?? [];
    const find = () => this.#definition.read(run.client, id, state as State<I, O>);
    if (await isElsewhere(run.client, this.#definition.type, id, state, find))
      changes.push({ path: "provider", kind: "update", replace: true });
    const isSame = (project: unknown) => isSameProject(run.client, state, project);
    const roles = await rolesOf(this.#definition, { state, news, isSameProject: isSame });
    for (const [key, role] of roles) {
      if (role === "unchanged") continue;
      const found = changesOf(key, state[key], news[key], role === "forcing");
      changes.push(...found.filter(({ path }) => !changes.some((other) => other.path === path)));
    }
    return changes;
  }

  needsRefresh(state: Plain): boolean {
    return this.#definition.diff.needsRefresh?.(state) ?? false;
  }

  planned(news: Plain, state?: Plain): Plain {
    const isKept = (key: string): boolean =>
      state !== undefined &&
      (key === revisionKey
        ? !isUnsure(state) && keepsRevision(this.#definition.production.revisionValues, state, news)
        : this.#definition.traits.stable.includes(key));
    const outputs = Object.keys(this.#definition.outputs.shape);
    return {
      ...news,
      ...plannedComputed(this.#definition.traits.computed, news, state),
      ...Object.fromEntries(outputs.map((key) => [key, isKept(key) ? state?.[key] : unknown])),
    };
  }

  create(run: RunContext, step: Step, inputs: Plain): Promise<Recorded> {
    return this.#exclusively(run, inputs, () => this.#create(run, step, inputs));
  }

  async #create(run: RunContext, step: Step, inputs: Plain): Promise<Recorded> {
    run.phases.beginSteps();
    const declared = inputs as z.output<I>;
    const owner = newOwnerId();
    const made = await run.pace.during(() =>
      this.#changes.run({ run, step, owner, declared }, (operation) =>
        this.#suggesting(declared, this.#definition.create(operation, declared)),
      ),
    );
    const state = this.#changes.finishedState({ run, owner, made, inputs: declared, before: undefined });
    run.production.change(this.#definition.production, owner, state);
    return { id: made.id, state };
  }

  async read(
    run: RunContext,
    id: string,
    state?: Plain,
  ): Promise<(Recorded & { inputs: Plain }) | undefined> {
    // A state without a record comes from `get` or an import, which only name an object. This object must exist.
    const known = state?.[recordKey] === undefined ? undefined : state;
    if (!known) {
      const found = await this.#existing(run.client, id);
      return { id: found.id, inputs: safeRecord(found.inputs), state: this.#stateRead(run, found, known) };
    }
    try {
      const found = await this.#definition.read(run.client, id, known as Partial<State<I, O>>);
      // The state gets the id, so the next diff finds that the name in the program belongs to another project.
      if (await nameMovedToOtherProject(run.client, known, found.inputs.project))
        Object.assign(found.inputs, { project: known.projectId });
      return { id: found.id, inputs: safeRecord(found.inputs), state: this.#stateRead(run, found, known) };
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    await refuseOtherAccount(run.client, this.#definition.type, id, state);
    run.production.remove(ownerIdOf(known));
    if (!isOnlyRead(known)) run.ownership.release(ownerIdOf(known));
    return undefined;
  }

  async find(client: Client, id: string): Promise<Plain> {
    const found = await this.#existing(client, id);
    return { ...safeRecord({ ...found.inputs, ...found.outputs }), id: found.id };
  }

  /** Reads an object of which only the id is known. @throws ApiError 404 with a hint */
  async #existing(client: Client, id: string): Promise<ReadResult<z.output<I>, z.output<O>>> {
    try {
      return await this.#definition.read(client, id);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw error.withHint(
        `Check the id, ${this.#definition.importId}, and the account: SLIPWAY_TEAM, or the configuration slipway:team.`,
      );
    }
  }

  #unsureInputs({ client }: RunContext, id: string, state: Plain, news: Plain = {}): Promise<Plain> {
    return unsureInputs(
      state,
      news,
      async () => (await ifFound(this.#definition.read(client, id)))?.inputs ?? {},
    );
  }

  /** The state after a read. An object that is only read has no owner. */
  #stateRead(run: RunContext, found: ReadResult<z.output<I>, z.output<O>>, known: Plain | undefined): Plain {
    if (known && !isOnlyRead(known)) {
      const owner = ownerAfter(run, known);
      const result = { run, owner, made: found, inputs: found.inputs, before: known };
      const state = this.#changes.recordedState(result);
      run.production.read(this.#definition.production, owner, state);
      return state;
    }
    const origin = originOf(run.client.settings.apiUrl, found.accountId);
    const record = format({ origin, reader: parse(known ?? {})?.reader ?? "" });
    return { ...safeRecord(this.#changes.valuesOf(found, found.inputs, known)), [recordKey]: record };
  }

  update(run: RunContext, step: Step, id: string, state: Plain, news: Plain): Promise<Plain> {
    return run.pace.during(() => this.#update(run, step, id, state, news));
  }

  async #update(run: RunContext, step: Step, id: string, state: Plain, news: Plain): Promise<Plain> {
    run.phases.beginSteps();
    const declared = news as z.output<I>;
    if (await nameMovedToOtherProject(run.client, state, news.project))
      throw new Error(movedName(this.#definition.type, id, state));
    const known = { ...state, ...(await this.#unsureInputs(run, id, state, news)) };
    const roles = await rolesOf(this.#definition, {
      ...{ state: known, news },
      // After an unknown outcome, unchanged inputs are sent too, except those that the program ignores.
      ignored: isUnsure(state) ? await ignoredIn(step) : [],
      // A project that is unknown or does not exist counts as the same.
      isSameProject: async (project) =>
        [undefined, state.projectId].includes(await projectIdOf(run.client, project, state)),
    });
    // `pulumi do` sends changes in an update that need a replacement.
    const forcing = inputsWith(roles, "forcing");
    if (forcing.length > 0) throw new Error(needsReplacement(this.#definition.type, id, forcing));
    const managed = <T extends object>(values: T): T =>
      Object.fromEntries(Object.entries(values).filter(([key]) => roles.get(key) !== "ignored")) as T;
    try {
      const owner = ownerAfter(run, state);
      run.ownership.acquire(owner, this.#changes.objectsOf(id, state as z.output<O>));
      const old = managed(known as State<I, O>);
      const change = { run, step, owner, declared, before: { id, state } };
      const made = await this.#changes.run(change, (operation) =>
        this.#suggesting(declared, this.#definition.update(operation, id, old, managed(declared))),
      );
      // After an unknown outcome, the values of the last change may be in effect, so no values count as unchanged.
      const before = isUnsure(state) ? undefined : state;
      const after = this.#changes.finishedState({ run, owner, made, inputs: declared, before });
      run.production.change(this.#definition.production, owner, after, before);
      return after;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await refuseOtherAccount(run.client, this.#definition.type, id, state);
      throw error.withHint(
        "If the object was deleted outside of this program, run again with --refresh to create a new one.",
      );
    }
  }

  remove(run: RunContext, step: Step, id: string, state: Plain): Promise<void> {
    return this.#exclusively(run, state, () => run.pace.during(() => this.#remove(run, step, id, state)));
  }

  /**
   * Runs a create or deletion of an object that two resources may have. The steps of one object run one after the
   * other, so the new resource either takes the object over before the old resource is deleted, or creates the object
   * after that.
   */
  async #exclusively<T>(run: RunContext, values: Plain, step: () => Promise<T>): Promise<T> {
    const unique = this.#definition.ownership.uniqueKeys;
    if (!unique?.mayBeShared) return step();
    const [key] = (await keysIn(run, unique, values, values)) ?? [];
    return run.keys.exclusive(key === undefined ? undefined : plannedKey(unique, key), step);
  }

  async #remove(run: RunContext, step: Step, id: string, state: Plain): Promise<void> {
    const owner = ownerIdOf(state);
    run.phases.beginSteps();
    run.production.remove(owner);
    const { type } = this.#definition;
    const known = state as State<I, O>;
    const objects = this.#changes.objectsOf(id, known);
    const kept = await this.#keptOf(run, owner, objects);
    // No warning for an object that another resource has already taken over in this run.
    for (const object of kept)
      if (!run.ownership.isDone(object))
        step.warn(`${type} ${object} is kept, because another resource of this program has it.`);
    if (objects.length > 0 && kept.length === objects.length) return run.ownership.remove(owner);
    try {
      await this.#definition.remove(this.#changes.operationOf({ run, step, owner }), id, known);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await refuseOtherAccount(run.client, type, id, state);
    }
    run.ownership.remove(owner);
  }

  /** The objects that other resources of the stack have, which a deletion keeps. */
  async #keptOf({ ownership }: RunContext, owner: string, objects: readonly string[]): Promise<string[]> {
    const mayBeShared = this.#definition.ownership.uniqueKeys?.mayBeShared === true;
    const kept: string[] = [];
    for (const object of objects) {
      const isShared = mayBeShared && (await ownership.isRecordedForOther(owner, object));
      if (isShared || ownership.isOthers(owner, object)) kept.push(object);
    }
    return kept;
  }

  /** Awaits a step. If the service refuses it (400), adds suggestions for unknown values to the error. */
  async #suggesting<T>(declared: Plain, step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      const suggestions = isRefused(error) ? suggestionsOf(this.#definition.inputs, declared) : [];
      throw isRefused(error) && suggestions.length > 0 ? error.withHint(suggestions.join(" ")) : error;
    }
  }
}

/** The message that refuses an update which needs a replacement. */
const needsReplacement = (type: string, id: string, keys: readonly string[]): string =>
  `${type} ${id}: only a replacement can change ${keys.join(" and ")}, so nothing was changed. ` +
  "`pulumi up` replaces it. Without a program, delete the object and create another one.";

/** The message that refuses an update when the project name now belongs to another project. */
const movedName = (type: string, id: string, { projectId }: Plain): string =>
  `${type} ${id}: the name in the input project now belongs to another project, so nothing was changed. ` +
  "To move the object to that project, run again with --refresh. " +
  `To keep it in its project, set project to the project's id, ${projectId}.`;
