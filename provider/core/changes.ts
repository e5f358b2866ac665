import type { z } from "zod";
import { isAmbiguous } from "../client/errors";
import { recordingWrites, type Writes } from "../client/writes";
import { computedKey, computedOf } from "./computed";
import type { Created, Operation, ResolvedDefinition } from "./definition";
import { type PropertyPath, parsePath } from "./ignored";
import { notAdopted, ownedBy, takenBy } from "./ownership-messages";
import { format, newOwnerId, originOf, ownerIdOf, parse, recordKey } from "./ownership-record";
import { PartialFailure } from "./partial-failure";
import { revisionAfter } from "./revision";
import type { RunContext } from "./run-context";
import type { Owner } from "./stack-snapshot";
import type { Step } from "./step";
import { ownerLabel } from "./unique-keys";
import { isUnsure, unsureState } from "./unsure";
import { identityOf } from "./urn";
import { digest, type Plain, safeRecord } from "./values";

/** The context of a create, update or delete. */
interface Change {
  run: RunContext;
  step: Step;
  /** The owner id of the resource. */
  owner: string;
  declared: Plain;
  /** The object before an update. */
  before?: { id: string; state: Plain };
}

/** The object after a change or read, with the values for its state. */
interface Result<I extends z.ZodObject, O extends z.ZodObject> {
  run: RunContext;
  /** The owner id of the resource. */
  owner: string;
  made: Created<z.output<O>>;
  /** The inputs that have taken effect. */
  inputs: Partial<z.output<I>>;
  /** The state before, undefined for a new object. */
  before: Plain | undefined;
}

/** Runs the changes of a resource, and builds the states after them. */
export class Changes<I extends z.ZodObject, O extends z.ZodObject> {
  readonly #adopts: boolean;

  constructor(
    private readonly definition: Pick<
      ResolvedDefinition<I, O>,
      "inputs" | "traits" | "ownership" | "production"
    >,
  ) {
    this.#adopts = Object.hasOwn(definition.inputs.shape, "adopt");
  }

  /**
   * False for a kind of resource that owns no object, such as a domain verification. Its id may be the id of another
   * resource's object.
   */
  get ownsObjects(): boolean {
    return this.definition.ownership.objects !== undefined || this.#adopts;
  }

  /**
   * Returns the names of the objects that a resource owns exclusively. Default: the id of its object if the resource
   * has the input `adopt`, otherwise none.
   */
  objectsOf(id: string, outputs: z.output<O>): string[] {
    return this.definition.ownership.objects?.(outputs, id) ?? (this.#adopts ? [id] : []);
  }

  /** Returns the state after a finished change. In this run, the resource becomes the owner of the change's objects. */
  finishedState(result: Result<I, O>): Plain {
    const { run, owner, made } = result;
    const objects = this.objectsOf(made.id, made.outputs as z.output<O>);
    run.ownership.release(owner);
    run.ownership.assign(owner, objects);
    run.ownership.finish(objects);
    return this.recordedState(result);
  }

  recordedState({ run, owner, made, inputs, before }: Result<I, O>): Plain {
    const origin = originOf(run.client.settings.apiUrl, made.accountId);
    const record = format({ origin, object: digest(made.id), owner });
    return safeRecord({ ...this.valuesOf(made, inputs, before), [recordKey]: record });
  }

  /**
   * Returns the part of a state without the ownership record: the inputs, the outputs, the revision and the computed
   * outputs.
   */
  valuesOf(
    { existing, outputs }: Created<z.output<O>>,
    inputs: Partial<z.output<I>>,
    before: Plain | undefined,
  ): Plain {
    const { traits, inputs: schema, production } = this.definition;
    return {
      ...inputs,
      ...outputs,
      ...revisionAfter(production.revisionValues, before, inputs),
      [computedKey]: computedOf(schema, traits.computed, existing, inputs),
    };
  }

  /**
   * Runs a create or update.
   * @throws PartialFailure with the state of the last checkpoint. Without a checkpoint, only an update with an unknown
   *   outcome throws it, with the state before the update. The outcome of an update is unknown too if the service has
   *   accepted one of its requests and refused a later one.
   */
  async run<T>(
    change: Change,
    perform: (operation: Operation<z.output<I>, z.output<O>>) => Promise<T>,
  ): Promise<T> {
    const { run, owner, before } = change;
    let kept: { id: string; state: Plain } | undefined;
    const operation = this.operationOf(change, (made, applied) => {
      run.ownership.assign(owner, this.objectsOf(made.id, made.outputs as z.output<O>));
      kept = {
        id: made.id,
        state: this.recordedState({ run, owner, made, inputs: applied, before: before?.state }),
      };
      run.production.build(this.definition.production, kept.id, kept.state);
    });
    const writes: Writes = { any: false };
    try {
      return await recordingWrites(writes, () => perform(operation));
    } catch (error) {
      // After an unknown outcome, the next run must assume neither the old nor the new inputs.
      const isUnknown = isAmbiguous(error) || (!kept && writes.any);
      throw this.#failureAfter(change, kept, error, isUnknown);
    }
  }

  /**
   * Returns the error to throw after a failed change:
   *
   * |                            | the outcome is known               | it is unknown                               |
   * | -------------------------- | ---------------------------------- | ------------------------------------------- |
   * | after a checkpoint         | partial failure with its state     | partial failure with its state, unsure      |
   * | an update without one      | the error itself: nothing recorded | partial failure with the old state, unsure  |
   * | a create without one       | the error itself: nothing recorded | the error itself: the next create looks up  |
   *
   * A state that was unsure before stays unsure.
   * @param kept the last checkpoint; undefined if there was none
   */
  #failureAfter(
    { run, owner, declared, before }: Change,
    kept: { id: string; state: Plain } | undefined,
    error: unknown,
    isUnknown: boolean,
  ): unknown {
    // Releases all objects, including objects that were not created. The existing ones are assigned again below.
    run.ownership.release(owner);
    const known = kept ?? (isUnknown ? before : undefined);
    const left = known ?? before;
    if (left) run.ownership.assign(owner, this.objectsOf(left.id, left.state as z.output<O>));
    if (!known || !(error instanceof Error)) return error;
    if (!isUnknown && !(before && isUnsure(before.state)))
      return new PartialFailure(known.id, known.state, error);
    const state = unsureState(known.state, declared, before?.state ?? {}, this.definition.inputs);
    return new PartialFailure(known.id, state, error);
  }

