import { createHash } from "node:crypto";
import { useVariables } from "../../support/variables";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
useVariables(world);
const base = "/v1/projects/web/feature-flags";
const path = `${base}/sdk-keys`;

const create = (change: object = {}) =>
  world.call("PUT", path, { body: { sdkKeyType: "server", environment: "production", ...change } });
const list = async () => (await world.call("GET", path)).body.data;

it("shows an SDK key only once", async () => {
  const { status, body } = await create({ label: "backend" });
  const { keyValue, connectionString, ...key } = body;
  expect(status).toBe(200);
  expect(keyValue).toMatch(/^vf_server_\w{32}$/);
  expect(connectionString).toBe(`flags:sdkKey=${keyValue}`);
  expect(key).toEqual({
    hashKey: createHash("sha256").update(keyValue).digest("hex"),
    ...{ projectId: expect.stringMatching(/^prj_/), type: "server", environment: "production" },
    ...{ label: "backend", partialKeyValue: `${keyValue.slice(0, 13)}********` },
    ...{ createdBy: expect.any(String), createdAt: beginning, updatedAt: beginning },
  });
  expect(await list()).toEqual([key]);
  const rows = await world.services.store.read((tx) =>
    tx.selectFrom("feature_flag_sdk_keys").selectAll().execute(),
  );
  expect(JSON.stringify(rows)).not.toContain(keyValue);
});

it("deletes an SDK key once", async () => {
  const { hashKey } = (await create()).body;
  const remove = () => world.call("DELETE", `${path}/${hashKey}`);
  expect((await remove()).status).toBe(204);
  expect(await remove()).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  expect(await list()).toEqual([]);
});

it.each([
  ["an unknown type", { sdkKeyType: "edge" }],
  ["no environment", { environment: undefined }],
  ["an unknown member", { name: "a" }],
])("returns 400 for %s", async (_what, change) => {
  expect((await create(change)).status).toBe(400);
});

it("takes SDK keys from a seed, once, without their values", async () => {
  const row = {
    hashKey: "hash_1",
    type: "client" as const,
    environment: "preview",
    label: "web",
    createdAt: 5,
  };
  for (let time = 0; time < 2; time++)
    await world.seed({ featureFlagSdkKeys: [{ team: "acme", project: "web", ...row }] });
  expect(await list()).toMatchObject([row]);
});

it("keeps the settings of a project, and counts its flags", async () => {
  const settings = async () => (await world.call("GET", `${base}/settings`)).body;
  expect(await settings()).toMatchObject({
    ...{ typeName: "settings", enabled: false, entities: [] },
    environments: ["production", "preview", "development"],
    metadata: { activeFlagCount: 0, archivedFlagCount: 0, segmentCount: 0 },
  });
  const environments = {};
  await world.call("PUT", `${base}/flags`, { body: { slug: "beta", kind: "boolean", environments } });
  expect(await settings()).toMatchObject({ enabled: true, metadata: { activeFlagCount: 1 } });
  await world.call("PATCH", `${base}/flags/beta`, { body: { state: "archived" } });
  const entities = [{ kind: "user", label: "User", attributes: [{ key: "id", type: "string" }] }];
  for (const body of [{ entities }, { enabled: false }])
    await world.call("PATCH", `${base}/settings`, { body });
  const changed = await settings();
  expect(changed).toMatchObject({ entities, enabled: false, metadata: { archivedFlagCount: 1 } });
  const { body } = await world.call("GET", "/v1/teams/acme/feature-flags/settings");
  expect(body.data).toContainEqual(changed);
  expect((await world.call("PATCH", `${base}/settings`, { body: { name: "a" } })).status).toBe(400);
});
