import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom, ifFound } from "../client/errors";
import { edgeConfigPath } from "../client/paths";
import { anything, type Page } from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { reorderingOf } from "../core/diff";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import { isPlain, type Plain, sameJson } from "../core/values";
import { absentConfig, accountOf, partsOf } from "./edge-config/records";
import { edgeConfigIdInput } from "./id-inputs";
import { edgeConfigId as configId } from "./names";

/** All items of an Edge Config. */
export const itemsPath = (id: string): string => `${edgeConfigPath(id)}/items`;

const itemPath = (id: string, key: string): string => `${edgeConfigPath(id)}/item/${encodeURIComponent(key)}`;

export const remoteItem = z.looseObject({
  key: z.string(),
  value: z.unknown(),
  description: z.string().nullish(),
});
type RemoteItem = z.infer<typeof remoteItem>;
/** The service returns all items at once. */
export const itemList = z.array(remoteItem).transform((items): Page & { items: RemoteItem[] } => ({ items }));

const inputs = z.strictObject({
  /** Id of the Edge Config, such as the `id` of an `EdgeConfig`. Changing it replaces the item. */
  edgeConfigId: configId,
  /** Key of the item: letters, digits, '-' and '_'. Changing it replaces the item. */
  key: z
    .string()
    .max(256)
    .regex(/^[A-Za-z0-9_-]+$/, "must consist of letters, digits, '-' and '_'"),
  /** Value of the item: any JSON. */
  value: z.unknown().refine((value): boolean => value !== undefined),
  /** Description that says what the item is for. */
  description: z.string().min(1).max(512).optional(),
  /**
   * Takes over an existing item with this key. If false, the create fails when the Edge Config already has an item with
   * this key. Default: false.
   */
  adopt: z.boolean().optional(),
});

const outputs = z.object({});

