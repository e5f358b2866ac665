import { type ApiError, isConflict } from "../client/errors";
import { type PropertyPath, parsePath } from "./ignored";
import { projectIdOf } from "./project-reference";
import type { RunContext } from "./run-context";
import type { Owner } from "./stack-snapshot";
import {
  adoptsOwn,
  belongsTo,
  belongsToProvider,
  declaredTwice,
  existsTwice,
  type KeyWords,
  losesIgnored,
  retained,
  unknownOwner,
  unmanagedExists,
  unmanagedHas,
} from "./unique-key-messages";
import { identityOf, labelOf } from "./urn";
import { type Plain, unknown } from "./values";

/**
 * Unique keys are names that only one object at a time can have: the key of a variable in an environment, a domain, the
 * name of a project. If another object of the stack has the key that a resource needs, the resource gives that object a
 * temporary name or detaches it, and takes the key. The other resource finds its object by id, so the step of the other
 * resource can come before or after.
 */

/** The unique keys of a kind of object. */
export interface UniqueKeys extends KeyWords {
  /** Where the keys are unique. A key begins with the id of its project or account. */
  scope: "project" | "account";
  /** The keys of an object with these inputs; undefined if they are not known yet. */
  of(inputs: Plain, scopeId: string): string[] | undefined;
  /**
   * The ids of the objects that have some of the keys.
   * @param fresh reads the list again, and also looks in other projects of the stack
   */
  owners(run: RunContext, keys: readonly string[], declared: Plain, fresh: boolean): Promise<string[]>;
  /**
   * Gives an object a temporary name that contains the original one, or detaches the object. Does nothing if the object
   * has none of the keys.
   * @returns a function that restores the object
   */
  freeKeys(run: RunContext, id: string, keys: readonly string[]): Promise<() => Promise<unknown>>;
  /**
   * The object contains other objects. A new resource does not take the object's keys: the new resource may be the old
   * one under a new name, and the deletion of the old object would delete the contained objects.
   */
  isContainer?: true;
  /**
   * Why unmanaged objects with the keys cannot be adopted; undefined if they can.
   * @param ignored the inputs that the program ignores, which an adoption does not write; undefined at a check whose
   *   host does not know them
   */
  refuseAdoption?(
    run: RunContext,
    ids: readonly string[],
    declared: Plain,
    ignored: readonly PropertyPath[] | undefined,
  ): Promise<string | undefined>;
  /**
   * Why a new object of the same resource cannot replace objects with the keys: they have a value that the program does
   * not know. Undefined if it can.
   * @param ignored see `refuseAdoption`; those of the last run if the host knows no others
   */
  refuseReplacement?(
    run: RunContext,
    ids: readonly string[],
    declared: Plain,
    ignored: readonly PropertyPath[],
  ): Promise<string | undefined>;
  /**
   * A new resource takes over the object instead of moving it. During the run, and after an interrupted one, the state
   * has the object under two resources. The resource that the program declares owns it.
   */
  mayBeShared?: true;
  /**
   * An unmanaged object is no conflict, because it always exists, or because creating it again changes nothing. In
   * `Ownership`, the key is also the name of the object.
   */
  isAlwaysThere?: true;
  /** The resource has no input `adopt`. */
  isNeverAdopted?: true;
  /** An adoption detaches or renames the unmanaged object (`freeKeys`), and takes its key. */
  adoptsByMoving?: true;
}

/** A resource that the engine checks. */
export interface Candidate {
  previous: Plain;
  news: Plain;
  /** Undefined where the host cannot know it. */
  urn: string | undefined;
  /** The resource has an input `adopt`. */
  adopts: boolean;
  /** A replacement always deletes the old object first. */
  deletesFirst: boolean;
  /** The engine is about to delete the old object of the resource first. */
  isDeletedFirst: boolean;
  /** The change replaces the object, so that a new one is created. */
  isReplaced: boolean;
  /** See `refuseAdoption`. */
  ignored: readonly PropertyPath[] | undefined;
}

