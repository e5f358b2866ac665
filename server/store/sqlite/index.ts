import { removeMeta, writeMeta } from "../meta";
import { migrate } from "../migrate";
import { type Store, StoreError, type Tx } from "../store";
import { requireTables } from "../tables";
import { Connection, kyselyOver } from "./connection";
import { asStoreError, asUnitError, fileIn, makeDurable, openFile, tablesIn } from "./file";
import { GroupCommit } from "./group-commit";

/**
 * Opens the embedded store.
 * @param folder the folder of `slipway.db`; undefined keeps everything in memory
 * @throws StoreError when the file is damaged, not Slipway's, of a newer version, or read-only
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
  /** True if the disk or the file has failed since the last successful check. */
  let failed = false;
  const told = (error: unknown): never => {
    const known = asUnitError(error, place);
    if (known instanceof StoreError) failed = true;
    throw known;
  };
  return {
    engine: "sqlite",
    generation: () => queue.generation,
    read: (unit) => queue.read(unit).catch(told),
    write: (unit) => queue.write(unit).catch(told),
    async check() {
      file.check();
      if (!failed) return;
      await queue.write(leaveNothing).catch(told);
      failed = false;
    },
    // Nothing to do: units wait for no other process.
    abandon() {},
    close: () => queue.close().then(close),
  };
}

/** Checks that the disk can be written. */
async function leaveNothing(tx: Tx): Promise<void> {
  await writeMeta(tx, "check", "");
  await removeMeta(tx, "check");
}
