import { sql } from "kysely";
import type { Unit } from "../store/store";

/** Finds the accounts that have due work. */

/** The largest number of accounts that one query returns. The next run finds the others. */
const mostAccounts = 1_000;

/** The accounts with builds that have reached another state. */
export const accountsWithBuilds = ({ tx, now }: Unit): Promise<{ id: string }[]> =>
  tx
    .selectFrom("deployments")
    .select("account_id as id")
    .distinct()
    .where("ready_at", "<=", now)
    .limit(mostAccounts)
    .execute();

/** The accounts with promotions that end. */
export const accountsWithPromotions = ({ tx, now }: Unit): Promise<{ id: string }[]> =>
  tx
    .selectFrom("promotions as m")
    .innerJoin("projects as p", "p.id", "m.project_id")
    .select("p.account_id as id")
    .distinct()
    // Must match the expression of the partial index.
    .where(sql<boolean>`m.status in ('pending', 'in-progress')`)
    .where("m.completes_at", "<=", now)
    .limit(mostAccounts)
    .execute();

/** The accounts with rolling releases whose next stage begins. */
export const accountsWithReleases = ({ tx, now }: Unit): Promise<{ id: string }[]> =>
  tx
    .selectFrom("rolling_releases as r")
    .innerJoin("projects as p", "p.id", "r.project_id")
    .select("p.account_id as id")
    .distinct()
    .where("r.advances_at", "<=", now)
    .limit(mostAccounts)
    .execute();

/** The accounts with installations that are deleted. */
export const accountsWithConfigurations = ({ tx, now }: Unit): Promise<{ id: string }[]> =>
  tx
    .selectFrom("configurations")
    .select("account_id as id")
    .distinct()
    .where("delete_at", "<=", now)
    .limit(mostAccounts)
    .execute();