/**
 * Records the keys that a resource declares in the plan of the run.
 * @returns the reason why the resource cannot have the keys; undefined if it can
 */
export async function planKeys(
  run: RunContext,
  unique: UniqueKeys,
  candidate: Candidate,
): Promise<string | undefined> {
  const { previous, news, urn } = candidate;
  const isNew = isNewIn(candidate);
  const wants = await keysIn(run, unique, news);
  // Only the old object of this resource can have the keys, and the engine deletes that object first.
  if (candidate.isDeletedFirst) return reasonAgainstReplacing(run, unique, candidate, wants ?? []);
  const twice = declare(run, unique, candidate, wants ?? keysInNewProject(run, unique, news));
  if (!wants || twice !== undefined) return twice;
  const gains = isNew ? wants : without(wants, (await keysIn(run, unique, previous)) ?? []);
  if (gains.length === 0) return undefined;
  const unmanaged: string[] = [];
  const earlier = isNew ? await earlierOwner(run, unique, gains, urn) : undefined;
  if (earlier !== undefined && unique.isContainer) return belongsTo(unique, ownerLabel(earlier), gains);
  for (const id of await unique.owners(run, gains, news, false)) {
    const reason = await reasonAtCheck(run, unique, candidate, gains, id);
    if (reason === "unmanaged") unmanaged.push(id);
    else if (reason !== undefined && (await stillHas(run, unique, gains, news, id))) return reason;
  }
  if (unmanaged.length > 0) return unique.refuseAdoption?.(run, unmanaged, news, candidate.ignored);
  return isNew ? reasonAgainstReplacing(run, unique, candidate, gains) : undefined;
}

/** The other resource of the stack that had some of the keys when the run began, also if it has released them. */
async function earlierOwner(
  run: RunContext,
  unique: UniqueKeys,
  keys: readonly string[],
  urn: string | undefined,
): Promise<Owner | undefined> {
  for (const id of run.keys.heldBefore(plannedKeys(unique, keys))) {
    const { owner } = await ownerOf(run, unique, keys, id);
    if (owner?.urn !== undefined && (urn === undefined || owner.urn !== identityOf(urn))) return owner;
  }
  return undefined;
}

/** Records which keys an object of the state has. */
export function recordKeys(run: RunContext, unique: UniqueKeys, id: string, state: Plain): void {
  const scopeId = unique.scope === "account" ? (run.client.settings.team ?? "") : state.projectId;
  if (typeof scopeId === "string") run.keys.hold(id, plannedKeys(unique, unique.of(state, scopeId) ?? []));
}

