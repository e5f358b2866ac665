import type { z } from "zod";
import type { Client } from "../client/client";
import { ApiError, isConflict } from "../client/errors";
import type { Failure } from "./check";
import type { Resource } from "./resource";
import { without } from "./turns";
import type { Plain } from "./values";

/** Names of a kind of object that only one can have at a time. */
export interface Places {
  /** How a user calls such an object. */
  noun: string;
  /**
   * The places of an object with these inputs; undefined while they are not known.
   * @param state what there is of it, for what does not change
   */
  of(client: Client, inputs: Plain, state: Plain): Promise<string[] | undefined>;
  /** Who has some of them at the service, by id. @param fresh a list of the last moments is not good enough */
  holders(client: Client, places: readonly string[], declared: Plain, fresh: boolean): Promise<string[]>;
  /** Told of what a diff has found to change. */
  planned?(client: Client, id: string, state: Plain, news: Plain): void;
  /** What a user can choose instead. */
  choices: string;
}

/**
 * Resources of a kind that pass their places on to each other within one run: swaps and shifts of names among them are
 * carried out, or refused at preview. What only the run itself can show fails there with nothing lost.
 */
export function takingTurns<I extends z.ZodObject, O extends z.ZodObject>(
  resource: Resource<I, O>,
  places: Places,
): Resource<I, O> {
  const { type } = resource;
  const otherwise = `Give one of them ${places.choices}.`;

  return {
    ...resource,

    async refusals(client, previous, news) {
      const failures = await resource.refusals(client, previous, news);
      const isNew = Object.keys(previous).length === 0;
      if (failures.length > 0 || !isNew || news.adopt) return failures;
      try {
        const reason = await reasonAgainst(client, news);
        return reason === undefined ? [] : [{ property: undefined, reason } satisfies Failure];
      } catch (error) {
        // What may not be looked at may still be made.
        if (error instanceof ApiError) return [];
        throw error;
      }
    },

    async diff(client, id, state, news) {
      const { turns } = client;
      const diff = await resource.diff(client, id, state, news);
      turns.visit(typeof state.projectId === "string" ? state.projectId : id);
      if (diff.changes.length > 0) places.planned?.(client, id, state, news);
      const has = (await places.of(client, state, state)) ?? [];
      const wants = diff.changes.length === 0 ? has : await places.of(client, news, state);
      const gains = without(wants ?? [], has);
      const holders = await othersWith(client, id, gains, news);
      const isReplaced = diff.replaces.length > 0;
      // Whoever takes its place, or gives it one, waits for it.
      const isAwaited = holders.length > 0 || turns.wantedBy(id, has) !== undefined;
      const isFirst = isReplaced && (diff.deleteBeforeReplace || isAwaited);
      turns.plan(id, { has, wants, isReplaced, leaves: isReplaced && !isFirst ? "at the end" : "in turn" });

      for (const holder of holders) {
        const outlook = turns.outlook(holder, gains);
        if (outlook === "kept") throw new Error(keptBy(id, holder, gains));
        if (outlook === "at the end") throw new Error(lateBy(id, holder, gains));
      }
      const waiting = turns.wantedBy(id, has);
      if (waiting !== undefined) {
        const wanted = turns.wants(waiting).filter((place) => has.includes(place));
        if (turns.outlook(id, wanted) === "kept") throw new Error(keptBy(waiting, id, wanted));
      }
      return { ...diff, deleteBeforeReplace: isFirst };
    },

    async create(client, warn, inputs) {
      const created = await resource.create(client, warn, inputs);
      const has = await places.of(client, inputs, created.state);
      if (has) client.turns.plan(created.id, { has, wants: has, isReplaced: false, leaves: "in turn" });
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
      const gains = client.turns.gainsOfReplaced(id);
      const holders = await othersWith(client, id, gains, state);
      const staying = await client.turns.clear(holders, gains);
      // It is still there, and stays until its successor has somewhere to be.
      if (staying !== undefined) throw new Error(stuckOn(id, staying, gains));
      await resource.remove(client, warn, id, state);
      client.turns.gone(id);
    },
  };

  async function othersWith(
    client: Client,
    id: string,
    wanted: readonly string[],
    declared: Plain,
  ): Promise<string[]> {
    if (wanted.length === 0) return [];
    return (await places.holders(client, wanted, declared, true)).filter((holder) => holder !== id);
  }

  /** What stands in the way of a new one, as the lists show it. */
  async function reasonAgainst(client: Client, news: Plain): Promise<string | undefined> {
    const wants = await places.of(client, news, {});
    if (!wants) return undefined;
    // The engine checks the new half of a replacement once more, as if it were new. Its diff has told what is known,
    // and a holder that was not heard of yet is waited for in the run.
    const predecessor = client.turns.replacedBy(wants);
    for (const holder of await places.holders(client, wants, news, false)) {
      if (holder === predecessor) continue;
      const outlook = client.turns.outlook(holder, wants);
      if (outlook === "kept")
        return `${tell(wants)} is that of ${type} ${holder} of this program. ${otherwise}`;
      if (outlook === "at the end") return lateBy(undefined, holder, wants);
      if (outlook === "unheard" && predecessor === undefined)
        return (
          `${tell(wants)} exists already: it is ${type} ${holder}. Adopt it with { adopt: true } if no program has it. ` +
          `If a resource of this program has it: where that one was only renamed, give this one \`aliases\`; where it ` +
          `takes ${places.choices} in this run, let this one depend on it; where it leaves the program, remove it in a run ` +
          `of its own; where it is this one, to be replaced by --replace, give it { deleteBeforeReplace: true }. Or choose ` +
          `${places.choices}.`
        );
    }
    return undefined;
  }

  function keptBy(id: string, holder: string, wanted: readonly string[]): string {
    return `${type} ${id} cannot become ${tell(wanted)}: ${type} ${holder} of this program is that, and stays it. ${otherwise}`;
  }

  function lateBy(id: string | undefined, holder: string, wanted: readonly string[]): string {
    const who = id === undefined ? "It" : `${type} ${id}`;
    return (
      `${who} cannot become ${tell(wanted)} yet: ${type} ${holder} of this program gives it up only when the run ends, ` +
      "since it is declared before. Declare it after this one, or make the change in two runs."
    );
  }

  function stuckOn(id: string, holder: string, wanted: readonly string[]): string {
    return (
      `${type} ${id} is left as it is: ${tell(wanted)}, which it is to become, is ${type} ${holder}, and no resource of this ` +
      `program gives that up in this run. If one that leaves the program has it, remove that one in a run of its own; ` +
      `or choose ${places.choices}.`
    );
  }

  function tell(wanted: readonly string[]): string {
    return `${places.noun} ${wanted.map(named).join(" and ")}`;
  }
}

