import { accountById } from "../access/accounts";
import type { ScopeName } from "../access/scopes";
import { outbox } from "../events/outbox";
import { resumeReceiver } from "../events/receivers";
import { type Mail, queueMail } from "../mail/outbox";
import { Refusal } from "../platform/refusal";
import type { ConfigurationRow, IntegrationRow } from "../store/schema";
import type { Tx, Unit } from "../store/store";
import { confirmScopes, type GrantedScopes, ownerLeft, ownershipGraceMs, requestScopes } from "./rules";
import { lockConfigurations } from "./store";

/** Changes of installations: scopes, owners, disabling and enabling. */

const scopesOf = (row: ConfigurationRow): GrantedScopes => ({
  confirmed: JSON.parse(row.scopes),
  pending: JSON.parse(row.pending_scopes),
});

/**
 * Changes the scopes that an integration requests, in all of its installations.
 * @source Authentication, 7
 */
export async function changeScopes(
  { tx, now }: Unit,
  integration: IntegrationRow,
  requested: readonly ScopeName[],
): Promise<void> {
  await tx
    .updateTable("integrations")
    .set({ scopes: JSON.stringify(requested) })
    .where("id", "=", integration.id)
    .execute();
  for (const row of await lockConfigurations(tx, "integration_id", integration.id)) {
    const { raised, ...scopes } = requestScopes(scopesOf(row), requested);
    await storeScopes({ tx, now }, row, scopes);
    if (raised.length > 0)
      await mailTo({ tx, now }, await affectedPeople(tx, row), askForScopes(integration, row, raised));
  }
}

/**
 * Confirms all pending scopes of an installation, which its tokens then have.
 * @throws Refusal 409 when nothing is pending
 * @source Authentication, 7; Events
 */
export async function confirmPendingScopes({ tx, now }: Unit, id: string, user: string): Promise<void> {
  const [row] = await lockConfigurations(tx, "id", id);
  const pending = row ? scopesOf(row).pending : [];
  if (!row || pending.length === 0) {
    throw new Refusal(409, "conflict", "This installation has no pending scopes to confirm.");
  }
  const confirmed = confirmScopes(scopesOf(row));
  await storeScopes({ tx, now }, row, confirmed);
  const emit = outbox({ tx, now }, await accountById(tx, row.account_id), user);
  await emit({
    type: "integration-configuration.scope-change-confirmed",
    payload: { configuration: { id: row.id, scopes: confirmed.confirmed } },
  });
}

async function storeScopes(
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

/**
 * Disables the installations of a member who left the team. They are deleted later unless the team acts.
 * @choice The owner of an installation is the user who installed it, or who took over its ownership.
 * @source States and transitions, Integration configuration
 */
export async function disableOrphaned({ tx, now }: Unit, team: string, user: string): Promise<void> {
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
    await mailTo({ tx, now }, await membersOf(tx, team), askForOwner(name, id, now));
  }
}

/**
 * Transfers the ownership of an installation to another member of its team.
 * @choice That also enables it, since it has an owner again.
 */
export async function transferOwnership(
  { tx, now }: Unit,
  row: ConfigurationRow,
  user: string,
): Promise<void> {
  await tx
    .updateTable("configurations")
    .set({ user_id: user, updated_at: now })
    .where("id", "=", row.id)
    .execute();
  await tx.updateTable("tokens").set({ user_id: user }).where("configuration_id", "=", row.id).execute();
  if (row.disabled_reason === ownerLeft) await enableConfiguration({ tx, now }, row);
  const emit = outbox({ tx, now }, await accountById(tx, row.account_id), user);
  await emit({
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
 * Enables a disabled configuration and cancels its deletion.
 * @choice The specification has no operation for it. This one needs no new owner.
 */
export async function enableConfiguration({ tx, now }: Unit, row: ConfigurationRow): Promise<void> {
  if (row.disabled_at === null) return;
  await tx
    .updateTable("configurations")
    .set({ disabled_at: null, disabled_reason: null, delete_at: null, updated_at: now })
    .where("id", "=", row.id)
    .execute();
  await resumeReceiver(tx, row.id);
}

/** A user, or a team with an address of its own. */
interface Recipient {
  id: string;
  email: string | null;
}

async function mailTo(unit: Unit, people: Recipient[], mail: Omit<Mail, "to">): Promise<void> {
  const addresses = new Set(people.flatMap(({ email }) => email ?? []));
  for (const to of addresses) await queueMail(unit, { to, ...mail });
}

/** The recipients of mail about an installation: its user, if still in the team, and the owners of the team. */
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

/** All members of a team, and the team itself if it has an address. */
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
  subject: `${name} requests more permissions`,
  body: `The integration ${name} (installation ${id}) asks for: ${raised.join(", ")}.\nIt does not have them until you or an owner of the team confirms the request. One confirmation covers all pending permissions.`,
});

const askForOwner = (name: string, id: string, now: number): Omit<Mail, "to"> => ({
  subject: `${name} is disabled: its owner left the team`,
  body: `The owner of the integration ${name} (installation ${id}) left the team, so it is disabled.\nTransfer its ownership to another member within 30 days. Otherwise it is deleted on ${new Date(now + ownershipGraceMs).toISOString()}.`,
});