/** Why the new object of a replacement would lose a value of the old one; undefined if it would not, or for a new resource. */
async function reasonAgainstReplacing(
  run: RunContext,
  unique: UniqueKeys,
  { urn, news, ignored }: Candidate,
  keys: readonly string[],
): Promise<string | undefined> {
  if (!unique.refuseReplacement || urn === undefined) return undefined;
  for (const id of await unique.owners(run, keys, news, false)) {
    const { owner } = await ownerOf(run, unique, keys, id);
    if (owner?.urn !== identityOf(urn)) continue;
    const paths = ignored ?? owner.ignored?.map(parsePath) ?? [];
    const reason = await unique.refuseReplacement(run, [id], news, paths);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** False for an object that has lost the keys since it was listed, because the step of its resource ran meanwhile. */
const stillHas = async (
  run: RunContext,
  unique: UniqueKeys,
  keys: readonly string[],
  declared: Plain,
  id: string,
): Promise<boolean> => (await unique.owners(run, keys, declared, true)).includes(id);

/**
 * The keys of an object in a project that the run creates, whose id is not known yet. If the run creates several
 * projects, it is not known which of them has the object.
 * @choice An unknown project counts as the only new one, although another provider may create the project.
 */
function keysInNewProject({ keys }: RunContext, unique: UniqueKeys, news: Plain): string[] {
  const isOfNewProject =
    unique.scope === "project" && news.project === unknown && keys.newProjects.size === 1;
  return isOfNewProject ? (unique.of(news, "new project") ?? []) : [];
}

const isNewIn = ({ previous }: Candidate): boolean => Object.keys(previous).length === 0;

/**
 * Returns a key for the plan of the run. It begins with the kind of object, because objects of different kinds may have
 * the same key.
 */
export const plannedKey = ({ noun }: UniqueKeys, key: string): string => `${noun} ${key}`;
const plannedKeys = (unique: UniqueKeys, keys: readonly string[]): string[] =>
  keys.map((key) => plannedKey(unique, key));

/** The resource of the program that declares a key. */
export const declaringResource = (run: RunContext, unique: UniqueKeys, key: string): string | undefined =>
  run.keys.resourceOf(plannedKey(unique, key));

/** Records that a resource declares keys. @returns the refusal if another resource declares one of them too */
function declare(
  run: RunContext,
  unique: UniqueKeys,
  candidate: Candidate,
  wants: readonly string[],
): string | undefined {
  const { urn } = candidate;
  if (urn === undefined) return undefined;
  const other = run.keys.declare(identityOf(urn), plannedKeys(unique, wants), isNewIn(candidate));
  if (other === undefined) return undefined;
  const twice = wants.filter((key) => declaringResource(run, unique, key) === other);
  return declaredTwice(unique, labelOf(urn), labelOf(other), twice);
}

/**
 * Returns the reason why the candidate cannot take the keys of an object; undefined if it can.
 * @returns "unmanaged" for an object that the candidate is to adopt
 */
async function reasonAtCheck(
  run: RunContext,
  unique: UniqueKeys,
  candidate: Candidate,
  keys: readonly string[],
  id: string,
): Promise<string | undefined> {
  const taking = takingOf(candidate, keys);
  const { self, isNew } = taking;
  const { owner, reason } = await ownerOf(run, unique, keys, id);
  if (unique.isAlwaysThere && owner?.urn === undefined) return undefined;
  if (reason !== undefined) return isNew && taking.adopt ? "unmanaged" : reason;
  if (owner === undefined) {
    if (!isNew)
      return (await hasLostObject(run, unique, candidate)) ? undefined : unmanagedHas(unique, id, keys);
    return taking.adopt ? "unmanaged" : unmanagedExists(unique, id, keys, candidate.adopts);
  }
  if (self === undefined || owner.urn !== self)
    return (
      reasonAgainst(run, unique, taking, owner, id) ??
      (await reasonOfIgnored(run, unique, candidate, owner, id))
    );
  // An update keeps its own keys, even if its project was renamed. A replacement is checked again as a new resource.
  return isNewIn(candidate) && !taking.adopt ? reasonAgainstOwn(unique, candidate, self, keys) : undefined;
}

/**
 * True when an interrupted run gave the object of the candidate to another resource of the stack. The run then left the
 * object with the candidate's new keys unmanaged.
 */
async function hasLostObject(run: RunContext, unique: UniqueKeys, { previous }: Candidate): Promise<boolean> {
  if (!unique.mayBeShared) return false;
  const keys = (await keysIn(run, unique, previous)) ?? [];
  const own = await unique.owners(run, keys, previous, false);
  return (await Promise.all(own.map((id) => run.ownership.isShared(id)))).some(Boolean);
}

/**
 * Why a new resource with `adopt` cannot take the keys of another resource: the key moves to a new object, but not the
 * value that the program ignores.
 */
async function reasonOfIgnored(
  run: RunContext,
  unique: UniqueKeys,
  candidate: Candidate,
  owner: Owner,
  id: string,
): Promise<string | undefined> {
  const { news, ignored } = candidate;
  if (!isNewIn(candidate) || news.adopt !== true || !ignored) return undefined;
  const keys = (await keysIn(run, unique, news)) ?? [];
  const isLost = (await unique.refuseReplacement?.(run, [id], news, ignored)) !== undefined;
  return isLost ? losesIgnored(unique, ownerLabel(owner), keys) : undefined;
}

/** Why the new resource of a replacement cannot have the keys of the old one. */
const reasonAgainstOwn = (
  unique: UniqueKeys,
  { deletesFirst }: Candidate,
  self: string,
  keys: readonly string[],
): string | undefined =>
  deletesFirst || !unique.isContainer ? undefined : existsTwice(unique, labelOf(self), keys);

const takingOf = (candidate: Candidate, keys: readonly string[]): Taking => ({
  keys,
  self: candidate.urn === undefined ? undefined : identityOf(candidate.urn),
  isNew: candidate.isReplaced || isNewIn(candidate),
  adopt: candidate.news.adopt === true,
});

/** The keys that a resource takes. `self` is the identity of the resource; undefined if unknown. */
interface Taking {
  keys: readonly string[];
  self: string | undefined;
  isNew: boolean;
  adopt: boolean;
}

/** Returns the reason why the keys of an object of the stack cannot be taken; undefined if they can. */
function reasonAgainst(
  run: RunContext,
  unique: UniqueKeys,
  { keys, self, isNew, adopt }: Taking,
  { urn: owner, provider }: Owner,
  id: string,
): string | undefined {
  const { keys: plan, ownership } = run;
  const isReleased = owner !== undefined && plan.releases(owner, plannedKeys(unique, keys));
  const [own, other] = [self === undefined ? "this resource" : labelOf(self), ownerLabel({ urn: owner })];
  const twice = keys.filter((key) => owner !== undefined && declaringResource(run, unique, key) === owner);
  if (twice.length > 0) return declaredTwice(unique, own, other, twice);
  if (!isReleased && ownership.isDone(id)) return declaredTwice(unique, own, other, keys);
  // Refused even if the owner releases its keys, because the owner's check may come later, and the order must not
  // matter.
  if (isNew && plan.isNew(self) && unique.isContainer) return belongsTo(unique, other, keys);
  if (isNew && self === undefined && adopt) return adoptsOwn(unique, other, keys);
  // The process of another provider does not know the steps of this one, and may delete an object that this provider
  // has taken over.
  return run.isOfOtherProvider(provider) ? belongsToProvider(unique, other, keys) : undefined;
}

/** The name of the resource that has an object, for messages. */
export const ownerLabel = ({ urn }: Owner): string => (urn === undefined ? "another resource" : labelOf(urn));

async function ownerOf(
  { ownership }: RunContext,
  unique: UniqueKeys,
  keys: readonly string[],
  id: string,
): Promise<{ owner?: Owner | undefined; reason?: string }> {
  try {
    return { owner: await ownership.ownerOf([id]) };
  } catch (error) {
    return { reason: unknownOwner(unique, id, keys, error instanceof Error ? error.message : String(error)) };
  }
}

/** The unique keys of objects that always exist have these members. */
export const alwaysThere = {
  mayBeShared: true,
  isAlwaysThere: true,
  owners: async (_run: RunContext, keys: readonly string[]) => [...keys],
  freeKeys: async () => async () => {},
} as const;

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

/** The largest number of attempts for one key. */
const mostAttempts = 5;

/**
 * Takes unique keys. Objects of the stack that have them are moved out of the way, and put back if the step fails.
 * @throws ApiError with a hint when the keys belong to an unmanaged object, or to a resource that keeps them
 */
export async function takeKeys<T>(run: RunContext, unique: UniqueKeys, step: KeyStep<T>): Promise<T> {
  const moved: (() => Promise<unknown>)[] = [];
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run.keys.exclusive(step.id, () => step.attempt(attempt > 1));
      } catch (error) {
        if (!isConflict(error) || attempt > mostAttempts) throw error;
        const others = await ownersToMove(run, unique, step, error);
        if (others.ids.length === 0 && !others.wereReleased && attempt > 1) throw error;
        for (const id of others.ids)
          moved.push(await run.keys.exclusive(id, () => unique.freeKeys(run, id, others.keys)));
      }
    }
  } catch (error) {
    // If another object has the key meanwhile, the moved object keeps its temporary name until the next refresh.
    for (const putBack of moved.reverse()) await putBack().catch(() => {});
    throw error;
  }
}

