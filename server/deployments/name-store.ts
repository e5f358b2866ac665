import { sql } from "kysely";
import { ownZone } from "../domains/names";
import type { Tx } from "../store/store";

/** A null with a type, because PostgreSQL compares the types in both parts of a union. */
const noText = sql<string | null>`cast(null as text)`;
export const noNumber = sql<number | null>`cast(null as bigint)`;

/** The names that point to the production deployments of an account's projects. */
export const productionNames = (tx: Tx, account: string) => {
  const projects = tx
    .selectFrom("projects as p")
    .where("p.account_id", "=", account)
    .where("p.paused", "=", 0)
    .where("p.production_deployment_id", "is not", null);
  const own = projects.select([
    noText.as("id"),
    sql<string>`p.name || ${`.${ownZone}`}`.as("alias"),
    noText.as("redirect"),
    noNumber.as("redirect_status_code"),
    "p.created_at",
    "p.created_at as updated_at",
    sql<string>`p.production_deployment_id`.as("deployment_id"),
    noText.as("creator_id"),
  ]);
  const domains = projects
    .innerJoin("domains as d", "d.project_id", "p.id")
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
      sql<string>`p.production_deployment_id`.as("deployment_id"),
      noText.as("creator_id"),
    ]);
  return own.unionAll(domains);
};
