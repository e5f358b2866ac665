import { z } from "zod";
import {
  affectedPeople,
  changeScopes,
  confirmPendingScopes,
  enableConfiguration,
  transferOwnership,
} from "../api/integration-changes";
import {
  findConfiguration,
  type Installed,
  issueCode,
  removeConfiguration,
  viewConfiguration,
} from "../api/integration-store";
import { notFound, Refusal } from "../refusal";
import { installationUrl, normalizeScopes } from "../rules/integrations";
import { ownZone } from "../rules/production-names";
import { findAccount } from "../seed/accounts";
import { installation } from "../seed/document";
import { findIntegration, install } from "../seed/integrations";
import type { IntegrationRow } from "../store/schema";
import type { Tx } from "../store/store";
import { scopeSetting } from "../wire/integration";
import { type ControlCall, controlRoute } from "./route";

/** What people do with integrations in a browser: install, agree to scopes, hand over, enable, remove. */

const integrationPath = z.object({ integration: z.string() });
const installationPath = z.object({ id: z.string() });

/**
 * Installs an integration.
 * @returns where the browser is sent to, which is all that the integration gets to know
 */
const postInstall = controlRoute({
  method: "POST",
  path: "/integrations/:integration/install",
  params: integrationPath,
  body: z.strictObject({ ...installation, next: z.url().optional() }).superRefine(hasOneOwner),
  handle: ({ params, body, services }) =>
    services.store.write(async (tx) => {
      const now = services.clock.now();
      const integration = await loadIntegration(tx, params.integration);
      const row = await install(tx, now, integration, body, []);
      const team = await tx
        .selectFrom("accounts")
        .select("id")
        .where("id", "=", row.account_id)
        .where("kind", "=", "team")
        .executeTakeFirst();
      const code = await issueCode(tx, row.id, now);
      return {
        redirectUrl: installationUrl(integration.redirect_url, {
          code,
          configurationId: row.id,
          teamId: team?.id,
          next: body.next ?? `https://${ownZone}/integrations/${integration.slug}`,
          source: row.source,
        }),
        code,
        configurationId: row.id,
      };
    }),
});