/**
 * The objects of the stack that have the keys of a step. `wereReleased`: another object has released its keys
 * meanwhile.
 * @throws ApiError the conflict, with a hint when an object cannot be moved out of the way
 */
async function ownersToMove(
  run: RunContext,
  unique: UniqueKeys,
  step: KeyStep<unknown>,
  conflict: ApiError,
): Promise<{ ids: string[]; keys: readonly string[]; wereReleased: boolean }> {
  const keys = await wantsOf(run, unique, step);
  const owners = await unique.owners(run, keys, step.declared, true);
  const others = owners.filter((id) => id !== step.id);
  const ids: string[] = [];
  for (const id of others) {
    const reason = await reasonForOwner(run, unique, step, keys, id);
    if (reason === undefined) ids.push(id);
    else if (await stillHas(run, unique, keys, step.declared, id)) throw conflict.withHint(reason);
  }
  return { ids, keys, wereReleased: ids.length < others.length };
}

/** Returns the reason why a step cannot move an object out of the way; undefined if it can. */
export async function reasonForOwner(
  run: RunContext,
  unique: UniqueKeys,
  { id: own, declared }: Pick<KeyStep<unknown>, "id" | "declared">,
  keys: readonly string[],
  id: string,
): Promise<string | undefined> {
  const self = keys.map((key) => declaringResource(run, unique, key)).find(Boolean);
  const taking = { keys, self, isNew: own === undefined, adopt: declared.adopt === true };
  const { owner, reason } = await ownerOf(run, unique, keys, id);
  if (reason !== undefined) return reason;
  if (owner === undefined) {
    if (!taking.isNew) return unmanagedHas(unique, id, keys);
    if (taking.adopt && unique.adoptsByMoving) return undefined;
    return unmanagedExists(unique, id, keys, !unique.isNeverAdopted);
  }
  if (taking.isNew && self !== undefined && owner.urn === self) {
    // After a failed replacement, the state still lists the object for deletion. This run takes the object back.
    const isTakenBack = async () => unique.mayBeShared && (await run.ownership.isReplaced(id));
    if (taking.adopt && !(await isTakenBack())) return retained(unique, keys);
    return unique.isContainer ? existsTwice(unique, labelOf(self), keys) : undefined;
  }
  return reasonAgainst(run, unique, taking, owner, id);
}

