import type { DeploymentRow, PromotionRow } from "../deployments/object";
import type { DomainRow } from "../domains/object";
import type { EnvVarRow } from "../env/object";
import type { ProjectRow } from "../projects/object";
import { contains, lower } from "../store/like";
import type { Tx } from "../store/store";

/** The queries of the dashboard, which search and count in a whole account. */

/** How many rows a page has. */
export const pageSize = 50;

export interface Found<Row> {
  rows: Row[];
  /** How many rows match the search, on all pages. */
  total: number;
  hasMore: boolean;
}

/** A page of rows. The query asks for one row more than a page has, to know whether there is a next page. */
export async function found<Row>(
  rows: Promise<Row[]>,
  count: Promise<{ total: string | number | bigint }>,
): Promise<Found<Row>> {
  const [all, { total }] = [await rows, await count];
  return { rows: all.slice(0, pageSize), total: Number(total), hasMore: all.length > pageSize };
}

/** Accounts with the number of their projects, users last. */
export const findAccounts = (tx: Tx) =>
  tx
    .selectFrom("accounts as a")
    .leftJoin("projects as p", "p.account_id", "a.id")
    .select((eb) => ["a.id", "a.kind", "a.slug", "a.name", "a.plan", eb.fn.count("p.id").as("projects")])
    .groupBy(["a.id", "a.kind", "a.slug", "a.name", "a.plan"])
    .orderBy("a.kind")
    .orderBy("a.slug")
    .execute();

/** The user who owns the account, or the first owner of the team. */
export const findOwner = (tx: Tx, account: string) =>
  tx
    .selectFrom("accounts as u")
    .leftJoin("members as m", (join) =>
      join.onRef("m.user_id", "=", "u.id").on("m.team_id", "=", account).on("m.confirmed", "=", 1),
    )
    .select(["u.id", "u.slug"])
    .where("u.kind", "=", "user")
    .where((eb) => eb.or([eb("u.id", "=", account), eb("m.role", "=", "OWNER")]))
    .orderBy("m.created_at")
    .orderBy("u.id")
    .limit(1)
    .executeTakeFirst();

const projectsNamed = (tx: Tx, account: string, search: string) =>
  tx
    .selectFrom("projects")
    .where("account_id", "=", account)
    .where(contains(lower("name"), search.toLowerCase()));

const count = async (matching: ReturnType<typeof projectsNamed>): Promise<number> => {
  const { total } = await matching.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow();
  return Number(total);
};

/** Finds projects by a part of their names. Sorts them by name, or the last active first. */
export function findProjects(
  tx: Tx,
  account: string,
  { search, byName, skip }: { search: string; byName: boolean; skip: number },
): Promise<Found<ProjectRow & { active_at: number }>> {
  const matching = projectsNamed(tx, account, search);
  const active = matching.selectAll().select((eb) =>
    eb.fn
      .coalesce(
        eb
          .selectFrom("deployments as d")
          .select(({ fn }) => fn.max("d.created_at").as("newest"))
          .whereRef("d.account_id", "=", "projects.account_id")
          .whereRef("d.name", "=", "projects.name")
          .whereRef("d.created_at", ">", "projects.updated_at"),
        "projects.updated_at",
      )
      .$castTo<number>()
      .as("active_at"),
  );
  return found(
    active
      .orderBy(byName ? "name" : "active_at", byName ? "asc" : "desc")
      .orderBy("id")
      .offset(skip)
      .limit(pageSize + 1)
      .execute(),
    matching.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow(),
  );
}

/** The projects of the map. `withDomains`: how many matching projects have domains. `total`: all matching projects. */
export async function findForMap(
  tx: Tx,
  account: string,
  search: string,
  limit: number,
): Promise<{ projects: ProjectRow[]; domains: DomainRow[]; withDomains: number; total: number }> {
  const matching = projectsNamed(tx, account, search);
  const drawn = matching.where(({ exists, selectFrom }) =>
    exists(selectFrom("domains as d").select("d.id").whereRef("d.project_id", "=", "projects.id")),
  );
  const projects = await drawn.selectAll().orderBy("updated_at", "desc").limit(limit).execute();
  const [withDomains, total] = [await count(drawn), await count(matching)];
  const ids = projects.map(({ id }) => id);
  const domains =
    ids.length === 0
      ? []
      : await tx.selectFrom("domains").selectAll().where("project_id", "in", ids).orderBy("name").execute();
  return { projects, domains, withDomains, total };
}

