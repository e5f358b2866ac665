import { sql } from "kysely";
import { accountById } from "../access/accounts";
import { changeProject } from "../access/projects";
import { ownName, ownZone, productionNames } from "../domains/names";
import type { DomainEvent } from "../events/event";
import { outbox } from "../events/outbox";
import { newId } from "../platform/ids";
import { readMeta, removeMeta, writeMeta } from "../store/meta";
import { laterThan } from "../store/monotonic";
import { retentionMs } from "../store/retention";
import type { DeploymentRow, DomainRow, ProjectRow, PromotionRow } from "../store/schema";
import { prepared, type Tx, type Unit } from "../store/store";

const lastOf = prepared((tx, p: { id: string }) =>
  tx
    .selectFrom("promotions")
    .selectAll()
    .where("project_id", "=", p.id)
    .orderBy("requested_at", "desc")
    .limit(sql.lit(1)),
);

/** The last promotion or rollback of a project, running or finished. */
export async function currentPromotion(tx: Tx, project: string): Promise<PromotionRow | null> {
  return (await lastOf(tx, { id: project }))[0] ?? null;
}

const lastOfKind = prepared((tx, p: { id: string; kind: PromotionRow["kind"] }) =>
  tx
    .selectFrom("promotions")
    .selectAll()
    .where("project_id", "=", p.id)
    .where("kind", "=", p.kind)
    .orderBy("requested_at", "desc")
    .limit(sql.lit(1)),
);

/** The last promotion or the last rollback of a project, depending on `kind`. */
export async function lastPromotion(
  tx: Tx,
  project: string,
  kind: PromotionRow["kind"],
): Promise<PromotionRow | null> {
  return (await lastOfKind(tx, { id: project, kind }))[0] ?? null;
}

const lastMoves = prepared((tx, p: { id: string }) =>
  tx
    .selectFrom("promotions as p")
    .selectAll("p")
    .where("p.project_id", "=", p.id)
    .where(sql<boolean>`p.status in ('succeeded', 'failed')`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("promotion_aliases as a")
          .select("a.id")
          .whereRef("a.promotion_id", "=", "p.id")
          .where("a.outcome", "=", sql.lit("completed" as const)),
      ),
    )
    .orderBy("p.requested_at", "desc")
    .limit(sql.lit(1)),
);

/**
 * The names that lead to the production deployment. A name that a promotion failed to move leads elsewhere until
 * another promotion moves it or a build takes over.
 * @choice A domain that was added after that promotion leads to production.
 */
export async function servedNames(
  tx: Tx,
  project: ProjectRow,
  domains: readonly DomainRow[],
): Promise<string[]> {
  const names = productionNames(project, domains);
  const [moved] = await lastMoves(tx, { id: project.id });
  if (moved?.status !== "failed" || moved.to_deployment_id !== project.production_deployment_id) return names;
  const failed = await tx
    .selectFrom("promotion_aliases")
    .select("alias")
    .where("promotion_id", "=", moved.id)
    .where("outcome", "=", "failed")
    .execute();
  const isBehind = (name: string): boolean =>
    failed.some(({ alias }) => alias === name) &&
    !domains.some((domain) => domain.name === name && domain.created_at > moved.requested_at);
  return names.filter((name) => !isBehind(name));
}

/** Has the promotions of a project go on under its new name. */
export async function renameAliases(tx: Tx, project: ProjectRow, name: string): Promise<void> {
  const promotions = tx.selectFrom("promotions").select("id").where("project_id", "=", project.id);
  await tx
    .updateTable("promotion_aliases")
    .set({ alias: ownName({ name }) })
    .where("alias", "=", ownName(project))
    .where("promotion_id", "in", promotions)
    .execute();
}

export const isRunning = (promotion: PromotionRow | null): boolean =>
  promotion?.status === "pending" || promotion?.status === "in-progress";

/**
 * Starts to move a project's production names to a deployment, and finishes at once unless a delay is planned.
 * Nothing is rebuilt.
 * @param user id of the user who requested it
 * @source States and transitions, Deployment
 */
export async function promote(
  { tx, now }: Unit,
  user: string,
  project: ProjectRow,
  deployment: DeploymentRow,
  kind: PromotionRow["kind"],
): Promise<PromotionRow> {
  const { delayMs, failAliases } = await promotionPlan(tx);
  const last = await currentPromotion(tx, project.id);
  const requestedAt = laterThan(last?.requested_at, now);
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
  await removeOldPromotions({ tx, now }, project.id);
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
  if (delayMs <= 0) await complete({ tx, now }, promotion, user);
  else await changeProject({ tx, now }, project, {});
  return promotion;
}

/** Removes the promotions that are not shown any more: all but the last of each kind. */
async function removeOldPromotions({ tx, now }: Unit, project: string): Promise<void> {
  const old = tx
    .selectFrom("promotions as p")
    .select("p.id")
    .where("p.project_id", "=", project)
    .where("p.requested_at", "<=", now - retentionMs)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("promotions as newer")
          .select("newer.id")
          .whereRef("newer.project_id", "=", "p.project_id")
          .whereRef("newer.kind", "=", "p.kind")
          .whereRef("newer.requested_at", ">", "p.requested_at"),
      ),
    );
  const ids = (await old.execute()).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.deleteFrom("promotion_aliases").where("promotion_id", "in", ids).execute();
  await tx.deleteFrom("promotions").where("id", "in", ids).execute();
}

/** Must match the expression of the partial index, so that the search for due promotions uses it. */
const runs = sql<boolean>`status in ('pending', 'in-progress')`;

/** Selects the promotions that are due. */
export const duePromotions = ({ tx, now }: Unit) =>
  tx.selectFrom("promotions").selectAll().where(runs).where("completes_at", "<=", now);

/** Finishes the promotions that are due. @returns how many */
export async function completeDuePromotions(unit: Unit): Promise<number> {
  const due = await duePromotions(unit).execute();
  for (const promotion of due) await complete(unit, promotion, null);
  return due.length;
}

/**
 * @choice A promotion fails when one of its aliases fails. The deployment then serves the names that moved; when
 *   none moved, production stays as it was and there is no event. The event of a delayed promotion names no user.
 */
async function complete({ tx, now }: Unit, promotion: PromotionRow, user: string | null): Promise<void> {
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
  await changeProject({ tx, now }, project, {
    ...(moved ? { production_deployment_id: promotion.to_deployment_id } : {}),
    ...(moved && promotion.kind === "rollback"
      ? { last_rollback_target: JSON.stringify({ deploymentId: promotion.to_deployment_id }) }
      : {}),
  });
  if (!moved) return;
  const emit = outbox({ tx, now }, await accountById(tx, project.account_id), user);
  await emit(await promotedEvent(tx, project, promotion));
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

/** How the next promotions go, set by the control plane. */
export interface PromotionPlan {
  /** How long the names take to move, in milliseconds. */
  delayMs: number;
  /** Names that fail to move. */
  failAliases: string[];
}

/** The plan is in the store, so that it applies on every server. */
const planName = "promotion_plan";

/** Without a plan, all names move at once. */
export async function promotionPlan(tx: Tx): Promise<PromotionPlan> {
  const plan = await readMeta(tx, planName);
  return plan === undefined ? { delayMs: 0, failAliases: [] } : JSON.parse(plan);
}

export const setPromotionPlan = (tx: Tx, plan: PromotionPlan): Promise<void> =>
  writeMeta(tx, planName, JSON.stringify(plan));

export const clearPromotionPlan = (tx: Tx): Promise<void> => removeMeta(tx, planName);
