import { type ApiError, ifFound, isConflict } from "../client/errors";
import type { RunContext } from "./run-context";
import {
  declaringResource,
  judge,
  keysIn,
  stillHas,
  type Taking,
  type UniqueKeys,
  type Verdict,
} from "./unique-keys";
import type { Plain } from "./values";

/** Carries out what the checks have planned: a step takes its unique keys from the objects that have them. */

/** A step that takes unique keys. */
export interface KeyStep<T> {
  /** The id of the object; undefined for a new one. */
  id?: string | undefined;
  declared: Plain;
  /** The recorded state, for values that do not change. */
  state?: Plain;
  /** The keys that are still to be acquired. Default: the keys of the declared inputs. */
  wants?(): Promise<readonly string[]>;
  /**
   * Sends the request.
   * @param isFree true after the previous owners of the keys were moved out of the way, or released the keys
   */
  attempt(isFree: boolean): Promise<T>;
}

/** The largest number of conflicts after which a step is attempted again. */
const mostAttempts = 5;

/**
 * Takes unique keys. Objects of the stack that have them are moved out of the way, and put back if the step fails.
 * @throws ApiError with a hint when the keys belong to an unmanaged object, or to a resource that keeps them
 */
export async function takeKeys<T>(run: RunContext, unique: UniqueKeys, step: KeyStep<T>): Promise<T> {
  const moved: (() => Promise<unknown>)[] = [];
  try {
    return await attemptUntilFree(run, unique, step, moved);
  } catch (error) {
    // If another object has the key meanwhile, the moved object keeps its temporary name until the next refresh.
    for (const putBack of moved.reverse()) await putBack().catch(() => {});
    throw error;
  }
}

/** @param moved gets a function for each object that was moved, which puts it back */
async function attemptUntilFree<T>(
  run: RunContext,
  unique: UniqueKeys,
  step: KeyStep<T>,
  moved: (() => Promise<unknown>)[],
): Promise<T> {
  const attemptOnce = (isFree: boolean): Promise<T> =>
    run.keys.exclusive(step.id, async () => {
      const result = await step.attempt(isFree);
      if (step.id !== undefined) run.keys.finish(step.id);
      return result;
    });
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    try {
      return await attemptOnce(attempt > 1);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const hadOwners = await moveOwners(run, unique, step, error, moved);
      if (!hadOwners && attempt > 1) throw error;
    }
  }
  return attemptOnce(true);
}

/**
 * Moves the objects of the stack that have the keys of a step out of the way.
 * @param moved as for `attemptUntilFree`
 * @returns false if no other object had the keys
 * @throws ApiError the conflict, with a hint when an object cannot be moved out of the way
 */
async function moveOwners(
  run: RunContext,
  unique: UniqueKeys,
  step: KeyStep<unknown>,
  conflict: ApiError,
  moved: (() => Promise<unknown>)[],
): Promise<boolean> {
  const keys = await wantsOf(run, unique, step);
  const owners = await unique.owners(run, keys, step.declared, true);
  const others = owners.filter((id) => id !== step.id);
  const ids: string[] = [];
  for (const id of others) {
    const reason = await reasonForOwner(run, unique, step, keys, id);
    if (reason === undefined) ids.push(id);
    else if (await stillHas(run, unique, keys, step.declared, id)) throw conflict.withHint(reason);
  }
  for (const id of ids) {
    const putBack = await run.keys.exclusive(id, async () => {
      // The step of the owner has released the keys since the conflict. Old reads may still show them.
      if (run.keys.isFinished(id)) return undefined;
      // An object that was deleted meanwhile has no keys. Old reads may still show it.
      return ifFound(unique.freeKeys(run, id, keys));
    });
    if (putBack) moved.push(putBack);
  }
  return others.length > 0;
}

/** Returns the reason why a step cannot move an object out of the way; undefined if it can. */
export async function reasonForOwner(
  run: RunContext,
  unique: UniqueKeys,
  step: Pick<KeyStep<unknown>, "id" | "declared">,
  keys: readonly string[],
  id: string,
): Promise<string | undefined> {
  const { who, decision, refusal } = await judgeChecked(
    run,
    unique,
    takingInStep(run, unique, step, keys),
    id,
  );
  if (decision !== "adopt") return refusal(decision);
  // An object is adopted before a step takes its keys.
  if (who === "unknown") return refusal("unknownOwner");
  return unique.adoptsByMoving ? undefined : refusal("unmanagedExists");
}

/**
 * As `judge`, once the engine has checked the owner of the object, if it will. A program that declares a key twice is
 * then refused before the object is moved, also without a preview.
 */
async function judgeChecked(
  run: RunContext,
  unique: UniqueKeys,
  taking: Taking,
  id: string,
): Promise<Verdict> {
  const verdict = await judge(run, unique, taking, id);
  const urn = verdict.owner?.urn;
  if (verdict.who !== "sibling" || urn === undefined || run.keys.isDeclared(urn)) return verdict;
  await run.phases.untilChecked(() => run.keys.isDeclared(urn));
  return run.keys.isDeclared(urn) ? judge(run, unique, taking, id) : verdict;
}

function takingInStep(
  run: RunContext,
  unique: UniqueKeys,
  { id: own, declared }: Pick<KeyStep<unknown>, "id" | "declared">,
  keys: readonly string[],
): Taking {
  const [isNew, adopt] = [own === undefined, declared.adopt === true];
  // After a failed replacement, the state still lists the object for deletion. This run takes the object back.
  const isTakenBack = async (id: string): Promise<boolean> =>
    unique.mayBeShared === true && (await run.ownership.isReplaced(id));
  return {
    ...{ keys, isNew, adopt, adopts: !unique.isNeverAdopted, isPlanned: false },
    self: keys.map((key) => declaringResource(run, unique, key)).find(Boolean),
    async own(id) {
      if (!isNew) return undefined;
      if (adopt && (await isTakenBack(id))) return "self";
      return unique.isContainer ? "oldContainer" : "old";
    },
  };
}

const wantsOf = async (
  run: RunContext,
  unique: UniqueKeys,
  { wants, declared, state = {} }: KeyStep<unknown>,
): Promise<readonly string[]> => (await (wants?.() ?? keysIn(run, unique, declared, state))) ?? [];
