import type { ScopeName } from "../access/scopes";
import { outbox } from "../events/outbox";
import { resumeReceiver } from "../events/receivers";
import { type Mail, queueMail } from "../mail/outbox";
import { Refusal } from "../platform/refusal";
import type { ConfigurationRow, IntegrationRow } from "../store/schema";
import type { Tx } from "../store/store";
import { confirmScopes, type GrantedScopes, ownerLeft, ownershipGraceMs, requestScopes } from "./rules";
import { lockConfigurations } from "./store";

/** What happens to installations after they were made: other scopes, other owners. */

const scopesOf = (row: ConfigurationRow): GrantedScopes => ({
  confirmed: JSON.parse(row.scopes),
  pending: JSON.parse(row.pending_scopes),
});

/**
 * An integration asks for another scope set, in all of its installations.
 * @source Authentication, 7
 */
export async function changeScopes(
  tx: Tx,
  integration: IntegrationRow,
  requested: readonly ScopeName[],
  now: number,
): Promise<void> {
  await tx
    .updateTable("integrations")
    .set({ scopes: JSON.stringify(requested) })
    .where("id", "=", integration.id)
    .execute();
  for (const row of await lockConfigurations(tx, "integration_id", integration.id)) {
    const { raised, ...scopes } = requestScopes(scopesOf(row), requested);
    await storeScopes(tx, row, scopes, now);
    if (raised.length > 0)
      await mailTo(tx, now, await affectedPeople(tx, row), askForScopes(integration, row, raised));
  }
}

/**
 * One person confirms all that is pending: from then on the installation's tokens have it.
 * @throws Refusal 409 when nothing is pending
 * @source Authentication, 7; Events
 */
export async function confirmPendingScopes(tx: Tx, id: string, user: string, now: number): Promise<void> {
  const [row] = await lockConfigurations(tx, "id", id);
  const pending = row ? scopesOf(row).pending : [];
  if (!row || pending.length === 0) {
    throw new Refusal(409, "conflict", "No scope change of this installation waits for a confirmation.");
  }
  const confirmed = confirmScopes(scopesOf(row));
  await storeScopes(tx, row, confirmed, now);
  await outbox(
    tx,
    row.account_id,
    user,
    now,
  )({
    type: "integration-configuration.scope-change-confirmed",
    payload: { configuration: { id: row.id, scopes: confirmed.confirmed } },
  });
}

async function storeScopes(
  tx: Tx,
  row: ConfigurationRow,
  { confirmed, pending }: GrantedScopes,
  now: number,
): Promise<void> {
  const columns = { scopes: JSON.stringify(confirmed), pending_scopes: JSON.stringify(pending) };
  if (columns.scopes === row.scopes && columns.pending_scopes === row.pending_scopes) return;
  await tx
    .updateTable("configurations")
    .set({ ...columns, updated_at: now })
    .where("id", "=", row.id)
    .execute();
}

/**
 * A member left a team: the installations that were theirs are disabled, and deleted unless the team acts.
 * @choice The owner of an installation is who installed it, or to whom it was handed over.
 * @source States and transitions, Integration configuration
 */
export async function disableOrphaned(tx: Tx, team: string, user: string, now: number): Promise<void> {
  const rows = await tx
    .updateTable("configurations")
    .set({
      disabled_at: now,
      disabled_reason: ownerLeft,
      delete_at: now + ownershipGraceMs,
      updated_at: now,
    })
    .where("account_id", "=", team)
    .where("user_id", "=", user)
    .returning(["id", "integration_id"])
    .execute();
  for (const { id, integration_id } of rows) {
    const { name } = await tx
      .selectFrom("integrations")
      .select("name")
      .where("id", "=", integration_id)
      .executeTakeFirstOrThrow();
    await mailTo(tx, now, await membersOf(tx, team), askForOwner(name, id, now));
  }
}

