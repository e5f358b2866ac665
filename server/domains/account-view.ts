import type { Account } from "../access/caller";
import type { Call } from "../http/route";
import { derivedId } from "../platform/ids";
import { notFound } from "../platform/refusal";
import { laterThan } from "../store/monotonic";
import type { Tx } from "../store/store";
import { ownerOf, visibleAdded, visibleDomains, visibleZones } from "./account-store";
import type { AddedDomainRow, DomainRow } from "./object";
import type { AccountDomain } from "./schema";

/** The domains of an account: the apexes of its project domains, its zones with DNS records, and its added domains. */

/** An apex. `createdAt` is the time of the oldest project domain or DNS record under it, or of its addition. */
export interface Apex {
  name: string;
  verified: boolean;
  createdAt: number;
  /** The domain as it was added to the account; undefined if it was not. */
  added: AddedDomainRow | undefined;
}

type AddedApex = Omit<Apex, "createdAt"> & { created_at: number };

/** Gives each row a unique `createdAt`, because lists are paged by this time. @param rows the oldest first */
export function withUniqueTimes<R extends { created_at: number }>(
  rows: readonly R[],
): { row: R; createdAt: number }[] {
  let last = 0;
  return rows.map((row) => {
    last = laterThan(last, row.created_at);
    return { row, createdAt: last };
  });
}

/** The apexes of an account, oldest first. */
export async function apexesOf(call: Call): Promise<Apex[]> {
  const names = (await visibleDomains(call)).map((row) => ({
    domain: row.apex_name,
    proved: proves(row),
    created_at: row.created_at,
    added: undefined,
  }));
  const zones = (await visibleZones(call)).map((zone) => ({ ...zone, proved: false, added: undefined }));
  const additions = (await visibleAdded(call)).map((row) => ({
    domain: row.name,
    proved: row.verified === 1,
    created_at: row.created_at,
    added: row,
  }));
  const found = new Map<string, AddedApex>();
  // An added domain goes first where times are equal, so that a copy of the account has the same order.
  for (const { domain: name, proved: verified, created_at, added } of [...additions, ...names, ...zones]) {
    const known = found.get(name);
    if (!known) found.set(name, { name, verified, created_at, added });
    else
      Object.assign(known, {
        verified: known.verified || verified,
        created_at: Math.min(known.created_at, created_at),
      });
  }
  const oldestFirst = [...found.values()].sort(
    (a, b) =>
      a.created_at - b.created_at ||
      Number(b.added !== undefined) - Number(a.added !== undefined) ||
      (a.name < b.name ? -1 : 1),
  );
  return withUniqueTimes(oldestFirst).map(({ row: { created_at: _, ...apex }, createdAt }) => ({
    ...apex,
    createdAt,
  }));
}

/** @throws Refusal 404 */
export async function loadApex(call: Call<{ domain: string }>, wanted = call.params.domain): Promise<Apex> {
  const apex = (await apexesOf(call)).find(({ name }) => name === wanted);
  if (!apex) throw notFound(`Domain ${JSON.stringify(call.params.domain)}`);
  return apex;
}

const proves = (row: DomainRow): boolean => row.name === row.apex_name && row.verified === 1;

export const idOf = (account: Account, apexName: string): string => derivedId("row", account.id, apexName);

/** @choice The creator of a domain is the user of a personal account, or the first owner of a team. */
export async function viewer(tx: Tx, account: Account): Promise<(apex: Apex) => AccountDomain> {
  const owner = await ownerOf(tx, account);
  const creator = {
    id: owner?.id ?? account.id,
    username: owner?.slug ?? account.slug,
    email: owner?.email ?? "",
  };
  return ({ name, verified, createdAt, added }) => ({
    id: idOf(account, name),
    name,
    verified,
    serviceType: "external",
    nameservers: [],
    intendedNameservers: [],
    creator,
    userId: creator.id,
    teamId: account.kind === "team" ? account.id : null,
    createdAt,
    boughtAt: null,
    expiresAt: null,
    transferredAt: null,
    renew: false,
    suffix: false,
    echMode: added?.ech_mode ?? "auto",
  });
}
