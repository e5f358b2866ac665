import type { Client } from "../../client/client";
import { isConflict } from "../../client/errors";
import type { Plain } from "../values";
import type { Places } from "./taking-turns";

/** Steps that need places which other resources of the run may have. */

/** True when the run releases the conflicting objects, so that it waits for them instead of adopting them. */
export async function isGivenUp(
  client: Client,
  places: Places,
  declared: Plain,
  state: Plain,
  holders: readonly string[],
): Promise<boolean> {
  const wants = (await places.of(client, declared, state)) ?? [];
  return holders.every((holder) => client.turns.outlook(holder, wants) === "in turn");
}

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

/**
 * Makes several objects, and waits for the places that other resources of the run give up.
 * @param attempt makes those that are not there yet. @throws a conflict when one of them is not to be had
 * @param missing the places of those that are not there yet
 * @param isPatient whether a holder that nothing was heard of may be heard of later
 */
export async function allInTurn(
  client: Client,
  places: Places,
  {
    attempt,
    missing,
    isPatient,
  }: { attempt(): Promise<void>; missing(): Promise<string[]>; isPatient: boolean },
): Promise<void> {
  const wants = await missing();
  await client.turns.take(`new ${created++}`, {
    wants,
    attempt,
    isTaken: isConflict,
    holders: async () => places.holders(client, await missing(), {}, true),
    isPatient,
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
