import { sql } from "kysely";
import { ownZone } from "../domains/names";
import type { Tx } from "../store/store";

/** A null with a type, because PostgreSQL compares the types in both parts of a union. */
export const noText = sql<string | null>`cast(null as text)`;
export const noNumber = sql<number | null>`cast(null as bigint)`;

/**
 * The names that the last promotion of a project failed to move, with the deployments that they still point to. A
 * promotion that moved no name leaves everything as it was.
 */
const namesBehind = (tx: Tx, account: string) => {
  const hasMoved = (promotion: "m" | "newer") =>
    sql<boolean>`exists (select 1 from promotion_aliases x where x.promotion_id = ${sql.ref(`${promotion}.id`)} and x.outcome = 'completed')`;
  return tx
    .selectFrom("projects as q")
    .innerJoin("promotions as m", (join) =>
      join
        .onRef("m.project_id", "=", "q.id")
        .onRef("m.to_deployment_id", "=", "q.production_deployment_id")
        .on("m.status", "=", sql.lit("failed" as const)),
    )
    .innerJoin("promotion_aliases as a", "a.promotion_id", "m.id")
    .where("q.account_id", "=", account)
    .where("a.outcome", "=", sql.lit("failed" as const))
    .where(hasMoved("m"))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("promotions as newer")
            .select("newer.id")
            .whereRef("newer.project_id", "=", "q.id")
            .whereRef("newer.requested_at", ">", "m.requested_at")
            .where(sql<boolean>`newer.status in ('succeeded', 'failed')`)
            .where(hasMoved("newer")),
        ),
      ),
    )
    .select(["a.alias as name", "m.project_id", "m.requested_at", "a.deployment_id as kept_id"]);
};

/** The deployment that a name points to: that of production, unless the last promotion failed to move the name. */
const pointsTo = sql<string>`case when b.name is null then p.production_deployment_id else b.kept_id end`;

/** The names of an account's projects that point to their production deployments, or to earlier ones. */
export const productionNames = (tx: Tx, account: string) => {
  const projects = tx
    .selectFrom("projects as p")
    .where("p.account_id", "=", account)
    .where("p.paused", "=", 0)
    .where("p.production_deployment_id", "is not", null);
  const behind = namesBehind(tx, account).as("b");
  const own = projects
    .leftJoin(behind, (join) =>
      join.onRef("b.project_id", "=", "p.id").on("b.name", "=", sql<string>`p.name || ${`.${ownZone}`}`),
    )
    .select([
      noText.as("id"),
      sql<string>`p.name || ${`.${ownZone}`}`.as("alias"),
      noText.as("redirect"),
      noNumber.as("redirect_status_code"),
      "p.created_at",
      "p.created_at as updated_at",
      pointsTo.as("deployment_id"),
      noText.as("creator_id"),
    ]);
  const domains = projects
    .innerJoin("domains as d", "d.project_id", "p.id")
    // A domain that was added after the failed promotion points to production.
    .leftJoin(behind, (join) =>
      join
        .onRef("b.project_id", "=", "p.id")
        .onRef("b.name", "=", "d.name")
        .onRef("b.requested_at", ">=", "d.created_at"),
    )
    .where("d.verified", "=", 1)
    .where("d.git_branch", "is", null)
    .where("d.custom_environment_id", "is", null)
    .select([
      noText.as("id"),
      "d.name as alias",
      "d.redirect",
      "d.redirect_status_code",
      "d.created_at",
      "d.updated_at",
      pointsTo.as("deployment_id"),
      noText.as("creator_id"),
    ]);
  return own.unionAll(domains);
};
