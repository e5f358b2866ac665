import { accountById } from "../access/account-store";
import { cover, describeConfiguration } from "../access/coverage-store";
import { tokens } from "../access/object";
import type { ScopeName } from "../access/scopes";
import { outbox } from "../events/outbox";
import { dropWaiting } from "../events/receiver-store";
import { newId, newSecret } from "../platform/ids";
import { tokenHash } from "../platform/vault";
import type { Tx, Unit } from "../store/store";
import { type ConfigurationRow, configurations, type IntegrationRow } from "./object";
import { codeLifetimeMs, isOver } from "./rules";

/** A configuration with the slug of its integration and the kind of its account. */
export type Installed = ConfigurationRow & { slug: string; account_kind: "user" | "team" };

export interface NewConfiguration {
  id?: string | undefined;
  integrationId: string;
  accountId: string;
  userId: string;
  scopes: readonly ScopeName[];
  /** The ids of the projects that the installation covers; undefined if it covers all projects of the account. */
  projects: readonly string[] | undefined;
  source: ConfigurationRow["source"];
}

/**
 * Stores an installation as a new configuration, even if the account already has one of the same integration.
 * @source Integration configuration
 */
export async function insertConfiguration(
  { tx, now }: Unit,
  {
    id = newId(configurations),
    integrationId,
    accountId,
    userId,
    scopes,
    projects,
    source,
  }: NewConfiguration,
): Promise<string> {
  await tx
    .insertInto("configurations")
    .values({
      id,
      integration_id: integrationId,
      account_id: accountId,
      user_id: userId,
      scopes: JSON.stringify(scopes),
      pending_scopes: "[]",
      selected: projects ? 1 : 0,
      source,
      completed_at: null,
      disabled_at: null,
      disabled_reason: null,
      delete_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await cover(tx, id, projects ?? []);
  return id;
}

interface Wanted {
  account: string;
  /** Limits the list to the configuration with this id. */
  id?: string | undefined;
  integrationIdOrSlug?: string | undefined;
  installationType?: "marketplace" | "external" | undefined;
}

/** The installations of an account, the newest first. */
export function listConfigurations(
  tx: Tx,
  { account, id, integrationIdOrSlug: key, installationType }: Wanted,
): Promise<Installed[]> {
  let list = selectInstalled(tx).where("c.account_id", "=", account);
  if (id !== undefined) list = list.where("c.id", "=", id);
  if (key !== undefined) list = list.where((eb) => eb.or([eb("i.id", "=", key), eb("i.slug", "=", key)]));
  if (installationType !== undefined)
    list = list.where("c.source", installationType === "marketplace" ? "=" : "!=", "marketplace");
  return list.execute();
}

/** Configurations with their integration's slug, the newest first. */
export function selectInstalled(tx: Tx) {
  return tx
    .selectFrom("configurations as c")
    .innerJoin("integrations as i", "i.id", "c.integration_id")
    .innerJoin("accounts as a", "a.id", "c.account_id")
    .selectAll("c")
    .select(["i.slug", "a.kind as account_kind"])
    .orderBy("c.created_at", "desc")
    .orderBy("c.id");
}

/**
 * Finds a configuration. A configuration that is due for deletion is not found, even if it still has a row.
 */
export async function findConfiguration({ tx, now }: Unit, id: string): Promise<Installed | undefined> {
  const row = await selectInstalled(tx).where("c.id", "=", id).executeTakeFirst();
  return row && !isOver(row.delete_at, now) ? row : undefined;
}

/** Creates an authorization code. Only its hash is stored. */
export async function issueCode({ tx, now }: Unit, configuration: string): Promise<string> {
  const code = newSecret(32);
  await tx
    .insertInto("codes")
    .values({
      hash: tokenHash(code),
      configuration_id: configuration,
      expires_at: now + codeLifetimeMs,
      used_at: null,
    })
    .execute();
  return code;
}

/** @returns false for a code that was used before, even by a concurrent unit */
export async function markCodeUsed({ tx, now }: Unit, hash: string): Promise<boolean> {
  const used = await tx
    .updateTable("codes")
    .set({ used_at: now })
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .returning("hash")
    .executeTakeFirst();
  return used !== undefined;
}

/** Finds an integration by slug or client id. */
export const findIntegration = (tx: Tx, key: string): Promise<IntegrationRow | undefined> =>
  tx
    .selectFrom("integrations")
    .selectAll()
    .where((eb) => eb.or([eb("slug", "=", key), eb("id", "=", key)]))
    .executeTakeFirst();

/** Stores an access token of an installation. */
export async function insertToken(
  { tx, now }: Unit,
  row: Pick<ConfigurationRow, "id" | "account_id" | "user_id">,
  token: string,
): Promise<void> {
  await tx
    .insertInto("tokens")
    .values({
      hash: tokenHash(token),
      id: newId(tokens),
      name: row.id,
      user_id: row.user_id,
      account_id: row.account_id,
      configuration_id: row.id,
      suffix: null,
      created_at: now,
      expires_at: null,
    })
    .execute();
}

/**
 * Locks configurations, so that no other unit changes them before this one.
 */
export async function lockConfigurations(
  tx: Tx,
  column: "id" | "integration_id",
  value: string,
): Promise<ConfigurationRow[]> {
  const rows = await tx
    .updateTable("configurations")
    .set((eb) => ({ updated_at: eb.ref("updated_at") }))
    .where(column, "=", value)
    .returningAll()
    .execute();
  return rows.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
}

/**
 * Removes an installation with its tokens, codes and log drains. Its id is never used again.
 * @param user id of the user who removed it; null when it was due for deletion
 * @returns false when another unit has removed it first
 * @choice The variables that the installation created are kept, since projects may need them.
 */
export async function removeConfiguration(
  { tx, now }: Unit,
  id: string,
  user: string | null,
): Promise<boolean> {
  const [row] = await lockConfigurations(tx, "id", id);
  if (!row) return false;
  // The event is emitted before the rows are deleted, so that the outbox still finds the receiver.
  const emit = outbox({ tx, now }, await accountById(tx, row.account_id), user);
  await emit({
    type: "integration-configuration.removed",
    payload: { configuration: await describeConfiguration(tx, row) },
  });
  await dropWaiting(tx, row.id);
  for (const table of ["tokens", "codes", "configuration_projects", "log_drains"] as const) {
    await tx.deleteFrom(table).where("configuration_id", "=", row.id).execute();
  }
  await tx.deleteFrom("configurations").where("id", "=", row.id).execute();
  await tx.insertInto("retired_ids").values({ id: row.id }).execute();
  return true;
}

/** Tells whether an installation is due for deletion. */
/** Deletes the installations of an account that are due for deletion. */
export async function deleteDueConfigurations({ tx, now }: Unit, account: string): Promise<void> {
  const due = await tx
    .selectFrom("configurations")
    .select("id")
    .where("delete_at", "<=", now)
    .where("account_id", "=", account)
    .orderBy("delete_at")
    .orderBy("id")
    .execute();
  for (const { id } of due) await removeConfiguration({ tx, now }, id, null);
}
