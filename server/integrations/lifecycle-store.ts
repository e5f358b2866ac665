import type { ScopeName } from "../access/scopes";
import type { Tx, Unit } from "../store/store";
import type { ConfigurationRow } from "./object";
import { type GrantedScopes, ownerLeft, ownershipGraceMs } from "./rules";

/** Queries that change installations, and queries for the recipients of mail about them. */

export async function storeRequestedScopes(
  tx: Tx,
  integration: string,
  requested: readonly ScopeName[],
): Promise<void> {
  await tx
    .updateTable("integrations")
    .set({ scopes: JSON.stringify(requested) })
    .where("id", "=", integration)
    .execute();
}

export async function storeScopes(
  { tx, now }: Unit,
  row: ConfigurationRow,
  { confirmed, pending }: GrantedScopes,
): Promise<void> {
  const columns = { scopes: JSON.stringify(confirmed), pending_scopes: JSON.stringify(pending) };
  if (columns.scopes === row.scopes && columns.pending_scopes === row.pending_scopes) return;
  await tx
    .updateTable("configurations")
    .set({ ...columns, updated_at: now })
    .where("id", "=", row.id)
    .execute();
}

/** Disables the installations of a user on an account. @returns their ids, and the names of their integrations */
export async function disableInstallationsOf(
  { tx, now }: Unit,
  account: string,
  user: string,
): Promise<{ id: string; name: string }[]> {
  const rows = await tx
    .updateTable("configurations")
    .set({
      disabled_at: now,
      disabled_reason: ownerLeft,
      delete_at: now + ownershipGraceMs,
      updated_at: now,
    })
    .where("account_id", "=", account)
    .where("user_id", "=", user)
    .returning(["id", "integration_id"])
    .execute();
  const disabled: { id: string; name: string }[] = [];
  for (const { id, integration_id } of rows) {
    const { name } = await tx
      .selectFrom("integrations")
      .select("name")
      .where("id", "=", integration_id)
      .executeTakeFirstOrThrow();
    disabled.push({ id, name });
  }
  return disabled;
}

/** Makes a user the owner of an installation, and of its tokens. */
export async function storeOwner({ tx, now }: Unit, configuration: string, user: string): Promise<void> {
  await tx
    .updateTable("configurations")
    .set({ user_id: user, updated_at: now })
    .where("id", "=", configuration)
    .execute();
  await tx
    .updateTable("tokens")
    .set({ user_id: user })
    .where("configuration_id", "=", configuration)
    .execute();
}

export async function storeEnabled({ tx, now }: Unit, configuration: string): Promise<void> {
  await tx
    .updateTable("configurations")
    .set({ disabled_at: null, disabled_reason: null, delete_at: null, updated_at: now })
    .where("id", "=", configuration)
    .execute();
}

/** A user, or a team with an address of its own. */
export interface Recipient {
  id: string;
  email: string | null;
}

/** The recipients of mail about an installation: its user, if still in the team, and the owners of the team. */
export async function affectedPeople(tx: Tx, row: ConfigurationRow): Promise<Recipient[]> {
  return tx
    .selectFrom("accounts as u")
    .leftJoin("members as m", (join) =>
      join.onRef("m.user_id", "=", "u.id").on("m.team_id", "=", row.account_id).on("m.confirmed", "=", 1),
    )
    .select(["u.id", "u.email"])
    .where("u.kind", "=", "user")
    .where((eb) =>
      eb.or([eb("u.id", "=", row.account_id), eb("m.role", "=", "OWNER"), eb("m.user_id", "=", row.user_id)]),
    )
    .orderBy("u.slug")
    .execute();
}

/** All members of a team, and the team itself if it has an address. */
export async function membersOf(tx: Tx, team: string): Promise<Recipient[]> {
  return tx
    .selectFrom("accounts as u")
    .leftJoin("members as m", (join) =>
      join.onRef("m.user_id", "=", "u.id").on("m.team_id", "=", team).on("m.confirmed", "=", 1),
    )
    .select(["u.id", "u.email"])
    .where((eb) => eb.or([eb("u.id", "=", team), eb("m.user_id", "is not", null)]))
    .orderBy("u.slug")
    .execute();
}
