import type { Client } from "../../client/client";
import { absentFrom, ifAllowed, isNotFound } from "../../client/errors";
import { edgeConfigPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { edgeConfigId } from "../names";

/** Reads Edge Configs at the service. */

/** All Edge Configs of the account. The service returns them in one page. */
export const configsOf = (client: Client): Promise<responses.EdgeConfig[]> =>
  client.get(edgeConfigPath(), responses.edgeConfigList);

/** The Edge Configs with a slug, without the cache. Slugs are not unique at the service. */
export async function configsNamed(client: Client, slug: string): Promise<responses.EdgeConfig[]> {
  const path = edgeConfigPath();
  const all = await client.send({ method: "GET", path, shape: responses.edgeConfigList });
  return all.filter((config) => config.slug === slug);
}

/** @throws ApiError 404 */
export const readConfig = (client: Client, id: string): Promise<responses.EdgeConfig> =>
  client.get(edgeConfigPath(id), responses.edgeConfig);

/** Finds an Edge Config by its id or slug. @throws ApiError 404, Error when several Edge Configs have the slug */
export async function findConfig(client: Client, idOrSlug: string): Promise<responses.EdgeConfig> {
  if (edgeConfigId.safeParse(idOrSlug).success) return readConfig(client, idOrSlug);
  const [found, ...more] = await configsNamed(client, idOrSlug);
  if (found && more.length === 0) return found;
  if (found) throw new Error(`${severalHave(idOrSlug, [found, ...more])} Give the id of one of them.`);
  throw absentFrom(edgeConfigPath(), `The account has no Edge Config ${idOrSlug}.`);
}

/** The message for a slug that several Edge Configs have. */
export const severalHave = (slug: string, configs: readonly Pick<responses.EdgeConfig, "id">[]): string =>
  `Several Edge Configs of the account have the slug ${slug}: ${configs.map(({ id }) => id).join(", ")}.`;

/**
 * The account of an Edge Config. If the token can read neither the user nor the team, the Edge Config is read instead.
 * @throws ApiError 404
 */
export const accountOf = async (client: Client, id: string): Promise<string> =>
  (await ifAllowed(client.account())) ?? (await readConfig(client, id)).ownerId;

/** Adds a hint to the error when the Edge Config of an item or token does not exist. */
export function absentConfig(error: unknown): never {
  throw isNotFound(error)
    ? error.withHint(
        "Give the id of an Edge Config of this account. If this program created it, `pulumi up --refresh` creates it again.",
      )
    : error;
}

/**
 * The parts of the id of an item or token. The id may name the Edge Config by its slug.
 * @param form the message that describes the form of the id
 * @throws ApiError 404, Error with `form` if the id is invalid
 */
export async function partsOf(
  client: Client,
  id: string,
  form: string,
): Promise<{ edgeConfigId: string; part: string }> {
  const [, config, part] = /^([^/\s]+)\/([^/\s]+)$/.exec(id) ?? [];
  if (config === undefined || part === undefined) throw new Error(form);
  const isId = edgeConfigId.safeParse(config).success;
  return { edgeConfigId: isId ? config : (await findConfig(client, config)).id, part };
}
