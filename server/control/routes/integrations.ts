import * as z from "zod";
import { findAccount } from "../../access/account-store";
import { isMember } from "../../access/member-store";
import { hostZone } from "../../domains/names";
import {
  changeScopes,
  confirmPendingScopes,
  enableConfiguration,
  transferOwnership,
} from "../../integrations/lifecycle";
import { affectedPeople } from "../../integrations/lifecycle-store";
import type { ConfigurationRow, IntegrationRow } from "../../integrations/object";
import { actsForAnother, installationUrl, normalizeScopes } from "../../integrations/rules";
import { scopeSetting } from "../../integrations/schema";
import { install, installation } from "../../integrations/seed";
import {
  findConfiguration,
  findIntegration,
  type Installed,
  issueCode,
  removeConfiguration,
  selectInstalled,
} from "../../integrations/store";
import { viewConfiguration } from "../../integrations/view";
import { badRequest, notFound } from "../../platform/refusal";
import { hasOneOwner, oneOwner } from "../../seed/section";
import { findRow } from "../../store/rows";
import type { Tx, Unit } from "../../store/store";
import { accountsIn, writeOn } from "../locks";
import { type ControlCall, type ControlRoute, controlRoute } from "../route";

/** Actions that users do in a browser: install an integration, confirm scopes, change the owner, enable, remove. */

const integrationPath = z.object({ integration: z.string() });
const installationPath = z.object({ id: z.string().describe("Id of the installation.") });

export const installBody = installation.extend({ next: z.url().optional() }).refine(hasOneOwner, oneOwner);

/** Installs an integration, and answers with the URL to which the browser is redirected. */
const postInstall = controlRoute({
  method: "POST",
  path: "/integrations/:integration/install",
  operationId: "installIntegration",
  summary: "Installs an integration, and returns the URL that the browser is redirected to.",
  example: { team: "acme", installedBy: "dev", scopes: ["read-write:project"] },
  params: integrationPath,
  body: installBody,
  handle: ({ params, body, services }) =>
    writeOn(services, accountsIn(body), async (tx) => {
      const now = services.clock.now();
      const integration = await loadIntegration(tx, params.integration);
      const { id } = await install({ tx, now }, integration, body, []);
      const row = await loadInstallation({ tx, now }, id);
      const code = await issueCode({ tx, now }, id);
      const redirectUrl = installationUrl(integration.redirect_url, {
        code,
        configurationId: id,
        teamId: row.account_kind === "team" ? row.account_id : undefined,
        next: body.next ?? `https://${hostZone}/integrations/${integration.slug}`,
        source: row.source,
      });
      return { redirectUrl, code, configurationId: id };
    }),
});

/** Replaces the scopes that the integration requests. */
const postScopes = controlRoute({
  method: "POST",
  path: "/integrations/:integration/scopes",
  operationId: "requestScopes",
  summary: "Changes the scopes that an integration requests.",
  example: { scopes: ["read-write:project", "read:team"] },
  params: integrationPath,
  body: z.strictObject({ scopes: z.array(scopeSetting) }),
  handle: ({ params, body, services }) =>
    writeOn(
      services,
      (tx) => accountsWith(tx, params.integration),
      async (tx) => {
        const integration = await loadIntegration(tx, params.integration);
        await changeScopes({ tx, now: services.clock.now() }, integration, normalizeScopes(body.scopes));
        const rows = await selectInstalled(tx).where("i.id", "=", integration.id).execute();
        const installations: object[] = [];
        for (const row of rows) installations.push(await view(tx, row));
        return { installations };
      },
    ),
});

/**
 * Makes a route for an action of a user on an installation. The answer is the installation after the action.
 * @param act performs the action. If it removes the installation, the answer has no body
 */
function onInstallation<B>(
  about: Pick<ControlRoute, "path" | "operationId" | "summary" | "example">,
  body: z.ZodType<B>,
  act: (unit: Unit, row: Installed, body: B) => Promise<void>,
) {
  return controlRoute({
    method: "POST",
    ...about,
    params: installationPath,
    body,
    handle: ({ params, body, services }: ControlCall<z.infer<typeof installationPath>, unknown, B>) =>
      writeOn(
        services,
        (tx) => accountOf(tx, params.id),
        async (tx) => {
          const unit = { tx, now: services.clock.now() };
          await act(unit, await loadInstallation(unit, params.id), body);
          const row = await findConfiguration(unit, params.id);
          return row && view(tx, row);
        },
      ),
  });
}

