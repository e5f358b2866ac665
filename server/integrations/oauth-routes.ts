import type * as z from "zod";
import { type Account, sameSecret } from "../access/caller";
import { openRoute, type Route } from "../http/route";
import { damaged, damagedData } from "../platform/damage";
import { newSecret } from "../platform/ids";
import type { Services } from "../platform/services";
import { tokenHash } from "../platform/vault";
import { changeRows, findRow } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { IntegrationRow } from "./object";
import { exchangeRefusals, isOver } from "./rules";
import { exchange, exchanged } from "./schema";
import { findConfiguration, type Installed, insertToken, markCodeUsed } from "./store";

/**
 * Needs no access token: the client secret and the code identify the caller.
 * @choice A refused attempt does not use up the code, so that a client can correct its redirect URL.
 *   A disabled installation gets no token, because all of its requests are refused.
 * @source Token exchange; Authentication, 3; wire-shapes 8
 */
const exchangeCode = openRoute({
  method: "POST",
  path: "/v2/oauth/access_token",
  operationId: "exchangeCode",
  summary: "Exchanges an authorization code, once, for a long-lived access token.",
  form: true,
  body: exchange,
  example: {
    client_id: "oac_1",
    client_secret: "secret",
    code: "code",
    redirect_uri: "https://integration.example.com/callback",
    grant_type: "authorization_code",
  },
  success: [200, exchanged],
  throws: [
    [
      400,
      "invalid_grant",
      "the code is unknown, used, expired or of another integration, or the redirect URL differs",
    ],
    [401, "invalid_client", "unknown client, or wrong secret"],
    [403, "integration_configuration_disabled", "the installation is disabled"],
    damagedData,
  ],
  accountOf: ({ body, now, services }) =>
    services.store.read(
      async (tx) => (await findGrant({ tx, now }, services, body)).account_id,
      body.client_id,
    ),
  async handle({ tx, body, now, services }) {
    const row = await findGrant({ tx, now }, services, body);
    // Only one of two concurrent requests gets a token.
    if (!(await markCodeUsed({ tx, now }, tokenHash(body.code)))) throw exchangeRefusals.usedCode();
    if (row.completed_at === null)
      await changeRows(tx, "configurations", { id: row.id }, { completed_at: now });
    const token = newSecret(24);
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
  const row = await findRow(tx, "integrations", { id });
  const stored = row && vault.tryOpen(row.id, row.client_secret);
  if (row && stored === undefined) throw damaged(log, "the client secret of an integration", row.id);
  if (row && stored !== undefined && sameSecret(secret, stored)) return row;
  throw exchangeRefusals.unknownClient();
}

/** The installation for which a code was issued. @throws Refusal */
async function findGrant(
  { tx, now }: Unit,
  services: Services,
  body: z.infer<typeof exchange>,
): Promise<Installed> {
  const integration = await findClient(tx, services, body.client_id, body.client_secret);
  if (body.redirect_uri !== integration.redirect_url) throw exchangeRefusals.otherRedirect();
  const found = await findRow(tx, "codes", { hash: tokenHash(body.code) });
  const row = found && (await findConfiguration({ tx, now }, found.configuration_id));
  if (!row || row.integration_id !== integration.id) throw exchangeRefusals.unknownCode();
  if (isOver(found.expires_at, now)) throw exchangeRefusals.expiredCode();
  if (row.disabled_at !== null) throw exchangeRefusals.disabled();
  return row;
}

export const oauthRoutes: readonly Route[] = [exchangeCode];
