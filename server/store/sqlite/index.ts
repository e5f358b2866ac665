import type { DatabaseSync } from "node:sqlite";
import { removeMeta, writeMeta } from "../meta";
import { migrate, requireTables } from "../migrate";
import { Pacer } from "../pacer";
import { type Store, StoreError, type Tx } from "../store";
import { Connection, kyselyOver } from "./connection";
import { asStoreError, asUnitError, fileIn, keepMigrated, makeDurable, openFile, tablesIn } from "./file";
import { GroupCommit } from "./group-commit";
import { Reads } from "./reads";
import { type Session, Snapshots } from "./snapshots";

/**
 * Opens the embedded store.
 * @param folder the folder of `slipway.db`; undefined keeps everything in memory
 * @param pacer divides long units into slices, so that they do not block other work
 * @throws StoreError when the file is damaged, not Slipway's, of a newer version, or read-only
 */
export async function openSqlite(folder: string | undefined, pacer = new Pacer()): Promise<Store> {
  const file = openFile(folder);
  const sessions: Session[] = [];
  const sessionOn = (db: DatabaseSync, pauseIfDue: () => Promise<void> | undefined): Session => {
    const connection = new Connection(db, pauseIfDue);
    const session = { connection, tx: kyselyOver(connection) };
    sessions.push(session);
    return session;
  };
  const main = sessionOn(file.db, () => reads.pauseIfDue());
  const { openReader } = file;
  const snapshots =
    openReader &&
    new Snapshots(
      () => sessionOn(openReader(), () => pacer.pauseIfDue()),
      () => queue.generation,
    );
  const reads: Reads = new Reads(main, snapshots, pacer, () => queue.requireUndone());
  const alone = (commit: () => Promise<void>): Promise<void> => reads.alone(commit);
  const queue = new GroupCommit(main.connection, main.tx, { check: file.check, alone, pacer });
  const place = folder === undefined ? "memory" : fileIn(folder);
  try {
    await migrate(main.tx, { text: "text" });
    requireTables(tablesIn(file.db), place);
    if (folder === undefined) keepMigrated(file);
    makeDurable(file);
  } catch (error) {
    file.close();
    throw asStoreError(error, place);
  }
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
    read: (unit, key = "") => reads.read(unit, key).catch(told),
    write: (unit, key = "") => queue.write(unit, key).catch(told),
    async check() {
      file.check();
      if (!failed) return;
      await queue.write(leaveNothing, "check").catch(told);
      failed = false;
    },
    abandon() {
      queue.abandon();
      for (const { connection } of sessions) connection.abandon();
    },
    async close() {
      await queue.close();
      await reads.close();
      file.close();
    },
  };
}

/** Checks that the disk can be written. */
async function leaveNothing(tx: Tx): Promise<void> {
  await writeMeta(tx, "check", "");
  await removeMeta(tx, "check");
}
