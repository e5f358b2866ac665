import type { Client } from "../client/client";
import { ApiError, isNotFound } from "../client/errors";
import type { Failure } from "./check";
import { inParallel } from "./parallel";
import type { Plain } from "./values";

/** Looks up at preview whether the ids in inputs exist. Ids of objects that the run creates are not known yet. */

/** An input with the id of another object, or with several ids. */
export interface IdInput {
  /** The kind of object, such as "Edge Config". */
  noun: string;
  /** How to find a valid id. */
  hint: string;
  /** Reads the object. @throws ApiError 404 if it does not exist */
  read(client: Client, id: string, inputs: Plain): Promise<unknown>;
}

/** How many ids are looked up at a time. */
const atOnce = 8;

/** The project of an input. An id is looked up; a name may belong to a project that the run creates. */
export const projectIdInput: IdInput = {
  noun: "project",
  hint: "Check the id, and the account: SLIPWAY_TEAM, or the configuration slipway:team.",
  read: async (client, id) => (id.startsWith("prj_") ? client.identify(id) : undefined),
};

/**
 * Returns a failure for each new id that does not exist. A refusal for another reason, such as a missing permission, says
 * nothing about an id.
 */
export async function missingIds(
  client: Client,
  idInputs: Readonly<Record<string, IdInput>>,
  previous: Plain,
  news: Plain,
): Promise<Failure[]> {
  const ids = Object.entries(idInputs).flatMap(([property, input]) => {
    const before = [previous[property]].flat();
    const added = [news[property]].flat().filter((id) => typeof id === "string" && !before.includes(id));
    return added.map((id) => ({ property, input, id: id as string }));
  });
  const failures = await inParallel(
    ids,
    async ({ property, input, id }): Promise<Failure | undefined> => {
      if (!(await isMissing(input.read(client, id, news)))) return undefined;
      return { property, reason: `The ${input.noun} ${id} in ${property} does not exist. ${input.hint}` };
    },
    atOnce,
  );
  return failures.filter((failure) => failure !== undefined);
}

async function isMissing(read: Promise<unknown>): Promise<boolean> {
  try {
    await read;
    return false;
  } catch (error) {
    if (error instanceof ApiError) return isNotFound(error);
    throw error;
  }
}
