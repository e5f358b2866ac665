import { sql } from "kysely";
import { reachOf } from "../access/project-store";
import { noNumber, noText, productionNames } from "../deployments/name-store";
import type { DeploymentRow } from "../deployments/object";
import { projectNameIn } from "../domains/names";
import type { Call } from "../http/route";
import { newId } from "../platform/ids";
import { laterThan } from "../store/monotonic";
import { findRow } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import { deleteOthersExceptions } from "./exception-store";
import type { AliasRow } from "./object";
import type { AliasFilters } from "./schema";

type Viewer = Pick<Call, "tx" | "account" | "caller">;

/** A name that points to a deployment, joined with the columns of the deployment that the view needs. */
export interface FoundAlias {
  /** null for a name of a project. */
  id: string | null;
  alias: string;
  redirect: string | null;
  redirect_status_code: number | null;
  created_at: number;
  updated_at: number;
  deployment_id: string;
  url: string;
  project_id: string | null;
  creator_id: string;
  email: string | null;
  username: string | null;
}

/** The URLs of an account's deployments: one of them, or those that have exceptions from deployment protection. */
function urls(tx: Tx, account: string, only?: string) {
  const all = tx.selectFrom("deployments as u").where("u.account_id", "=", account);
  const exceptions = tx.selectFrom("protection_exceptions").select("alias");
  return all
    .where("u.url", "in", only === undefined ? exceptions : [only])
    .select([
      noText.as("id"),
      "u.url as alias",
      noText.as("redirect"),
      noNumber.as("redirect_status_code"),
      "u.created_at",
      "u.created_at as updated_at",
      "u.id as deployment_id",
      sql<string | null>`u.creator_id`.as("creator_id"),
    ]);
}

/**
 * All names of an account's deployments that a caller may see: aliases, the names of projects, and URLs.
 * @choice A list has only the URLs that have exceptions.
 * @param url the only URL to look for. Default: those that have exceptions
 */
function visible({ tx, account, caller }: Viewer, url?: string) {
  const aliases = tx
    .selectFrom("aliases as a")
    .where("a.account_id", "=", account.id)
    .select([
      sql<string | null>`a.id`.as("id"),
      "a.alias",
      "a.redirect",
      noNumber.as("redirect_status_code"),
      "a.created_at",
      "a.updated_at",
      "a.deployment_id",
      sql<string | null>`a.creator_id`.as("creator_id"),
    ]);
  const all = tx
    .selectFrom(
      aliases
        .unionAll(productionNames(tx, account.id))
        .unionAll(urls(tx, account.id, url))
        .as("found"),
    )
    .innerJoin("deployments as d", "d.id", "found.deployment_id")
    .leftJoin("projects as p", (join) =>
      join.onRef("p.account_id", "=", "d.account_id").onRef("p.name", "=", "d.name"),
    )
    .leftJoin("accounts as u", (join) =>
      join.on("u.id", "=", (eb) => eb.fn.coalesce("found.creator_id", "d.creator_id")),
    )
    .select([
      "found.id",
      "found.alias",
      "found.redirect",
      "found.redirect_status_code",
      "found.created_at",
      "found.updated_at",
      "found.deployment_id",
      "d.url",
      "p.id as project_id",
      (eb) => eb.fn.coalesce("found.creator_id", "d.creator_id").as("creator_id"),
      "u.email",
      "u.slug as username",
    ]);
  const reach = reachOf(tx, caller);
  return reach === undefined ? all : all.where("p.id", "in", reach);
}

function selected(
  viewer: Viewer,
  { from, since, until, projectId }: Omit<AliasFilters, "limit">,
  url?: string,
) {
  let list = visible(viewer, url);
  for (const time of [from, since]) if (time !== undefined) list = list.where("found.created_at", ">", time);
  if (until !== undefined) list = list.where("found.created_at", "<", until);
  if (projectId !== undefined) list = list.where("p.id", "=", projectId);
  return list;
}

/**
 * A page of the account's aliases, the newest first. Names that were created at the same time are on the same page, so
 * a page may be larger than `size`.
 * @returns `more`: true if there are older aliases
 */
export async function findAliases(
  viewer: Viewer,
  { domain, ...query }: AliasFilters,
  size: number,
): Promise<{ rows: FoundAlias[]; more: boolean }> {
  let list = selected(viewer, query);
  if (domain !== undefined)
    list = list.where((eb) =>
      eb.or(
        domain.flatMap((name) => [
          eb("found.alias", "=", name),
          sql<boolean>`substr(found.alias, length(found.alias) - ${sql.lit(name.length)}) = ${`.${name}`}`,
        ]),
      ),
    );
  const ordered = list.orderBy("found.created_at", "desc").orderBy("found.alias");
  const rows = await ordered.limit(size + 1).execute();
  const last = rows[size - 1];
  if (last === undefined || rows.length <= size) return { rows, more: false };
  const newer = rows.filter(({ created_at }) => created_at > last.created_at);
  const together = await list
    .where("found.created_at", "=", last.created_at)
    .orderBy("found.alias")
    .execute();
  const older = await list.where("found.created_at", "<", last.created_at).limit(1).execute();
  return { rows: [...newer, ...together], more: older.length > 0 };
}

/** @param key id or name */
export function findAlias(
  viewer: Viewer,
  key: string,
  query: Omit<AliasFilters, "limit" | "domain"> = {},
): Promise<FoundAlias | undefined> {
  return selected(viewer, query, key)
    .where((eb) => eb.or([eb("found.id", "=", key), eb("found.alias", "=", key)]))
    .executeTakeFirst();
}

export function aliasesOf(viewer: Viewer, deployment: string): Promise<FoundAlias[]> {
  return visible(viewer)
    .where("found.deployment_id", "=", deployment)
    .orderBy("found.created_at", "desc")
    .orderBy("found.alias")
    .execute();
}

/** True for the default domain of a project, and for a project domain that is verified or belongs to this account. */
export async function isNameOfProject(tx: Tx, account: string, name: string): Promise<boolean> {
  const projectName = projectNameIn(name);
  if (projectName !== undefined) {
    const named = tx.selectFrom("projects").select("id").where("name", "=", projectName);
    if (await named.executeTakeFirst()) return true;
  }
  const domain = await tx
    .selectFrom("domains")
    .select("id")
    .where("name", "=", name)
    .where((eb) => eb.or([eb("verified", "=", 1), eb("account_id", "=", account)]))
    .executeTakeFirst();
  return domain !== undefined;
}

/** Points a name to a deployment. If the name has an alias already (`current`), that alias is changed. */
export async function writeAlias(
  { tx, now }: Unit,
  deployment: DeploymentRow,
  {
    name,
    redirect,
    creator,
    current,
  }: {
    name: string;
    redirect: string | null;
    creator: string;
    current: AliasRow | undefined;
  },
): Promise<AliasRow> {
  if (current) {
    const project = await findRow(tx, "projects", {
      account_id: deployment.account_id,
      name: deployment.name,
    });
    await deleteOthersExceptions(tx, name, project?.id ?? "");
    return tx
      .updateTable("aliases")
      .set({ deployment_id: deployment.id, redirect, updated_at: laterThan(current.updated_at, now) })
      .where("id", "=", current.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  return tx
    .insertInto("aliases")
    .values({
      id: newId("row"),
      account_id: deployment.account_id,
      deployment_id: deployment.id,
      alias: name,
      redirect,
      creator_id: creator,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
