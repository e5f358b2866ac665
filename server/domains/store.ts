import { randomBytes } from "node:crypto";
import type { Updateable } from "kysely";
import { findProject } from "../access/project-store";
import type { DeploymentRow } from "../deployments/object";
import { page, pageSize } from "../http/query";
import { newId } from "../platform/ids";
import type { ProjectRow } from "../projects/object";
import { laterThan, nextTime } from "../store/monotonic";
import { batched, prepared, type Tx, type Unit } from "../store/store";
import type { Database } from "../store/tables";
import { addedDomainsOf, addedElsewhere } from "./added-store";
import { defaultDomain, isGiven, ownName, parseDomain, projectNameIn } from "./names";
import type { DomainRow } from "./object";
import type { DomainFilters } from "./schema";

const onProject = prepared((tx, p: { project: string; name: string }) =>
  tx.selectFrom("domains").selectAll().where("project_id", "=", p.project).where("name", "=", p.name),
);

/** @param name in lower case and ASCII */
export async function findDomain(tx: Tx, project: string, name: string): Promise<DomainRow | undefined> {
  return (await onProject(tx, { project, name }))[0];
}

/**
 * The default domain of a project; undefined if its name was added to a project before. It is older than all other
 * domains of the project, so that the time of each domain in the list is unique.
 */
async function freeDefault(tx: Tx, project: ProjectRow): Promise<DomainRow | undefined> {
  const own = defaultDomain(project);
  const added = await tx.selectFrom("domains").select("id").where("name", "=", own.name).execute();
  if (added.length > 0) return undefined;
  const { first } = await tx
    .selectFrom("domains")
    .select((eb) => eb.fn.min("created_at").as("first"))
    .where("project_id", "=", project.id)
    .executeTakeFirstOrThrow();
  const createdAt = first === null ? project.created_at : Math.min(project.created_at, Number(first) - 1);
  return { ...own, created_at: createdAt, updated_at: createdAt };
}

/** A domain of a project, also the default domain. @param name in lower case and ASCII */
export async function findDomainOf(
  tx: Tx,
  project: ProjectRow,
  name: string,
): Promise<DomainRow | undefined> {
  const stored = await findDomain(tx, project.id, name);
  return stored ?? (name === ownName(project) ? freeDefault(tx, project) : undefined);
}

/** A domain of an account, on any project, also the default domain of a project. */
export async function findDomainIn(tx: Tx, account: string, name: string): Promise<DomainRow | undefined> {
  const claim = await claimOf(tx, account, name);
  const named = projectNameIn(name);
  if (claim || named === undefined) return claim;
  const project = await findProject(tx, account, named);
  return project?.name === named ? freeDefault(tx, project) : undefined;
}

