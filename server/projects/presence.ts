import type { ProjectRow } from "../store/schema";
import { prepared, type Tx } from "../store/store";

/** What a project has, by table: 0 where there is no row of it. */
export type Presence = Awaited<ReturnType<typeof presenceOf>> extends Map<string, infer P> ? P : never;

const query = (tx: Tx) =>
  tx
    .selectFrom("projects as p")
    .select(({ exists, selectFrom }) => [
      "p.id",
      exists(selectFrom("domains as t").select("t.id").whereRef("t.project_id", "=", "p.id")).as("domains"),
      exists(selectFrom("env_vars as t").select("t.id").whereRef("t.project_id", "=", "p.id")).as(
        "variables",
      ),
      exists(selectFrom("promotions as t").select("t.id").whereRef("t.project_id", "=", "p.id")).as(
        "promotions",
      ),
      exists(selectFrom("bypass_secrets as t").select("t.id").whereRef("t.project_id", "=", "p.id")).as(
        "secrets",
      ),
      exists(selectFrom("custom_environments as t").select("t.id").whereRef("t.project_id", "=", "p.id")).as(
        "environments",
      ),
      exists(
        selectFrom("deployments as t")
          .select("t.id")
          .whereRef("t.account_id", "=", "p.account_id")
          .whereRef("t.name", "=", "p.name"),
      ).as("deployments"),
    ]);
const ofOne = prepared((tx, p: { id: string }) => query(tx).where("p.id", "=", p.id));

/** Asks for all tables at once what there is: most projects have nothing in most of them. */
export async function presenceOf(tx: Tx, projects: readonly ProjectRow[]) {
  const ids = projects.map(({ id }) => id);
  const [id = ""] = ids;
  const rows =
    ids.length === 1 ? await ofOne(tx, { id }) : await query(tx).where("p.id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
