import type { Plain } from "../../../provider/core/values";
import { edgeConfig } from "../../../provider/resources/edge-config";
import { type Harness, recordStack, startHarness } from "../stack";

const declared = { slug: "flags" };
const schema = { type: "object", prefixItems: [{ type: "string" }, { type: "number" }] };

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
});
afterEach(() => w.close());

const all = async () => (await w.curl("GET", "/v1/edge-config")) as unknown as Plain[];
const make = async (slug: string, items = {}) =>
  String(((await w.curl("POST", "/v1/edge-config", { slug, items })) as Plain).id);
const read = (id: string) => edgeConfig.read(w.runOf(w.another()), id, undefined);

it("creates, renames and deletes an Edge Config, which keeps its id", async () => {
  const flags = w.stack(edgeConfig);
  await flags.up(declared);
  expect(flags.state).toMatchObject({ edgeConfigId: flags.id });
  expect(await flags.up({ slug: "features" })).toBe("update");
  expect(await all()).toMatchObject([{ id: flags.id, slug: "features" }]);
  await flags.destroy();
  expect(await all()).toEqual([]);
});

it("leaves a schema alone that the program never declares", async () => {
  const flags = w.stack(edgeConfig);
  await flags.up(declared);
  await w.curl("POST", `/v1/edge-config/${flags.id}/schema`, { definition: schema });
  await flags.refresh(w.another());
  expect(await flags.up(declared)).toBe("same");
  expect(await flags.up({ slug: "features" })).toBe("update");
  expect(await all()).toMatchObject([{ schema }]);
});

it("sees another order of a list in the schema", async () => {
  const flags = w.stack(edgeConfig);
  await flags.up({ ...declared, schema });
  const turned = { ...schema, prefixItems: [...schema.prefixItems].reverse() };
  expect(await flags.up({ ...declared, schema: turned })).toBe("update");
  expect(await all()).toMatchObject([{ schema: turned }]);
});

it("keeps an Edge Config whose schema is refused, and sets the schema in the next run", async () => {
  const flags = w.stack(edgeConfig);
  const path = "/v1/edge-config/:id/schema";
  await w.server.control.addFaults({ kind: "status", status: 400, method: "POST", path, times: 1 });
  await expect(flags.up({ ...declared, schema })).rejects.toThrow(/400/);
  expect(await flags.up({ ...declared, schema })).toBe("update");
  expect(await all()).toMatchObject([{ id: flags.id, schema }]);
});

it("creates one although the answer is lost", async () => {
  const path = "/v1/edge-config";
  await w.server.control.addFaults({ kind: "drop-after", method: "POST", path, times: 1 });
  const flags = w.stack(edgeConfig);
  await flags.up(declared);
  expect(await all()).toMatchObject([{ id: flags.id }]);
});

it("refuses a slug that the account has, and adopts the Edge Config with its items on request", async () => {
  const id = await make("flags", { banner: "hello" });
  const refused = w.stack(edgeConfig, "refused");
  await expect(refused.preview(declared)).rejects.toThrow(/The Edge Config flags already exists.*adopt/);
  await expect(w.stack(edgeConfig).up(declared)).rejects.toThrow(/already exists \(ecfg_.*adopt/);
  const flags = w.stack(edgeConfig, "adopting");
  flags.use(w.another());
  await flags.up({ ...declared, schema, adopt: true });
  expect(await all()).toMatchObject([{ id, itemCount: 1, schema }]);
});

it("does not write a schema that an adoption ignores", async () => {
  await make("flags");
  await w.stack(edgeConfig).up({ ...declared, schema, adopt: true }, { ignored: async () => ["schema"] });
  expect((await all())[0]).not.toHaveProperty("schema");
});

it("does not choose among several of one slug", async () => {
  const ids = [await make("flags"), await make("flags")];
  const several = /Several Edge Configs of the account have the slug flags: ecfg_\w+, ecfg_\w+\..*Import/;
  await expect(w.stack(edgeConfig, "it").preview({ ...declared, adopt: true })).rejects.toThrow(several);
  await expect(w.stack(edgeConfig).up({ ...declared, adopt: true })).rejects.toThrow(several);
  await expect(read("flags")).rejects.toThrow(/Several Edge Configs .* Give the id of one of them/);
  expect(await read(ids[0] ?? "")).toMatchObject({ id: ids[0], inputs: declared });
});

it("does not take the slug of an Edge Config that the program renames", async () => {
  const first = w.stack(edgeConfig, "first");
  await first.up(declared);
  const heir = w.stack(edgeConfig, "heir");
  const later = w.another();
  recordStack([{ type: "EdgeConfig", name: "first", outputs: first.state }]);
  for (const stack of [first, heir]) stack.use(later);
  expect(await first.preview({ slug: "features" })).toBe("update");
  await expect(heir.preview(declared)).rejects.toThrow(
    /belongs to EdgeConfig "first" of this stack.*aliases/,
  );
});

it("is imported by id or slug, with its schema", async () => {
  const id = await make("flags");
  await w.curl("POST", `/v1/edge-config/${id}/schema`, { definition: schema });
  for (const name of [id, "flags"])
    expect(await read(name)).toMatchObject({ id, inputs: { slug: "flags", schema } });
  await expect(read("nobody")).rejects.toThrow(/404 not_found: The account has no Edge Config nobody/);
});
