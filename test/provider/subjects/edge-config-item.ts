import type { Plain } from "../../../provider/core/values";
import { edgeConfigItem } from "../../../provider/resources/edge-config-item";
import { edgeConfigs, ofEdgeConfig, own } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Row, type Subject } from "../subject";

const patch = (change: object) => (w: Harness, id: string) => {
  const [config, key] = id.split("/");
  return w.curl("PATCH", `/v1/edge-config/${config}/items`, { items: [{ key, ...change }] });
};
const edit = (change: object): Row["drift"] => patch({ operation: "update", ...change });

const value = { banner: "canary-value", limits: [1, 2, { daily: null }] };

/** The ids of Edge Configs are in the values that are prepared. */
const itemOf = ({ flags }: Plain): Plain => ({ edgeConfigId: flags, key: "greeting", value });

export const subject: Subject = {
  resource: edgeConfigItem,
  handler: "edgeitem",
  async prepare(w) {
    const known = await edgeConfigs(w);
    return { given: { edgeConfigId: known.flags, key: "greeting", value: "hello" }, known };
  },
  look: (w, id) => w.curl("GET", `/v1/edge-config/${id.replace("/", "/item/")}`),
  async all(w) {
    const { edgeConfigs } = await w.server.control.snapshot();
    return Promise.all(
      edgeConfigs.map(async ({ id, slug }) => {
        const items = (await w.curl("GET", `/v1/edge-config/${id}/items`)) as unknown as Plain[];
        return { slug, items: items.map(({ key, value, description }) => ({ key, value, description })) };
      }),
    );
  },
  listed: {
    query: { edgeConfigId: "ecfg_1" },
    names: ["banner"],
  },
  managed: {
    inputs: (n) => ({ edgeConfigId: "ecfg_1", key: `item-${n}`, value: 1 }),
    changed: { value: 2 },
  },
  rows: [
    ofEdgeConfig,
    {
      path: "key",
      first: "greeting",
      second: "farewell",
      changed: "replace",
      cleared: /^key is missing/,
      shown: (key) => ({ key }),
      drift: "no request of the API gives an item another key",
    },
    {
      path: "value",
      first: { list: [1, 2, null], deep: { on: true, none: null } },
      second: { list: [2, 1, null], deep: { on: true, none: null } },
      changed: "update",
      cleared: /^value is missing/,
      shown: (now) => ({ value: now }),
      drift: edit({ value: { list: [1, 2, null] } }),
    },
    {
      path: "description",
      first: "what it greets",
      second: "whom it greets",
      changed: "update",
      cleared: "update",
      shown: (description = null) => ({ description }),
      drift: edit({ description: "another" }),
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      edgeConfigItem,
      (prepared) => ({ ...itemOf(prepared), description: "what it greets" }),
      (prepared) => ({ ...itemOf(prepared), value: ["canary-value-2"] }),
      edgeConfigs,
    ),
    {
      name: "EdgeConfigItem: adopt",
      resource: edgeConfigItem,
      async prepare(w) {
        const known = await edgeConfigs(w);
        await patch({ operation: "create", value: "old" })(w, `${known.flags}/greeting`);
        return known;
      },
      step: "up",
      inputs: (prepared) => ({ ...itemOf(prepared), adopt: true }),
    },
  ],
};
