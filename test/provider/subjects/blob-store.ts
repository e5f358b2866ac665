import type { Plain } from "../../../provider/core/values";
import { blobStore } from "../../../provider/resources/blob-store";
import { own } from "../fields/common";
import { existing, life, type Operation, type Subject } from "../subject";

/** The service accepts a name twice. */
const operations: Operation[] = [
  ...life(
    blobStore,
    () => ({ name: "images" }),
    () => ({ name: "pictures" }),
  ),
  {
    name: "BlobStore: adopt",
    resource: blobStore,
    prepare: existing("/v1/storage/stores/blob", { name: "images" }),
    step: "up",
    inputs: () => ({ name: "images", adopt: true }),
  },
];

export const subject: Subject = {
  resource: blobStore,
  handler: "blobstore",
  prepare: async () => ({ given: { name: "images" } }),
  look: async (w, id) => (await w.curl("GET", `/v1/storage/stores/${id}`)).store as unknown as Plain,
  async all({ server }) {
    const { blobStores } = await server.control.snapshot();
    return blobStores.map(({ name, access, region }) => ({ name, access, region }));
  },
  listed: {
    query: {},
    // Those of the list of connections.
    names: ["images", "others"],
  },
  rows: [
    {
      path: "name",
      first: "images",
      second: "pictures",
      changed: "update",
      cleared: /^name is missing/,
      shown: (name) => ({ name }),
      drift: (w, id) => w.curl("PUT", `/v1/storage/stores/blob/${id}`, { name: "elsewhere" }),
    },
    {
      path: "access",
      first: "private",
      second: "public",
      changed: "replace",
      cleared: "same",
      shown: (access) => (access === undefined ? {} : { access }),
      drift: "no request of the API changes it",
    },
    {
      path: "region",
      first: "fra1",
      second: "iad1",
      changed: "replace",
      cleared: "same",
      shown: (region) => (region === undefined ? {} : { region }),
      drift: "no request of the API changes it",
    },
    own("forceDestroy", true, false),
    own("adopt", true, false),
  ],
  operations: operations.map((operation) => ({ ...operation, nameless: true })),
};
