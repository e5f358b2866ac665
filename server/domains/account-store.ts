import type { Account } from "../access/caller";
import { coveredProjects } from "../access/coverage-store";
import type { Call } from "../http/route";
import type { Tx } from "../store/store";
import { addedDomainsOf, addedElsewhere } from "./added-store";
import { isGiven } from "./names";
import type { AddedDomainRow, DomainRow } from "./object";
import { domainsWithRecords } from "./record-store";
import { competingClaims, domainsUnder } from "./store";

/**
 * The project domains of an account that a caller may see, the oldest first, without names in the service's own zones.
 * @param apex undefined for all apexes
 */
export async function visibleDomains(
  { tx, account, caller }: Pick<Call, "tx" | "account" | "caller">,
  apex?: string,
): Promise<DomainRow[]> {
  let rows = tx.selectFrom("domains").selectAll().where("account_id", "=", account.id);
  if (apex !== undefined) rows = rows.where("apex_name", "=", apex);
  if (caller.installation?.selected)
    rows = rows.where("project_id", "in", await coveredProjects(tx, caller.installation.id));
  return (await rows.orderBy("created_at").orderBy("id").execute()).filter(({ name }) => !isGiven(name));
}

/** The user of a personal account, or the first owner of a team. */
export function ownerOf(tx: Tx, account: Pick<Account, "id" | "kind">) {
  return tx
    .selectFrom("accounts as u")
    .leftJoin("members as m", "m.user_id", "u.id")
    .select(["u.id", "u.slug", "u.email"])
    .where((eb) =>
      account.kind === "user"
        ? eb("u.id", "=", account.id)
        : eb.and([eb("m.team_id", "=", account.id), eb("m.role", "=", "OWNER"), eb("m.confirmed", "=", 1)]),
    )
    .orderBy("m.created_at")
    .executeTakeFirst();
}

type Viewer = Pick<Call, "tx" | "account" | "caller">;

/** The domains with DNS records. An installation on selected projects sees only the domains of its projects. */
export const visibleZones = async (viewer: Viewer) =>
  viewer.caller.installation?.selected ? [] : domainsWithRecords(viewer);

/** The domains that were added to the account. An installation on selected projects sees none of them. */
export const visibleAdded = async (viewer: Viewer, apex?: string): Promise<AddedDomainRow[]> =>
  viewer.caller.installation?.selected ? [] : addedDomainsOf(viewer.tx, viewer.account.id, apex);

/**
 * True if the account has verified an apex, so that names under it count as verified.
 * @choice An apex on a project that the caller may not see does not count: the caller must verify the name itself.
 */
export const hasProved = async (viewer: Viewer, apex: string): Promise<boolean> =>
  [...(await visibleDomains(viewer, apex)), ...(await visibleAdded(viewer, apex))].some(
    ({ name, verified }) => name === apex && verified === 1,
  );

/**
 * True when the caller may see a project domain under an apex, or the apex itself: it was added to the account, or has
 * DNS records.
 */
export async function hasDomain(viewer: Viewer, apex: string): Promise<boolean> {
  if ((await visibleDomains(viewer, apex)).length > 0) return true;
  if ((await visibleAdded(viewer, apex)).length > 0) return true;
  return (await visibleZones(viewer)).some(({ domain }) => domain === apex);
}

/** How many names under an apex are on projects that the caller may not see. */
export async function hiddenUnder(viewer: Viewer, apex: string): Promise<number> {
  if (!viewer.caller.installation?.selected) return 0;
  const all = await domainsUnder(viewer.tx, viewer.account.id, apex);
  return all.length - (await visibleDomains(viewer, apex)).length;
}

/** True if another account has verified a name, as a domain of a project or as a domain of the account. */
export async function isVerifiedElsewhere(tx: Tx, account: string, name: string): Promise<boolean> {
  const claims = await competingClaims(tx, account, name).where("verified", "=", 1).limit(1).execute();
  if (claims.length > 0) return true;
  return (await addedElsewhere(tx, account, name)).some(({ verified }) => verified === 1);
}

/** True when another account has verified an apex. */
export const isOwnedElsewhere = ({ tx, account }: Viewer, apex: string): Promise<boolean> =>
  isVerifiedElsewhere(tx, account.id, apex);
