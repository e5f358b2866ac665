import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { readMeta, writeMeta } from "../../../server/store/meta";
import { openSqlite } from "../../../server/store/sqlite";
import { root } from "../../support/server";

it("a store in memory opens where Node.js cannot serialize it, also a second one", () => {
  const program = `
    delete require("node:sqlite").DatabaseSync.prototype.serialize;
    const { openSqlite } = require("./server/store/sqlite/index.ts");
    const { tableNames } = require("./server/store/tables.ts");
    (async () => {
      for (const _ of [1, 2]) {
        const store = await openSqlite(undefined);
        for (const table of tableNames) await store.read((tx) => tx.selectFrom(table).selectAll().execute());
        await store.close();
        console.log("opened");
      }
    })();`;
  const register = join(root, "test/support/register.cjs");
  const printed = execFileSync(process.execPath, ["--require", register, "--eval", program], {
    cwd: root,
    encoding: "utf8",
  });
  expect(printed).toBe("opened\nopened\n");
});

it("a second store in memory has nothing of the first", async () => {
  const first = await openSqlite(undefined);
  await first.write((tx) => writeMeta(tx, "mark", "first"));
  const second = await openSqlite(undefined);
  expect(await second.read((tx) => readMeta(tx, "mark"))).toBeUndefined();
  await first.close();
  await second.close();
});
