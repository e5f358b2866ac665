import type { z } from "zod";
import type { Client } from "../../client/client";
import { ApiError } from "../../client/errors";
import { without } from "../../client/turns";
import type { Failure } from "../check";
import { claims, recordedMark } from "../claims";
import { belongsTo, takenBy } from "../ownership-messages";
import type { Resource } from "../resource";
import type { Plain } from "../values";
import {
  existsAlready,
  type Kind,
  keptAlready,
  keptBy,
  lateBy,
  type Named,
  strangersOwn,
  stuckOn,
} from "./messages";

/** The unique names ("places") of a kind of object. */
export interface Places extends Kind {
  /**
   * The places of an object with these inputs; undefined: not yet known.
   * @param state the recorded state, for values that do not change
   */
  of(client: Client, inputs: Plain, state: Plain): Promise<string[] | undefined>;
  /** The ids of the objects that have some of them at the service. @param fresh does not use a cached list */
  holders(client: Client, places: readonly string[], declared: Plain, fresh: boolean): Promise<string[]>;
  /** The label and the names of an object to adopt; absent for objects that are not adopted. */
  adopted?(client: Client, holder: string, declared: Plain): Adopted;
  /** Called when a diff has found a change. */
  planned?(client: Client, id: string, state: Plain, news: Plain): void;
}

/** An object to adopt. */
export interface Adopted {
  what: string;
  names: readonly [id: string, ...string[]];
}

/**
 * Lets resources of a kind pass places to each other within one run, so that swaps and shifts of names work or are
 * refused at preview. Problems that only show in the run fail there and lose nothing.
 */
export function takingTurns<I extends z.ZodObject, O extends z.ZodObject>(
  resource: Resource<I, O>,
  places: Places,
): Resource<I, O> {
  const { type } = resource;

  return {
    ...resource,

    async refusals(client, previous, news, self) {
      const failures = await resource.refusals(client, previous, news, self);
      const isNew = Object.keys(previous).length === 0;
      if (failures.length > 0 || !isNew) return failures;
      return refusing(async () => {
        const wants = await places.of(client, news, {});
        return wants && reasonAgainst(client, places, { type, news, wants, self });
      });
    },

    read: (client, id, state) => readNoted(resource, client, id, state),

    async diff(client, id, state, news) {
      const { turns } = client;
      const diff = await resource.diff(client, id, state, news);
      if (turns.isOfRefresh(`${type} ${id}`)) return diff;
      turns.visit(typeof state.projectId === "string" ? state.projectId : id);
      if (diff.changes.length > 0) places.planned?.(client, id, state, news);
      const has = (await places.of(client, state, state)) ?? [];
      const wants = diff.changes.length === 0 ? has : await places.of(client, news, state);
      const gains = without(wants ?? [], has);
      const there = await othersWith(client, places, id, gains, news);
      const isWanted = turns.wantedBy(id, has) !== undefined;
      // Where only the adoption itself can ask what the stack has, nothing goes before it.
      const isSure = !claims.ask || !isWanted;
      const adopts = there.filter((holder) => isSure && isToAdopt(client, places, holder, news));
      const holders = without(there, adopts);
      const isReplaced = diff.replaces.length > 0;
      const [stranger] = adopts;
      // Only a program that tells what the stack has makes sure that nobody gives it up in this run.
      if (!isReplaced && stranger !== undefined && !claims.ask)
        throw new Error(strangersOwn(places, { type, id }, stranger, gains));
      // Whoever takes its place, or gives it one, waits for it.
      const isAwaited = holders.length > 0 || isWanted;
      const isFirst = isReplaced && (diff.deleteBeforeReplace || isAwaited);
      const leaves = isReplaced && !isFirst ? "at the end" : "in turn";
      turns.plan(id, { type, has, wants, isReplaced, leaves, adopts });
      refuseStandstill(client, places, { type, id }, has, gains, holders);
      return { ...diff, deleteBeforeReplace: isReplaced ? isFirst : diff.deleteBeforeReplace };
    },

    async create(client, warn, inputs) {
      const created = await resource.create(client, warn, inputs);
      const has = await places.of(client, inputs, created.state);
      if (has) client.turns.plan(created.id, { type, has, wants: has, isReplaced: false, leaves: "in turn" });
      return created;
    },

    async update(client, warn, id, state, news) {
      try {
        const updated = await resource.update(client, warn, id, state, news);
        client.turns.finish(id, true);
        return updated;
      } catch (error) {
        client.turns.finish(id, false);
        throw error;
      }
    },

    async remove(client, warn, id, state) {
      const { turns } = client;
      const gains = turns.gainsOfReplaced(id);
      // What its successor takes over need not be given up by anybody.
      const holders = without(await othersWith(client, places, id, gains, state), turns.adoptedBy(id));
      const staying = await turns.clear(holders, gains);
      // It is still there, and stays until its successor has somewhere to be.
      if (staying !== undefined) throw new Error(stuckOn(places, { type, id }, staying, gains));
      await resource.remove(client, warn, id, state);
      turns.gone(id);
    },
  };
}

