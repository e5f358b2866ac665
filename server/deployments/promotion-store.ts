import { sql } from "kysely";
import { page } from "../http/query";
import type { ProjectRow } from "../projects/object";
import { retentionMs } from "../store/retention";
import { prepared, type Tx, type Unit } from "../store/store";
import type { PromotionAliasRow, PromotionRow } from "./object";

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

/** The last promotion or rollback of a project that has ended and moved at least one name. */
export async function lastMove(tx: Tx, project: string): Promise<PromotionRow | undefined> {
  return (await lastMoves(tx, { id: project }))[0];
}

/** The names that a promotion failed to move, with the deployments that they still point to. */
export async function failedAliases(tx: Tx, promotion: string): Promise<Map<string, string | null>> {
  const rows = await tx
    .selectFrom("promotion_aliases")
    .select(["alias", "deployment_id"])
    .where("promotion_id", "=", promotion)
    .where("outcome", "=", "failed")
    .execute();
  return new Map(rows.map(({ alias, deployment_id }) => [alias, deployment_id]));
}

/** Records the deployment that a name still points to after a promotion failed to move it. */
export async function keepAlias(
  tx: Tx,
  promotion: string,
  alias: string,
  deployment: string | null,
): Promise<void> {
  await tx
    .updateTable("promotion_aliases")
    .set({ deployment_id: deployment })
    .where("promotion_id", "=", promotion)
    .where("alias", "=", alias)
    .execute();
}

export async function insertPromotion(
  tx: Tx,
  promotion: PromotionRow,
  aliases: readonly PromotionAliasRow[],
): Promise<void> {
  await tx.insertInto("promotions").values(promotion).execute();
  await tx.insertInto("promotion_aliases").values(aliases).execute();
}

/** The outcome of each alias of a promotion. */
export async function outcomesOf(tx: Tx, promotion: string): Promise<PromotionAliasRow["outcome"][]> {
  const rows = await tx
    .selectFrom("promotion_aliases")
    .select("outcome")
    .where("promotion_id", "=", promotion)
    .execute();
  return rows.map(({ outcome }) => outcome);
}

export async function finishPromotion(
  tx: Tx,
  promotion: string,
  status: PromotionRow["status"],
): Promise<void> {
  await tx.updateTable("promotions").set({ status }).where("id", "=", promotion).execute();
}

export function promotedProject(tx: Tx, { project_id }: PromotionRow): Promise<ProjectRow | undefined> {
  return tx.selectFrom("projects").selectAll().where("id", "=", project_id).executeTakeFirst();
}

/** The target deployment of a promotion as the event shows it, with the plan of the deployment's account. */
export function promotedDeployment(tx: Tx, { to_deployment_id }: PromotionRow) {
  return tx
    .selectFrom("deployments as d")
    .innerJoin("accounts as a", "a.id", "d.account_id")
    .select(["d.id", "d.meta", "d.url", "d.name", "a.plan"])
    .where("d.id", "=", to_deployment_id)
    .executeTakeFirstOrThrow();
}

/** A page of a promotion's aliases. */
export function listPromotionAliases(
  tx: Tx,
  promotion: string,
  query: { since?: number | undefined; until?: number | undefined; failedOnly?: boolean | undefined },
  size: number,
) {
  return page(
    query,
    size,
    (row: PromotionAliasRow) => row.created_at,
    (bounds) => {
      const list = tx
        .selectFrom("promotion_aliases")
        .selectAll()
        .where("promotion_id", "=", promotion)
        .where("created_at", "<", bounds.until)
        .where("created_at", ">", bounds.since)
        .orderBy("created_at", bounds.direction)
        .limit(bounds.limit);
      return (query.failedOnly ? list.where("outcome", "=", "failed") : list).execute();
    },
  );
}

/** Removes old promotions of a project, except the last of each kind, which the API still shows. */
export async function removeOldPromotions({ tx, now }: Unit, project: string): Promise<void> {
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
export const duePromotions = ({ tx, now }: Unit, account: string) =>
  tx
    .selectFrom("promotions")
    .selectAll()
    .where(runs)
    .where("completes_at", "<=", now)
    .where("project_id", "in", tx.selectFrom("projects").select("id").where("account_id", "=", account));

/** True while a promotion moves production to a deployment. */
export async function isPromoting(tx: Tx, deployment: string): Promise<boolean> {
  const found = await tx
    .selectFrom("promotions")
    .select("id")
    .where(runs)
    .where("to_deployment_id", "=", deployment)
    .executeTakeFirst();
  return found !== undefined;
}

/** Renames an alias in all promotions of a project. */
export async function renameAlias(tx: Tx, project: string, from: string, to: string): Promise<void> {
  await tx
    .updateTable("promotion_aliases")
    .set({ alias: to })
    .where("alias", "=", from)
    .where("promotion_id", "in", (eb) =>
      eb.selectFrom("promotions").select("id").where("project_id", "=", project),
    )
    .execute();
}