const wantsOf = async (
  run: RunContext,
  unique: UniqueKeys,
  { wants, declared, state = {} }: KeyStep<unknown>,
): Promise<readonly string[]> => (await (wants?.() ?? keysIn(run, unique, declared, state))) ?? [];

/** The keys of an object with these inputs; undefined if they are not known yet. */
export async function keysIn(
  run: RunContext,
  unique: UniqueKeys,
  inputs: Plain,
  state: Plain = {},
): Promise<string[] | undefined> {
  if (unique.scope === "account") return unique.of(inputs, run.client.settings.team ?? "");
  const projectId = await projectIdOf(run.client, inputs.project, state);
  return projectId === undefined ? undefined : unique.of(inputs, projectId);
}

/**
 * Returns the ids (`<project id>/<object id>`) of the objects that have some of the keys. Each key begins with the id
 * of its project.
 * @param objectsIn returns the objects of a project, each with its keys
 */
export async function ownersByProject(
  keys: readonly string[],
  objectsIn: (projectId: string) => Promise<readonly { id: string; keys: readonly string[] }[]>,
): Promise<string[]> {
  const projects = new Set(keys.map((key) => key.split("/")[0] ?? ""));
  const found = await Promise.all(
    [...projects].map(async (projectId) =>
      (await objectsIn(projectId))
        .filter((object) => object.keys.some((key) => keys.includes(key)))
        .map(({ id }) => `${projectId}/${id}`),
    ),
  );
  return found.flat();
}

export const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((item) => !others.includes(item));