const filters = z.strictObject({
  /** Id of the Edge Config. */
  edgeConfigId: configId,
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type ItemOperation = Operation<Inputs, Outputs>;
type Item = RemoteItem;
type ItemRef = Pick<Inputs, "edgeConfigId" | "key">;

/** Inputs that an update sends. */
const settings = ["value", "description"] as const;

/**
 * The unique key of an item is its key: an Edge Config has one item for each key.
 * @choice An item gets no temporary key: the resource that declares the key takes the item over, so that readers
 *   always find the item.
 */
const itemKeys: UniqueKeys = {
  noun: "the item",
  choices: "another key",
  scope: "account",
  within: { edgeConfigId: "the Edge Config" },
  mayBeShared: true,
  of: ({ edgeConfigId, key }, account) =>
    typeof edgeConfigId === "string" && typeof key === "string"
      ? [`${account}/${idOf({ edgeConfigId, key })}`]
      : undefined,

  async owners({ client }, keys, { edgeConfigId }, fresh) {
    if (typeof edgeConfigId !== "string") return [];
    const ids = keys.map((key) => key.slice(key.indexOf("/") + 1));
    const items = (await ifFound(itemsOf(client, edgeConfigId, !fresh))) ?? [];
    return items.map(({ key }) => idOf({ edgeConfigId, key })).filter((id) => ids.includes(id));
  },

  freeKeys: async () => async () => {},
};

/**
 * An item of an Edge Config: a key and a value. The value may be any JSON.
 * @throws ApiError 404 if the account does not have the Edge Config; 409 if the key exists; 400 if the items
 *   take more space than the plan permits
 * @source the newest official client: PATCH /v1/global-config/{id}/items
 * @source the Terraform provider: vercel_edge_config_item
 */
export const edgeConfigItem = resource({
  type: "EdgeConfigItem",
  handler: "edgeitem",
  scopes: ["read-write:edge-config"],
  importId: "`<Edge Config>/<key>`, with the slug or id of the Edge Config",
  inputs,
  outputs,
  traits: {
    defaults: { description: null, adopt: false },
    replaceOn: ["edgeConfigId", "key"],
    ids: { edgeConfigId: edgeConfigIdInput },
  },
  diff: { drift: (state, news) => reorderingOf("value", state.value, news.value) },
  ownership: { uniqueKeys: itemKeys },
  // The service returns all items in one page.
  list: listing(filters, async (client, { edgeConfigId }) => ({
    items: (await itemsOf(client, edgeConfigId)).map(({ key }) => ({
      id: idOf({ edgeConfigId, key }),
      name: key,
    })),
  })),

  async create(operation, declared) {
    const { client } = operation;
    const accountId = await accountOf(client, declared.edgeConfigId).catch(absentConfig);
    await createOrTake<unknown, Item>(operation, declared.adopt, {
      find: () => find(client, declared),
      idOf: () => idOf(declared),
      create: (look) => createNew(client, declared, look).catch(absentConfig),
      take: (existing) => takeItem(operation, existing, declared),
      refusal: (error, existing) => (existing ? error.withHint(existsAlready(declared)) : error),
    });
    return resultOf(declared, accountId);
  },

  async read(client, id, state) {
    const ref = await refOf(client, id);
    const item = await read(client, ref);
    const now: Plain = state ? inputsIn(inputs, state) : { ...ref };
    if (!state || !sameJson(state.value, item.value)) now.value = item.value;
    const description = item.description || undefined;
    if (!state && description !== undefined) now.description = description;
    if (state?.description !== undefined) now.description = description ?? null;
    return {
      ...resultOf(ref, await accountOf(client, ref.edgeConfigId)),
      inputs: now as Partial<Inputs>,
    };
  },

  async update({ client, unsure }, _id, state, declared) {
    const isChanged = (key: (typeof settings)[number]): boolean =>
      (unsure && declared[key] !== undefined) || !sameJson(state[key], declared[key]);
    await change(client, declared, changeOf(declared, settings.filter(isChanged)));
    return resultOf(declared, await accountOf(client, declared.edgeConfigId));
  },

  async remove({ client }, id) {
    const { edgeConfigId, key } = await refOf(client, id);
    await client.send(requestOf(edgeConfigId, { operation: "delete", key }));
  },
});

/** Creates an item exactly once, even if the answer is lost. */
function createNew(
  client: Client,
  { edgeConfigId, key, value, description }: Inputs,
  look: () => Promise<Item | undefined>,
): Promise<unknown> {
  const body = { operation: "create", key, value, ...(description !== undefined && { description }) };
  return client.create<unknown>({ request: requestOf(edgeConfigId, body), look, existed: false });
}

/** Adopts an item, or takes it over from another resource of the stack, and changes it as declared. */
function takeItem(operation: ItemOperation, found: Item, declared: Inputs): Promise<void> {
  const { client } = operation;
  return takeOver(operation, declared, {
    unique: itemKeys,
    keys: itemKeys.of(declared, client.settings.team ?? "") ?? [],
    id: idOf(declared),
    what: `The item ${declared.key} of the Edge Config ${declared.edgeConfigId}`,
    changed: settings.filter((key) => declared[key] !== undefined && !sameJson(declared[key], found[key])),
    refusal: existsAlready(declared),
    change: (changed) => change(client, declared, changeOf(declared, changed)),
  });
}

const existsAlready = (declared: Inputs): string =>
  unmanagedExists(itemKeys, idOf(declared), [`/${declared.key}`], true);

/** The members of an update. A description that was removed from the program is cleared. */
const changeOf = (declared: Plain, changed: readonly string[]): Plain =>
  Object.fromEntries(changed.map((key) => [key, declared[key] ?? null]));

/** @throws ApiError 404 if the item does not exist, even if nothing changes */
async function change(client: Client, { edgeConfigId, key }: ItemRef, body: Plain): Promise<void> {
  if (Object.keys(body).length === 0) await read(client, { edgeConfigId, key });
  else await client.send(requestOf(edgeConfigId, { operation: "update", key, ...body }));
}

/** A request that carries out one operation on an item. @source the Terraform provider */
const requestOf = (edgeConfigId: string, operation: Plain) => ({
  method: "PATCH" as const,
  path: itemsPath(edgeConfigId),
  body: { items: [operation] },
  shape: anything,
  secrets: textsIn(operation.value),
});

/** The texts of a value. Messages redact them, because the value may be a secret. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isPlain(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** All items of an Edge Config. @param stale see `Client.list` */
export const itemsOf = (client: Client, edgeConfigId: string, stale = false): Promise<Item[]> =>
  client.list(itemsPath(edgeConfigId), itemList, ({ items }) => items, {}, stale);

/** Reads an item; undefined if the item or the Edge Config does not exist, or if the service answers without a body. */
const find = (client: Client, { edgeConfigId, key }: ItemRef): Promise<Item | undefined> => {
  const path = itemPath(edgeConfigId, key);
  const shape = remoteItem.optional();
  return ifFound(client.send({ method: "GET", path, shape, mayBeAbsent: true }));
};

/** @throws ApiError 404 */
async function read(client: Client, ref: ItemRef): Promise<Item> {
  const path = itemPath(ref.edgeConfigId, ref.key);
  const found = await client.get(path, remoteItem.optional());
  if (found) return found;
  throw absentFrom(path, `The Edge Config ${ref.edgeConfigId} has no item ${ref.key}.`);
}

const idOf = ({ edgeConfigId, key }: ItemRef): string => `${edgeConfigId}/${key}`;

/** Parses `edgeConfig/key`, with the Edge Config by id or slug. */
async function refOf(client: Client, id: string): Promise<ItemRef> {
  const { edgeConfigId, part: key } = await partsOf(client, id, idForm);
  return { edgeConfigId, key };
}

const idForm = 'The id of an item is "Edge Config/key", such as "ecfg_1/greeting" or "flags/greeting".';

const resultOf = (ref: ItemRef, accountId: string): Created<Outputs> => ({
  id: idOf(ref),
  accountId,
  outputs: {},
});
