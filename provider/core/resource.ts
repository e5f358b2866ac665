// Longer than other files: the steps of one resource share its ownership, its checkpoint and its record.
import type { z } from "zod";
import type { Settings } from "../client/config";
import { ApiError, isAmbiguous, isNotFound, isRefused } from "../client/errors";
import { type Failure, failuresOf, withoutNulls } from "./check";
import { computedKey, computedOf, plannedComputed } from "./computed";
import type { Created, Definition, Operation } from "./definition";
import { type Change, changesOf } from "./diff";
import { type PropertyPath, parsePath, withoutIgnored } from "./ignored";
import { suggestionsOf, warningsOf } from "./known-values";
import { isElsewhere, refuseOtherAccount } from "./other-account";
import { notAdopted, ownedBy, sharedBy, takenBy } from "./ownership-messages";
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
import { PartialFailure } from "./partial-failure";
import { isOthersNow, sameProject } from "./project-reference";
import { keepsRevision, revisionAfter, revisionKey } from "./revision";
import type { RunContext } from "./run-context";
import type { Owner } from "./stack-snapshot";
import type { CheckStep, Step } from "./step";
import { ownerLabel, planKeys } from "./unique-keys";
import { digest, type Plain, safeRecord, same, unknown } from "./values";

export interface Diff {
  changes: Change[];
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** A resource for all hosts, with steps over plain JSON. */
export interface Resource<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly type: string;
  /** The name under which `slipway/dynamic` has it. */
  readonly handler: string;
  readonly inputs: I;
  readonly outputs: O;
  readonly secret: readonly string[];
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Outputs that no update changes. */
  readonly stable: readonly string[];
  /** Inputs that are outputs too when the program does not give them. */
  readonly computed: readonly string[];
  /** Makes the default of the input `name`; undefined: there is no default. */
  readonly autoName: ((logicalName: string) => string) | undefined;
  /** Inputs whose change always replaces the object. */
  readonly replaceOn: readonly string[];
  /** True when a replacement always deletes the old object first. */
  readonly deletesFirst: boolean;
  /** True when the create has to know the URN of the resource. */
  readonly needsUrn: boolean;
  /** Returns the inputs in the form that the schema describes, without those that are null for nothing. */
  normalize(news: Plain): Plain;
  /** Adds inputs that the program does not give. @param previous as for `check` */
  complete(settings: Settings, previous: Plain, inputs: Plain): Plain;
  /** @param previous the inputs of the last run; empty when the object is new */
  check(previous: Plain, news: Plain): Failure[];
  /** Warnings about inputs that pass `check`. */
  warnings(news: Plain): string[];
  /**
   * Finds out at preview which inputs the service would refuse, and records the keys that the resource declares.
   */
  refusals(run: RunContext, previous: Plain, news: Plain, step?: CheckStep): Promise<Failure[]>;
  /**
   * Records for the run what the resource has in the state, and what it becomes. The host calls it before each diff.
   * @throws Error when another resource of the state has the same object
   */
  record(run: RunContext, id: string, state: Plain, news: Plain): void;
  /** The digests of the objects in a recorded state, each after that of the API; empty for one that is only read. */
  recordedObjects(state: Plain): string[];
  diff(run: RunContext, id: string, state: Plain, news: Plain): Promise<Diff>;
  /**
   * The planned state after a create or update, where values that are not yet known are `unknown`.
   * @param state with computed outputs beside the others; undefined for a create
   */
  planned(news: Plain, state?: Plain): Plain;
  create(run: RunContext, step: Step, inputs: Plain): Promise<{ id: string; state: Plain }>;
  /** @param state undefined when only the id is known */
  read(
    run: RunContext,
    id: string,
    state: Plain | undefined,
  ): Promise<{ id: string; inputs: Plain; state: Plain } | undefined>;
  update(run: RunContext, step: Step, id: string, state: Plain, news: Plain): Promise<Plain>;
  remove(run: RunContext, step: Step, id: string, state: Plain): Promise<void>;
}

/** The key that marks a state after a change with an unknown outcome. */
const unsureKey = "unsure";

/**
 * Makes a resource of its definition. The state is the declared inputs, the outputs, and the record of account and
 * API. An update sends what differs between the state and the program and nothing else, so that what a program
 * leaves to others (`ignoreChanges`) stays theirs. An input is managed when the state has its key: so one that leaves the program is seen to leave, and
 * what was never declared is never compared.
 */
