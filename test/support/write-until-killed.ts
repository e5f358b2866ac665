import { openSqlite } from "../../server/store/sqlite";

/** Writes rows one after the other and prints each number once its write is acknowledged, until it is killed. */
async function writeUntilKilled(folder: string): Promise<void> {
  const store = await openSqlite(folder);
  const writer = async (name: string): Promise<void> => {
    for (let count = 0; ; count++) {
      await store.write((tx) =>
        tx
          .insertInto("meta")
          .values({ name: `${name}-${count}`, value: "written" })
          .execute(),
      );
      process.stdout.write(`${name}-${count}\n`);
    }
  };
  await Promise.all(["a", "b", "c", "d"].map(writer));
}

writeUntilKilled(process.argv[2] ?? "");
