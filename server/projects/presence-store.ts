import { type SelectQueryBuilder, sql } from "kysely";
import { findBy } from "../access/project-store";
import { loadBy } from "../access/projects";
import { prepared, type Tx } from "../store/store";
import type { Database } from "../store/tables";
import type { ProjectRow } from "./object";

/** For each table, 1 if the project has rows there, otherwise 0. */
export type Presence = Record<`has_${keyof typeof tables}` | "has_deployments", 0 | 1>;

const tables = {
  domains: "domains",
  variables: "env_vars",
  promotions: "promotions",
  secrets: "bypass_secrets",
  environments: "custom_environments",
  microfrontends: "microfrontends",
} as const;

/**
 * Adds a column for each table to a query: whether the project has rows there. Most projects have rows in few tables,
 * so the other tables need no query.
 * @param projects a query of projects
 */
export function withPresence<R>(
  projects: SelectQueryBuilder<Database, "projects", R>,
): SelectQueryBuilder<Database, "projects", R & Presence> {
  const columns = Object.entries(tables).map(([name, table]) =>
    sql<0 | 1>`exists (select 1 from ${sql.table(table)} as t where t.project_id = projects.id)`.as(
      `has_${name}`,
    ),
  );
  return projects
    .select(columns)
    .select(
      sql<
        0 | 1
      >`exists (select 1 from deployments as t where t.account_id = projects.account_id and t.name = projects.name)`.as(
        "has_deployments",
      ),
    ) as SelectQueryBuilder<Database, "projects", R & Presence>;
}

const ofOne = prepared((tx, p: { id: string }) =>
  withPresence(tx.selectFrom("projects")).where("id", "=", p.id),
);

/** @throws Error when the project does not exist any more */
export async function presenceOf(tx: Tx, { id }: ProjectRow): Promise<Presence> {
  const [presence] = await ofOne(tx, { id });
  if (!presence) throw new Error(`project ${id} is gone`);
  return presence;
}

const find = findBy((tx) => withPresence(tx.selectFrom("projects").selectAll("projects")));

/** Like `loadProject`, with the tables in which the project has rows. */
export const loadPresent = (
  call: Parameters<typeof loadBy>[1],
): Promise<{ project: ProjectRow & Presence }> => loadBy(find, call);
