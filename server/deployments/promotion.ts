import { sql } from "kysely";
import { changeProject } from "../access/projects";
import { ownZone, productionNames } from "../domains/names";
import type { DomainEvent } from "../events/event";
import { outbox } from "../events/outbox";
import { newId } from "../platform/ids";
import { readMeta, removeMeta, writeMeta } from "../store/meta";
import { retentionMs } from "../store/retention";
import type { DeploymentRow, ProjectRow, PromotionRow } from "../store/schema";
import { prepared, type Tx } from "../store/store";

const lastOf = prepared((tx, p: { id: string }) =>
  tx
    .selectFrom("promotions")
    .selectAll()
    .where("project_id", "=", p.id)
    .orderBy("requested_at", "desc")
    .limit(sql.lit(1)),
);

/** The last promote or roll-back request of a project, running or done. */
export async function currentPromotion(tx: Tx, project: string): Promise<PromotionRow | null> {
  return (await lastOf(tx, { id: project }))[0] ?? null;
}

export const isRunning = (promotion: PromotionRow | null): boolean =>
  promotion?.status === "pending" || promotion?.status === "in-progress";

/**
 * Begins to move a project's production names to a deployment. Without a planned delay it is done at once.
 * Nothing is rebuilt: the deployment itself comes to serve.
 * @param user who asked for it
 * @source States and transitions, Deployment
 */
export async function promote(
  tx: Tx,
  now: number,
  user: string,
  project: ProjectRow,
  deployment: DeploymentRow,
  kind: PromotionRow["kind"],
): Promise<PromotionRow> {
  const { delayMs, failAliases } = await promotionPlan(tx);
  const last = await currentPromotion(tx, project.id);
  const requestedAt = Math.max(now, (last?.requested_at ?? 0) + 1);
  const promotion: PromotionRow = {
    id: newId("row"),
    project_id: project.id,
    kind,
    from_deployment_id: project.production_deployment_id,
    to_deployment_id: deployment.id,
    status: "in-progress",
    requested_at: requestedAt,
    completes_at: now + delayMs,
  };
  await forgetOldOnes(tx, project.id, now);
  await tx.insertInto("promotions").values(promotion).execute();
  const domains = await tx
    .selectFrom("domains")
    .selectAll()
    .where("project_id", "=", project.id)
    .orderBy("created_at")
    .execute();
  const aliases = productionNames(project, domains).map((alias, index) => ({
    id: newId("row"),
    promotion_id: promotion.id,
    alias,
    outcome: failAliases.includes(alias) ? ("failed" as const) : ("completed" as const),
    created_at: requestedAt + index,
  }));
  await tx.insertInto("promotion_aliases").values(aliases).execute();
  if (delayMs <= 0) await complete(tx, promotion, now, user);
  else await changeProject(tx, project, {}, now);
  return promotion;
}

/** Only the last request of a project shows anywhere. */
async function forgetOldOnes(tx: Tx, project: string, now: number): Promise<void> {
  const old = tx
    .selectFrom("promotions")
    .select("id")
    .where("project_id", "=", project)
    .where("requested_at", "<=", now - retentionMs);
  await tx.deleteFrom("promotion_aliases").where("promotion_id", "in", old).execute();
  await tx
    .deleteFrom("promotions")
    .where("project_id", "=", project)
    .where("requested_at", "<=", now - retentionMs)
    .execute();
}

/** Spelled as the index spells it: whoever looks for what is due need not look at all that ever was. */
const runs = sql<boolean>`status in ('pending', 'in-progress')`;

/** The promotions whose time has come. */
export const duePromotions = (tx: Tx, now: number) =>
  tx.selectFrom("promotions").selectAll().where(runs).where("completes_at", "<=", now);

/** Finishes the promotions whose time has come. @returns how many */
export async function completeDuePromotions(tx: Tx, now: number): Promise<number> {
  const due = await duePromotions(tx, now).execute();
  for (const promotion of due) await complete(tx, promotion, now, null);
  return due.length;
}

/**
 * @choice A promotion of which one alias failed has failed as a whole, yet the deployment serves under the
 *   names that moved; when none moved, what served before goes on, and no event tells of it. The event of one
 *   that took its time names no user.
 */
async function complete(tx: Tx, promotion: PromotionRow, now: number, user: string | null): Promise<void> {
  const aliases = await tx
    .selectFrom("promotion_aliases")
    .select("outcome")
    .where("promotion_id", "=", promotion.id)
    .execute();
  const failed = aliases.filter(({ outcome }) => outcome === "failed").length;
  await tx
    .updateTable("promotions")
    .set({ status: failed > 0 ? "failed" : "succeeded" })
    .where("id", "=", promotion.id)
    .execute();
  const project = await tx
    .selectFrom("projects")
    .selectAll()
    .where("id", "=", promotion.project_id)
    .executeTakeFirst();
  if (!project) return;
  const moved = failed < aliases.length;
  await changeProject(
    tx,
    project,
    {
      ...(moved ? { production_deployment_id: promotion.to_deployment_id } : {}),
      ...(moved && promotion.kind === "rollback"
        ? { last_rollback_target: JSON.stringify({ deploymentId: promotion.to_deployment_id }) }
        : {}),
    },
    now,
  );
  if (moved) await outbox(tx, project.account_id, user, now)(await promotedEvent(tx, project, promotion));
}

/** @source wire-shapes 10, deployment.promoted */
async function promotedEvent(tx: Tx, project: ProjectRow, promotion: PromotionRow): Promise<DomainEvent> {
  const { plan, ...deployment } = await tx
    .selectFrom("deployments as d")
    .innerJoin("accounts as a", "a.id", "d.account_id")
    .select(["d.id", "d.meta", "d.url", "d.name", "a.plan"])
    .where("d.id", "=", promotion.to_deployment_id)
    .executeTakeFirstOrThrow();
  return {
    type: "deployment.promoted",
    projectId: project.id,
    payload: {
      deployment: { ...deployment, meta: JSON.parse(deployment.meta) },
      links: { deployment: `https://${deployment.url}`, project: `https://${project.name}.${ownZone}` },
      project: { id: project.id },
      plan,
      regions: ["iad1"],
    },
  };
}

/** How promotions go from now on, as the control plane said. */
export interface PromotionPlan {
  /** How long the names take to move. */
  delayMs: number;
  /** Names that fail to move. */
  failAliases: string[];
}

/** In the store, so that it holds whichever server a request comes to. */
const planName = "promotion_plan";

/** Without a plan, all names move at once. */
export async function promotionPlan(tx: Tx): Promise<PromotionPlan> {
  const plan = await readMeta(tx, planName);
  return plan === undefined ? { delayMs: 0, failAliases: [] } : JSON.parse(plan);
}

export const setPromotionPlan = (tx: Tx, plan: PromotionPlan): Promise<void> =>
  writeMeta(tx, planName, JSON.stringify(plan));

export const clearPromotionPlan = (tx: Tx): Promise<void> => removeMeta(tx, planName);
