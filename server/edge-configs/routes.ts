import * as z from "zod";
import { type Call, type Route, route } from "../http/route";
import { damagedData } from "../platform/damage";
import { newId } from "../platform/ids";
import { countRows, findRow, listRows } from "../store/rows";
import { backupRoutes } from "./backup-routes";
import { blocked, byId, loadConfig, unknownConfig } from "./config-route";
import { edgeConfigs } from "./object";
import { noSuchItem, tooManyConfigs } from "./rules";
import * as wire from "./schema";
import * as store from "./store";
import { tokenRoutes } from "./token-routes";
import { viewConfig, viewItem, viewListedItem } from "./view";
import { addConfig, changeItems } from "./write";

/**
 * The Edge Configs of an account, their items, schemas and tokens.
 * @choice Slugs are not unique, as in the newest description of the API. The server emits no events for Edge
 *   Configs. A token of an Edge Config reads its items (`reads.ts`), but authenticates no other request.
 * @source the newest official client: /v1/global-config; the Terraform provider: /v1/edge-config
 */

const unknownItem = [404, "not_found", "no such item of the Edge Config"] as const;
const conflictingItem = [409, "conflict", "an item to create exists already"] as const;
const list = route({
  method: "GET",
  path: "/v1/edge-config",
  operationId: "getEdgeConfigs",
  summary: "Lists the Edge Configs of the account, the newest first.",
  scope: ["read:edge-config"],
  success: [200, z.array(wire.edgeConfig)],
  handle: async ({ tx, account }) =>
    (await listRows(tx, "edge_configs", { account_id: account.id }, "-created_at", "-id")).map(viewConfig),
});

const create = route({
  method: "POST",
  path: "/v1/edge-config",
  operationId: "createEdgeConfig",
  summary: "Creates an Edge Config, with items if the body has any.",
  scope: ["read-write:edge-config"],
  body: wire.createEdgeConfig,
  example: { slug: "flags", items: { banner: "Welcome" } },
  success: [201, wire.edgeConfig],
  load: async ({ tx, account }: Call) => ({
    count: await countRows(tx, "edge_configs", { account_id: account.id }),
  }),
  refuse: [...blocked, tooManyConfigs],
  async handle(call) {
    const { account, caller, body, now } = call;
    const config = await addConfig(call, {
      id: newId(edgeConfigs),
      accountId: account.id,
      slug: body.slug,
      schema: null,
      createdBy: caller.userId,
      createdAt: now,
    });
    const items = Object.entries(body.items ?? {});
    if (items.length === 0) return viewConfig(config);
    const operations = items.map(([key, value]) => ({ operation: "create" as const, key, value }));
    return viewConfig(await changeItems(call, account, config, operations));
  },
});

const get = route({
  method: "GET",
  path: "/v1/edge-config/:id",
  operationId: "getEdgeConfig",
  summary: "Returns an Edge Config without its items.",
  scope: ["read:edge-config"],
  params: byId,
  success: [200, wire.edgeConfig],
  throws: [unknownConfig],
  load: loadConfig,
  handle: async ({ config }) => viewConfig(config),
});

const update = route({
  method: "PUT",
  path: "/v1/edge-config/:id",
  operationId: "updateEdgeConfig",
  summary: "Changes the slug of an Edge Config.",
  scope: ["read-write:edge-config"],
  params: byId,
  body: wire.updateEdgeConfig,
  example: { slug: "feature-flags" },
  success: [200, wire.edgeConfig],
  throws: [unknownConfig],
  load: loadConfig,
  refuse: blocked,
  handle: async ({ tx, now, config, body: { slug } }) =>
    viewConfig(await store.changeConfig(tx, config.id, { slug, updated_at: now })),
});

const remove = route({
  method: "DELETE",
  path: "/v1/edge-config/:id",
  operationId: "deleteEdgeConfig",
  summary: "Deletes an Edge Config with its items and tokens.",
  scope: ["read-write:edge-config"],
  params: byId,
  success: [204, null],
  throws: [unknownConfig],
  load: loadConfig,
  handle: ({ tx, config }) => store.deleteConfig(tx, config.id),
});

