import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type KeyOptions, openVault } from "../../../server/platform/vault-key";
import { openSqlite } from "../../../server/store/sqlite";
import type { Store } from "../../../server/store/store";

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "slipway-key-"));
  store = await openSqlite(folder);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const open = (options: KeyOptions = { folder }) => openVault(store, options);
const keyA = Buffer.alloc(32, 1);
const keyB = Buffer.alloc(32, 2);

it("is made at the first start, for its owner alone, and used from then on", async () => {
  const sealed = (await open()).seal("row", "text");
  expect(statSync(path.join(folder, "key")).mode & 0o777).toBe(0o600);
  expect((await open()).open("row", sealed)).toBe("text");
});

it("is warned of where others may read its file, the one that was made and the one that was given", async () => {
  const warned: unknown[] = [];
  const log = { warn: (about: object) => warned.push(about) };
  await open({ folder, log });
  const file = path.join(folder, "given");
  writeFileSync(file, readFileSync(path.join(folder, "key")), { mode: 0o600 });
  await open({ folder, keyFile: file, log });
  expect(warned).toEqual([]);
  chmodSync(path.join(folder, "key"), 0o640);
  chmodSync(file, 0o644);
  await open({ folder, log });
  await open({ folder, keyFile: file, log });
  expect(warned).toEqual([
    { file: path.join(folder, "key"), mode: "640" },
    { file, mode: "644" },
  ]);
});

it.each([
  ["base64", keyA.toString("base64")],
  ["base64 for URLs", keyA.toString("base64url")],
  ["hex", keyA.toString("hex")],
  ["a line", `${keyA.toString("base64")}\n`],
])("is taken as %s", async (_, text) => {
  const sealed = (await open({ folder, key: text })).seal("row", "text");
  const file = path.join(folder, "given");
  writeFileSync(file, text);
  expect((await open({ folder, keyFile: file })).open("row", sealed)).toBe("text");
  expect(existsSync(path.join(folder, "key"))).toBe(false);
});

it("is refused when it is not the one of the data", async () => {
  await open({ folder, key: keyA.toString("hex") });
  await expect(open({ folder, key: keyB.toString("hex") })).rejects.toThrow(
    /not the one.*SLIPWAY_KEY or --key-file/,
  );
});

it("is not recreated when its file is missing while there is data", async () => {
  await open();
  const file = path.join(folder, "key");
  const text = readFileSync(file, "utf8");
  rmSync(file);
  await expect(open()).rejects.toThrow(/key is missing, and its key sealed the data in .*\. Put it back/);
  expect(existsSync(file)).toBe(false);
  await expect(open({ folder, key: text })).resolves.toBeDefined();
});

it.each([
  ["another length", "c2hvcnQ=", /SLIPWAY_KEY does not hold a key\. Give 32 bytes/],
  ["nothing", " ", /SLIPWAY_KEY does not hold a key/],
])("is refused with %s", async (_, key, message) => {
  await expect(open({ folder, key })).rejects.toThrow(message);
});

it("is refused when its file holds something else or cannot be read", async () => {
  const file = path.join(folder, "given");
  await expect(open({ keyFile: file })).rejects.toThrow(/given cannot be used .*--key-file/);
  writeFileSync(file, "not a key");
  await expect(open({ keyFile: file })).rejects.toThrow(/given does not hold a key/);
});

it("is refused when it is given twice", async () => {
  await expect(open({ key: keyA.toString("hex"), keyFile: "file" })).rejects.toThrow(/both given/);
});

it("must be given for PostgreSQL", async () => {
  await expect(openVault({ ...store, engine: "postgres" }, {})).rejects.toThrow(
    /PostgreSQL store needs a key/,
  );
});

it("never tells the key that it refuses", async () => {
  await open({ folder, key: keyA.toString("hex") });
  const error = await open({ folder, key: keyB.toString("hex") }).catch((thrown) => thrown);
  expect(String(error)).not.toContain(keyB.toString("hex"));
});

it("cannot be made where nothing can be written", async () => {
  if (process.getuid?.() === 0) return;
  chmodSync(folder, 0o500);
  await expect(open()).rejects.toThrow(/cannot be used/);
  chmodSync(folder, 0o700);
});