/** Reads a resource, and notes when that is part of a refresh. */
export async function readNoted<I extends z.ZodObject, O extends z.ZodObject>(
  { type, read }: Resource<I, O>,
  client: Client,
  id: string,
  state: Plain | undefined,
): ReturnType<Resource["read"]> {
  const found = await read(client, id, state);
  if (found && state && recordedMark(state) !== undefined) client.turns.refreshed(`${type} ${found.id}`);
  return found;
}

/** Turns a reason against a change into failures. */
export async function refusing(find: () => Promise<string | undefined>): Promise<Failure[]> {
  try {
    const reason = await find();
    return reason === undefined ? [] : [{ property: undefined, reason }];
  } catch (error) {
    // A token that may not read may still create.
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** The other objects that have some of these places now. */
export async function othersWith(
  client: Client,
  places: Places,
  id: string,
  wanted: readonly string[],
  declared: Plain,
): Promise<string[]> {
  if (wanted.length === 0) return [];
  return (await places.holders(client, wanted, declared, true)).filter((holder) => holder !== id);
}

/**
 * The holders of places that begin with the id of their project, by their ids of the form project/object.
 * @param heldIn the objects of a project, each with its places
 */
export async function holdersByProject(
  places: readonly string[],
  heldIn: (projectId: string) => Promise<readonly { id: string; has: readonly string[] }[]>,
): Promise<string[]> {
  const projects = new Set(places.map((place) => place.split("/")[0] ?? ""));
  const found = await Promise.all(
    [...projects].map(async (projectId) =>
      (await heldIn(projectId))
        .filter(({ has }) => has.some((place) => places.includes(place)))
        .map(({ id }) => `${projectId}/${id}`),
    ),
  );
  return found.flat();
}

/** True for an adoption of an object that no resource of the stack or the run has. */
function isToAdopt(client: Client, places: Places, holder: string, news: Plain): boolean {
  if (!places.adopted || news.adopt !== true || client.turns.knows(holder)) return false;
  const { names } = places.adopted(client, holder, news);
  return claims.holder(client.settings.apiUrl, names) === undefined;
}

/** @throws Error when a place that a resource needs is not released, or when it keeps one that another needs */
export function refuseStandstill(
  { turns }: Client,
  kind: Kind,
  one: Named,
  has: readonly string[],
  gains: readonly string[],
  holders: readonly string[],
): void {
  for (const holder of holders) {
    const outlook = turns.outlook(holder, gains);
    if (outlook === "kept") throw new Error(keptBy(kind, one, namedBy(turns, one.type, holder), gains));
    if (outlook === "at the end") throw new Error(lateBy(kind, one, namedBy(turns, one.type, holder), gains));
  }
  const waiting = turns.wantedBy(one.id, has);
  if (waiting === undefined) return;
  const wanted = turns.wants(waiting).filter((place) => has.includes(place));
  if (turns.outlook(one.id, wanted) === "kept")
    throw new Error(keptBy(kind, namedBy(turns, one.type, waiting), one, wanted));
}

const namedBy = (turns: Client["turns"], type: string, id: string): Named => ({
  type: turns.typeOf(id) ?? type,
  id,
});

/**
 * What stands in the way of a new object, as the lists show it.
 * @param newcomer its places; what the stack calls the resource, where that is known; whether one of which nothing is
 *   known may be heard of later in the run, and then is waited for
 */
export async function reasonAgainst(
  client: Client,
  places: Places,
  newcomer: {
    type: string;
    news: Plain;
    wants: readonly string[];
    self?: string | undefined;
    isPatient?: boolean;
  },
): Promise<string | undefined> {
  const { type, news, wants, self, isPatient = false } = newcomer;
  const { turns, settings } = client;
  // The engine checks the new half of a replacement once more, as if it were new. Its diff has told what is known,
  // and a holder that was not heard of yet is waited for in the run.
  const predecessor = turns.replacedBy(wants);
  for (const holder of await places.holders(client, wants, news, false)) {
    if (holder === predecessor) continue;
    const outlook = turns.outlook(holder, wants);
    if (outlook === "in turn") continue;
    const named = namedBy(turns, type, holder);
    if (outlook === "at the end") return lateBy(places, undefined, named, wants);
    if (places.adopted && news.adopt === true) {
      // A plugin can ask what the stack has in an update alone.
      if (claims.ask) continue;
      const { what, names } = places.adopted(client, holder, news);
      const owner = claims.holder(settings.apiUrl, names);
      // One that is replaced on request is checked without a diff.
      if (owner !== undefined && owner === self) continue;
      if (owner !== undefined) return belongsTo(what, owner);
      if (outlook === "kept") return takenBy(what);
      continue;
    }
    if (outlook === "kept") return keptAlready(places, named, wants);
    if (predecessor === undefined && !isPatient)
      return existsAlready(places, named, wants, places.adopted !== undefined);
  }
  return undefined;
}
