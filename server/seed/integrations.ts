import { findAccount } from "../access/account-store";
import { firstOwner, isMember } from "../access/member-store";
import { findProject } from "../access/project-store";
import type { ScopeSetting } from "../access/scopes";
import type { AccountRow } from "../accounts/object";
import type { ConfigurationRow, IntegrationRow } from "../integrations/object";
import { normalizeScopes } from "../integrations/rules";
import { insertConfiguration, insertToken, isRetired } from "../integrations/store";
import { derivedId } from "../platform/ids";
import type { Services } from "../platform/services";
import { tokenHash } from "../platform/vault";
import type { Tx, Unit } from "../store/store";
import { ownerOf } from "./accounts";
import type { Seed, SeedOwner } from "./document";
import { SeedConflict, SeedError } from "./error";
import {
  changeIntegration,
  configurationById,
  findIntegration,
  insertIntegration,
  installationOfToken,
  slugOfIntegration,
} from "./store";

type SeedIntegration = NonNullable<Seed["integrations"]>[number];
type SeedInstallation = NonNullable<Seed["installations"]>[number];
type Place = (string | number)[];

/** Creates an integration, or changes the existing one to match the document, except for its scopes. */
export async function putIntegration(
  { tx, now }: Unit,
  { vault }: Pick<Services, "vault">,
  given: SeedIntegration,
  at: number,
): Promise<void> {
  const place = ["integrations", at];
  const known = await findIntegration(tx, given.slug);
  const id = given.clientId ?? known?.id ?? derivedId("integration", given.slug);
  const slug = await slugOfIntegration(tx, id);
  if (known && known.id !== id) {
    throw new SeedError(
      [...place, "clientId"],
      `the integration ${given.slug} already exists with the id ${known.id}`,
    );
  }
  if (slug !== undefined && slug !== given.slug) {
    throw new SeedError([...place, "clientId"], `the id ${id} belongs to the integration ${slug}`);
  }
  const columns = {
    name: given.name ?? given.slug,
    owner_id: (await userOf(tx, given.owner, [...place, "owner"])).id,
    client_secret: vault.seal(id, given.clientSecret),
    redirect_url: given.redirectUrl,
    webhook_url: given.webhookUrl ?? null,
  };
  if (known) {
    await changeIntegration(tx, id, columns);
    return;
  }
  const scopes = JSON.stringify(normalizeScopes(given.scopes));
  await insertIntegration(tx, { id, slug: given.slug, scopes, ...columns, created_at: now });
}

/**
 * Creates an installation with its token, unless it exists.
 * @choice A removed installation is not created again, because its id is never used again.
 */
export async function putInstallation({ tx, now }: Unit, given: SeedInstallation, at: number): Promise<void> {
  const place = ["installations", at];
  const integration = await findIntegration(tx, given.integration);
  if (!integration) {
    throw new SeedError(
      [...place, "integration"],
      `there is no integration ${JSON.stringify(given.integration)}`,
    );
  }
  const account = await ownerOf(tx, given, place);
  const id = given.id ?? derivedId("configuration", integration.id, account.id);
  if (await isRetired(tx, id)) return;
  const known = await configurationById(tx, id);
  if (known && (known.integration_id !== integration.id || known.account_id !== account.id)) {
    throw new SeedError([...place, "id"], `the id ${id} belongs to another installation`);
  }
  const row = known ?? (await install({ tx, now }, integration, { ...given, id }, place));
  if (given.token !== undefined) await putInstallationToken({ tx, now }, row, given.token, place);
}

async function putInstallationToken(
  { tx, now }: Unit,
  row: ConfigurationRow,
  token: string,
  place: Place,
): Promise<void> {
  const installation = await installationOfToken(tx, tokenHash(token));
  if (installation !== undefined && installation !== row.id)
    throw new SeedError([...place, "token"], "another row has the same token");
  if (installation === undefined) await insertToken({ tx, now }, row, token);
}

interface Installation extends SeedOwner {
  id?: string | undefined;
  installedBy?: string | undefined;
  scopes?: readonly ScopeSetting[] | undefined;
  projects?: readonly string[] | undefined;
  source?: ConfigurationRow["source"] | undefined;
}

/** Installs an integration on an account, by default with all of its scopes and for all projects. */
export async function install(
  { tx, now }: Unit,
  integration: IntegrationRow,
  given: Installation,
  place: Place,
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
  const made = await configurationById(tx, id);
  if (!made) throw new Error(`the installation ${id} is gone`);
  return made;
}

async function projectIds(
  tx: Tx,
  account: AccountRow,
  keys: readonly string[],
  place: Place,
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
  place: Place,
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

async function userOf(tx: Tx, key: string, place: Place): Promise<AccountRow> {
  const user = await findAccount(tx, "user", key);
  if (!user) throw new SeedError(place, `there is no user ${JSON.stringify(key)}`);
  return user;
}
