import { accountById } from "../access/account-store";
import type { ScopeName } from "../access/scopes";
import { outbox } from "../events/outbox";
import { resumeReceiver } from "../events/receiver-store";
import { type Mail, nameInMail, queueMail } from "../mail/outbox";
import type { Unit } from "../store/store";
import {
  affectedPeople,
  disableInstallationsOf,
  membersOf,
  type Recipient,
  storeEnabled,
  storeOwner,
  storeRequestedScopes,
  storeScopes,
} from "./lifecycle-store";
import type { ConfigurationRow, IntegrationRow } from "./object";
import {
  confirmScopes,
  type GrantedScopes,
  nothingPending,
  ownerLeft,
  ownershipGraceMs,
  requestScopes,
} from "./rules";
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
  await storeRequestedScopes(tx, integration.id, requested);
  for (const row of await lockConfigurations(tx, "integration_id", integration.id)) {
    const { raised, ...scopes } = requestScopes(scopesOf(row), requested);
    await storeScopes({ tx, now }, row, scopes);
    if (raised.length > 0)
      await mailTo({ tx, now }, await affectedPeople(tx, row), askForScopes(integration, row, raised));
  }
}

/**
 * Confirms all pending scopes of an installation. The tokens of the installation then have these scopes.
 * @throws Refusal 409 when nothing is pending
 * @source Authentication, 7; Events
 */
export async function confirmPendingScopes({ tx, now }: Unit, id: string, user: string): Promise<void> {
  const [row] = await lockConfigurations(tx, "id", id);
  const pending = row ? scopesOf(row).pending : [];
  if (!row || pending.length === 0) throw nothingPending();
  const confirmed = confirmScopes(scopesOf(row));
  await storeScopes({ tx, now }, row, confirmed);
  const emit = outbox({ tx, now }, await accountById(tx, row.account_id), user);
  await emit({
    type: "integration-configuration.scope-change-confirmed",
    payload: { configuration: { id: row.id, scopes: confirmed.confirmed } },
  });
}

/**
 * Disables the installations of a member who left the team. They are deleted later, unless they are enabled again.
 * @choice The owner of an installation is the user who installed it, or who took over its ownership.
 * @source States and transitions, Integration configuration
 */
export async function disableOrphaned({ tx, now }: Unit, team: string, user: string): Promise<void> {
  for (const { id, name } of await disableInstallationsOf({ tx, now }, team, user)) {
    await mailTo({ tx, now }, await membersOf(tx, team), askForOwner(name, id, now));
  }
}

/**
 * Transfers the ownership of an installation to another member of its team.
 * @choice This also enables the installation, since it has an owner again.
 */
export async function transferOwnership(
  { tx, now }: Unit,
  row: ConfigurationRow,
  user: string,
): Promise<void> {
  await storeOwner({ tx, now }, row.id, user);
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
 * @choice The specification has no operation that enables an installation. Here, no new owner is required.
 */
export async function enableConfiguration({ tx, now }: Unit, row: ConfigurationRow): Promise<void> {
  if (row.disabled_at === null) return;
  await storeEnabled({ tx, now }, row.id);
  await resumeReceiver(tx, row.id);
}

async function mailTo(unit: Unit, people: Recipient[], mail: Omit<Mail, "to">): Promise<void> {
  const addresses = new Set(people.flatMap(({ email }) => email ?? []));
  for (const to of addresses) await queueMail(unit, { to, ...mail });
}

const askForScopes = (
  { name }: IntegrationRow,
  { id }: ConfigurationRow,
  raised: readonly ScopeName[],
): Omit<Mail, "to"> => ({
  subject: `${nameInMail(name)} requests more permissions`,
  body: `The integration ${nameInMail(name)} (installation ${id}) asks for: ${raised.join(", ")}.\nIt does not have them until you or an owner of the team confirms the request. One confirmation covers all pending permissions.`,
});

const askForOwner = (name: string, id: string, now: number): Omit<Mail, "to"> => ({
  subject: `${nameInMail(name)} is disabled: its owner left the team`,
  body: `The owner of the integration ${nameInMail(name)} (installation ${id}) left the team, so it is disabled.\nTransfer its ownership to another member within 30 days. Otherwise it is deleted on ${new Date(now + ownershipGraceMs).toISOString()}.`,
});
