import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { duePromotions } from "../../../server/deployments/promotion-store";
import { competingClaims } from "../../../server/domains/store";
import { migrations } from "../../../server/store/migrations";
import { openSqlite } from "../../../server/store/sqlite";
import { asStoreError } from "../../../server/store/sqlite/file";
import { prepared, type Store, StoreError, type Tx } from "../../../server/store/store";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "slipway-store-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string) => (tx: Tx) => tx.insertInto("meta").values({ name, value: "" }).execute();
const names = (store: Store): Promise<string[]> =>
  store.read(async (tx) =>
    (await tx.selectFrom("meta").select("name").orderBy("name").execute()).map((r) => r.name),
  );

it.each([
  ["removed", () => rmSync(folder, { recursive: true })],
  ["moved away", () => renameSync(folder, `${folder}-moved`)],
  [
    "put back from a copy",
    () => {
      cpSync(`${folder}/slipway.db`, `${folder}/copy`);
      renameSync(`${folder}/copy`, `${folder}/slipway.db`);
    },
  ],
])("a store whose file was %s while it is open writes nothing any more, and says why", async (_, change) => {
  const store = await openSqlite(folder);
  await store.write(put("before"));
  await store.check();
  change();
  await expect(store.write(put("after"))).rejects.toThrow(
    /slipway\.db was removed or moved while this server ran/,
  );
  await expect(store.check()).rejects.toThrow(StoreError);
  expect(await names(store)).toEqual(["before"]);
  await store.close();
  mkdirSync(folder, { recursive: true });
  rmSync(`${folder}-moved`, { recursive: true, force: true });
});