/**
 * Hands an installation over to another member of its team.
 * @choice That removes the reason for which it was disabled, so it works again at once.
 */
export async function transferOwnership(
  tx: Tx,
  row: ConfigurationRow,
  user: string,
  now: number,
): Promise<void> {
  await tx
    .updateTable("configurations")
    .set({ user_id: user, updated_at: now })
    .where("id", "=", row.id)
    .execute();
  await tx.updateTable("tokens").set({ user_id: user }).where("configuration_id", "=", row.id).execute();
  if (row.disabled_reason === ownerLeft) await enableConfiguration(tx, row, now);
  await outbox(
    tx,
    row.account_id,
    user,
    now,
  )({
    type: "integration-configuration.transferred",
    payload: {
      configuration: { id: row.id },
      installationId: row.id,
      previousTeamId: row.account_id,
      newTeamId: row.account_id,
      previousAccountId: row.user_id,
      newAccountId: user,
    },
  });
}

/**
 * Re-activates a configuration; it is no longer due to be deleted. One that is enabled stays as it is.
 * @choice The specification shows no operation for it. This one asks for no new owner: the team knows.
 */
export async function enableConfiguration(tx: Tx, row: ConfigurationRow, now: number): Promise<void> {
  if (row.disabled_at === null) return;
  await tx
    .updateTable("configurations")
    .set({ disabled_at: null, disabled_reason: null, delete_at: null, updated_at: now })
    .where("id", "=", row.id)
    .execute();
  await resumeReceiver(tx, row.id);
}

/** A person, or a team with an address of its own. */
interface Recipient {
  id: string;
  email: string | null;
}

async function mailTo(tx: Tx, now: number, people: Recipient[], mail: Omit<Mail, "to">): Promise<void> {
  const addresses = new Set(people.flatMap(({ email }) => email ?? []));
  for (const to of addresses) await queueMail(tx, now, { to, ...mail });
}

/** The person on whose account an installation is; or its user, while in the team, and the owners of the team. */
export async function affectedPeople(tx: Tx, row: ConfigurationRow): Promise<Recipient[]> {
  return tx
    .selectFrom("accounts as u")
    .leftJoin("members as m", (join) =>
      join.onRef("m.user_id", "=", "u.id").on("m.team_id", "=", row.account_id),
    )
    .select(["u.id", "u.email"])
    .where("u.kind", "=", "user")
    .where((eb) =>
      eb.or([eb("u.id", "=", row.account_id), eb("m.role", "=", "OWNER"), eb("m.user_id", "=", row.user_id)]),
    )
    .orderBy("u.slug")
    .execute();
}

/** Everybody in a team, and the team's own address where it has one. */
async function membersOf(tx: Tx, team: string): Promise<Recipient[]> {
  return tx
    .selectFrom("accounts as u")
    .leftJoin("members as m", (join) => join.onRef("m.user_id", "=", "u.id").on("m.team_id", "=", team))
    .select(["u.id", "u.email"])
    .where((eb) => eb.or([eb("u.id", "=", team), eb("m.user_id", "is not", null)]))
    .orderBy("u.slug")
    .execute();
}

const askForScopes = (
  { name }: IntegrationRow,
  { id }: ConfigurationRow,
  raised: readonly ScopeName[],
): Omit<Mail, "to"> => ({
  subject: `${name} asks for further permissions`,
  body: `The integration ${name} (installation ${id}) asks for: ${raised.join(", ")}.\nIt does not have them until you, or an owner of the team, confirm. One confirmation confirms all that is pending.`,
});

const askForOwner = (name: string, id: string, now: number): Omit<Mail, "to"> => ({
  subject: `${name} is disabled: its owner left the team`,
  body: `The owner of the integration ${name} (installation ${id}) left the team, so it is disabled.\nTransfer its ownership to another member within 30 days. Otherwise it is deleted on ${new Date(now + ownershipGraceMs).toISOString()}.`,
});
