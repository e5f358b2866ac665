import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { print, printJson, say } from "../core/output";
import { dataFolderWith } from "../core/own-files";
import { checkDatabase, databaseFile, dataFlag, dataFolder, openDatabase } from "./data";

export const restore = command({
  summary: "puts back a file that slipway backup wrote, while no server runs",
  description:
    "Replaces the database of a data folder with a file that slipway backup wrote. A server that runs on the folder has to " +
    "be stopped first, since it would go on with the old data. The folder needs the key of the copy.",
  arguments: [{ name: "file", help: "the copy" }],
  flags: { data: dataFlag, force: { help: "replaces the data of a folder that has some" } },
  examples: [
    ["slipway stop && slipway restore monday.db --force", "goes back to a copy"],
    ["slipway restore monday.db --data elsewhere", "puts it into an empty folder"],
  ],
  notes: "Data in PostgreSQL is restored by pg_restore; the command prints how.",
  output: z.strictObject({ file: z.string(), data: z.string(), hasKey: z.boolean() }),
  run({ args: [given = ""], flags: { data, force }, json }) {
    const folder = dataFolder(data, "restore");
    const file = resolve(given);
    refuseLiveData(given, folder);
    const copy = openDatabase(file, "Give a file that slipway backup wrote.");
    try {
      checkDatabase(copy, file);
    } finally {
      copy.close();
    }
    process.umask(0o077);
    make(folder);
    withLock(folder, () => replace(file, folder, force === true));
    const hasKey = existsSync(join(folder, "key"));
    if (json) printJson({ file, data: folder, hasKey });
    else print(`restored ${file} to ${folder}`);
    if (!hasKey && !process.env.SLIPWAY_KEY) {
      say(
        `put the key of the copy into ${join(folder, "key")}, or set SLIPWAY_KEY, before you start the server`,
      );
    }
  },
});

function make(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UserError(
      `The data folder ${folder} cannot be created (${(error as Error).message}). Choose another one with --data.`,
    );
  }
}

/** Refuses a file in a data folder: a server's newest writes may be only in other files there. @throws UserError */
function refuseLiveData(file: string, folder: string): void {
  const source = dataFolderWith(file, folder);
  if (source === undefined) return;
  throw new UserError(
    `${file} is in the data folder ${source}. Copy it with slipway backup <file> --data ${source}, and restore that copy.`,
  );
}

function replace(file: string, folder: string, force: boolean): void {
  const target = databaseFile(folder);
  if (existsSync(target) && !force) {
    throw new UserError(
      `${folder} already contains data. Copy it with slipway backup, then replace it with --force.`,
    );
  }
  const staging = `${target}.${process.pid}`;
  try {
    copyFileSync(file, staging);
    // A copy has the mode of the original, regardless of the umask.
    chmodSync(staging, 0o600);
    // Removes the log of the old database, which does not belong to the new one.
    for (const suffix of ["-wal", "-shm"]) rmSync(`${target}${suffix}`, { force: true });
    renameSync(staging, target);
  } finally {
    rmSync(staging, { force: true });
  }
}

/** Locks the folder as servers do. @throws UserError while a server uses the folder */
function withLock(folder: string, act: () => void): void {
  const lock = new DatabaseSync(join(folder, "lock"), { timeout: 1_000 });
  try {
    try {
      lock.exec("pragma locking_mode = exclusive; begin exclusive");
    } catch {
      throw new UserError(
        `A server runs on ${folder}, and would go on with the old data. Stop it with slipway stop, restore, and start it again.`,
      );
    }
    act();
  } finally {
    lock.close();
  }
}
