import { z } from "zod";
import type { Client } from "../client/client";
import { ifFound } from "../client/errors";
import { anything } from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import type { Change } from "../core/diff";
import { reasonForOwner } from "../core/key-step";
import { openList } from "../core/known-values";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { inputsRead } from "../core/settings";
import type { UniqueKeys } from "../core/unique-keys";
import type { Plain } from "../core/values";
import { blobAccesses, blobRegions } from "../vocabulary";
import {
  connectionsOf,
  connectionsPath,
  findStore,
  oneStore,
  type RemoteStore,
  readStore,
  severalHave,
  storesNamed,
  storesOf,
  storeWritePath,
  tokenOf,
} from "./blob-store/records";

const inputs = z.strictObject({
  /** Name of the store. Changing it renames the store. */
  name: z.string().min(1).max(128).regex(/\S/, "must not be blank"),
  /**
   * Readers of the files: everybody with their address (public), or only the project (private). Default for a new store:
   * public. A store keeps its access if you remove `access` from the program. Changing it replaces the store.
   */
  access: z.enum(blobAccesses).optional(),
  /**
   * Region of the files. Default for a new store: iad1. A store keeps its region if you remove `region` from the program.
   * Changing it replaces the store.
   */
  region: openList(blobRegions).optional(),
  /**
   * Deletes the store also if it has files, or connections that the program does not declare. If false, the deletion
   * then fails, and so does a preview that replaces a store with files. Default: false.
   */
  forceDestroy: z.boolean().optional(),
  /**
   * Takes over an existing store with this name, with its files. If false, the create fails when the account already has
   * a store with this name. Default: false.
   */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the store, the same as `id`, for `blobStoreId` of its connections. */
  storeId: z.string(),
  /**
   * Token that reads and writes the files. A token of the provider that may not read it, as in a job that only refreshes,
   * keeps the value of the state. Null if no run could read it.
   */
  readWriteToken: z.string().nullable(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** The settings that no request changes, and their values in a new store. @source the Terraform provider */
const fixed = { access: "public", region: "iad1" } as const;
const fixedKeys = ["access", "region"] as const;

/**
 * The unique keys of stores: their names.
 * @choice The service may let several stores have the same name. A program can declare each name only once, so that a
 *   create finds its store after a lost answer.
 */
const nameKeys: UniqueKeys = {
  noun: "the Blob store",
  choices: "another name",
  scope: "account",
  isContainer: true,
  of: ({ name }, account) => (typeof name === "string" ? [`${account}/${name}`] : undefined),

  async owners({ client }, keys) {
    const names = keys.map((key) => key.slice(key.indexOf("/") + 1));
    return (await storesOf(client)).filter(({ name }) => names.includes(name)).map(({ id }) => id);
  },

  async refuseAdoption({ client }, ids, declared) {
    const stores = (await storesNamed(client, `${declared.name}`)).filter(({ id }) => ids.includes(id));
    return reasonNotToAdopt(declared, stores);
  },

  freeKeys: async () => async () => {},
};

/**
 * A Blob store of the account, which keeps files such as images and uploads. `readWriteToken` is a secret.
 * @source the newest official client: /storage/stores; the Terraform provider: vercel_blob_store
 */
export const blobStore = resource({
  type: "BlobStore",
  handler: "blobstore",
  scopes: [],
  importId: "`<name>`, or `<id>`",
  inputs,
  outputs,
  traits: {
    secret: ["readWriteToken"],
    defaults: { forceDestroy: false, adopt: false },
    stable: ["storeId", "readWriteToken"],
    replaceOn: [...fixedKeys],
  },
  checks: {
    // A store keeps its access and region, because a replacement would lose the files.
    complete: (_settings, previous, declared) => ({
      ...Object.fromEntries(fixedKeys.map((key) => [key, previous[key] ?? fixed[key]])),
      ...declared,
    }),
  },
  diff: {
    // The connections of the old store are deleted with it, since their variables have the keys of the new ones.
    deleteFirst: true,
    drift: (state, news, run) => refuseLoss(run.client, state, news),
  },
  ownership: { uniqueKeys: nameKeys },
  list: listing(z.strictObject({}), async (client) => ({
    items: (await storesOf(client)).map(({ id, name }) => ({ id, name })),
  })),

  // The service may accept a name twice, so stores with the same name are created one at a time.
  create: (operation, declared) =>
    operation.run.keys.exclusive(`blob store ${declared.name}`, async () => {
      const { client, checkpoint } = operation;
      const existing = await storesNamed(client, declared.name);
      const adopted = declared.adopt ? await adopt(operation, existing, declared) : undefined;
      const store = adopted ?? (await createNew(operation, existing, declared));
      checkpoint(resultOf(store, null), declared);
      return resultOf(store, await tokenOf(client, store.id));
    }),

  async read(client, id, state) {
    const store = await findStore(client, id);
    const current = inputsRead(["name", ...fixedKeys], state, store, (key) => store[key]);
    return {
      ...resultOf(store, await tokenAfter(client, store.id, state)),
      inputs: { ...(state && inputsIn(inputs, state)), ...current } as Partial<Inputs>,
    };
  },

  async update({ client, unsure }, id, state, { name }) {
    const store =
      unsure || state.name !== name ? await rename(client, id, name) : await readStore(client, id);
    return resultOf(store, await tokenAfter(client, id, state));
  },

  async remove({ client }, id, { forceDestroy }) {
    const reason = forceDestroy ? undefined : await reasonToKeep(client, id);
    if (reason !== undefined) throw new Error(reason);
    await client.send({ method: "DELETE", path: storeWritePath(id), shape: anything });
  },
});

/** The token of a store. One that cannot be read stays as it is in the state, because other resources may contain it. */
const tokenAfter = async (client: Client, id: string, state?: Partial<Outputs>): Promise<string | null> =>
  (await tokenOf(client, id)) ?? state?.readWriteToken ?? null;

type StoreOperation = Operation<Inputs, Outputs>;

/**
 * Creates a store, even if others with the name exist.
 * @throws Error when one of these stores belongs to another program or resource
 */
async function createNew(
  { client, run, isOthers }: StoreOperation,
  existing: readonly RemoteStore[],
  declared: Inputs,
): Promise<RemoteStore> {
  const { name, access, region } = declared;
  const keys = nameKeys.of(declared, client.settings.team ?? "") ?? [];
  for (const { id } of existing) {
    const reason = await reasonForOwner(run, nameKeys, { declared }, keys, id);
    if (reason !== undefined) throw new Error(reason);
  }
  const before = existing.map(({ id }) => id);
  // Ignores a store that another resource has created meanwhile.
  const look = async (): Promise<{ store: RemoteStore } | undefined> => {
    const store = (await storesNamed(client, name)).find(({ id }) => !before.includes(id) && !isOthers(id));
    return store && { store };
  };
  const body = { name, access, region };
  const request = { method: "POST", path: storeWritePath(), body, shape: oneStore } as const;
  return (await client.create({ request, look, existed: false })).store;
}

/**
 * Adopts the store that has the name.
 * @returns undefined when no store has the name, or when a resource of the stack has a store with the name
 * @throws Error when the store cannot be adopted
 */
async function adopt(
  operation: StoreOperation,
  existing: readonly RemoteStore[],
  declared: Inputs,
): Promise<RemoteStore | undefined> {
  for (const { id } of existing)
    if (await operation.isOfStack(whatOf(declared.name, id), id)) return undefined;
  const [found] = existing;
  if (!found) return undefined;
  const reason = reasonNotToAdopt(declared, existing);
  if (reason !== undefined) throw new Error(reason);
  return operation.adopt(whatOf(declared.name, found.id), [found.id], async () => found);
}

/** Why none of some stores with the name can be adopted. */
function reasonNotToAdopt(declared: Plain, [found, ...more]: readonly RemoteStore[]): string | undefined {
  if (!found) return undefined;
  if (more.length > 0)
    return `${severalHave(found.name, [found, ...more])} Import one of them by its id, or choose another name.`;
  const other = fixedKeys.find((key) => declared[key] !== undefined && declared[key] !== found[key]);
  if (other === undefined) return undefined;
  return (
    `${whatOf(found.name, found.id)} has ${other} ${found[other]}, which no request changes, so it cannot be adopted as ` +
    `declared. Set ${other}: "${found[other]}", or choose another name.`
  );
}

const whatOf = (name: string, id: string): string => `The Blob store ${name} (${id})`;

const rename = async (client: Client, id: string, name: string): Promise<RemoteStore> =>
  (await client.send({ method: "PUT", path: storeWritePath(id), body: { name }, shape: oneStore })).store;

/** @throws Error when the change replaces a store that has files */
async function refuseLoss(client: Client, state: Plain, news: Plain): Promise<Change[]> {
  const isReplaced = fixedKeys.some((key) => typeof news[key] === "string" && news[key] !== state[key]);
  if (!isReplaced || state.forceDestroy === true) return [];
  const store = await ifFound(readStore(client, `${state.storeId}`));
  const reason = store && reasonOfFiles(store, "Its replacement");
  if (reason !== undefined) throw new Error(reason);
  return [];
}

/** Why a store is not deleted: it has files, or connections, which the program does not declare or still has. */
async function reasonToKeep(client: Client, id: string): Promise<string | undefined> {
  const store = await readStore(client, id);
  const reason = reasonOfFiles(store, "Its deletion");
  if (reason !== undefined) return reason;
  // Another provider of the program may just have deleted some.
  const connections = await client.readUntil(
    connectionsPath(id),
    () => connectionsOf(client, id),
    (left) => left.length === 0,
    Date.now(),
  );
  if (connections.length === 0) return undefined;
  const connected = connections.map(({ projectId, project }) => project?.name ?? projectId);
  return (
    `${whatOf(store.name, id)} is connected to ${connected.join(", ")}. Its deletion would delete the variables of these ` +
    `projects. Delete the connections first, or ${force}`
  );
}

const force =
  "set forceDestroy: true and run `pulumi up` before. To keep the store, use the option retainOnDelete.";

function reasonOfFiles({ id, name, count }: RemoteStore, step: string): string | undefined {
  if (count === 0) return undefined;
  const files = count == null ? "may have files" : `has files (${count})`;
  return `${whatOf(name, id)} ${files}. ${step} would delete them. Delete the files first, or ${force}`;
}

const resultOf = ({ id, ownerId }: RemoteStore, readWriteToken: string | null): Created<Outputs> => ({
  id,
  accountId: ownerId,
  outputs: { storeId: id, readWriteToken },
});
