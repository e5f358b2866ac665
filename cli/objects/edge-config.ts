import { z } from "zod";
import { ifAllowed } from "../../provider/client/errors";
import { edgeConfigPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { inParallel } from "../../provider/core/parallel";
import type { Plain } from "../../provider/core/values";
import { edgeConfig as resource } from "../../provider/resources/edge-config";
import { configsOf } from "../../provider/resources/edge-config/records";
import {
  itemList,
  edgeConfigItem as itemResource,
  itemsOf,
  itemsPath,
  remoteItem,
} from "../../provider/resources/edge-config-item";
import {
  connectionStringOf,
  remoteToken,
  edgeConfigToken as tokenResource,
  tokensOf,
  tokensPath,
} from "../../provider/resources/edge-config-token";
import { type AccountKind, atOnce, type Item, itemOf, placeholder, present } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { listIn, logicalName, objectOf, textIn } from "./recorded";
import { maybe, number, string, text, times } from "./shapes";

/** Edge Configs, with their items and tokens: the row of an Edge Config has all three. */

const shape = z.object({
  id: string,
  slug: string,
  schema: maybe(z.record(string, z.unknown())),
  createdBy: text,
  ...times,
});
const itemShape = z.object({ key: string, value: z.unknown(), description: text });
const tokenShape = z.looseObject({ id: string, label: string, createdAt: number });

export const edgeConfig = {
  name: "Edge Config",
  owner: "account",
  resource,
  suffix: "config",
  weight: 46,
  section: "edgeConfigs",
  /** Notes every token, because the API does not return its value. */
  async rows({ get, note }) {
    const listed = await ifAllowed(get(edgeConfigPath(), z.array(shape)));
    const read = async (config: z.infer<typeof shape>) => ({
      config,
      items: await get(itemsPath(config.id), z.array(itemShape)),
      tokens: await get(tokensPath(config.id), z.array(tokenShape)),
    });
    // The API returns the newest first.
    const all = listed && (await inParallel([...listed].reverse(), read, atOnce));
    return all?.map(({ config: { id, slug, schema, ...times }, items, tokens }) => {
      for (const { id, label } of tokens) note(`the token ${label} (${id}) of the Edge Config ${slug}`);
      const readTokens = tokens.map(({ id, label, createdAt }) =>
        present({ id, label, token: `${placeholder} (${id})`, createdAt }),
      );
      return { id, slug, schema, items: items.map(present), tokens: readTokens, ...times };
    });
  },
  items: ({ id, slug, schema }) => [itemOf({ id, name: slug }, { fields: { slug, schema } })],
  async discover({ client, add, note, allowed }) {
    // The API returns the newest first.
    for (const { id, slug } of [...(await allowed("Edge Configs", configsOf(client)))].reverse()) {
      await add(resource, id, slug);
      for (const { key } of await itemsOf(client, id))
        await add(itemResource, `${id}/${key}`, `${slug}-${key}`);
      for (const token of [...(await tokensOf(client, id))].reverse()) {
        await add(tokenResource, `${id}/${token.id}`, logicalName([slug, token.label]));
        note(
          `${tokenResource.type} ${token.label} of ${slug}: its value cannot be read, so its outputs are null.`,
        );
      }
    }
  },
  recorded: {
    vercel_edge_config: (one) => [
      { ...objectOf(one, resource, textIn(one.values, "id")), unmanaged: ["schema"] },
    ],
  },
  operations: {
    list: listOperation("/v1/edge-config", "Edge Configs", responses.edgeConfigList, ""),
    one: oneOperation("/v1/edge-config/{id}", "Edge Config", responses.edgeConfig),
  },
} as const satisfies AccountKind;

/** An item or a token, in the row of its Edge Config. */
const partOf = ({ id: config, slug }: Plain, key: unknown, name: unknown, fields: Plain): Item =>
  itemOf({ id: `${config}/${key}`, name: `${name} of ${slug}` }, { fields });

export const edgeConfigItem = {
  name: "Edge Config item",
  owner: "account",
  resource: itemResource,
  suffix: "item",
  weight: 44,
  section: "edgeConfigs",
  items: (row) =>
    listIn(row, "items").map(({ key, value, description }) => partOf(row, key, key, { value, description })),
  secret: ["value"],
  recorded: {
    vercel_edge_config_item: (one) => [
      objectOf(one, itemResource, `${one.values.edge_config_id}/${one.values.key}`),
    ],
  },
  operations: {
    list: listOperation("/v1/edge-config/{id}/items", "items of Edge Configs", itemList, ""),
    one: oneOperation("/v1/edge-config/{id}/item/{key}", "item of an Edge Config", remoteItem, "key"),
  },
} as const satisfies AccountKind;

export const edgeConfigToken = {
  name: "Edge Config token",
  owner: "account",
  resource: tokenResource,
  suffix: "token",
  weight: 43,
  section: "edgeConfigs",
  items: (row) => listIn(row, "tokens").map(({ id, label }) => partOf(row, id, label, { label })),
  recorded: {
    vercel_edge_config_token(one) {
      const { edge_config_id: config, id } = one.values;
      const token = textIn(one.values, "token");
      const outputs = token && { token, connectionString: connectionStringOf(`${config}`, token) };
      return [objectOf(one, tokenResource, `${config}/${id}`, { known: outputs ? { outputs } : {} })];
    },
  },
  operations: {
    list: listOperation("/v1/edge-config/{id}/tokens", "tokens of Edge Configs", z.array(remoteToken), ""),
  },
} as const satisfies AccountKind;
