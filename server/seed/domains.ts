import { isGiven, ownName, parseDomain } from "../domains/names";
import { apexStatusOf, claimOf, competingClaims, insertDomain } from "../domains/store";
import type { Unit } from "../store/store";
import type { Seed } from "./document";
import { SeedConflict, SeedError } from "./error";
import { projectOf } from "./projects";

type SeedDomain = NonNullable<Seed["domains"]>[number];

/** Adds a domain, unless its project has the domain, for example as its default domain. */
export async function addDomain(
  { tx, now }: Unit,
  { team, user, project, createdAt: _, updatedAt: __, ...domain }: SeedDomain,
  at: number,
): Promise<void> {
  const place = ["domains", at];
  const row = await projectOf(tx, { team, user, project }, place);
  const { name, apexName } = parse(domain.name, [...place, "name"]);
  const redirect = domain.redirect == null ? null : parse(domain.redirect, [...place, "redirect"]).name;
  const known = await claimOf(tx, row.account_id, name);
  if (known?.project_id === row.id || name === ownName(row)) return;
  if (known) throw new SeedConflict([...place, "name"], `${name} is on another project of the account`);
  const verified =
    domain.verified ?? (isGiven(name) || (await apexStatusOf(tx, row.account_id, apexName)) === "proved");
  if (
    verified &&
    (await competingClaims(tx, row.account_id, name).execute()).some((claim) => claim.verified === 1)
  ) {
    throw new SeedConflict([...place, "name"], `${name} is verified for another account`);
  }
  await insertDomain({ tx, now }, row, { ...domain, redirect, verified });
}

function parse(text: string, place: (string | number)[]) {
  const parsed = parseDomain(text);
  if (!parsed) throw new SeedError(place, `${JSON.stringify(text)} is not a domain name`);
  return parsed;
}
