import type { PropertyPath } from "./ignored";
import {
  classifySibling,
  type KeyDecision,
  type KeyOwner,
  keyDecisions,
  policyOf,
  refusalOf,
  type SiblingFacts,
} from "./key-decision";
import type { KeepingOption } from "./ownership";
import { projectIdOf } from "./project-reference";
import type { RunContext } from "./run-context";
import type { Owner } from "./stack-snapshot";
import type { KeyWords } from "./unique-key-messages";
import { labelOf } from "./urn";
import type { Plain } from "./values";

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
  /** The inputs with the id of another object that the keys contain, with the kind of that object. */
  within?: Readonly<Record<string, string>>;
  /** The keys of an object with these inputs; undefined if they are not known yet. */
  of(inputs: Plain, scopeId: string): string[] | undefined;
  /**
   * The ids of the objects that have some of the keys.
   * @param fresh reads the list again, and also looks in other projects of the stack
   */
  owners(run: RunContext, keys: readonly string[], declared: Plain, fresh: boolean): Promise<string[]>;
  /** Keys that are not equal, and of which only one at a time can be in use. */
  exclusion?: {
    /** True if the service refuses an object with one of the keys beside an object with the other. */
    between(key: string, other: string): boolean;
    /** The ids of the objects beside which the service refuses one with some of the keys. @param fresh as for `owners` */
    objects(run: RunContext, keys: readonly string[], declared: Plain, fresh: boolean): Promise<string[]>;
  };
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
  /** The resource has several objects, so an update can create and adopt more. */
  hasSeveral?: true;
  /** The resource has no input `adopt`. */
  isNeverAdopted?: true;
  /** An adoption detaches or renames the unmanaged object (`freeKeys`), and takes its key. */
  adoptsByMoving?: true;
}

/** A resource that needs the keys of an object. */
export interface Taking {
  keys: readonly string[];
  /** The identity of the resource; undefined if the host does not know it. */
  self: string | undefined;
  /** It needs them for a new object. */
  isNew: boolean;
  adopt: boolean;
  /** It has the input `adopt`. */
  adopts: boolean;
  /** It is checked, and takes the keys later. False in a step. */
  isPlanned: boolean;
  /** How an object of the resource itself counts; undefined: like that of another resource. */
  own(id: string): Promise<KeyOwner | undefined>;
}

/** The decision about an object that has the keys. */
export interface Verdict {
  who: KeyOwner;
  decision: KeyDecision;
  /** The resource of the stack that has the object. */
  owner: Owner | undefined;
  /** The message of a decision; undefined if it refuses nothing. @param named the keys to name. Default: all */
  refusal(decision: KeyDecision, named?: readonly string[]): string | undefined;
}

/** Classifies the owner of an object, and decides whether a resource can have its keys. */
export async function judge(
  run: RunContext,
  unique: UniqueKeys,
  taking: Taking,
  id: string,
): Promise<Verdict> {
  const { keys, self, adopts } = taking;
  const { owner, problem } = await findOwner(run, id);
  const isTwice = (key: string): boolean =>
    owner?.urn !== undefined && run.keys.declares(owner.urn, plannedKey(unique, key));
  const twice = keys.filter(isTwice);
  const own = self !== undefined && owner?.urn === self ? await taking.own(id) : undefined;
  const keptBy = owner && own === undefined ? await whyKept(run, unique, taking, owner) : undefined;
  const known = { id, declares: twice.length > 0, isKept: keptBy !== undefined };
  const classify = (): KeyOwner => {
    if (problem !== undefined) return "unknown";
    if (owner === undefined) return "nobody";
    if (own !== undefined) return isRetained(unique, taking, owner) ? "oldRetained" : own;
    return classifySibling(factsOf(run, unique, taking, { ...known, owner }));
  };
  const who = classify();
  const conflict = {
    ...{ id, keys, twice, adopts, problem, keptBy },
    own: self === undefined ? "this resource" : labelOf(self),
    other: ownerLabel(owner ?? {}),
  };
  return {
    ...{ who, owner },
    decision: keyDecisions[who][policyOf({ ...taking, hasSeveral: unique.hasSeveral })],
    refusal: (decision, named = keys) => refusalOf(decision, unique, { ...conflict, keys: named }),
  };
}

