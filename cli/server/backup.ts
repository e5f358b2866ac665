import { renameSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { print, printJson, say } from "../core/output";
import { refuseExisting, refuseIrregular, refuseOwnFiles } from "../core/own-files";
import { checkDatabase, databaseFile, dataFlag, dataFolder, openDatabase } from "./data";

export const backup = command({
  summary: "copies the data of a server, also while it runs",
  description:
    "Copies the data folder's database into one file. The copy is consistent, also while a server writes. Its secrets " +
    "stay encrypted, and it does not contain the data folder's file key: keep a copy of that file elsewhere. " +
    "The copy cannot be in a data folder or in .slipway.",
  arguments: [{ name: "file", help: "the file to write" }],
  flags: { data: dataFlag, force: { help: "overwrites the file" } },
  examples: [["slipway backup monday.db", "copies the data of the server of this folder"]],
  notes: "Data in PostgreSQL is copied by pg_dump; the command prints how.",
  output: z.strictObject({ file: z.string(), data: z.string(), bytes: z.int() }),
  run({ args: [given = ""], flags: { data, force }, json }) {
    const folder = dataFolder(data, "backup");
    const file = resolve(given);
    refuseOwnFiles(given, folder);
    refuseIrregular(given, "Choose another file.");
    if (!force) refuseExisting([given], "Choose another file, or overwrite it with --force.");
    const bytes = copy(databaseFile(folder), file);
    if (json) printJson({ file, data: folder, bytes });
    else print(`copied ${folder} to ${file} (${bytes} bytes)`);
    say("the key is not in the copy: keep one elsewhere, since encrypted values are lost without it");
  },
});

/** @returns the size of the copy */
function copy(source: string, file: string): number {
  const staging = `${file}.${process.pid}`;
  process.umask(0o077);
  const db = openDatabase(source, "Give the data folder with --data.");
  try {
    db.prepare("vacuum into ?").run(staging);
    const copied = openDatabase(staging, "Try again.");
    try {
      checkDatabase(copied, staging);
    } finally {
      copied.close();
    }
    renameSync(staging, file);
    return statSync(file).size;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${file} cannot be written (${(error as Error).message}).`);
  } finally {
    db.close();
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${staging}${suffix}`, { force: true });
  }
}
