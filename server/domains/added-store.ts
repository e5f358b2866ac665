import { sql } from "kysely";
import { nextTime } from "../store/monotonic";
import { changeRows } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { AddedDomainRow } from "./object";

/** The domains that were added to accounts themselves. A domain can be there without a project and without records. */

/** The added domains of an account. @param name in lower case and ASCII; undefined for all */
export function addedDomainsOf(tx: Tx, account: string, name?: string): Promise<AddedDomainRow[]> {
  const rows = tx.selectFrom("added_domains").selectAll().where("account_id", "=", account);
  return (name === undefined ? rows : rows.where("name", "=", name)).execute();
}

/** The domain with this name that other accounts have added. */
export const addedElsewhere = (tx: Tx, account: string, name: string) =>
  tx
    .selectFrom("added_domains")
    .select("verified")
    .where("name", "=", name)
    .where("account_id", "!=", account)
    .execute();

/** @param createdAt the time of a domain that is restored. Default: the next free time of the account's added domains */
export async function insertAddedDomain(
  { tx, now }: Unit,
  { created_at, ...row }: Omit<AddedDomainRow, "created_at"> & { created_at?: number | undefined },
): Promise<void> {
  const own = tx.selectFrom("added_domains").where("account_id", "=", row.account_id);
  const createdAt = created_at ?? (await nextTime(own, "created_at", now));
  await tx
    .insertInto("added_domains")
    .values({ ...row, created_at: createdAt })
    .execute();
}

/** True for an alias whose name is a domain or below it. */
const isAliasUnder = (name: string) =>
  sql<boolean>`(alias = ${name} or substr(alias, length(alias) - ${sql.lit(name.length)}) = ${`.${name}`})`;

/** Deletes the aliases of an account whose name is this domain or below it. */
export async function deleteAliasesUnder(tx: Tx, account: string, name: string): Promise<void> {
  const names = tx
    .selectFrom("aliases")
    .select("alias")
    .where("account_id", "=", account)
    .where(isAliasUnder(name));
  await tx.deleteFrom("protection_exceptions").where("alias", "in", names).execute();
  await tx.deleteFrom("aliases").where("account_id", "=", account).where(isAliasUnder(name)).execute();
}

/** How many aliases of a domain, or below it, are of deployments of projects that an installation does not cover. */
export async function aliasesNotCovered(
  tx: Tx,
  account: string,
  name: string,
  installation: string,
): Promise<number> {
  const { count } = await tx
    .selectFrom("aliases")
    .innerJoin("deployments as d", "d.id", "deployment_id")
    .leftJoin("projects as p", (join) =>
      join.onRef("p.account_id", "=", "d.account_id").onRef("p.name", "=", "d.name"),
    )
    .leftJoin("configuration_projects as c", (join) =>
      join.onRef("c.project_id", "=", "p.id").on("c.configuration_id", "=", installation),
    )
    .select((eb) => eb.fn.countAll().as("count"))
    .where("aliases.account_id", "=", account)
    .where(isAliasUnder(name))
    .where("c.project_id", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The ids of the other accounts that have verified a domain. */
export async function ownersElsewhere(tx: Tx, account: string, name: string): Promise<string[]> {
  const found: { account_id: string }[] = [];
  for (const table of ["domains", "added_domains"] as const)
    found.push(
      ...(await tx
        .selectFrom(table)
        .select("account_id")
        .where("name", "=", name)
        .where("verified", "=", 1)
        .where("account_id", "!=", account)
        .execute()),
    );
  return [...new Set(found.map(({ account_id }) => account_id))];
}

/** Adds a verified domain to an account. If the account has added it already, the domain becomes verified. */
export async function putVerified({ tx, now }: Unit, account_id: string, name: string): Promise<void> {
  const [known] = await addedDomainsOf(tx, account_id, name);
  if (known) await changeRows(tx, "added_domains", { account_id, name }, { verified: 1 });
  else await insertAddedDomain({ tx, now }, { account_id, name, verified: 1, zone: 0, ech_mode: "auto" });
}
