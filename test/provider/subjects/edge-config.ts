import { edgeConfig } from "../../../provider/resources/edge-config";
import { own } from "../fields/common";
import { existing, life, type Operation, type Subject } from "../subject";

const schema = { type: "object", properties: { banner: { type: "string" } } };
const pathOf = (id: string): string => `/v1/edge-config/${id}`;

/** A slug may be that of several. */
const operations: Operation[] = [
  ...life(
    edgeConfig,
    () => ({ slug: "flags", schema }),
    () => ({ slug: "features", schema: { ...schema, required: ["banner"] } }),
  ),
  {
    name: "EdgeConfig: adopt",
    resource: edgeConfig,
    prepare: existing("/v1/edge-config", { slug: "flags", items: { banner: "hello" } }),
    step: "up",
    inputs: () => ({ slug: "flags", schema, adopt: true }),
  },
];

export const subject: Subject = {
  resource: edgeConfig,
  handler: "edgeconfig",
  prepare: async () => ({ given: { slug: "flags" } }),
  look: (w, id) => w.curl("GET", pathOf(id)),
  async all({ server }) {
    const { edgeConfigs, edgeConfigTokens } = await server.control.snapshot();
    return [...edgeConfigs.map(({ slug, schema }) => ({ slug, schema })), ...edgeConfigTokens];
  },
  listed: {
    query: {},
    names: ["flags"],
  },
  managed: {
    inputs: (n) => ({ slug: `flags-${n}` }),
    changed: { schema: { type: "object" } },
  },
  rows: [
    {
      path: "slug",
      first: "flags",
      second: "features",
      changed: "update",
      cleared: /^slug is missing/,
      shown: (slug) => ({ slug }),
      drift: (w, id) => w.curl("PUT", pathOf(id), { slug: "elsewhere" }),
    },
    {
      path: "schema",
      first: schema,
      second: { ...schema, required: ["banner"] },
      changed: "update",
      cleared: "update",
      shown: (value = null) => ({ schema: value }),
      drift: (w, id) => w.curl("DELETE", `${pathOf(id)}/schema`),
    },
    {
      path: "schema.*",
      first: "one",
      second: ["two", null],
      changed: "update",
      cleared: "update",
      shown: (K) => ({ schema: K === undefined ? {} : { K } }),
      drift: (w, id) => w.curl("POST", `${pathOf(id)}/schema`, { definition: { K: "three", more: 1 } }),
    },
    own("adopt", true, false),
  ],
  operations: operations.map((operation) => ({ ...operation, nameless: true })),
};