describe.each([
  ["in memory", () => undefined],
  ["in a folder", () => folder],
])("the embedded store %s", (_, where) => {
  let store: Store;

  beforeEach(async () => {
    store = await openSqlite(where());
  });
  afterEach(() => store.close().catch(() => undefined));

  it("shows each change in a query that is repeated, and nothing of a unit that fails", async () => {
    const repeated = prepared(
      (tx, p: { name: string }) => tx.selectFrom("meta").select("value").where("name", "=", p.name),
      { isRepeated: true },
    );
    const read = (): Promise<unknown> => store.read((tx) => repeated(tx, { name: "a" }));
    const change = (tx: Tx, value: string) => tx.updateTable("meta").set({ value }).execute();
    expect(await read()).toEqual([]);
    await store.write(put("a"));
    expect(await read()).toEqual([{ value: "" }]);
    const kept = await read();
    expect(await read()).toBe(kept);
    await store.write(async (tx) => {
      await repeated(tx, { name: "a" });
      await change(tx, "1");
      expect(await repeated(tx, { name: "a" })).toEqual([{ value: "1" }]);
    });
    expect(await read()).toEqual([{ value: "1" }]);
    const failing = store.write(async (tx) => {
      await change(tx, "2");
      expect(await repeated(tx, { name: "a" })).toEqual([{ value: "2" }]);
      throw new Error("changed its mind");
    });
    // Units that run apart use savepoints.
    const later = store.write((tx) => repeated(tx, { name: "a" }));
    await expect(failing).rejects.toThrow("changed its mind");
    expect(await later).toEqual([{ value: "1" }]);
    expect(await read()).toEqual([{ value: "1" }]);
    expect(await store.read((tx) => repeated(tx, { name: "b" }))).toEqual([]);
  });

  it("takes back a unit that fails, and it alone", async () => {
    const settled = await Promise.allSettled([
      store.write(put("a")),
      store.write(async (tx) => {
        await put("b")(tx);
        throw new Error("changed its mind");
      }),
      store.write(put("a")),
      store.write(put("c")),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(await names(store)).toEqual(["a", "c"]);
  });

  it("runs the units beside one that fails a second time only where that one has written", async () => {
    let runs = 0;
    const others = async (fails: (tx: Tx) => Promise<unknown>): Promise<number> => {
      runs = 0;
      const counted = (name: string) => (tx: Tx) => {
        runs++;
        return put(name)(tx);
      };
      const units = [counted("first"), fails, counted("second")];
      await Promise.allSettled(units.map((unit) => store.write(unit)));
      expect(await names(store)).toEqual(["first", "second"]);
      await store.write((tx) => tx.deleteFrom("meta").execute());
      return runs;
    };
    const changeMind = (): never => {
      throw new Error("changed its mind");
    };
    expect(await others(async (tx) => (await tx.selectFrom("meta").execute()) && changeMind())).toBe(2);
    expect(await others(async (tx) => (await put("third")(tx)) && changeMind())).toBeGreaterThan(2);
  });

  it("runs a read once, on what is committed, whatever the units around it do", async () => {
    const seen: string[][] = [];
    const look = () =>
      store.read(async (tx) => {
        const rows = await tx.selectFrom("meta").select("name").execute();
        seen.push(rows.map(({ name }) => name));
      });
    await store.write(put("before"));
    await Promise.allSettled([
      look(),
      store.write(put("kept")),
      look(),
      store.write(async (tx) => {
        await put("taken back")(tx);
        throw new Error("changed its mind");
      }),
      look(),
    ]);
    expect(seen).toHaveLength(3);
    expect(seen.flat()).not.toContain("taken back");
  });

  it("shows a unit what the ones before it wrote", async () => {
    const first = store.write(put("a"));
    const second = store.write(async (tx) => (await tx.selectFrom("meta").select("name").execute()).length);
    await first;
    expect(await second).toBe(1);
  });

  it("lets a unit that was written while others run see its own writes at once", async () => {
    await Promise.all(
      Array.from({ length: 600 }, async (_, index) => {
        await store.write(put(`row-${index}`));
        expect(await names(store)).toContain(`row-${index}`);
      }),
    );
  });

  it("finishes what was handed in when it closes, and takes nothing more", async () => {
    const writes = Array.from({ length: 300 }, (_, index) => store.write(put(`row-${index}`)));
    await store.close();
    await expect(Promise.all(writes)).resolves.toHaveLength(300);
    await expect(store.write(put("late"))).rejects.toThrow("closed");
  });
});

describe("the embedded store", () => {
  it("shares one commit among the writes that wait", async () => {
    const store = await openSqlite(folder);
    // Counted where it can be seen from outside: each commit changes the version that another connection is told.
    const watcher = new DatabaseSync(path.join(folder, "slipway.db"));
    const version = () => watcher.prepare("pragma data_version").get()?.data_version;
    const versions = new Set([version()]);
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        await store.write(put(`row-${index}`));
        versions.add(version());
      }),
    );
    expect(await names(store)).toHaveLength(200);
    expect(versions.size - 1).toBeLessThan(5);
    watcher.close();
    await store.close();
  });

  it("lets nobody read what is not yet committed", async () => {
    const store = await openSqlite(folder);
    expect(await names(store)).toEqual([]);
    let seen: Promise<string[]> | undefined;
    const failing = store.write(async (tx) => {
      await put("a")(tx);
      seen = names(store);
      await Promise.resolve();
      throw new Error("taken back");
    });
    await expect(failing).rejects.toThrow("taken back");
    expect(await seen).toEqual([]);
    await store.write(put("b"));
    expect(await names(store)).toEqual(["b"]);
    await store.close();
  });

  it("can be backed up from outside between its reads, and goes on writing", async () => {
    const store = await openSqlite(folder);
    await store.write(put("a"));
    expect(await names(store)).toEqual(["a"]);
    const copy = path.join(folder, "copy.db");
    const other = new DatabaseSync(path.join(folder, "slipway.db"), { readOnly: true });
    await backup(other, copy);
    other.close();
    await store.write(put("b"));
    expect(await names(store)).toEqual(["a", "b"]);
    await store.close();
    const copied = new DatabaseSync(copy, { readOnly: true });
    expect(copied.prepare("select count(*) as n from meta where name = 'a'").get()).toEqual({ n: 1 });
    copied.close();
  });

  it("leaves a file alone that is not its own, damaged, or newer", async () => {
    const file = path.join(folder, "slipway.db");
    const foreign = new DatabaseSync(file);
    foreign.exec("create table theirs (x)");
    foreign.close();
    const before = readFileSync(file);
    await expect(openSqlite(folder)).rejects.toThrow(/is not a Slipway database.*--data/);
    expect(readFileSync(file).equals(before)).toBe(true);

    writeFileSync(file, "this was never a database, whatever its name says".repeat(100));
    await expect(openSqlite(folder)).rejects.toThrow(/damaged or not a database/);

    rmSync(file);
    await (await openSqlite(folder)).close();
    const newer = new DatabaseSync(file);
    newer.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')");
    newer.close();
    await expect(openSqlite(folder)).rejects.toThrow(/newer version of Slipway/);
  });

  it("runs later migrations on a store that exists, and none of them on a new store", async () => {
    await (await openSqlite(folder)).close();
    migrations["0002-later"] = () => ["create table later (x integer)"];
    const fresh = path.join(folder, "fresh");
    try {
      for (const data of [folder, folder, fresh]) await (await openSqlite(data)).close();
    } finally {
      delete migrations["0002-later"];
    }
    const found = [folder, fresh].map((data) => {
      const db = new DatabaseSync(path.join(data, "slipway.db"));
      const query = "select name from sqlite_master where name = 'later'";
      const rows = [db.prepare(query).all(), db.prepare("select name from kysely_migration").all()];
      db.close();
      return rows;
    });
    const applied = [{ name: "0001-first" }, { name: "0002-later" }];
    expect(found).toEqual([
      [[{ name: "later" }], applied],
      [[], applied],
    ]);
  });

  it("takes an emptied file beside the key of a store for damaged", async () => {
    await (await openSqlite(folder)).close();
    writeFileSync(path.join(folder, "key"), "key");
    writeFileSync(path.join(folder, "slipway.db"), "");
    await expect(openSqlite(folder)).rejects.toThrow(/damaged or not a database/);
  });

  it("says which table is missing, at the start", async () => {
    await (await openSqlite(folder)).close();
    const db = new DatabaseSync(path.join(folder, "slipway.db"));
    db.exec("drop table domains");
    db.close();
    await expect(openSqlite(folder)).rejects.toThrow(/damaged: the table "domains" is missing. Restore/);
  });

  it("says so when its folder cannot be one, or cannot be written", async () => {
    writeFileSync(path.join(folder, "file"), "");
    await expect(openSqlite(path.join(folder, "file"))).rejects.toThrow(
      /a file is at the path of the data folder/,
    );
    if (process.getuid?.() === 0) return;
    mkdirSync(path.join(folder, "closed"));
    chmodSync(path.join(folder, "closed"), 0o500);
    await expect(openSqlite(path.join(folder, "closed"))).rejects.toThrow(/cannot be written.*--data/);
  });
});

