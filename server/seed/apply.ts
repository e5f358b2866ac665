import type * as z from "zod";
import type { Services } from "../platform/services";
import { copyOfName, writeMeta } from "../store/meta";
import type { Tx } from "../store/store";
import { type Seed, sections } from "./document";
import { type LeaveOut, SeedConflict } from "./error";
import { contradictionsIn, contradicts, type Section, type Seeding } from "./section";

/** All rows of a copy need the rows of these sections. */
const needed: readonly string[] = ["users", "teams", "tokens"];

/**
 * Applies a seed document in one transaction. Applying it again changes nothing.
 * @choice Accounts, members, tokens and git providers are changed to match the document, because no request can change
 *   them. Everything else is added if it is missing. Existing objects are not changed.
 * @param leaveOut called with each row that conflicts with the store, such as a domain that has moved
 *   to another project, and with each row of a copy that cannot be written. Default: the error is thrown.
 * @throws SeedError with the place in the document
 */
export async function applySeed(
  tx: Tx,
  services: Pick<Services, "clock" | "vault">,
  seed: Seed,
  leaveOut?: LeaveOut,
): Promise<void> {
  const isCopy = seed.copyOf !== undefined;
  const seeding = { tx, now: services.clock.now(), services, isCopy, leaveOut };
  if (seed.copyOf !== undefined) await writeMeta(tx, copyOfName, seed.copyOf);
  // A copy has each object once, with its id.
  if (!isCopy) refuseContradictions(seed, leaveOut);
  for (const name of Object.keys(sections) as (keyof typeof sections)[]) {
    const of: Seeding = { ...seeding, leavesOutInvalid: isCopy && !needed.includes(name) };
    await sections[name].apply(of, (seed[name] ?? []) as never, name);
  }
}

/** @throws SeedConflict for two rows that describe the same object and differ */
function refuseContradictions(seed: Seed, leaveOut: LeaveOut | undefined): void {
  for (const [name, { keys }] of Object.entries(sections) as [keyof typeof sections, Section<z.ZodType>][]) {
    if (!keys) continue;
    for (const [later, earlier] of contradictionsIn(seed[name] ?? [], keys)) {
      const conflict = new SeedConflict([name, later], contradicts([name, earlier]));
      if (!leaveOut) throw conflict;
      leaveOut(conflict);
    }
  }
}