export function resource<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Definition<I, O>,
): Resource<I, O> {
  type In = z.output<I>;
  type Out = z.output<O>;
  const { type, references = [], replaceOn = [], deleteFirst } = definition;
  const deletesFirst = deleteFirst === true;
  const replaces = (key: string, state: Plain): boolean =>
    replaceOn.includes(key) || (definition.replaces?.(key, state) ?? false);
  const keys = Object.keys(definition.inputs.shape);
  const stable: ReadonlySet<string> = new Set(definition.stable);
  const computed = definition.computed ?? [];
  const isOptional = (key: string): boolean =>
    definition.inputs.shape[key]?.safeParse(undefined).success ?? false;
  /** The inputs by which an object is found, which are part of every step. */
  const required = <T extends object>(values: T): Partial<T> =>
    Object.fromEntries(Object.entries(values).filter(([key]) => !isOptional(key))) as Partial<T>;
  // Only resources that can be adopted own their ids.
  const adopts = keys.includes("adopt");
  const objectsOf = (id: string, outputs: Out): string[] =>
    definition.objects?.(outputs, id) ?? (adopts ? [id] : []);

  /** Makes the state of a resource and assigns its objects to it. @param done the step is finished */
  function stateOf(
    run: RunContext,
    made: Created<Out>,
    inputs: Partial<In>,
    owner: string,
    before: Plain | undefined,
    done = true,
  ): Plain {
    const objects = objectsOf(made.id, made.outputs as Out);
    if (done) run.ownership.release(owner);
    run.ownership.assign(owner, objects);
    if (done) run.ownership.finish(objects);
    return recordedState(run, made, inputs, owner, before);
  }

  /** The inputs and outputs in a state. */
  const valuesOf = (
    { existing, outputs }: Created<Out>,
    inputs: Partial<In>,
    before: Plain | undefined,
  ): Plain => ({
    ...inputs,
    ...outputs,
    ...revisionAfter(definition.revised, before, inputs),
    [computedKey]: computedOf(definition.inputs, computed, existing, inputs),
  });

  function recordedState(
    run: RunContext,
    made: Created<Out>,
    inputs: Partial<In>,
    owner: string,
    before: Plain | undefined,
  ): Plain {
    const origin = originOf(run.client.settings.apiUrl, made.accountId);
    const record = format({ origin, object: digest(made.id), owner });
    return safeRecord({ ...valuesOf(made, inputs, before), [recordKey]: record });
  }

  const operationOf = (
    run: RunContext,
    step: Step,
    owner: string,
    unsure: boolean,
    checkpoint: Operation<In, Out>["checkpoint"],
  ): Operation<In, Out> => {
    return {
      run,
      client: run.client,
      urn: step.urn,
      warn: (message) => step.warn(message),
      inform: (message) => step.inform(message),
      unsure,
      checkpoint,
      async adopt(what, names, adoption) {
        const other = await stackOwner(run, what, names);
        if (other !== undefined) throw new Error(ownedBy(what, ownerLabel(other)));
        if (!run.ownership.acquire(owner, names)) throw new Error(takenBy(what));
        return adoption();
      },
      ignored: () => ignoredIn(step),
      isOfStack: async (what, id) => (await stackOwner(run, what, [id])) !== undefined,
      isOthers: (id) => run.ownership.isOthers(owner, id),
    };
  };

  /** Runs a step that changes the service. When it fails, the error carries the last checkpoint. */
  async function withCheckpoint<T>(
    run: RunContext,
    step: Step,
    owner: string,
    change: (operation: Operation<In, Out>) => Promise<T>,
    before?: { id: string; state: Plain },
  ): Promise<T> {
    const unsure = before?.state[unsureKey] === true;
    let kept: { id: string; state: Plain } | undefined;
    const checkpoint: Operation<In, Out>["checkpoint"] = (made, applied) => {
      kept = { id: made.id, state: stateOf(run, made, applied, owner, before?.state, false) };
    };
    try {
      return await change(operationOf(run, step, owner, unsure, checkpoint));
    } catch (error) {
      // When the outcome of a change is unknown, the next run must assume neither.
      const ambiguous = isAmbiguous(error);
      kept ??= ambiguous ? before : undefined;
      // Releases objects that were not created.
      run.ownership.release(owner);
      const there = kept ?? before;
      if (there) run.ownership.assign(owner, objectsOf(there.id, there.state as Out));
      if (!kept || !(error instanceof Error)) throw error;
      const state = ambiguous || unsure ? { ...kept.state, [unsureKey]: true } : kept.state;
      throw new PartialFailure(kept.id, state, error);
    }
  }

  /** Repeats with a refusal what the warning at preview has suggested. */
  async function suggesting<T>(declared: Plain, step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      const suggestions = isRefused(error) ? suggestionsOf(definition.inputs, declared) : [];
      throw isRefused(error) && suggestions.length > 0 ? error.advise(suggestions.join(" ")) : error;
    }
  }

  return {
    type,
    handler: definition.handler,
    inputs: definition.inputs,
    outputs: definition.outputs,
    secret: definition.secret ?? [],
    defaults: definition.defaults ?? {},
    stable: definition.stable ?? [],
    computed,
    autoName: definition.autoName,
    replaceOn: keys.filter((key) => replaces(key, {})),
    deletesFirst,
    needsUrn: definition.needsUrn ?? false,

    normalize(news) {
      const inputs = withoutNulls(definition.inputs, news);
      return definition.normalize?.(inputs) ?? inputs;
    },

    complete: (settings, previous, inputs) => definition.complete?.(settings, previous, inputs) ?? inputs,

    check(_previous, news) {
      return failuresOf(definition.inputs, definition.rules ?? [], news);
    },

    warnings: (news) => warningsOf(definition.inputs, news),

    async refusals(run, previous, news, { urn, ignored } = {}) {
      const failures = (await definition.refusals?.(run.client, previous, news)) ?? [];
      const { uniqueKeys } = definition;
      if (failures.length > 0 || !uniqueKeys) return failures;
      try {
        const reason = await planKeys(run, uniqueKeys, {
          ...{ previous, news, urn, adopts, deletesFirst },
          ignored: ignored?.map(parsePath),
          isReplaced: keys.some((key) => replaces(key, previous) && !same(previous[key], news[key])),
        });
        return reason === undefined ? [] : [{ property: undefined, reason }];
      } catch (error) {
        // A token that may not read may still create.
        if (error instanceof ApiError) return [];
        throw error;
      }
    },

    record(run, id, state, news) {
      const objects = objectsOf(id, state as Out);
      const projectId = /^prj_[^/]+/.exec(id)?.[0];
      if (projectId !== undefined) run.ownership.visit(projectId);
      const owner = ownerIdOf(state);
      const shared = objects.find((object) => run.ownership.isOthers(owner, object));
      if (shared !== undefined && !definition.uniqueKeys?.mayBeShared)
        throw new Error(sharedBy(`${type} ${shared}`));
      // One that this run has handed over stays with its new owner.
      if (!objects.some((object) => run.ownership.isDone(object))) run.ownership.assign(owner, objects);
      definition.plan?.(run, id, state, news);
    },

    recordedObjects(state) {
      const record = parse(state);
      if (!record || record.reader !== undefined) return [];
      const keysOf = (): string[] =>
        definition.uniqueKeys?.of(state, `${state.projectId ?? state.accountId}`) ?? [];
      const objects =
        definition.recordedObjects?.(state as Out).map(digest) ??
        (record.object === undefined ? keysOf().map(digest) : [record.object]);
      return objects.map((object) => objectKey(record, object));
    },

    async diff(run, id, state, news) {
      const changes = (await definition.drift?.(state, news)) ?? [];
      const find = () => definition.read(run.client, id, state as Partial<In> & Partial<Out>);
      if (await isElsewhere(run.client, type, id, state, find))
        changes.push({ path: "provider", kind: "update", replace: true });
      for (const key of keys) {
        const found = changesOf(key, state[key], news[key], replaces(key, state));
        if (found.length === 0) continue;
        const isSame = references.includes(key)
          ? await sameProject(run.client, state, news[key])
          : definition.compare?.(key, state, news) === false;
        if (isSame) continue;
        changes.push(...found.filter(({ path }) => !changes.some((other) => other.path === path)));
      }
      const forcing = changes.filter((change) => change.replace).map((change) => change.path);
      if (forcing.length > 0) definition.replacing?.(run, id, news);
      const isFirst = typeof deleteFirst === "function" ? deleteFirst(state, news) : deletesFirst;
      // Also where nothing forces it: with `replaceOnChanges`, the engine makes a replacement of any change.
      const deleteBeforeReplace = changes.length > 0 && isFirst;
      return { changes, replaces: forcing, deleteBeforeReplace };
    },

    planned(news, state) {
      const isKept = (key: string): boolean =>
        state !== undefined &&
        (key === revisionKey
          ? state[unsureKey] !== true && keepsRevision(definition.revised, state, news)
          : stable.has(key));
      const outputs = Object.keys(definition.outputs.shape);
      return {
        ...news,
        ...plannedComputed(computed, news, state),
        ...Object.fromEntries(outputs.map((key) => [key, isKept(key) ? state?.[key] : unknown])),
      };
    },

    async create(run, step, inputs) {
      const declared = inputs as In;
      const owner = newOwnerId();
      const made = await withCheckpoint(run, step, owner, (operation) =>
        suggesting(declared, definition.create(operation, declared)),
      );
      return { id: made.id, state: stateOf(run, made, declared, owner, undefined) };
    },

    async read(run, id, state) {
      // State without a record was not written by a create or read: it only refers to an object that must exist.
      const known = state?.[recordKey] === undefined ? undefined : state;
      const owned = known && !isOnlyRead(known) ? known : undefined;
      try {
        const found = await definition.read(
          run.client,
          id,
          known as (Partial<In> & Partial<Out>) | undefined,
        );
        for (const key of references) {
          // The next diff compares the id with what the program says, and so sees that it means another project.
          if (known && (await isOthersNow(run.client, known, found.inputs[key])))
            Object.assign(found.inputs, { [key]: known.projectId });
        }
        const inputs = safeRecord(found.inputs);
        if (owned) {
          const owner = ownerAfter(run, owned);
          return { id: found.id, inputs, state: recordedState(run, found, found.inputs, owner, owned) };
        }
        // An object that is only read has no owner.
        const origin = originOf(run.client.settings.apiUrl, found.accountId);
        const record = format({ origin, reader: parse(known ?? {})?.reader ?? "" });
        return {
          id: found.id,
          inputs,
          state: { ...safeRecord(valuesOf(found, found.inputs, known)), [recordKey]: record },
        };
      } catch (error) {
        if (!isNotFound(error)) throw error;
        if (!known)
          throw error.advise(
            "Check the id, and the account: SLIPWAY_TEAM, or the configuration slipway:team.",
          );
      }
      await refuseOtherAccount(run.client, type, id, state);
      if (owned) run.ownership.release(ownerIdOf(owned));
      return undefined;
    },

    async update(run, step, id, state, news) {
      const declared = news as In;
      for (const key of references)
        if (await isOthersNow(run.client, state, declared[key]))
          throw new Error(movedName(type, id, key, state));
      try {
        // After an unknown outcome, unchanged inputs are sent too: those that the program ignores must not be among them.
        const ignored = state[unsureKey] === true ? await ignoredIn(step) : [];
        const managed = <T extends object>(inputs: T): T => ({
          ...withoutIgnored(inputs, inputs, ignored),
          ...required(inputs),
        });
        const change = (operation: Operation<In, Out>) =>
          suggesting(
            declared,
            definition.update(operation, id, managed(state as Partial<In> & Out), managed(declared)),
          );
        const owner = ownerAfter(run, state);
        run.ownership.acquire(owner, objectsOf(id, state as Out));
        const made = await withCheckpoint(run, step, owner, change, { id, state });
        // After an unknown outcome, what was sent then may have been in use.
        return stateOf(run, made, declared, owner, state[unsureKey] === true ? undefined : state);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await refuseOtherAccount(run.client, type, id, state);
        throw error.advise(
          "If it was removed outside of this program, run again with --refresh, which creates it again.",
        );
      }
    },

    async remove(run, step, id, state) {
      const owner = ownerIdOf(state);
      const known = state as Partial<In> & Out;
      const objects = objectsOf(id, known);
      const isKept = async (object: string): Promise<boolean> =>
        run.ownership.isOthers(owner, object) ||
        (definition.uniqueKeys?.mayBeShared === true &&
          (await run.ownership.isRecordedForOther(owner, object)));
      const kept: string[] = [];
      for (const object of objects) if (await isKept(object)) kept.push(object);
      // One that this run has taken over was to be kept.
      for (const object of kept)
        if (!run.ownership.isDone(object))
          step.warn(`${type} ${object} is kept, because another resource of this program has it.`);
      if (objects.length > 0 && kept.length === objects.length) return run.ownership.remove(owner);
      try {
        await definition.remove(
          operationOf(run, step, owner, false, () => {}),
          id,
          known,
        );
        run.ownership.remove(owner);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await refuseOtherAccount(run.client, type, id, state);
        run.ownership.remove(owner);
      }
    },
  };
}

const ignoredIn = async (step: Step): Promise<PropertyPath[]> => (await step.ignored()).map(parsePath);

/** The resource of the stack that has an object. @throws Error when the state of the stack cannot be read */
async function stackOwner(
  run: RunContext,
  what: string,
  names: readonly [id: string, ...string[]],
): Promise<Owner | undefined> {
  try {
    return await run.ownership.ownerOf(names);
  } catch (error) {
    throw new Error(notAdopted(what, error instanceof Error ? error.message : String(error)));
  }
}

/** Why a resource of a project is not updated when the name of the project is another one's. */
const movedName = (type: string, id: string, key: string, { projectId }: Plain): string =>
  `${type} ${id}: the name that its input ${key} gives is another project's now, so nothing was changed. ` +
  "To have it there, run again with --refresh, which plans to move it to that project. " +
  `To leave it where it is, declare the project by its id, ${projectId}.`;

/** The owner id of the next state: the same, or a new one after a state of an earlier version. */
function ownerAfter({ ownership }: RunContext, state: Plain): string {
  const { owner } = parse(state) ?? {};
  if (owner !== undefined) return owner;
  ownership.release(ownerIdOf(state));
  return newOwnerId();
}
