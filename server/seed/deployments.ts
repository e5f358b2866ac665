import { findAccount } from "../access/accounts";
import { freeTime } from "../deployments/store";
import { ownZone } from "../domains/names";
import { newId } from "../platform/ids";
import type { AccountRow, DeploymentRow } from "../store/schema";
import type { Tx } from "../store/store";
import { ownerOf } from "./accounts";
import type { SeedDeployment } from "./document";
import { SeedError } from "./error";

/**
 * Adds a deployment, as a build would, or changes the one that has its id: a build goes on, or fails.
 * The newest successful build for production comes to serve it, unless its project assigns nothing by itself.
 * Repeating it changes nothing.
 * @choice A known deployment stays with its account and name, which follows a rename of its project.
 */
export async function putDeployment(
  tx: Tx,
  now: number,
  given: SeedDeployment,
  place: (string | number)[],
): Promise<DeploymentRow> {
  const account = await ownerOf(tx, given, place);
  const known =
    given.id === undefined
      ? undefined
      : await tx.selectFrom("deployments").selectAll().where("id", "=", given.id).executeTakeFirst();
  if (known && known.account_id !== account.id) {
    throw new SeedError([...place, "id"], `${known.id} is a deployment of another account`);
  }
  const deployment = known
    ? await change(tx, known, given)
    : await insert(tx, account, given, await createdAt(tx, account.id, given.createdAt, now), place);
  if (!servesProduction(known) && servesProduction(deployment)) await takeOver(tx, deployment);
  await tx
    .updateTable("projects")
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .where("account_id", "=", account.id)
    .where("name", "=", deployment.name)
    .execute();
  return deployment;
}

async function insert(
  tx: Tx,
  account: AccountRow,
  given: SeedDeployment,
  createdAt: number,
  place: (string | number)[],
): Promise<DeploymentRow> {
  const id = given.id ?? newId("deployment");
  const mark = id
    .slice("dpl_".length)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(-12);
  return tx
    .insertInto("deployments")
    .values({
      id,
      account_id: account.id,
      name: given.project,
      target: given.target ?? "preview",
      ready_state: given.readyState ?? "READY",
      git_branch: given.gitBranch ?? null,
      git_sha: given.gitSha ?? null,
      url: given.url ?? `${given.project}-${mark}-${account.slug}.${ownZone}`,
      meta: JSON.stringify(given.meta ?? {}),
      creator_id: await creatorOf(tx, account, given, place),
      created_at: createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function change(tx: Tx, known: DeploymentRow, given: SeedDeployment): Promise<DeploymentRow> {
  return tx
    .updateTable("deployments")
    .set({
      target: given.target ?? known.target,
      ready_state: given.readyState ?? known.ready_state,
      git_branch: given.gitBranch ?? known.git_branch,
      git_sha: given.gitSha ?? known.git_sha,
      meta: given.meta ? JSON.stringify(given.meta) : known.meta,
    })
    .where("id", "=", known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @choice Nobody named: the person whose account it is, or a team's first owner. */
async function creatorOf(
  tx: Tx,
  account: AccountRow,
  { creator }: SeedDeployment,
  place: (string | number)[],
): Promise<string> {
  if (creator !== undefined) {
    const user = await findAccount(tx, "user", creator);
    if (!user) throw new SeedError([...place, "creator"], `there is no user ${JSON.stringify(creator)}`);
    return user.id;
  }
  if (account.kind === "user") return account.id;
  const first = await tx
    .selectFrom("members")
    .select("user_id")
    .where("team_id", "=", account.id)
    .where("role", "=", "OWNER")
    .orderBy("created_at")
    .orderBy("user_id")
    .executeTakeFirst();
  return first?.user_id ?? account.id;
}

/** Never the same time twice in an account, so that its list can be paged by it; what came first stays first. */
async function createdAt(tx: Tx, account: string, given: number | undefined, now: number): Promise<number> {
  if (given !== undefined) return freeTime(tx, account, given);
  const { last } = await tx
    .selectFrom("deployments")
    .select((eb) => eb.fn.max("created_at").as("last"))
    .where("account_id", "=", account)
    .executeTakeFirstOrThrow();
  return Math.max(now, Number(last ?? 0) + 1);
}

const servesProduction = (deployment: DeploymentRow | undefined): boolean =>
  deployment?.target === "production" && deployment.ready_state === "READY";

async function takeOver(tx: Tx, deployment: DeploymentRow): Promise<void> {
  const newer = await tx
    .selectFrom("deployments")
    .select("id")
    .where("account_id", "=", deployment.account_id)
    .where("name", "=", deployment.name)
    .where("target", "=", "production")
    .where("ready_state", "=", "READY")
    .where("created_at", ">", deployment.created_at)
    .executeTakeFirst();
  const project = await tx
    .selectFrom("projects")
    .select(["id", "settings"])
    .where("account_id", "=", deployment.account_id)
    .where("name", "=", deployment.name)
    .executeTakeFirst();
  if (!project || newer || JSON.parse(project.settings).autoAssignCustomDomains === false) return;
  await tx
    .updateTable("projects")
    .set({ production_deployment_id: deployment.id })
    .where("id", "=", project.id)
    .execute();
}
