import type { Plain } from "../../../provider/core/values";
import { edgeConfigItem } from "../../../provider/resources/edge-config-item";
import { type Harness, recordStack, type Stack, startHarness } from "../stack";

let w: Harness;
let flags: string;
beforeEach(async () => {
  w = await startHarness();
  flags = String(((await w.curl("POST", "/v1/edge-config", { slug: "flags" })) as Plain).id);
});
afterEach(() => w.close());

const declared = (more: object = {}) => ({ edgeConfigId: flags, key: "greeting", value: "hello", ...more });
const items = async () =>
  ((await w.curl("GET", `/v1/edge-config/${flags}/items`)) as unknown as Plain[]).map(({ key, value }) => [
    key,
    value,
  ]);
const write = (operation: string, key: string, value: unknown) =>
  w.curl("PATCH", `/v1/edge-config/${flags}/items`, { items: [{ operation, key, value }] });

it("creates an item, changes it in place and deletes it", async () => {
  const item = w.stack(edgeConfigItem);
  await item.up(declared());
  expect(item.id).toBe(`${flags}/greeting`);
  expect(await item.up(declared({ value: { text: "hello" } }))).toBe("update");
  expect(await items()).toEqual([["greeting", { text: "hello" }]]);
  await item.destroy();
  expect(await items()).toEqual([]);
});

it.each([["text"], [""], [0], [false], [null], [[]], [{}], [[null, { a: null }]]])(
  "has the value %j, and sees no change of it",
  async (value) => {
    const item = w.stack(edgeConfigItem);
    await item.up(declared({ value }));
    expect(await items()).toEqual([["greeting", value]]);
    await item.refresh(w.another());
    expect(await item.up(declared({ value }))).toBe("same");
  },
);

it("compares a value as a whole: members that others add, and the order of lists", async () => {
  const item = w.stack(edgeConfigItem);
  await item.up(declared({ value: { a: 1, list: [1, 2] } }));
  expect(await item.preview(declared({ value: { list: [1, 2], a: 1 } }))).toBe("same");
  expect(await item.preview(declared({ value: { a: 1, list: [2, 1] } }))).toBe("update");
  await write("update", "greeting", { a: 1, list: [1, 2], b: 3 });
  await item.refresh(w.another());
  expect(await item.up(declared({ value: { a: 1, list: [1, 2] } }))).toBe("update");
  expect(await items()).toEqual([["greeting", { a: 1, list: [1, 2] }]]);
});

it("refuses an item that the Edge Config has, and adopts it on request", async () => {
  await write("create", "greeting", "theirs");
  const refused = w.stack(edgeConfigItem, "refused");
  await expect(refused.preview(declared())).rejects.toThrow(/The item .*greeting already exists.*adopt/);
  await expect(w.stack(edgeConfigItem).up(declared())).rejects.toThrow(/already exists .*adopt/);
  expect(await items()).toEqual([["greeting", "theirs"]]);
  await w.stack(edgeConfigItem).up(declared({ adopt: true }));
  expect(await items()).toEqual([["greeting", "hello"]]);
});

it("leaves a value alone that an adoption ignores", async () => {
  await write("create", "greeting", "theirs");
  const ignored = { ignored: async () => ["value"] };
  await w.stack(edgeConfigItem).up(declared({ description: "ours", adopt: true }), ignored);
  expect(await items()).toEqual([["greeting", "theirs"]]);
});

it("does not overwrite an item that somebody else creates meanwhile", async () => {
  const item = w.stack(edgeConfigItem);
  const send = w.client.create.bind(w.client);
  w.client.create = async (call) => {
    await write("create", "greeting", "theirs");
    return send(call);
  };
  await expect(item.up(declared())).rejects.toThrow(/409 conflict.*already exists.*adopt/);
  expect(await items()).toEqual([["greeting", "theirs"]]);
});

it("creates an item although the answer is lost", async () => {
  const path = `/v1/edge-config/${flags}/items`;
  await w.server.control.addFaults({ kind: "drop-after", method: "PATCH", path, times: 1 });
  const item = w.stack(edgeConfigItem);
  await item.up(declared());
  expect(await item.up(declared())).toBe("same");
});

/** A list of two items, as a later run finds it. */
async function listOfTwo(): Promise<[Stack, Stack]> {
  const [first, last] = [w.stack(edgeConfigItem, "items-0"), w.stack(edgeConfigItem, "items-1")];
  await first.up(declared());
  await last.up(declared({ key: "farewell", value: "bye" }));
  const later = w.another();
  recordStack([
    { type: "EdgeConfigItem", name: "items-0", outputs: first.state },
    { type: "EdgeConfigItem", name: "items-1", outputs: last.state },
  ]);
  for (const stack of [first, last]) stack.use(later);
  return [first, last];
}

it("passes on when a list loses its first item, and no key is ever absent", async () => {
  const [first, last] = await listOfTwo();
  expect(await first.up(declared({ key: "farewell", value: "bye" }))).toBe("replace");
  await last.destroy();
  expect(await items()).toEqual([["farewell", "bye"]]);
  const requests = await w.server.control.requests();
  expect(requests.filter(({ method }) => method === "PATCH")).toHaveLength(3);
});

it("keeps the value that the program ignores, when it takes an item over with adopt", async () => {
  const [first, last] = await listOfTwo();
  const taken = declared({ key: "farewell", value: "of the program", adopt: true });
  await first.up(taken, { ignored: async () => ["value"] });
  await last.destroy();
  expect(await items()).toEqual([["farewell", "bye"]]);
});

it("says what to do when the Edge Config does not exist", async () => {
  const item = w.stack(edgeConfigItem);
  await expect(item.up(declared({ edgeConfigId: "ecfg_nope" }))).rejects.toThrow(
    /404 not_found.*Give the id of an Edge Config of this account/,
  );
});

it("is gone with its Edge Config, which is no failure", async () => {
  const item = w.stack(edgeConfigItem);
  await item.up(declared());
  await w.curl("DELETE", `/v1/edge-config/${flags}`);
  expect(await item.refresh(w.another())).toBe(false);
  await item.destroy();
});

it("is imported by the id or the slug of the Edge Config", async () => {
  await write("create", "greeting", { a: [1] });
  const read = (id: string) => edgeConfigItem.read(w.runOf(w.another()), id, undefined);
  for (const config of [flags, "flags"])
    expect(await read(`${config}/greeting`)).toMatchObject({
      id: `${flags}/greeting`,
      inputs: { edgeConfigId: flags, key: "greeting", value: { a: [1] } },
    });
  await expect(read("flags/nothing")).rejects.toThrow(/404 not_found/);
  await expect(read("flags")).rejects.toThrow(/"Edge Config\/key"/);
});
