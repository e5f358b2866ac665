import { accountById } from "../access/account-store";
import { changeProject } from "../access/project-store";
import { ownName, ownZone, productionNames } from "../domains/names";
import type { DomainRow } from "../domains/object";
import { domainsOf } from "../domains/store";
import type { DomainEvent } from "../events/event";
import { outbox } from "../events/outbox";
import { newId } from "../platform/ids";
import type { Services } from "../platform/services";
import type { ProjectRow } from "../projects/object";
import { readMeta, removeMeta, writeMeta } from "../store/meta";
import { laterThan } from "../store/monotonic";
import type { Tx, Unit } from "../store/store";
import type { DeploymentRow, PromotionRow } from "./object";
import {
  currentPromotion,
  duePromotions,
  failedAliases,
  finishPromotion,
  insertPromotion,
  keepAlias,
  lastMove,
  outcomesOf,
  promotedDeployment,
  promotedProject,
  removeOldPromotions,
  renameAlias,
} from "./promotion-store";

/** The names that point to the production deployment. */
export async function servedNames(
  tx: Tx,
  project: ProjectRow,
  domains: readonly DomainRow[],
): Promise<string[]> {
  const names = productionNames(project, domains);
  const behind = await namesBehind(tx, project, domains);
  return names.filter((name) => !behind.has(name));
}

/** The id of the deployment that a name of a project's production points to; null if it points to none. */
export async function servedDeployment(
  tx: Tx,
  project: ProjectRow,
  domain: DomainRow,
): Promise<string | null> {
  const behind = await namesBehind(tx, project, [domain]);
  return behind.has(domain.name) ? (behind.get(domain.name) ?? null) : project.production_deployment_id;
}

/**
 * The names that the last promotion failed to move, with the deployments that they point to until another promotion
 * moves them or a new build serves production. `name-store.ts` finds them for all projects of an account.
 * @choice A domain that was added after the failed promotion points to production.
 */
async function namesBehind(
  tx: Tx,
  project: ProjectRow,
  domains: readonly DomainRow[],
): Promise<ReadonlyMap<string, string | null>> {
  const moved = await lastMove(tx, project.id);
  if (moved?.status !== "failed" || moved.to_deployment_id !== project.production_deployment_id)
    return new Map();
  const failed = await failedAliases(tx, moved.id);
  for (const { name, created_at } of domains) if (created_at > moved.requested_at) failed.delete(name);
  return failed;
}

/** Renames the project's own alias in its promotions, after the project was renamed. */
export const renameAliases = (tx: Tx, project: ProjectRow, name: string): Promise<void> =>
  renameAlias(tx, project.id, ownName(project), ownName({ name }));

export const isRunning = (promotion: PromotionRow | null): boolean =>
  promotion?.status === "pending" || promotion?.status === "in-progress";

/**
 * Starts to move a project's production names to a deployment, and finishes at once unless a delay is planned.
 * Nothing is rebuilt.
 * @param user id of the user who requested the promotion
 * @source States and transitions, Deployment
 */
export function promote(
  { tx, now, services }: Unit & { services: Pick<Services, "profile"> },
  user: string,
  project: ProjectRow,
  deployment: DeploymentRow,
  kind: PromotionRow["kind"],
): Promise<PromotionRow> {
  const usualMs = services.profile.isHosted("late-promotion") ? lateMs : 0;
  return movePromotion({ tx, now }, user, project, deployment.id, kind, usualMs);
}

/**
 * Like `promote`.
 * @param user null if a rolling release completes by itself
 * @param usualMs how long the promotion takes without a plan
 */
export async function movePromotion(
  { tx, now }: Unit,
  user: string | null,
  project: ProjectRow,
  deployment: string,
  kind: PromotionRow["kind"],
  usualMs = 0,
): Promise<PromotionRow> {
  const { delayMs, failAliases } = await promotionPlan(tx, usualMs);
  const last = await currentPromotion(tx, project.id);
  const requestedAt = laterThan(last?.requested_at, now);
  const promotion: PromotionRow = {
    id: newId("row"),
    project_id: project.id,
    kind,
    from_deployment_id: project.production_deployment_id,
    to_deployment_id: deployment,
    status: "in-progress",
    requested_at: requestedAt,
    completes_at: now + delayMs,
  };
  await removeOldPromotions({ tx, now }, project.id);
  const aliases = productionNames(project, await domainsOf(tx, project.id)).map((alias, index) => ({
    id: newId("row"),
    promotion_id: promotion.id,
    alias,
    outcome: failAliases.includes(alias) ? ("failed" as const) : ("completed" as const),
    deployment_id: null,
    created_at: requestedAt + index,
  }));
  await insertPromotion(tx, promotion, aliases);
  if (delayMs <= 0) await complete({ tx, now }, promotion, user);
  else await changeProject({ tx, now }, project, {});
  return promotion;
}

/** Finishes the promotions of an account that are due. @returns how many promotions were finished */
export async function completeDuePromotions(unit: Unit, account: string): Promise<number> {
  const due = await duePromotions(unit, account).execute();
  for (const promotion of due) await complete(unit, promotion, null);
  return due.length;
}

/**
 * @choice A promotion fails when one of its aliases fails. The deployment then serves the names that moved. If none
 *   moved, production stays as it was and there is no event. The event of a delayed promotion names no user.
 */
async function complete({ tx, now }: Unit, promotion: PromotionRow, user: string | null): Promise<void> {
  const outcomes = await outcomesOf(tx, promotion.id);
  const failed = outcomes.filter((outcome) => outcome === "failed").length;
  const project = await promotedProject(tx, promotion);
  if (project && failed > 0) await keepFailed(tx, project, promotion);
  await finishPromotion(tx, promotion.id, failed > 0 ? "failed" : "succeeded");
  if (!project) return;
  const moved = failed < outcomes.length;
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

/** Records where the names point that a promotion fails to move, before it ends. */
async function keepFailed(tx: Tx, project: ProjectRow, { id }: PromotionRow): Promise<void> {
  const behind = await namesBehind(tx, project, await domainsOf(tx, project.id));
  for (const name of (await failedAliases(tx, id)).keys())
    await keepAlias(tx, id, name, behind.get(name) ?? project.production_deployment_id);
}

/** @source wire-shapes 10, deployment.promoted */
async function promotedEvent(tx: Tx, project: ProjectRow, promotion: PromotionRow): Promise<DomainEvent> {
  const { plan, ...deployment } = await promotedDeployment(tx, promotion);
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

/** Duration and failures of the next promotions, set by the control plane. */
export interface PromotionPlan {
  /** How long the names take to move, in milliseconds. */
  delayMs: number;
  /** Names that fail to move. */
  failAliases: string[];
}

/** The plan is in the store, so that it applies on every server. */
const planName = "promotion_plan";

/** How long a promotion takes in the profile `hosted` by default, in milliseconds. @choice */
const lateMs = 2_000;

/** @param usualMs how long a promotion takes without a plan */
export async function promotionPlan(tx: Tx, usualMs: number): Promise<PromotionPlan> {
  const plan = await readMeta(tx, planName);
  return plan === undefined ? { delayMs: usualMs, failAliases: [] } : JSON.parse(plan);
}

export const setPromotionPlan = (tx: Tx, plan: PromotionPlan): Promise<void> =>
  writeMeta(tx, planName, JSON.stringify(plan));

export const clearPromotionPlan = (tx: Tx): Promise<void> => removeMeta(tx, planName);
