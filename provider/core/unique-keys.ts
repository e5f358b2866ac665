import type { Client } from "../client/client";
import { isConflict } from "../client/errors";
import { ownership } from "./ownership";
import { projectIdOf } from "./project-reference";
import type { Owner } from "./stack-snapshot";
import {
  adoptsOwn,
  belongsTo,
  belongsToProvider,
  declaredTwice,
  existsTwice,
  type KeyWords,
  retained,
  unknownOwner,
  unmanagedExists,
  unmanagedHas,
} from "./unique-key-messages";
import { identityOf, labelOf } from "./urn";
import type { Plain } from "./values";

/**
 * Unique keys are names that only one object at a time can have: the key of a variable in an environment, a domain, the
 * name of a project. A resource that needs a key which another object of the stack has moves that object out of the way
 * at once, and takes the key. The other object's own step comes earlier or later and works by id.
 */

/** The unique keys of a kind of object. */
export interface UniqueKeys extends KeyWords {
  /** Where the keys are unique. They begin with the id of it. */
  scope: "project" | "account";
  /** The keys of an object with these inputs; undefined: not yet known. */
  of(inputs: Plain, scopeId: string): string[] | undefined;
  /**
   * The ids of the objects that have some of the keys.
   * @param fresh does not use a cached list, and looks wherever resources of the stack are
   */
  owners(client: Client, keys: readonly string[], declared: Plain, fresh: boolean): Promise<string[]>;
  /**
   * Moves an object out of the way, to a temporary name that tells the original one, unless it has none of the keys.
   * @returns how to put it back
   */
  moveAside(client: Client, id: string, keys: readonly string[]): Promise<() => Promise<unknown>>;
  /**
   * The object contains others. A new resource does not take its keys: it may be the same resource under a new name, and
   * deleting the old one would lose what the object contains.
   */
  isContainer?: true;
  /** Why unmanaged objects with the keys cannot be adopted as declared. */
  refuseAdoption?(client: Client, ids: readonly string[], declared: Plain): Promise<string | undefined>;
  /**
   * Until a run ends, or after one that was interrupted, the state may have one object under two resources, of which
   * the one that the program declares owns it. A new resource takes over the object itself.
   */
  mayBeShared?: true;
  /** An adoption takes over an unmanaged object by moving it. */
  adoptsByMoving?: true;
}

/**
 * The keys that the resources of a run declare, recorded as each is checked, and the objects under way. A resource is
 * called by its identity.
 */
export class RunPlan {
  readonly #resources = new Map<string, string>();
  readonly #keys = new Map<string, readonly string[]>();
  /** The resources that the state has. */
  readonly #existing = new Set<string>();
  readonly #steps = new Map<string, Promise<unknown>>();
  /** When an object was last written before it was moved aside and after, in milliseconds since the epoch. */
  readonly moves = new Map<string, { before: number; after: number }>();

