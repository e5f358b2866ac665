import { sql } from "kysely";
import type { ProjectRow } from "../store/schema";
import { isAmong, prepared, type Tx } from "../store/store";

/** What a project has, by table: 0 where there is no row of it. */
export type Presence = Awaited<ReturnType<typeof presenceOf>> extends Map<string, infer P> ? P : never;

type OfProjects = "domains" | "env_vars" | "promotions" | "bypass_secrets" | "custom_environments";
const any = (table: OfProjects) =>
  sql<0 | 1>`exists (select 1 from ${sql.table(table)} as t where t.project_id = p.id)`;

const query = (tx: Tx) =>
  tx
    .selectFrom("projects as p")
    .select([
      "p.id",
      any("domains").as("domains"),
      any("env_vars").as("variables"),
      any("promotions").as("promotions"),
      any("bypass_secrets").as("secrets"),
      any("custom_environments").as("environments"),
      sql<
        0 | 1
      >`exists (select 1 from deployments as t where t.account_id = p.account_id and t.name = p.name)`.as(
        "deployments",
      ),
    ]);
const ofOne = prepared((tx, p: { id: string }) => query(tx).where("p.id", "=", p.id));
const ofSeveral = prepared((tx, p: { ids: string }) => query(tx).where(isAmong(tx, "p.id", p.ids)));

/** Asks for all tables at once what there is: most projects have nothing in most of them. */
export async function presenceOf(tx: Tx, projects: readonly ProjectRow[]) {
  const ids = projects.map(({ id }) => id);
  const [id = ""] = ids;
  const rows = ids.length === 1 ? await ofOne(tx, { id }) : await ofSeveral(tx, { ids: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.id, row]));
}
