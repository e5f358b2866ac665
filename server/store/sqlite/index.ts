import { migrate } from "../migrate";
import type { Store } from "../store";
import { requireTables } from "../tables";
import { Connection, kyselyOver } from "./connection";
import { asStoreError, asUnitError, fileIn, makeDurable, openFile, tablesIn } from "./file";
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
  const place = folder === undefined ? "memory" : fileIn(folder);
  try {
    await migrate(tx, { text: "text" });
    requireTables(tablesIn(writer), place);
    makeDurable(file);
  } catch (error) {
    close();
    throw asStoreError(error, place);
  }
  const queue = new GroupCommit(connection, tx, file.check);
  const told = (error: unknown): never => {
    throw asUnitError(error, place);
  };
  return {
    engine: "sqlite",
    generation: () => queue.generation,
    read: (unit) => queue.read(unit).catch(told),
    write: (unit) => queue.write(unit).catch(told),
    check: async () => file.check(),
    // It waits for nobody.
    abandon() {},
    close: () => queue.close().then(close),
  };
}