  /**
   * Records the keys that a resource declares.
   * @param isNew the engine checks it as a new resource, or as the new half of a replacement
   * @returns another resource that declares some of them
   */
  declare(resource: string, keys: readonly string[], isNew: boolean): string | undefined {
    if (!isNew) this.#existing.add(resource);
    for (const key of this.#keys.get(resource) ?? [])
      if (this.#resources.get(key) === resource) this.#resources.delete(key);
    this.#keys.set(resource, keys);
    const other = keys.map((key) => this.#resources.get(key)).find(Boolean);
    if (other === undefined) for (const key of keys) this.#resources.set(key, resource);
    return other;
  }

  /** The resource that declares a key. */
  resourceOf(key: string): string | undefined {
    return this.#resources.get(key);
  }

  /** True for a resource that is not in the state. */
  isNew(resource: string | undefined): boolean {
    return resource === undefined || !this.#existing.has(resource);
  }

  /** True for a resource of the program that declares none of the keys. */
  releases(resource: string, keys: readonly string[]): boolean {
    const declared = this.#keys.get(resource);
    return declared !== undefined && !declared.some((key) => keys.includes(key));
  }

  /** Runs requests about one object after those before. @param id undefined: about a new object */
  async exclusive<T>(id: string | undefined, step: () => Promise<T>): Promise<T> {
    if (id === undefined) return step();
    const before = this.#steps.get(id);
    const run = (async () => {
      await before?.catch(() => {});
      return step();
    })();
    this.#steps.set(id, run);
    try {
      return await run;
    } finally {
      if (this.#steps.get(id) === run) this.#steps.delete(id);
    }
  }
}

/** A resource as it is checked. */
export interface Candidate {
  previous: Plain;
  news: Plain;
  /** Undefined where the host cannot know it. */
  urn: string | undefined;
  /** Its inputs include `adopt`. */
  adopts: boolean;
  /** A replacement always deletes the old object first. */
  deletesFirst: boolean;
}

/**
 * Records the keys that a resource declares in the plan of the run.
 * @returns why it cannot have them
 */
export async function planKeys(
  client: Client,
  unique: UniqueKeys,
  candidate: Candidate,
): Promise<string | undefined> {
  const { previous, news, urn } = candidate;
  const isNew = Object.keys(previous).length === 0;
  const wants = await keysIn(client, unique, news);
  if (urn !== undefined) {
    const other = client.plan.declare(identityOf(urn), wants ?? [], isNew);
    if (other !== undefined && wants) {
      const twice = wants.filter((key) => client.plan.resourceOf(key) === other);
      return declaredTwice(unique, labelOf(urn), labelOf(other), twice);
    }
  }
  if (!wants) return undefined;
  const gains = isNew ? wants : without(wants, (await keysIn(client, unique, previous)) ?? []);
  if (gains.length === 0) return undefined;
  const unmanaged: string[] = [];
  for (const id of await unique.owners(client, gains, news, false)) {
    const reason = await reasonAtCheck(client, unique, candidate, gains, id);
    if (reason === "unmanaged") unmanaged.push(id);
    else if (reason !== undefined) return reason;
  }
  return unmanaged.length === 0 ? undefined : unique.refuseAdoption?.(client, unmanaged, news);
}

/** @returns "unmanaged" for an object that is to be adopted */
async function reasonAtCheck(
  client: Client,
  unique: UniqueKeys,
  { previous, news, urn, adopts, deletesFirst }: Candidate,
  keys: readonly string[],
  id: string,
): Promise<string | undefined> {
  const isNew = Object.keys(previous).length === 0;
  const self = urn === undefined ? undefined : identityOf(urn);
  const taking = { keys, self, isNew, adopt: news.adopt === true };
  const { owner, reason } = await ownerOf(client, unique, keys, id);
  if (reason !== undefined) return isNew && taking.adopt ? "unmanaged" : reason;
  if (self !== undefined && owner?.urn === self) {
    const isSafe = !isNew || !client.plan.isNew(self) || deletesFirst || taking.adopt;
    return isSafe ? undefined : existsTwice(unique, labelOf(self), keys);
  }
  if (owner === undefined) {
    if (!isNew) return unmanagedHas(unique, id, keys);
    return taking.adopt ? "unmanaged" : unmanagedExists(unique, id, keys, adopts);
  }
  return reasonAgainst(client, unique, taking, owner, id);
}

/** The keys that a step takes. */
interface Taking {
  keys: readonly string[];
  self: string | undefined;
  isNew: boolean;
  adopt: boolean;
}

/** Why the keys of an object of the stack cannot be taken. */
function reasonAgainst(
  client: Client,
  unique: UniqueKeys,
  { keys, self, isNew, adopt }: Taking,
  { urn: owner, provider }: Owner,
  id: string,
): string | undefined {
  const { plan, settings } = client;
  const isReleased = owner !== undefined && plan.releases(owner, keys);
  const [own, other] = [self === undefined ? "this resource" : labelOf(self), ownerLabel({ urn: owner })];
  const twice = keys.filter((key) => owner !== undefined && plan.resourceOf(key) === owner);
  if (twice.length > 0) return declaredTwice(unique, own, other, twice);
  if (!isReleased && ownership.isDone(settings.apiUrl, id)) return declaredTwice(unique, own, other, keys);
  // The process of another provider knows nothing of this one's steps, and may delete what they have taken.
  if (isOfOther(provider)) return belongsToProvider(unique, other, keys);
  // Whether the owner releases its keys does not matter: its check may come later.
  if (!isNew || !plan.isNew(self)) return undefined;
  if (unique.isContainer) return belongsTo(unique, other, keys);
  return adopt ? adoptsOwn(unique, other, keys) : undefined;
}

const isOfOther = (provider: string | undefined): boolean =>
  provider !== undefined && ownership.provider !== undefined && provider !== ownership.provider;

/** What messages call the resource that has an object. */
export const ownerLabel = ({ urn }: Owner): string => (urn === undefined ? "another resource" : labelOf(urn));

async function ownerOf(
  { settings }: Client,
  unique: UniqueKeys,
  keys: readonly string[],
  id: string,
): Promise<{ owner?: Owner | undefined; reason?: string }> {
  try {
    return { owner: await ownership.ownerOf(settings.apiUrl, [id]) };
  } catch (error) {
    return { reason: unknownOwner(unique, id, keys, error instanceof Error ? error.message : String(error)) };
  }
}

/** A step that takes unique keys. */
export interface KeyStep<T> {
  /** The id of the object; undefined for a new one. */
  id?: string | undefined;
  declared: Plain;
  /** The recorded state, for values that do not change. */
  state?: Plain;
  /** The keys that are still to be taken. Default: those of the declared inputs. */
  wants?(): Promise<readonly string[]>;
  /** @param isFree objects that had the keys were moved out of the way */
  attempt(isFree: boolean): Promise<T>;
}

/** The largest number of attempts for one key. */
const mostAttempts = 5;

/**
 * Takes unique keys. Objects of the stack that have them are moved out of the way, and put back if the step fails.
 * @throws ApiError with a hint when an unmanaged object, or one that keeps them, has the keys
 */
export async function takeKeys<T>(client: Client, unique: UniqueKeys, step: KeyStep<T>): Promise<T> {
  const moved: (() => Promise<unknown>)[] = [];
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.plan.exclusive(step.id, () => step.attempt(moved.length > 0));
    } catch (error) {
      try {
        if (!isConflict(error) || attempt > mostAttempts) throw error;
        const wants = await wantsOf(client, unique, step);
        const owners = await unique.owners(client, wants, step.declared, true);
        const others = owners.filter((id) => id !== step.id);
        if (others.length === 0 && attempt > 1) throw error;
        const reason = await reasonInStep(client, unique, step, wants, others);
        if (reason !== undefined) throw error.advise(reason);
        for (const id of others)
          moved.push(await client.plan.exclusive(id, () => unique.moveAside(client, id, wants)));
      } catch (final) {
        // What cannot be put back, since its key is taken, keeps its temporary name until the next refresh.
        for (const putBack of moved.reverse()) await putBack().catch(() => {});
        throw final;
      }
    }
  }
}

async function reasonInStep(
  client: Client,
  unique: UniqueKeys,
  step: KeyStep<unknown>,
  keys: readonly string[],
  owners: readonly string[],
): Promise<string | undefined> {
  for (const id of owners) {
    const reason = await reasonForOwner(client, unique, step, keys, id);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Why a step cannot move an object out of the way; undefined: it can. */
export async function reasonForOwner(
  client: Client,
  unique: UniqueKeys,
  { id: own, declared }: Pick<KeyStep<unknown>, "id" | "declared">,
  keys: readonly string[],
  id: string,
): Promise<string | undefined> {
  const self = keys.map((key) => client.plan.resourceOf(key)).find(Boolean);
  const taking = { keys, self, isNew: own === undefined, adopt: declared.adopt === true };
  const { owner, reason } = await ownerOf(client, unique, keys, id);
  if (reason !== undefined) return reason;
  if (owner === undefined) {
    if (!taking.isNew) return unmanagedHas(unique, id, keys);
    if (taking.adopt && unique.adoptsByMoving) return undefined;
    return unmanagedExists(unique, id, keys, true);
  }
  if (taking.isNew && self !== undefined && owner.urn === self) return retained(unique, keys);
  return reasonAgainst(client, unique, taking, owner, id);
}

const wantsOf = async (
  client: Client,
  unique: UniqueKeys,
  { wants, declared, state = {} }: KeyStep<unknown>,
): Promise<readonly string[]> => (await (wants?.() ?? keysIn(client, unique, declared, state))) ?? [];

/** The keys of an object with these inputs; undefined: not yet known. */
export async function keysIn(
  client: Client,
  unique: UniqueKeys,
  inputs: Plain,
  state: Plain = {},
): Promise<string[] | undefined> {
  if (unique.scope === "account") return unique.of(inputs, client.settings.team ?? "");
  const projectId = await projectIdOf(client, inputs.project, state);
  return projectId === undefined ? undefined : unique.of(inputs, projectId);
}

/**
 * The owners of keys that begin with the id of their project, by ids of the form project/object.
 * @param objectsIn the objects of a project, each with its keys
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
