import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
let path: string;
beforeEach(async () => {
  const { body } = await world.call("POST", "/v1/edge-config", {
    body: { slug: "flags", items: { banner: "first", limits: [1] } },
  });
  path = `/v1/edge-config/${body.id}`;
});

const patch = (...items: object[]) => world.call("PATCH", `${path}/items`, { body: { items } });
const list = async (query: Record<string, string> = {}) =>
  (await world.call("GET", `${path}/backups`, { query })).body;
const items = async () =>
  Object.fromEntries(
    (await world.call("GET", `${path}/items`)).body.map((one: { key: string; value: unknown }) => [
      one.key,
      one.value,
    ]),
  );

it("keeps the items after each change, and restores them", async () => {
  await world.control.advanceClock(5);
  await patch({ operation: "update", key: "banner", value: "second", description: "why" });
  await patch({ operation: "delete", key: "limits" }, { operation: "create", key: "new", value: null });
  const { backups, pagination } = await list({ metadata: "true" });
  expect(pagination).toEqual({ hasNext: false });
  expect(backups.map(({ metadata }: { metadata: object }) => metadata)).toMatchObject([
    { itemsCount: 2 },
    { itemsCount: 2, updatedAt: new Date(beginning + 5).toISOString(), updatedBy: expect.any(String) },
    { itemsCount: 2 },
  ]);
  const [, second, first] = backups.map(({ id }: { id: string }) => id);
  const { body } = await world.call("GET", `${path}/backups/${second}`);
  expect(body).toMatchObject({
    lastModified: beginning + 5,
    backup: {
      slug: "flags",
      items: { banner: { value: "second", description: "why" }, limits: { value: [1] } },
    },
    user: { username: "dev" },
  });
  const restored = await world.call("POST", `${path}/backups/${first}/restore`);
  expect(restored.body).toMatchObject({ status: "ok", restoredFrom: first });
  expect(restored.body.digest).not.toBe(restored.body.previousDigest);
  expect(await items()).toEqual({ banner: "first", limits: [1] });
  expect((await world.call("GET", `${path}/item/banner`)).body).not.toHaveProperty("description", "why");
  expect((await list()).backups).toHaveLength(4);
});

it("lists them in pages, and keeps the last fifty", async () => {
  for (let at = 0; at < 60; at++) {
    await world.control.advanceClock(1);
    await patch({ operation: "upsert", key: "banner", value: at });
  }
  const first = await list({ limit: "30" });
  expect(first.pagination).toEqual({ hasNext: true, next: expect.any(String) });
  const second = await list({ limit: "30", next: first.pagination.next });
  expect([first.backups.length, second.backups.length, second.pagination.hasNext]).toEqual([30, 20, false]);
  expect(first.backups[0]).not.toHaveProperty("metadata");
  expect((await list({ next: "none" })).backups).toEqual([]);
});

it("are refused by an unknown id, and go with the Edge Config", async () => {
  const [{ id }] = (await list()).backups;
  expect((await world.call("GET", `${path}/backups/none`)).status).toBe(404);
  const { body: other } = await world.call("POST", "/v1/edge-config", { body: { slug: "other" } });
  expect((await world.call("GET", `/v1/edge-config/${other.id}/backups/${id}`)).status).toBe(404);
  await world.call("DELETE", path);
  expect((await world.control.snapshot()).edgeConfigBackups).toEqual([]);
});