  operationOf(
    { run, step, owner, before }: Omit<Change, "declared">,
    checkpoint: Operation<z.output<I>, z.output<O>>["checkpoint"] = () => {},
  ): Operation<z.output<I>, z.output<O>> {
    return {
      run,
      client: run.client,
      urn: step.urn,
      unsure: before !== undefined && isUnsure(before.state),
      checkpoint,
      warn: (message) => step.warn(message),
      inform: (message) => step.inform(message),
      ignored: () => ignoredIn(step),
      async adopt(what, names, adoption) {
        const other = await stackOwner(run, what, names, step.urn);
        if (other !== undefined)
          throw new Error(other.urn === undefined ? takenBy(what) : ownedBy(what, ownerLabel(other)));
        if (step.urn) run.ownership.letGo(identityOf(step.urn), names[0]);
        if (!run.ownership.acquire(owner, names)) throw new Error(takenBy(what));
        return adoption();
      },
      ownerOf: (what, id) => stackOwner(run, what, [id], step.urn),
      isOfStack: async (what, id) => (await stackOwner(run, what, [id], step.urn)) !== undefined,
      take: (id) => run.ownership.assign(owner, [id]),
      isOthers: (id) => run.ownership.isOthers(owner, id),
    };
  }
}

/**
 * Returns the property paths that the program ignores (`ignoreChanges`).
 * @throws Error when the host cannot know them
 */
export const ignoredIn = async (step: Step): Promise<PropertyPath[]> => (await step.ignored()).map(parsePath);

/**
 * Returns the resource of the stack that has an object; undefined if no resource has it. A new object of a resource can
 * adopt the old one, which its replacement lets go (`retainOnDelete`).
 * @param what the name of the object for messages
 * @param urn that of the resource which asks
 * @throws Error when the state of the stack cannot be read
 */
async function stackOwner(
  run: RunContext,
  what: string,
  names: readonly [id: string, ...string[]],
  urn: string | undefined,
): Promise<Owner | undefined> {
  const self = urn && identityOf(urn);
  try {
    const owner = await run.ownership.ownerOf(names);
    const isLetGo = self !== undefined && owner?.urn === self && run.ownership.isRetainedBy(self, names[0]);
    return isLetGo ? undefined : owner;
  } catch (error) {
    throw new Error(notAdopted(what, error instanceof Error ? error.message : String(error)));
  }
}

/**
 * Returns the owner id for the next state: the owner id in this state, or a new one if this state has none, as after an
 * import or in states of earlier versions.
 */
export function ownerAfter({ ownership }: RunContext, state: Plain): string {
  const { owner } = parse(state) ?? {};
  if (owner !== undefined) return owner;
  ownership.release(ownerIdOf(state));
  return newOwnerId();
}