/** Counts domains, unverified domains and variables. @returns a function that returns the counts of a project's id */
export async function countParts(tx: Tx, projects: readonly string[]) {
  const domains = await tx
    .selectFrom("domains")
    .select((eb) => ["project_id", eb.fn.countAll().as("count"), eb.fn.sum("verified").as("verified")])
    .where("project_id", "in", projects)
    .groupBy("project_id")
    .execute();
  const variables = await tx
    .selectFrom("env_vars")
    .select((eb) => ["project_id", eb.fn.countAll().as("count")])
    .where("project_id", "in", projects)
    .groupBy("project_id")
    .execute();
  return (project: string) => {
    const own = domains.find(({ project_id }) => project_id === project);
    const count = Number(own?.count ?? 0);
    return {
      domains: count,
      unverified: count - Number(own?.verified ?? 0),
      variables: Number(variables.find(({ project_id }) => project_id === project)?.count ?? 0),
    };
  };
}

/** The deployments of a project, the newest first. */
export const findDeploymentsOf = (
  tx: Tx,
  { account_id, name }: ProjectRow,
  limit: number,
): Promise<DeploymentRow[]> =>
  tx
    .selectFrom("deployments")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("name", "=", name)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();

/** The promotions and rollbacks of a project with the aliases that failed, the newest first. */
export async function findPromotions(
  tx: Tx,
  project: string,
  limit: number,
): Promise<(PromotionRow & { failed: string[] })[]> {
  const rows = await tx
    .selectFrom("promotions")
    .selectAll()
    .where("project_id", "=", project)
    .orderBy("requested_at", "desc")
    .limit(limit)
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const failed = await tx
    .selectFrom("promotion_aliases")
    .select(["promotion_id", "alias"])
    .where("promotion_id", "in", ids)
    .where("outcome", "=", "failed")
    .execute();
  return rows.map((row) => ({
    ...row,
    failed: failed.filter(({ promotion_id }) => promotion_id === row.id).map(({ alias }) => alias),
  }));
}

/** Finds domains by a part of their names, the unverified domains first, then by name. */
export function findDomains(
  tx: Tx,
  account: string,
  search: string,
  skip: number,
): Promise<Found<DomainRow>> {
  const matching = tx
    .selectFrom("domains")
    .where("account_id", "=", account)
    .where(contains("name", search.toLowerCase()));
  return found(
    matching
      .selectAll()
      .orderBy("verified")
      .orderBy("name")
      .orderBy("id")
      .offset(skip)
      .limit(pageSize + 1)
      .execute(),
    matching.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow(),
  );
}

/** The variables of a project by key. */
export const findVariablesOf = (tx: Tx, project: string): Promise<EnvVarRow[]> =>
  tx
    .selectFrom("env_vars")
    .selectAll()
    .where("project_id", "=", project)
    .orderBy("key")
    .orderBy("created_at")
    .execute();

/** Finds variables by a part of their keys. Sorts them by key, then by the project's name. */
export function findVariables(
  tx: Tx,
  account: string,
  search: string,
  skip: number,
): Promise<Found<EnvVarRow>> {
  const matching = tx
    .selectFrom("env_vars")
    .innerJoin("projects", "projects.id", "env_vars.project_id")
    .where("projects.account_id", "=", account)
    .where(contains(lower("env_vars.key"), search.toLowerCase()));
  return found(
    matching
      .selectAll("env_vars")
      .orderBy("env_vars.key")
      .orderBy("projects.name")
      .orderBy("env_vars.id")
      .offset(skip)
      .limit(pageSize + 1)
      .execute(),
    matching.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow(),
  );
}

/** The slugs of custom environments by their ids. */
export async function findEnvironmentSlugs(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom("custom_environments")
    .select(["id", "slug"])
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

/** All records of the embedded zone. */
export const findZone = (tx: Tx) =>
  tx
    .selectFrom("dns_records")
    .select(["name", "type", "value"])
    .orderBy("name")
    .orderBy("type")
    .orderBy("value")
    .execute();

/** The TXT records of these names in the embedded zone. */
export async function findRecords(tx: Tx, names: readonly string[]) {
  if (names.length === 0) return [];
  return tx
    .selectFrom("dns_records")
    .select(["name", "value"])
    .where("type", "=", "TXT")
    .where("name", "in", names)
    .orderBy("name")
    .orderBy("value")
    .execute();
}
