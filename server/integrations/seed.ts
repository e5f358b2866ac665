import * as z from "zod";
import { findAccount } from "../access/account-store";
import { firstOwner, isMember } from "../access/member-store";
import { findProject } from "../access/project-store";
import type { AccountRow } from "../accounts/object";
import { tokenText } from "../accounts/seed";
import { derivedId } from "../platform/ids";
import { tokenHash } from "../platform/vault";
import { type DocumentPath, SeedConflict, SeedError } from "../seed/error";
import { hasOneOwner, httpUrl, id, idWith, name, oneOwner, owner, ownerOf, section } from "../seed/section";
import { changeRows, findRow, hasRow, insertRow } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import { type ConfigurationRow, configurations, type IntegrationRow, integrations as table } from "./object";
import { normalizeScopes } from "./rules";
import { installationSources, scopeSetting } from "./schema";
import { findIntegration, insertConfiguration, insertToken } from "./store";

const integrationRow = z.strictObject({
  /** The client id, which is also the id of the integration. */
  clientId: id.optional(),
  clientSecret: z.string().min(1),
  slug: name,
  name: name.optional(),
  /** The user who develops the integration, by username or id. */
  owner: name,
  redirectUrl: z.url(),
  webhookUrl: httpUrl.optional(),
  scopes: z.array(scopeSetting),
});

/** The options of an installation. */
export const installation = z.strictObject({
  ...owner,
  /** A member of the team, by username or id. */
  installedBy: name.optional(),
  scopes: z.array(scopeSetting).optional(),
  /** The projects that the installation covers, by name or id. Default: all. */
  projects: z.array(z.string()).optional(),
  source: z.enum(installationSources).optional(),
});

const installationRow = installation
  .extend({
    id: idWith("icfg_").optional(),
    /** Slug or client id. */
    integration: name,
    token: tokenText.optional(),
  })
  .refine(hasOneOwner, oneOwner);

/** Creates an integration, or changes the existing one to match the document, except for its scopes. */
export const integrations = section(
  "integrations",
  integrationRow,
  async ({ tx, now, services }, given, place) => {
    const { slug, redirectUrl, clientSecret } = given;
    const known = await findIntegration(tx, slug);
    const id = given.clientId ?? known?.id ?? derivedId(table, slug);
    const owner = await findRow(tx, "integrations", { id });
    if (known && known.id !== id)
      throw new SeedError(
        [...place, "clientId"],
        `the integration ${slug} already exists with the id ${known.id}`,
      );
    if (owner && owner.slug !== slug)
      throw new SeedError([...place, "clientId"], `the id ${id} belongs to the integration ${owner.slug}`);
    const columns = {
      name: given.name ?? slug,
      owner_id: (await userOf(tx, given.owner, [...place, "owner"])).id,
      client_secret: services.vault.seal(id, clientSecret),
      redirect_url: redirectUrl,
      webhook_url: given.webhookUrl ?? null,
    };
    if (known) return changeRows(tx, "integrations", { id }, columns);
    const scopes = JSON.stringify(normalizeScopes(given.scopes));
    return insertRow(tx, "integrations", { id, slug, scopes, ...columns, created_at: now });
  },
  ({ slug }) => [slug],
);

/**
 * Creates an installation with its token, unless it exists.
 * @choice A removed installation is not created again, because its id is never used again.
 */
export const installations = section(
  "configurations",
  installationRow,
  async ({ tx, now }, given, place) => {
    const integration = await findIntegration(tx, given.integration);
    if (!integration)
      throw new SeedError(
        [...place, "integration"],
        `there is no integration ${JSON.stringify(given.integration)}`,
      );
    const account = await ownerOf(tx, given, place);
    const id = given.id ?? derivedId(configurations, integration.id, account.id);
    if (await hasRow(tx, "retired_ids", { id })) return;
    const known = await findRow(tx, "configurations", { id });
    if (known && (known.integration_id !== integration.id || known.account_id !== account.id))
      throw new SeedError([...place, "id"], `the id ${id} belongs to another installation`);
    const row = known ?? (await install({ tx, now }, integration, { ...given, id }, place));
    if (given.token === undefined) return;
    const token = await findRow(tx, "tokens", { hash: tokenHash(given.token) });
    if (token && token.configuration_id !== row.id)
      throw new SeedError([...place, "token"], "another row has the same token");
    if (!token) await insertToken({ tx, now }, row, given.token);
  },
  ({ team, user, id, integration }) => [id ?? [team, user, integration]],
);

type Installation = z.output<typeof installation> & { id?: string | undefined };

/** Installs an integration on an account, by default with all of its scopes and for all projects. */
export async function install(
  { tx, now }: Unit,
  integration: IntegrationRow,
  given: Installation,
  place: DocumentPath,
): Promise<ConfigurationRow> {
  const account = await ownerOf(tx, given, place);
  const projects = given.projects && (await projectIds(tx, account, given.projects, place));
  const id = await insertConfiguration(
    { tx, now },
    {
      id: given.id,
      integrationId: integration.id,
      accountId: account.id,
      userId: await installerOf(tx, account, given.installedBy, place),
      scopes: given.scopes ? normalizeScopes(given.scopes) : JSON.parse(integration.scopes),
      projects,
      source: given.source ?? "external",
    },
  );
  const made = await findRow(tx, "configurations", { id });
  if (!made) throw new Error(`the installation ${id} is gone`);
  return made;
}

async function projectIds(
  tx: Tx,
  account: AccountRow,
  keys: readonly string[],
  place: DocumentPath,
): Promise<string[]> {
  const ids: string[] = [];
  for (const [at, key] of keys.entries()) {
    const project = await findProject(tx, account.id, key);
    if (!project)
      throw new SeedConflict([...place, "projects", at], `there is no project ${JSON.stringify(key)}`);
    ids.push(project.id);
  }
  return ids;
}

/** @choice The default is the user of a personal account, or the first owner of a team. */
async function installerOf(
  tx: Tx,
  account: AccountRow,
  key: string | undefined,
  place: DocumentPath,
): Promise<string> {
  if (account.kind === "user") {
    if (key === undefined || key === account.slug || key === account.id) return account.id;
    throw new SeedError([...place, "installedBy"], "only the user of a personal account can install on it");
  }
  const user = key === undefined ? undefined : await userOf(tx, key, [...place, "installedBy"]);
  if (user && (await isMember(tx, account.id, user.id))) return user.id;
  const owner = user ? undefined : await firstOwner(tx, account.id);
  if (owner !== undefined) return owner;
  const problem = user ? `${user.slug} is not in the team` : "the team has no owner to install it";
  throw new SeedConflict([...place, "installedBy"], problem);
}

async function userOf(tx: Tx, key: string, place: DocumentPath): Promise<AccountRow> {
  const user = await findAccount(tx, "user", key);
  if (!user) throw new SeedError(place, `there is no user ${JSON.stringify(key)}`);
  return user;
}
