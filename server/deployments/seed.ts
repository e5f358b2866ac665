import * as z from "zod";
import { readyStates } from "../../provider/vocabulary";
import { findAccount } from "../access/account-store";
import { firstOwner } from "../access/member-store";
import { projectName } from "../access/projects";
import type { AccountRow } from "../accounts/object";
import { derivedId } from "../platform/ids";
import { type DocumentPath, SeedConflict, SeedError } from "../seed/error";
import {
  each,
  idWith,
  name,
  ownedRow,
  owner,
  ownerOf,
  relativeTime,
  type Section,
  timeOf,
  unusedTime,
} from "../seed/section";
import { hasRow, insertRows } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { BuildRecord } from "./build-record";
import { allDeployments } from "./list-store";
import { type DeploymentRow, deployments as table } from "./object";
import { block } from "./schema";
import { addDeployment, changeDeployment, findDeployment } from "./store";

export const deployment = ownedRow({
  ...owner,
  id: idWith("dpl_").optional(),
  /** The name of the project, which need not exist yet. */
  project: projectName,
  target: z.enum(["production", "preview"]).optional(),
  readyState: z.enum(readyStates).optional(),
  /** Why the deployment is BLOCKED. */
  block: block.optional(),
  gitBranch: z.string().optional(),
  gitSha: z.string().optional(),
  url: z.string().optional(),
  meta: z.record(z.string(), z.string()).optional(),
  /** The user who created the deployment, by username or id. */
  creator: name.optional(),
  createdAt: relativeTime.optional(),
  customEnvironmentId: name.optional(),
  /** STAGED: a build for production that production does not serve until it is promoted. */
  readySubstate: z.literal("STAGED").optional(),
})
  .refine(
    ({ readySubstate, target, readyState = "READY" }) =>
      !readySubstate || (target === "production" && readyState === "READY"),
    {
      path: ["readySubstate"],
      message: "needs the target production and the readyState READY",
    },
  )
  .refine(({ block, readyState }) => !block || readyState === "BLOCKED", {
    path: ["block"],
    message: "needs the readyState BLOCKED",
  });
type SeedDeployment = z.output<typeof deployment>;
type RestoredDeployment = SeedDeployment & { id: string; url: string; createdAt: number };

const isRestored = (given: SeedDeployment): given is RestoredDeployment =>
  given.id !== undefined && given.url !== undefined && given.createdAt !== undefined && given.createdAt >= 0;

/** Deployments without an id are identified by their position in the list of their project. */
export const deployments: Section<typeof deployment> = {
  table: "deployments",
  row: deployment,
  keys: ({ id }) => (id === undefined ? [] : [id]),
  async apply(seeding, rows, section) {
    const { tx, now, isCopy } = seeding;
    if (isCopy) await restoreDeployments(tx, rows, section);
    const counts = new Map<string, number>();
    await each(seeding, rows, async (given, at) => {
      const account = await ownerOf(tx, given, [section, at]);
      const group = JSON.stringify([account.id, given.project]);
      const count = counts.get(group) ?? 0;
      counts.set(group, count + 1);
      const id = given.id ?? derivedId(table, account.id, given.project, String(count));
      if (!(await hasRow(tx, "deployments", { id })))
        await putDeployment({ tx, now }, { ...given, id }, [section, at]);
    });
  },
};

/**
 * Adds a deployment as a build would, or changes the deployment with the same id. A second call changes nothing.
 * The newest successful production build then serves production, unless automatic assignment is off.
 * @choice The account and the name of an existing deployment do not change, except by a rename of its project.
 */
export async function putDeployment(
  { tx, now }: Unit,
  given: SeedDeployment,
  place: DocumentPath,
): Promise<DeploymentRow> {
  const account = await ownerOf(tx, given, place);
  const known = given.id === undefined ? undefined : await findDeployment(tx, given.id);
  if (known && known.account_id !== account.id) {
    throw new SeedConflict([...place, "id"], `the id ${known.id} belongs to a deployment of another account`);
  }
  if (known) return changeDeployment({ tx, now }, known, { ...given, record: blockedAt(now, given) });
  const createdAt = given.createdAt === undefined ? undefined : timeOf(given.createdAt, now);
  const creator = await creatorOf(tx, account, given, place);
  const at = createdAt ?? now;
  const record = given.readySubstate === "STAGED" ? stagedAt(at) : blockedAt(at, given);
  return addDeployment({ tx, now }, account, { ...given, createdAt, record }, creator);
}

/** A build that has ended, and that production does not serve. */
const stagedAt = (at: number): BuildRecord => ({
  ...{ initializingAt: at, buildingAt: at, endsAt: at },
  outcome: "READY",
  keepsProduction: true,
});

const blockedAt = (at: number, { block }: SeedDeployment): BuildRecord | undefined =>
  block && { initializingAt: at, buildingAt: at, endsAt: at, outcome: "BLOCKED", block };

/** @choice The default is the user of a personal account, or the first owner of a team. */
async function creatorOf(
  tx: Tx,
  account: AccountRow,
  { creator }: SeedDeployment,
  place: DocumentPath,
): Promise<string> {
  if (creator !== undefined) {
    const user = await findAccount(tx, "user", creator);
    if (!user) throw new SeedError([...place, "creator"], `there is no user ${JSON.stringify(creator)}`);
    return user.id;
  }
  if (account.kind === "user") return account.id;
  return (await firstOwner(tx, account.id)) ?? account.id;
}

/**
 * Adds the deployments of a snapshot whose ids are not in the store. A snapshot can have thousands of them, so one
 * statement writes several rows, and accounts and unused times are found in memory.
 */
async function restoreDeployments(tx: Tx, rows: readonly SeedDeployment[], section: string): Promise<void> {
  if (!rows.some(isRestored)) return;
  const all = await allDeployments(tx);
  const known = new Set(all.map(({ id }) => id));
  const times = new Set(all.map(({ account_id, created_at }) => `${account_id} ${created_at}`));
  const accounts = new Map<string, AccountRow>();
  const users = new Map<string, string>();
  const fresh: DeploymentRow[] = [];
  for (const [at, row] of rows.entries()) {
    if (!isRestored(row) || known.has(row.id)) continue;
    const key = JSON.stringify([row.team, row.user]);
    const account = accounts.get(key) ?? (await ownerOf(tx, row, [section, at]));
    accounts.set(key, account);
    const creator = row.creator ?? account.id;
    const creatorId = users.get(creator) ?? (await findAccount(tx, "user", creator))?.id ?? creator;
    users.set(creator, creatorId);
    const record = blockedAt(row.createdAt, row);
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
      creator_id: creatorId,
      ready_at: null,
      build: record ? JSON.stringify(record) : null,
      created_at: unusedTime(times, account.id, row.createdAt),
    });
  }
  await insertRows(tx, "deployments", fresh);
}
