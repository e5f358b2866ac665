import type { Plain } from "../../../provider/core/values";
import { blobStore } from "../../../provider/resources/blob-store";
import { blobStoreConnection } from "../../../provider/resources/blob-store-connection";
import { type Harness, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
});
afterEach(() => w.close());

const stores = async (): Promise<Plain[]> =>
  (await w.curl("GET", "/v1/storage/stores")).stores as unknown as Plain[];
const names = async (): Promise<unknown[]> => (await stores()).map(({ name }) => name);
/** A store with files, which only a seed has. */
const withFiles = (more: object = {}) =>
  w.server.control.seed({
    blobStores: [{ team: "acme", id: "store_full", name: "full", count: 3, size: 9, ...more }],
  });
/** The inputs as a host completes them. */
const complete = (inputs: Plain, previous: Plain = {}): Plain =>
  blobStore.complete(w.client.settings, previous, inputs);
/** A resource that has adopted the store with files. */
async function adopted(more: object = {}) {
  await withFiles();
  const store = w.stack(blobStore, "full");
  await store.up(complete({ name: "full", adopt: true, ...more }));
  return store;
}

it("keeps its token where the token of the provider may not read it", async () => {
  const store = w.stack(blobStore, "images");
  await store.up(complete({ name: "images" }));
  const { readWriteToken } = store.state;
  const path = "/v1/storage/stores/:id/secrets";
  await w.server.control.addFaults({ kind: "status", path, status: 403, code: "forbidden", times: 2 });
  await store.refresh(w.another());
  expect(store.state).toMatchObject({ readWriteToken });
  await store.up(complete({ name: "pictures" }, store.inputs));
  expect(store.state).toMatchObject({ name: "pictures", readWriteToken });
});

it("is created with a secret token, renamed in place and deleted", async () => {
  const store = w.stack(blobStore, "images");
  await store.up(complete({ name: "images", region: "fra1" }));
  expect(await stores()).toMatchObject([{ name: "images", region: "fra1", access: "public" }]);
  expect(store.state).toMatchObject({
    ...{ storeId: store.id, access: "public", region: "fra1" },
    readWriteToken: expect.stringMatching(/^vercel_blob_rw_/),
  });
  expect(await store.up(complete({ name: "pictures" }, store.inputs))).toBe("update");
  expect(await names()).toEqual(["pictures"]);
  await store.destroy();
  expect(await names()).toEqual([]);
});

it("keeps its access and region when they leave the program, also after an import", async () => {
  const store = w.stack(blobStore, "images");
  await store.up({ name: "images", region: "fra1", access: "private" });
  expect(await store.up(complete({ name: "images" }, store.inputs))).toBe("same");
  expect(await store.refresh(w.another())).toBe(true);
  expect(await store.up(complete({ name: "images" }, store.state))).toBe("same");
  expect(await stores()).toMatchObject([{ region: "fra1", access: "private" }]);
});

it("replaces an empty store, and refuses at preview to replace one with files", async () => {
  const empty = w.stack(blobStore);
  await empty.up(complete({ name: "images" }));
  const { id } = empty;
  expect(await empty.up(complete({ name: "images", region: "fra1" }))).toBe("replace");
  expect(empty.id).not.toBe(id);
  await empty.destroy();
  expect(await names()).toEqual([]);
  const full = await adopted();
  const lost =
    /The Blob store full \(store_full\) has files \(3\)\. Its replacement would delete them\..*forceDestroy/;
  await expect(full.preview({ name: "full", region: "fra1", adopt: true })).rejects.toThrow(lost);
  // The deletion has the recorded inputs, so a new forceDestroy would be too late.
  const late = { name: "full", region: "fra1", adopt: true, forceDestroy: true };
  await expect(full.preview(late)).rejects.toThrow(lost);
});

it("deletes no store with files, unless forceDestroy is true", async () => {
  const full = await adopted();
  await expect(full.destroy()).rejects.toThrow(/has files \(3\)\. Its deletion would delete them\./);
  expect(await names()).toEqual(["full"]);
  await full.up(complete({ name: "full", adopt: true, forceDestroy: true }));
  await full.destroy();
  expect(await names()).toEqual([]);
});

it("deletes no store with a connection that is left, unless forceDestroy is true", async () => {
  const { id: projectId } = await w.curl("POST", "/v10/projects", { name: "web" });
  const store = w.stack(blobStore, "images");
  await store.up({ name: "images" });
  const connection = w.stack(blobStoreConnection, "connection");
  await connection.up({ project: "web", blobStoreId: store.id });
  store.use(w.another({ times: { settleMs: 100 } }));
  await expect(store.destroy()).rejects.toThrow(
    /^The Blob store images \(store_\w+\) is connected to web\. Its deletion would delete the variables of these projects\./,
  );
  await connection.destroy();
  await w.curl("POST", `/v1/storage/stores/${store.id}/connections`, { projectId });
  await expect(store.destroy()).rejects.toThrow(/is connected to web/);
  await store.up({ name: "images", forceDestroy: true });
  await store.destroy();
  expect(await names()).toEqual([]);
});

it("refuses a store that exists, and adopts one whose access and region are as declared", async () => {
  await withFiles({ region: "fra1" });
  const store = w.stack(blobStore, "full");
  await expect(store.preview({ name: "full", region: "fra1" })).rejects.toThrow(
    /Adopt it with \{ adopt: true \}/,
  );
  const other = /has region fra1, which no request changes.*Set region: "fra1"/;
  await expect(store.preview(complete({ name: "full", adopt: true }))).rejects.toThrow(other);
  await expect(w.stack(blobStore).up(complete({ name: "full", adopt: true }))).rejects.toThrow(other);
  await store.up({ name: "full", adopt: true, region: "fra1" });
  expect(store.id).toBe("store_full");
});

it("refuses a name that several stores have", async () => {
  for (let i = 0; i < 2; i++) await w.curl("POST", "/v1/storage/stores/blob", { name: "images" });
  const several =
    /Several Blob stores of the account have the name images: store_\w+, store_\w+\. Import one/;
  const store = w.stack(blobStore, "images");
  await expect(store.preview({ name: "images", adopt: true })).rejects.toThrow(several);
  await expect(blobStore.read(w.run, "images")).rejects.toThrow(/Give the id of one of them/);
});

it("is imported by its name or id, with its access and region", async () => {
  await withFiles({ region: "fra1", access: "private" });
  for (const id of ["full", "store_full"])
    expect(await blobStore.read(w.runOf(w.another()), id)).toMatchObject({
      id: "store_full",
      inputs: { name: "full", access: "private", region: "fra1" },
    });
  await expect(blobStore.read(w.run, "none")).rejects.toThrow(/no Blob store none/);
});

it("is gone when somebody has deleted it", async () => {
  const store = w.stack(blobStore, "images");
  await store.up({ name: "images" });
  await w.curl("DELETE", `/v1/storage/stores/blob/${store.id}`);
  expect(await store.refresh(w.another())).toBe(false);
  await store.destroy();
});
