import { migrate } from "../migrate";
import type { Store } from "../store";
import { requireTables } from "../tables";
import { Connection, kyselyOver } from "./connection";
import { asStoreError, fileIn, makeDurable, openFile, tablesIn } from "./file";
import { GroupCommit } from "./group-commit";

/**
 * Opens the embedded store.
 * @param folder the folder of `slipway.db`; undefined keeps everything in memory
 * @throws StoreError when the file is damaged, not of Slipway, newer, or read-only
 */
export async function openSqlite(folder: string | undefined): Promise<Store> {
  const file = openFile(folder);
  const { db: writer, close } = file;
  const connection = new Connection(writer);
  const tx = kyselyOver(connection);
  try {
    await migrate(tx, { text: "text" });
    requireTables(tablesIn(writer), folder === undefined ? "memory" : fileIn(folder));
    makeDurable(file);
  } catch (error) {
    close();
    throw asStoreError(error, folder === undefined ? "memory" : fileIn(folder));
  }
  const queue = new GroupCommit(connection, tx);
  return {
    engine: "sqlite",
    generation: () => queue.generation,
    read: (unit) => queue.read(unit),
    write: (unit) => queue.write(unit),
    // It waits for nobody.
    abandon() {},
    close: () => queue.close().then(close),
  };
}
