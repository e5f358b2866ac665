import type { Insertable, Updateable } from "kysely";
import type { ConfigurationRow, IntegrationRow } from "../integrations/object";
import type { ProjectRow } from "../projects/object";
import type { Tx, Unit } from "../store/store";
import type { Database } from "../store/tables";

/** The queries of seeds. They write rows that no request creates, and ids and times that no request sets. */

/** Rows per insert statement, since both engines limit the number of parameters. */
const chunk = 500;

type WithId =
  | "accounts"
  | "domain_records"
  | "deployments"
  | "env_vars"
  | "log_drains"
  | "edge_configs"
  | "shared_env_vars"
  | "webhooks";

export async function hasRow(tx: Tx, table: WithId, id: string): Promise<boolean> {
  const row = await tx.selectFrom(table).select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}

/** Adds rows, many per statement. */
export async function insertRows<T extends "deployments" | "domains">(
  tx: Tx,
  table: T,
  rows: readonly Database[T][],
): Promise<void> {
  for (let at = 0; at < rows.length; at += chunk)
    await tx
      .insertInto(table)
      .values(rows.slice(at, at + chunk) as never)
      .execute();
}

export async function isEmpty(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) === undefined;
}

/** Returns the slug of an account by its id. */
export async function slugOfId(tx: Tx, id: string): Promise<string | undefined> {
  return (await tx.selectFrom("accounts").select("slug").where("id", "=", id).executeTakeFirst())?.slug;
}

export async function insertAccount(tx: Tx, row: Insertable<Database["accounts"]>): Promise<void> {
  await tx.insertInto("accounts").values(row).execute();
}

/** Adds a token of a user. If the token exists, changes its user and its account. */
export async function putTokenRow(
  { tx, now }: Unit,
  hash: string,
  owner: { user_id: string; account_id: string | null },
): Promise<void> {
  await tx
    .insertInto("tokens")
    .values({ hash, ...owner, configuration_id: null, created_at: now })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet(owner))
    .execute();
}

export async function removeToken(tx: Tx, hash: string): Promise<void> {
  await tx.deleteFrom("tokens").where("hash", "=", hash).execute();
}

export async function hasToken(tx: Tx, hashes: readonly string[]): Promise<boolean> {
  const known = await tx.selectFrom("tokens").select("hash").where("hash", "in", hashes).executeTakeFirst();
  return known !== undefined;
}

/** Returns the id of the installation that has a token; null for a user's token, undefined for an unknown token. */
export async function installationOfToken(tx: Tx, hash: string): Promise<string | null | undefined> {
  const known = await tx
    .selectFrom("tokens")
    .select("configuration_id")
    .where("hash", "=", hash)
    .executeTakeFirst();
  return known?.configuration_id;
}

/** Returns a row for each token and each team that its user is a confirmed member of, ordered by the id of the team. */
export const teamsOfTokens = (tx: Tx, hashes: readonly string[]) =>
  tx
    .selectFrom("tokens as t")
    .innerJoin("members as m", "m.user_id", "t.user_id")
    .innerJoin("accounts as team", "team.id", "m.team_id")
    .innerJoin("accounts as user", "user.id", "t.user_id")
    .select(["t.hash", "team.id", "team.slug", "user.slug as user"])
    .where("t.hash", "in", hashes)
    .where("m.confirmed", "=", 1)
    .orderBy("team.id")
    .execute();

/** Adds a connection of an account to a Git provider. If it exists, replaces its repositories and webhooks. */
export async function putProviderRow(tx: Tx, row: Insertable<Database["git_providers"]>): Promise<void> {
  const { repos, webhooks } = row;
  await tx
    .insertInto("git_providers")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "type"]).doUpdateSet({ repos, webhooks }))
    .execute();
}

/** Finds an integration by slug or client id. */
export function findIntegration(tx: Tx, key: string): Promise<IntegrationRow | undefined> {
  return tx
    .selectFrom("integrations")
    .selectAll()
    .where((eb) => eb.or([eb("slug", "=", key), eb("id", "=", key)]))
    .executeTakeFirst();
}

export async function slugOfIntegration(tx: Tx, id: string): Promise<string | undefined> {
  return (await tx.selectFrom("integrations").select("slug").where("id", "=", id).executeTakeFirst())?.slug;
}

export async function insertIntegration(tx: Tx, row: Insertable<Database["integrations"]>): Promise<void> {
  await tx.insertInto("integrations").values(row).execute();
}

export async function changeIntegration(
  tx: Tx,
  id: string,
  columns: Updateable<Database["integrations"]>,
): Promise<void> {
  await tx.updateTable("integrations").set(columns).where("id", "=", id).execute();
}

export const configurationById = (tx: Tx, id: string): Promise<ConfigurationRow | undefined> =>
  tx.selectFrom("configurations").selectAll().where("id", "=", id).executeTakeFirst();

/** Finds a project by name or id. */
export const projectNamed = (tx: Tx, account: string, key: string): Promise<ProjectRow | undefined> =>
  tx
    .selectFrom("projects")
    .selectAll()
    .where("account_id", "=", account)
    .where((eb) => eb.or([eb("name", "=", key), eb("id", "=", key)]))
    .executeTakeFirst();

/** Returns the name of a project by its id, in any account. */
export async function nameOfProject(tx: Tx, id: string): Promise<string | undefined> {
  return (await tx.selectFrom("projects").select("name").where("id", "=", id).executeTakeFirst())?.name;
}

/** Sets columns of a project. `updated_at` changes only if it is among these columns. */
export async function setProjectColumns(
  tx: Tx,
  id: string,
  columns: Updateable<Database["projects"]>,
): Promise<void> {
  await tx.updateTable("projects").set(columns).where("id", "=", id).execute();
}

/**
 * Returns the first time, from `given` on, at which no other project of the account was changed. Lists of projects are
 * paged by this time.
 */
export async function freeUpdatedAt(
  tx: Tx,
  { id, account_id }: Pick<ProjectRow, "id" | "account_id">,
  given: number,
): Promise<number> {
  for (let at = given; ; at++) {
    const other = await tx
      .selectFrom("projects")
      .select("id")
      .where("account_id", "=", account_id)
      .where("updated_at", "=", at)
      .where("id", "!=", id)
      .executeTakeFirst();
    if (!other) return at;
  }
}

/** Adds a custom environment, unless its project already has one with this slug. */
export async function addEnvironmentRow(
  tx: Tx,
  row: Insertable<Database["custom_environments"]>,
): Promise<void> {
  await tx
    .insertInto("custom_environments")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Adds an alias, unless an alias with this name exists. */
export async function addAliasRow(tx: Tx, row: Insertable<Database["aliases"]>): Promise<void> {
  await tx
    .insertInto("aliases")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const deploymentOf = (tx: Tx, account: string, id: string) =>
  tx
    .selectFrom("deployments")
    .select(["id", "creator_id"])
    .where("id", "=", id)
    .where("account_id", "=", account)
    .executeTakeFirst();

export const allDeployments = (tx: Tx) =>
  tx.selectFrom("deployments").select(["id", "account_id", "created_at"]).execute();

export const allDomains = (tx: Tx) =>
  tx.selectFrom("domains").select(["account_id", "project_id", "name", "verified", "created_at"]).execute();

export const variablesOfProject = (tx: Tx, project: string) =>
  tx.selectFrom("env_vars").select(["id", "created_at"]).where("project_id", "=", project).execute();
