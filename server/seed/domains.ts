import { isVerifiedElsewhere } from "../domains/account-store";
import { addedDomainsOf, insertAddedDomain } from "../domains/added-store";
import { isGiven, ownName, parseDomain } from "../domains/names";
import { apexStatusOf, claimOf, insertDomain } from "../domains/store";
import type { Unit } from "../store/store";
import { ownerOf } from "./accounts";
import type { Seed } from "./document";
import { SeedConflict, SeedError } from "./error";
import { projectOf } from "./projects";

type SeedDomain = NonNullable<Seed["domains"]>[number];
type SeedAccountDomain = NonNullable<Seed["accountDomains"]>[number];

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
  if (verified && (await isVerifiedElsewhere(tx, row.account_id, name))) {
    throw new SeedConflict([...place, "name"], `${name} is verified for another account`);
  }
  await insertDomain({ tx, now }, row, { ...domain, redirect, verified });
}

/** Adds a domain to an account, without a project, unless the account has it. */
export async function addAccountDomain(
  unit: Unit,
  { team, user, verified = false, zone = false, echMode = "auto", createdAt, ...row }: SeedAccountDomain,
  at: number,
): Promise<void> {
  const place = ["accountDomains", at];
  const { tx } = unit;
  const account = await ownerOf(tx, { team, user }, place);
  const { name, apexName } = parse(row.name, [...place, "name"]);
  if (name !== apexName)
    throw new SeedConflict([...place, "name"], `"${row.name}" is not a domain without a subdomain`);
  if ((await addedDomainsOf(tx, account.id, name)).length > 0) return;
  if (verified && (await isVerifiedElsewhere(tx, account.id, name)))
    throw new SeedConflict([...place, "name"], `${name} is verified for another account`);
  await insertAddedDomain(unit, {
    account_id: account.id,
    name,
    verified: verified ? 1 : 0,
    zone: zone ? 1 : 0,
    ech_mode: echMode,
    created_at: createdAt,
  });
}

function parse(text: string, place: (string | number)[]) {
  const parsed = parseDomain(text);
  if (!parsed) throw new SeedError(place, `${JSON.stringify(text)} is not a domain name`);
  return parsed;
}