/** The project domain with this name in an account, on any project. It is not a default domain. */
export async function claimOf(tx: Tx, account: string, name: string): Promise<DomainRow | undefined> {
  return tx
    .selectFrom("domains")
    .selectAll()
    .where("account_id", "=", account)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** The project domains with this name in other accounts. At most one of them is verified. */
export const competingClaims = (tx: Tx, account: string, name: string) =>
  tx.selectFrom("domains").selectAll().where("name", "=", name).where("account_id", "!=", account);

/** True if another account has a domain under an apex. */
export async function isApexElsewhere(tx: Tx, account: string, apex: string): Promise<boolean> {
  const found = await tx
    .selectFrom("domains")
    .select("id")
    .where("apex_name", "=", apex)
    .where("account_id", "!=", account)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined || (await addedElsewhere(tx, account, apex)).length > 0;
}

/**
 * Returns `new` if an account has no names under an apex, `proved` if it has verified the apex, otherwise `claimed`.
 * @choice An account has verified an apex while the apex itself is a verified domain of one of its projects, or of the
 *   account. Verifying a name below the apex does not verify the apex.
 */
export async function apexStatusOf(
  tx: Tx,
  account: string,
  apex: string,
): Promise<"new" | "claimed" | "proved"> {
  const rows = await tx
    .selectFrom("domains")
    .select(["name", "verified"])
    .where("account_id", "=", account)
    .where("apex_name", "=", apex)
    .execute();
  const added = await addedDomainsOf(tx, account, apex);
  if ([...rows, ...added].some(({ name, verified }) => name === apex && verified === 1)) return "proved";
  return rows.length + added.length === 0 ? "new" : "claimed";
}

/** The domains of a project, oldest first, without the default domain. */
export const domainsOf = batched(
  (tx, has) => tx.selectFrom("domains").selectAll().where(has("project_id")).orderBy("created_at"),
  (row) => row.project_id,
);

/**
 * A page of a project's domains, the newest first unless the query says otherwise. The default domain is the oldest,
 * because it was created with the project.
 */
export async function listDomainsOf(tx: Tx, project: ProjectRow, query: DomainFilters) {
  const own = isDefaultIn(query) ? await freeDefault(tx, project) : undefined;
  const isDescending = query.order !== "ASC";
  return page(
    query,
    pageSize(query.limit),
    (row: DomainRow) => row.created_at,
    async ({ since, until, direction, limit }) => {
      const rows = await filtered(tx, project.id, query)
        .where("created_at", ">", since)
        .where("created_at", "<", until)
        .orderBy("created_at", direction)
        .limit(limit)
        .execute();
      const isWithin = own && own.created_at > since && own.created_at < until;
      if (!isWithin) return rows;
      return inOrder([...rows, own], direction).slice(0, limit);
    },
    isDescending ? "desc" : "asc",
  );
}

const inOrder = (rows: readonly DomainRow[], direction: "asc" | "desc"): DomainRow[] =>
  rows.toSorted((a, b) => (a.created_at - b.created_at) * (direction === "asc" ? 1 : -1));

/** True if filters select the default domain of a project, which serves production and redirects nowhere. */
const isDefaultIn = ({
  target,
  customEnvironmentId,
  gitBranch,
  redirect,
  verified,
}: DomainFilters): boolean =>
  target !== "preview" &&
  customEnvironmentId === undefined &&
  gitBranch === undefined &&
  redirect === undefined &&
  verified !== false;

function filtered(tx: Tx, project: string, query: DomainFilters) {
  let list = tx.selectFrom("domains").selectAll().where("project_id", "=", project);
  if (query.production || query.target === "production") {
    list = list.where("git_branch", "is", null).where("custom_environment_id", "is", null);
  }
  // @choice Domains with a branch are preview domains. Domains of a custom environment have no target.
  if (query.target === "preview") list = list.where("git_branch", "is not", null);
  if (query.customEnvironmentId !== undefined)
    list = list.where("custom_environment_id", "=", query.customEnvironmentId);
  if (query.gitBranch !== undefined) list = list.where("git_branch", "=", query.gitBranch);
  if (query.redirect !== undefined) list = list.where("redirect", "=", query.redirect);
  if (query.redirects === false) list = list.where("redirect", "is", null);
  if (query.verified !== undefined) list = list.where("verified", "=", query.verified ? 1 : 0);
  return list;
}

export async function countDomains(tx: Tx, project: string): Promise<number> {
  const { count } = await tx
    .selectFrom("domains")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("project_id", "=", project)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The state of the newest production deployment of a project; undefined if there is none. */
export async function latestProduction(
  tx: Tx,
  { account_id, name }: ProjectRow,
): Promise<DeploymentRow["ready_state"] | undefined> {
  const row = await tx
    .selectFrom("deployments")
    .select("ready_state")
    .where("account_id", "=", account_id)
    .where("name", "=", name)
    .where("target", "=", "production")
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.ready_state;
}

interface NewDomain {
  name: string;
  gitBranch?: string | null | undefined;
  redirect?: string | null | undefined;
  redirectStatusCode?: number | null | undefined;
  customEnvironmentId?: string | null | undefined;
  /** Default: true if the account has verified the apex. */
  verified?: boolean | undefined;
  /** Twenty hex digits. Default: random. */
  challenge?: string | undefined;
}

/**
 * Adds a project domain. The caller has checked that the name is free.
 * @throws RangeError when `name` is not a domain
 * @source States and transitions, POST domain add
 */
export async function insertDomain(
  { tx, now }: Unit,
  project: Pick<ProjectRow, "id" | "account_id">,
  domain: NewDomain,
  id: string = newId("row"),
): Promise<DomainRow> {
  const parsed = parseDomain(domain.name);
  if (parsed === undefined) throw new RangeError(`${JSON.stringify(domain.name)} is not a domain name`);
  const { name, apexName } = parsed;
  const verified = domain.verified ?? (await apexStatusOf(tx, project.account_id, apexName)) === "proved";
  const others = tx.selectFrom("domains").where("account_id", "=", project.account_id);
  // The time is unique within the account, because lists of the account and of its projects are paged by this time.
  const createdAt = await nextTime(others, "created_at", now);
  return tx
    .insertInto("domains")
    .values({
      id,
      project_id: project.id,
      account_id: project.account_id,
      name,
      apex_name: apexName,
      verified: verified ? 1 : 0,
      challenge: domain.challenge ?? randomBytes(10).toString("hex"),
      git_branch: domain.gitBranch ?? null,
      custom_environment_id: domain.customEnvironmentId ?? null,
      redirect: domain.redirect ?? null,
      redirect_status_code: domain.redirectStatusCode ?? null,
      created_at: createdAt,
      updated_at: createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function changeDomain(
  { tx, now }: Unit,
  row: DomainRow,
  columns: Updateable<Database["domains"]>,
): Promise<DomainRow> {
  return tx
    .updateTable("domains")
    .set({ ...columns, updated_at: laterThan(row.updated_at, now) })
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The project domains of an account under an apex, without names in the service's own zones. */
export async function domainsUnder(tx: Tx, account: string, apex: string): Promise<DomainRow[]> {
  const rows = await tx
    .selectFrom("domains")
    .selectAll()
    .where("account_id", "=", account)
    .where("apex_name", "=", apex)
    .orderBy("created_at")
    .execute();
  return rows.filter(({ name }) => !isGiven(name));
}

/** The name of a project that is being transferred and has a domain under an apex. */
export async function transferringUnder(tx: Tx, account: string, apex: string): Promise<string | undefined> {
  const project = await tx
    .selectFrom("domains as d")
    .innerJoin("projects as p", "p.id", "d.project_id")
    .select("p.name")
    .where("d.account_id", "=", account)
    .where("d.apex_name", "=", apex)
    .where("p.transfer_to_account_id", "is not", null)
    .executeTakeFirst();
  return project?.name;
}

/** The ids of the projects of any account with this name. */
export async function projectsNamed(tx: Tx, name: string): Promise<string[]> {
  const rows = await tx.selectFrom("projects").select("id").where("name", "=", name).execute();
  return rows.map(({ id }) => id);
}
