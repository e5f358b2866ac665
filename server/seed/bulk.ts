import { findAccount } from "../access/account-store";
import type { AccountRow } from "../accounts/object";
import type { DeploymentRow } from "../deployments/object";
import { ownName, parseDomain } from "../domains/names";
import type { DomainRow } from "../domains/object";
import { newId, takeRandom } from "../platform/ids";
import type { Tx, Unit } from "../store/store";
import { ownerOf } from "./accounts";
import type { Seed, SeedOwner } from "./document";
import { type LeaveOut, SeedConflict } from "./error";
import { projectOf } from "./projects";
import { allDeployments, allDomains, insertRows } from "./store";

/**
 * Writes deployments and domains, because a snapshot can have thousands of them. One statement writes several rows, and
 * unused times are found in memory. An account with ten thousand projects takes seconds.
 */

type SeedDeployment = NonNullable<Seed["deployments"]>[number];
type SeedDomain = NonNullable<Seed["domains"]>[number];
type Copied<T, K extends keyof T> = T & { [P in K]-?: NonNullable<T[P]> };
type CopiedDeployment = Copied<SeedDeployment, "id" | "url" | "createdAt">;
type CopiedDomain = Copied<SeedDomain, "createdAt" | "verified">;

export const isCopiedDeployment = (row: SeedDeployment): row is CopiedDeployment =>
  row.id !== undefined && row.url !== undefined && row.createdAt !== undefined && row.createdAt >= 0;

export const isCopiedDomain = (row: SeedDomain): row is CopiedDomain =>
  row.createdAt !== undefined && row.verified !== undefined;

/** Adds the deployments whose ids are not in the store. */
export async function restoreDeployments(tx: Tx, rows: readonly CopiedDeployment[]): Promise<void> {
  if (rows.length === 0) return;
  const accounts = accountsOf(tx);
  const all = await allDeployments(tx);
  const known = new Set(all.map(({ id }) => id));
  const times = new Set(all.map(({ account_id, created_at }) => `${account_id} ${created_at}`));
  const users = new Map<string, string>();
  const fresh: DeploymentRow[] = [];
  for (const [at, row] of rows.entries()) {
    if (known.has(row.id)) continue;
    const account = await accounts(row, ["deployments", at]);
    fresh.push({
      id: row.id,
      account_id: account.id,
      name: row.project,
      target: row.target ?? "preview",
      custom_environment_id: row.customEnvironmentId ?? null,
      ready_state: row.readyState ?? "READY",
      git_branch: row.gitBranch ?? null,
      git_sha: row.gitSha ?? null,
      url: row.url,
      meta: JSON.stringify(row.meta ?? {}),
      creator_id: await creatorOf(tx, users, row.creator ?? account.id),
      ready_at: null,
      build: null,
      created_at: freeTime(times, account.id, row.createdAt),
    });
  }
  await insertRows(tx, "deployments", fresh);
}

/**
 * Adds the domains that their projects do not have.
 * @param leaveOut called with each domain that conflicts with the store. Default: the conflict is thrown.
 * @throws SeedConflict without `leaveOut`, for a name that another project has
 */
export async function restoreDomains(
  { tx, now }: Unit,
  rows: readonly CopiedDomain[],
  leaveOut: LeaveOut | undefined,
): Promise<void> {
  if (rows.length === 0) return;
  const all = await allDomains(tx);
  const known = new Map(all.map((row) => [`${row.account_id} ${row.name}`, row.project_id]));
  const proven = new Set(all.flatMap(({ name, verified }) => (verified === 1 ? [name] : [])));
  const times = new Set(all.map(({ project_id, created_at }) => `${project_id} ${created_at}`));
  const fresh: DomainRow[] = [];
  const add = async (row: CopiedDomain, at: number): Promise<void> => {
    const place = ["domains", at, "name"];
    const parsed = parseDomain(row.name);
    if (!parsed) throw new SeedConflict(place, `${JSON.stringify(row.name)} is not a domain name`);
    const project = await projectOf(tx, row, ["domains", at]);
    const current = known.get(`${project.account_id} ${parsed.name}`);
    if (current === project.id || parsed.name === ownName(project)) return;
    if (current) throw new SeedConflict(place, `${parsed.name} is on another project of the account`);
    if (row.verified && proven.has(parsed.name))
      throw new SeedConflict(place, `${parsed.name} is verified for another account`);
    if (row.verified) proven.add(parsed.name);
    fresh.push({
      id: newId("row"),
      project_id: project.id,
      account_id: project.account_id,
      name: parsed.name,
      apex_name: parsed.apexName,
      verified: row.verified ? 1 : 0,
      challenge: row.challenge ?? newChallenge(),
      git_branch: row.gitBranch ?? null,
      custom_environment_id: row.customEnvironmentId ?? null,
      redirect: row.redirect ?? null,
      redirect_status_code: row.redirectStatusCode ?? null,
      created_at: freeTime(times, project.id, row.createdAt),
      updated_at: row.updatedAt ?? Math.min(row.createdAt, now),
    });
  };
  for (const [at, row] of rows.entries()) {
    try {
      await add(row, at);
    } catch (error) {
      if (!leaveOut || !(error instanceof SeedConflict)) throw error;
      leaveOut(error);
    }
  }
  await insertRows(tx, "domains", fresh);
}

/** Reads the accounts of rows, each only once. */
function accountsOf(tx: Tx): (owner: SeedOwner, place: (string | number)[]) => Promise<AccountRow> {
  const found = new Map<string, AccountRow>();
  return async ({ team, user }, place) => {
    const key = JSON.stringify([team, user]);
    const account = found.get(key) ?? (await ownerOf(tx, { team, user }, place));
    found.set(key, account);
    return account;
  };
}

async function creatorOf(tx: Tx, known: Map<string, string>, key: string): Promise<string> {
  const id = known.get(key) ?? (await findAccount(tx, "user", key))?.id ?? key;
  known.set(key, id);
  return id;
}

/** Returns the first unused time from `from` on. Each owner's times are unique, since lists are paged by them. */
function freeTime(times: Set<string>, owner: string, from: number): number {
  let at = from;
  while (times.has(`${owner} ${at}`)) at++;
  times.add(`${owner} ${at}`);
  return at;
}

const newChallenge = (): string => takeRandom(10).toString("hex");