it("an embedded store is checked by a write once its disk has failed, until that succeeds", async () => {
  const store = await openSqlite(folder);
  const failing = (errcode: number) =>
    store.write(() => Promise.reject(Object.assign(new Error("a failure"), { errcode })));
  const commitsOfCheck = async (): Promise<number> => {
    const before = store.generation?.() ?? 0;
    await store.check();
    return (store.generation?.() ?? 0) - before;
  };
  await expect(failing(2067)).rejects.toMatchObject({ message: "a failure" });
  expect(await commitsOfCheck()).toBe(0);
  await expect(failing(13)).rejects.toThrow(/the disk is full/);
  expect(await commitsOfCheck()).toBe(1);
  expect(await commitsOfCheck()).toBe(0);
  expect(await names(store)).toEqual([]);
  await store.close();
});

describe("errors of SQLite or the system are reported with a hint:", () => {
  it.each([
    [
      "a full disk",
      { errcode: 13, message: "database or disk is full" },
      /the disk is full\. Free some space/,
    ],
    [
      "no space",
      { code: "ENOSPC", syscall: "mkdir", message: "ENOSPC" },
      /the disk is full\. Free some space/,
    ],
    [
      "a failure to read",
      { errcode: 266, message: "disk I/O error" },
      /cannot be read or written \(disk I\/O error\)\. The disk may be full or broken/,
    ],
    [
      "a lock",
      { errcode: 5, message: "locked" },
      /in use by another server\. Stop it, or give another --data/,
    ],
    ["a damaged file", { errcode: 267, message: "malformed" }, /is damaged or not a database\. Restore it/],
    [
      "a file that is read-only",
      { errcode: 1032, message: "readonly" },
      /cannot be written \(readonly\)\. Give a writable folder with --data/,
    ],
    ["a file that cannot be opened", { errcode: 14, message: "unable" }, /cannot be written \(unable\)/],
    ["anything else", { errcode: 21, message: "misuse" }, /cannot be opened: misuse/],
  ])("%s", (_, said, told) => {
    const error = asStoreError(Object.assign(new Error(), said), "/data/slipway.db");
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toMatch(told);
    expect(error.message).toContain("/data/slipway.db");
  });
});

it.each<[string, (tx: Tx) => { compile(): { sql: string } }]>([
  ["promotions that are due", (tx) => duePromotions({ tx, now: 0 }, "team_1")],
  ["others who claim a domain", (tx) => competingClaims(tx, "team_1", "example.com")],
])("finds %s by an index, however many rows there are", async (_, query) => {
  const store = await openSqlite(folder);
  const { sql } = await store.read(async (tx) => query(tx).compile());
  await store.close();
  const db = new DatabaseSync(path.join(folder, "slipway.db"), { readOnly: true });
  const values = sql
    .split("?")
    .slice(1)
    .map(() => "");
  const plan = db.prepare(`explain query plan ${sql}`).all(...values);
  db.close();
  const steps = plan.map(({ detail }) => String(detail)).filter((step) => !/^LIST SUBQUERY/.test(step));
  for (const step of steps) expect(step).toMatch(/ USING INDEX /);
});