/** Without the project, whose id tells a user nothing. */
const named = (place: string): string => place.replace(/^prj_[^/]*\//, "");

let created = 0;

/**
 * Does a step that needs places, and waits for those that other resources of the run give up.
 * @param id of the resource; undefined for one that is being made
 * @param stepAside gives up what it has, for one that waits for it in turn
 */
export async function inTurn<T>(
  client: Client,
  places: Places,
  id: string | undefined,
  declared: Plain,
  state: Plain,
  attempt: () => Promise<T>,
  stepAside?: () => Promise<void>,
): Promise<T> {
  const wants = await places.of(client, declared, state);
  if (!wants) return attempt();
  return client.turns.take(id ?? `new ${created++}`, {
    wants,
    attempt,
    isTaken: isConflict,
    holders: () => places.holders(client, wants, declared, true),
    // A new one has been compared with what is there before the run began.
    isPatient: id !== undefined,
    ...(stepAside && { stepAside }),
  });
}

/** @returns advice for a step that failed because another object has its places, or undefined when nobody is found */
export async function whoHas(
  client: Client,
  places: Places,
  id: string,
  declared: Plain,
  state: Plain,
): Promise<string | undefined> {
  const wants = (await places.of(client, declared, state)) ?? [];
  const [holder] = (await places.holders(client, wants, declared, true)).filter((other) => other !== id);
  if (holder === undefined) return undefined;
  const isOurs = client.turns.outlook(holder, wants) !== "unheard";
  if (isOurs) {
    return (
      `${holder} of this program has it, and has not given it up in time. Run again; ` +
      `with many that wait for each other, allow more at a time (--parallel).`
    );
  }
  return (
    `${holder} has it, and no resource of this program gives it up in this run. If one that leaves the program has it, ` +
    `remove that one in a run of its own; or choose ${places.choices}.`
  );
}