/** The user who acts, by username or id. */
const byUser = z.strictObject({ user: z.string().optional() });

/** Confirms all pending scopes, as the user of the installation or an owner of the team. */
const postConfirmScopes = onInstallation(
  {
    path: "/installations/:id/confirm-scopes",
    operationId: "confirmScopes",
    summary: "Confirms the pending scopes of an installation.",
    example: { user: "dev" },
  },
  byUser,
  async (unit, row, { user }) => {
    await confirmPendingScopes(unit, row.id, await affectedPerson(unit.tx, row, user));
  },
);

/** Transfers the ownership of the installation to another member of the team. */
const postOwner = onInstallation(
  {
    path: "/installations/:id/owner",
    operationId: "transferInstallation",
    summary: "Transfers an installation to another owner.",
    example: { user: "dev" },
  },
  z.strictObject({ user: z.string() }),
  async ({ tx, now }, row, body) => {
    const user = await findAccount(tx, "user", body.user);
    if (!user || !(await isMember(tx, row.account_id, user.id)))
      throw badRequest(`${JSON.stringify(body.user)} is not a member of the installation's team.`);
    await transferOwnership({ tx, now }, row, user.id);
  },
);

const postEnable = onInstallation(
  {
    path: "/installations/:id/enable",
    operationId: "enableInstallation",
    summary: "Enables a disabled installation.",
    example: {},
  },
  z.strictObject({}),
  enableConfiguration,
);

const postRemove = onInstallation(
  {
    path: "/installations/:id/remove",
    operationId: "removeInstallation",
    summary: "Removes an installation.",
    example: { user: "dev" },
  },
  byUser,
  async (unit, row, { user }) => {
    await removeConfiguration(unit, row.id, await affectedPerson(unit.tx, row, user));
  },
);

/**
 * The id of the user who acts for the account of an installation. @param key the user's username or id
 * @choice Without a key, the user of the installation acts, or else the team's owner whose username sorts first.
 * @throws Refusal 403
 */
async function affectedPerson(tx: Tx, row: ConfigurationRow, key: string | undefined): Promise<string> {
  const people = await affectedPeople(tx, row);
  const wanted = key === undefined ? row.user_id : (await findAccount(tx, "user", key))?.id;
  const person = people.find(({ id }) => id === wanted) ?? (key === undefined ? people[0] : undefined);
  if (person) return person.id;
  throw actsForAnother();
}

/** The installation as the API shows it, with its pending scopes. */
const view = async (tx: Tx, row: Installed): Promise<object> => ({
  ...(await viewConfiguration(tx, row)),
  pendingScopes: JSON.parse(row.pending_scopes),
});

/** The accounts on which an integration is installed. */
async function accountsWith(tx: Tx, key: string): Promise<string[]> {
  const { id } = await loadIntegration(tx, key);
  const rows = await selectInstalled(tx).where("i.id", "=", id).execute();
  return rows.map(({ account_id }) => account_id);
}

/** The account of an installation. */
async function accountOf(tx: Tx, id: string): Promise<string[]> {
  const row = await findRow(tx, "configurations", { id });
  return row ? [row.account_id] : [];
}

async function loadIntegration(tx: Tx, key: string): Promise<IntegrationRow> {
  const integration = await findIntegration(tx, key);
  if (!integration) throw notFound(`Integration ${JSON.stringify(key)}`);
  return integration;
}

async function loadInstallation(unit: Unit, id: string): Promise<Installed> {
  const row = await findConfiguration(unit, id);
  if (!row) throw notFound(`Installation ${JSON.stringify(id)}`);
  return row;
}

export const integrationRoutes = [
  postInstall,
  postScopes,
  postConfirmScopes,
  postOwner,
  postEnable,
  postRemove,
];