const getItems = route({
  method: "GET",
  path: "/v1/edge-config/:id/items",
  operationId: "getEdgeConfigItems",
  summary: "Returns all items of an Edge Config.",
  scope: ["read:edge-config"],
  params: byId,
  success: [200, z.array(wire.edgeConfigItem)],
  throws: [unknownConfig],
  load: loadConfig,
  handle: async ({ tx, config, services }) =>
    (await listRows(tx, "edge_config_items", { edge_config_id: config.id }, "key")).map((row) =>
      viewListedItem(services, row),
    ),
});

const getItem = route({
  method: "GET",
  path: "/v1/edge-config/:id/item/:key",
  operationId: "getEdgeConfigItem",
  summary: "Returns an item of an Edge Config.",
  scope: ["read:edge-config"],
  params: z.object({ id: z.string().describe("Id of the Edge Config."), key: z.string() }),
  success: [200, wire.edgeConfigItem],
  throws: [unknownConfig, unknownItem, damagedData],
  load: loadConfig,
  async handle({ tx, config, params: { key }, services }) {
    const row = await findRow(tx, "edge_config_items", { edge_config_id: config.id, key });
    if (!row) throw noSuchItem(config, key);
    return viewItem(services, row);
  },
});

const patchItems = route({
  method: "PATCH",
  path: "/v1/edge-config/:id/items",
  operationId: "patchEdgeConfigItems",
  summary: "Creates, changes and deletes items of an Edge Config, all or none of them.",
  scope: ["read-write:edge-config"],
  params: byId,
  body: wire.patchItems,
  example: {
    items: [{ operation: "upsert", key: "checkout", value: { variant: "b" }, description: "the test" }],
  },
  success: [200, wire.itemsPatched],
  throws: [unknownConfig, unknownItem, conflictingItem],
  load: loadConfig,
  refuse: blocked,
  async handle(call) {
    await changeItems(call, call.account, call.config, call.body.items);
    return { status: "ok" as const };
  },
});

/** @choice Without a schema, the answer has no body. The Terraform provider takes this as "no schema". */
const getSchema = route({
  method: "GET",
  path: "/v1/edge-config/:id/schema",
  operationId: "getEdgeConfigSchema",
  summary: "Returns the JSON schema of an Edge Config.",
  scope: ["read:edge-config"],
  params: byId,
  success: [200, wire.shownSchema],
  empty: "The Edge Config has no schema.",
  throws: [unknownConfig],
  load: loadConfig,
  handle: async ({ config }) => (config.schema === null ? undefined : JSON.parse(config.schema)),
});

const isDryRun = ({ dryRun }: { dryRun?: string | undefined }): boolean =>
  dryRun !== undefined && !["", "0", "false"].includes(dryRun);

/** @choice A dry run checks the schema but does not store it. */
const putSchema = route({
  method: "POST",
  path: "/v1/edge-config/:id/schema",
  operationId: "patchEdgeConfigSchema",
  summary: "Sets the JSON schema of an Edge Config.",
  scope: ["read-write:edge-config"],
  params: byId,
  query: z.object({ dryRun: z.string().optional() }),
  body: wire.putSchema,
  example: { definition: { type: "object", properties: { banner: { type: "string" } } } },
  success: [200, wire.shownSchema],
  throws: [unknownConfig],
  load: loadConfig,
  refuse: blocked,
  async handle({ tx, now, config, query, body: { definition } }) {
    const change = { schema: JSON.stringify(definition), updated_at: now };
    if (!isDryRun(query)) await store.changeConfig(tx, config.id, change);
    return definition;
  },
});

/** @choice The request succeeds if there is no schema. */
const removeSchema = route({
  method: "DELETE",
  path: "/v1/edge-config/:id/schema",
  operationId: "deleteEdgeConfigSchema",
  summary: "Deletes the JSON schema of an Edge Config.",
  scope: ["read-write:edge-config"],
  params: byId,
  success: [204, null],
  throws: [unknownConfig],
  load: loadConfig,
  refuse: blocked,
  handle: ({ tx, now, config }) => store.changeConfig(tx, config.id, { schema: null, updated_at: now }),
});

export const edgeConfigRoutes: readonly Route[] = [
  list,
  create,
  get,
  update,
  remove,
  getItems,
  getItem,
  patchItems,
  getSchema,
  putSchema,
  removeSchema,
  ...tokenRoutes,
  ...backupRoutes,
];