/** The facts about the owner of an object, as the run has planned it. */
const factsOf = (
  run: RunContext,
  unique: UniqueKeys,
  { keys, self, isNew }: Taking,
  { id, owner, declares, isKept }: { id: string; owner: Owner; declares: boolean; isKept: boolean },
): SiblingFacts => ({
  declares,
  isKept,
  releases: owner.urn !== undefined && run.keys.releases(owner.urn, plannedKeys(unique, keys)),
  isDone: run.ownership.isDone(id),
  isContainer: unique.isContainer === true && isNew && run.keys.isNew(self),
  isOfOtherProvider: run.isOfOtherProvider(owner.provider),
});

/** True when the replacement of a resource keeps its old object, so that the key does not become free. */
const isRetained = (unique: UniqueKeys, { isNew }: Taking, { keptBy }: Owner): boolean =>
  isNew && keptBy === "retainOnDelete" && !unique.isAlwaysThere;

/**
 * Why the run keeps an object; undefined for one whose resource the program declares, or that is deleted. A replacement
 * of a declared resource keeps the old object if it has `retainOnDelete`. A check leaves a protected resource to the
 * engine, which refuses a program without it: the engine may check the resource later, with another key.
 */
async function whyKept(
  run: RunContext,
  unique: UniqueKeys,
  { isPlanned }: Taking,
  owner: Owner,
): Promise<KeepingOption | undefined> {
  const { urn } = owner;
  if (urn === undefined || unique.isAlwaysThere) return undefined;
  if (owner.keptBy === "retainOnDelete" && run.keys.isReplaced(urn)) return owner.keptBy;
  const isDeclared = (): boolean => run.keys.isDeclared(urn);
  const keptBy = isDeclared() ? undefined : await run.ownership.whyKept(owner);
  if (isPlanned) return keptBy === "protect" ? undefined : keptBy;
  if (keptBy !== undefined) await run.phases.untilChecked(isDeclared);
  return isDeclared() ? undefined : keptBy;
}

/** The name of the resource that has an object, for messages. */
export const ownerLabel = ({ urn }: Owner): string => (urn === undefined ? "another resource" : labelOf(urn));

/** @returns the owner; undefined for an unmanaged object. `problem`: why the owner is unknown */
export async function findOwner(
  { ownership }: RunContext,
  id: string,
): Promise<{ owner?: Owner | undefined; problem?: string }> {
  try {
    return { owner: await ownership.ownerOf([id]) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Records which keys an object of the state has. */
export function holdKeys(run: RunContext, unique: UniqueKeys, id: string, state: Plain): void {
  const scopeId = unique.scope === "account" ? (run.client.settings.team ?? "") : state.projectId;
  if (typeof scopeId === "string") run.keys.hold(id, plannedKeys(unique, unique.of(state, scopeId) ?? []));
}

/** False for an object that has lost the keys since it was listed, because the step of its resource ran meanwhile. */
export const stillHas = async (
  run: RunContext,
  unique: UniqueKeys,
  keys: readonly string[],
  declared: Plain,
  id: string,
): Promise<boolean> => (await unique.owners(run, keys, declared, true)).includes(id);

/** The keys among some that an object has, for messages. */
export async function keysOf(
  run: RunContext,
  unique: UniqueKeys,
  keys: readonly string[],
  declared: Plain,
  id: string,
): Promise<string[]> {
  const owners = await Promise.all(keys.map((key) => unique.owners(run, [key], declared, false)));
  return keys.filter((_, at) => owners[at]?.includes(id));
}

/**
 * Returns a key for the plan of the run. It begins with the kind of object, because objects of different kinds may have
 * the same key.
 */
export const plannedKey = ({ noun }: UniqueKeys, key: string): string => `${noun} ${key}`;
export const plannedKeys = (unique: UniqueKeys, keys: readonly string[]): string[] =>
  keys.map((key) => plannedKey(unique, key));

/** The resource of the program that declares a key. */
export const declaringResource = (run: RunContext, unique: UniqueKeys, key: string): string | undefined =>
  run.keys.resourceOf(plannedKey(unique, key));

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
