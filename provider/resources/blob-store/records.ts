import { z } from "zod";
import type { Client } from "../../client/client";
import { absentFrom, ifAllowed, isNotFound } from "../../client/errors";
import { pagination } from "../../client/responses";
import { blobStoreId } from "../names";

/** Reads Blob stores and their connections at the service. */

/** @param id undefined for the list */
export const storePath = (id?: string): string =>
  ["/v1/storage/stores", ...(id === undefined ? [] : [encodeURIComponent(id)])].join("/");

/** The path to change or delete a store. @param id undefined to create one */
export const storeWritePath = (id?: string): string =>
  [storePath("blob"), ...(id === undefined ? [] : [encodeURIComponent(id)])].join("/");

/** @param connection undefined for the list, or to create a connection */
export const connectionsPath = (store: string, connection?: string): string =>
  [
    `${storePath(store)}/connections`,
    ...(connection === undefined ? [] : [encodeURIComponent(connection)]),
  ].join("/");

/** A Blob store. @source the Terraform provider: GET /v1/storage/stores/{id} */
export const remoteStore = z.looseObject({
  ...{ id: z.string(), name: z.string(), ownerId: z.string(), access: z.string(), region: z.string() },
  ...{ status: z.string().nullish(), count: z.number().nullish(), size: z.number().nullish() },
});
export type RemoteStore = z.infer<typeof remoteStore>;
export const oneStore = z.looseObject({ store: remoteStore });

/** The list also has stores of other types, which are left out. */
const otherStore = z.looseObject({ type: z.string() });
export const storeList = z.looseObject({
  stores: z.array(
    z.union([remoteStore.extend({ type: z.literal("blob") }), otherStore.transform(() => undefined)]),
  ),
});

export const remoteConnection = z.looseObject({
  ...{ id: z.string(), projectId: z.string() },
  ...{ envVarEnvironments: z.array(z.string()), envVarPrefix: z.string().nullish() },
  project: z.looseObject({ name: z.string().nullish() }).nullish(),
});
export type RemoteConnection = z.infer<typeof remoteConnection>;
export const connectionList = z.looseObject({
  connections: z.array(remoteConnection),
  pagination,
});

/** All Blob stores of the account, uncached, the newest first. The service returns all stores in one page. */
export async function storesOf(client: Client): Promise<RemoteStore[]> {
  const { stores } = await client.send({ method: "GET", path: storePath(), shape: storeList });
  return stores.filter(
    (one) => one !== undefined && !client.hasDeleted(storeWritePath(one.id)),
  ) as RemoteStore[];
}

/** The Blob stores with a name, which is not unique. */
export const storesNamed = async (client: Client, name: string): Promise<RemoteStore[]> =>
  (await storesOf(client)).filter((store) => store.name === name);

/** @throws ApiError 404 */
export const readStore = async (client: Client, id: string): Promise<RemoteStore> =>
  (await client.send({ method: "GET", path: storePath(id), shape: oneStore })).store;

/** Finds a store by its id or name. @throws ApiError 404, Error when several stores have the name */
export async function findStore(client: Client, idOrName: string): Promise<RemoteStore> {
  if (blobStoreId.safeParse(idOrName).success) return readStore(client, idOrName);
  const [found, ...more] = await storesNamed(client, idOrName);
  if (found && more.length === 0) return found;
  if (found) throw new Error(`${severalHave(idOrName, [found, ...more])} Give the id of one of them.`);
  throw absentFrom(storePath(idOrName), `The account has no Blob store ${idOrName}.`);
}

/** The message for a name that several stores have. */
export const severalHave = (name: string, stores: readonly Pick<RemoteStore, "id">[]): string =>
  `Several Blob stores of the account have the name ${name}: ${stores.map(({ id }) => id).join(", ")}.`;

const secrets = z.looseObject({ rwToken: z.string() });

/** The token that reads and writes the files of a store; null if the token of the provider may not read it. */
export async function tokenOf(client: Client, id: string): Promise<string | null> {
  const path = `${storePath(id)}/secrets`;
  return (await ifAllowed(client.send({ method: "GET", path, shape: secrets })))?.rwToken ?? null;
}

/** The connections of a store, uncached. */
export const connectionsOf = (client: Client, store: string): Promise<RemoteConnection[]> =>
  client.listNow(connectionsPath(store), connectionList, (page) => page.connections);

/** Adds a hint to the error when the store of a connection does not exist. */
export function absentStore(error: unknown): never {
  throw isNotFound(error)
    ? error.withHint(
        "Give the id of a Blob store of this account. If this program created it, `pulumi up --refresh` creates it again.",
      )
    : error;
}
