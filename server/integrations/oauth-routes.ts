import { type Account, sameSecret } from "../access/caller";
import { openRoute, type Route } from "../http/route";
import { damaged, damagedData } from "../platform/damage";
import { newSecret } from "../platform/ids";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { tokenHash } from "../platform/vault";
import type { IntegrationRow } from "../store/schema";
import type { Tx, Unit } from "../store/store";
import { isOver } from "./rules";
import { exchange, exchanged } from "./schema";
import { findConfiguration, type Installed, insertToken } from "./store";

const invalidGrant = (message: string): Refusal => new Refusal(400, "invalid_grant", message);

/**
 * Needs no access token: the client's secret and its code identify the caller.
 * @choice A refused attempt does not use up the code, so that a client can correct its redirect URL.
 *   A disabled installation gets no token, as every request of it is refused.
 * @source Token exchange; Authentication, 3; wire-shapes 8
 */
const exchangeCode = openRoute({
  method: "POST",
  path: "/v2/oauth/access_token",
  summary: "Exchanges an authorization code, once, for a long-lived access token.",
  form: true,
  body: exchange,
  success: [200, exchanged],
  throws: [
    [
      400,
      "invalid_grant",
      "the code is unknown, used, expired or another integration's, or the redirect URL differs",
    ],
    [401, "invalid_client", "unknown client, or wrong secret"],
    [403, "integration_configuration_disabled", "the installation is disabled"],
    damagedData,
  ],
  async handle({ tx, body, now, services }) {
    const integration = await findClient(tx, services, body.client_id, body.client_secret);
    if (body.redirect_uri !== integration.redirect_url) {
      throw invalidGrant("The redirect_uri differs from the redirect URL of the integration. Send that one.");
    }
    const row = await useCode({ tx, now }, integration, body.code);
    const token = newSecret("token");
    await insertToken({ tx, now }, row, token);
    return {
      token_type: "Bearer",
      access_token: token,
      installation_id: row.id,
      user_id: row.user_id,
      team_id: teamOf(row),
    };
  },
});

const teamOf = (row: Installed): Account["id"] | null =>
  row.account_kind === "team" ? row.account_id : null;

async function findClient(
  tx: Tx,
  { vault, log }: Services,
  id: string,
  secret: string,
): Promise<IntegrationRow> {
  const row = await tx.selectFrom("integrations").selectAll().where("id", "=", id).executeTakeFirst();
  const kept = row && vault.tryOpen(row.id, row.client_secret);
  if (row && kept === undefined) throw damaged(log, "the client secret of an integration", row.id);
  if (row && kept !== undefined && sameSecret(secret, kept)) return row;
  throw new Refusal(401, "invalid_client", "The client_id is unknown, or the client_secret is wrong.");
}

/** Marks a code as used, so that only one of two concurrent requests gets a token. */
async function useCode({ tx, now }: Unit, integration: IntegrationRow, code: string): Promise<Installed> {
  const hash = tokenHash(code);
  const found = await tx.selectFrom("codes").selectAll().where("hash", "=", hash).executeTakeFirst();
  const row = found && (await findConfiguration({ tx, now }, found.configuration_id));
  if (!row || row.integration_id !== integration.id) {
    throw invalidGrant("The code is unknown, or belongs to another integration.");
  }
  if (isOver(found.expires_at, now))
    throw invalidGrant(
      "The code has expired: it is valid for 30 minutes. Install the integration again to get another one.",
    );
  if (row.disabled_at !== null) {
    throw new Refusal(
      403,
      "integration_configuration_disabled",
      "The integration configuration is disabled.",
    );
  }
  const used = await tx
    .updateTable("codes")
    .set({ used_at: now })
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .returning("hash")
    .executeTakeFirst();
  if (!used) throw invalidGrant("The code was used before. A code can be exchanged once.");
  if (row.completed_at === null) {
    await tx.updateTable("configurations").set({ completed_at: now }).where("id", "=", row.id).execute();
  }
  return row;
}

export const oauthRoutes: readonly Route[] = [exchangeCode];
