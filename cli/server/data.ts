import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { UserError } from "../core/errors";
import { readRecord } from "./record";

/** The application id of Slipway's files: "slip" in ASCII. */
const applicationId = 0x736c6970;

export const dataFlag = {
  value: "folder",
  variable: "SLIPWAY_DATA",
  help: "the folder with the data; by default that of the server of this folder, or .slipway/data",
} as const;

export const databaseFile = (folder: string): string => join(folder, "slipway.db");

/**
 * The data folder that a command reads or writes.
 * @throws UserError for data in memory or in PostgreSQL
 */
export function dataFolder(given: string | undefined, doing: "backup" | "restore"): string {
  const data = given ?? readRecord()?.data ?? ".slipway/data";
  if (data === "memory") {
    throw new UserError(
      "The server keeps its data in memory. To back it up, start the server with --data <folder>.",
    );
  }
  if (/^postgres(ql)?(:|$)/i.test(data)) throw new UserError(postgresHints[doing]);
  return resolve(data);
}

const postgresHints = {
  backup:
    "The data is in PostgreSQL. Copy it while servers run: " +
    "pg_dump --format=custom --file=slipway.dump <the address in --data>. Store a copy of SLIPWAY_KEY separately.",
  restore:
    "The data is in PostgreSQL. Stop the servers, and restore it into an empty database: " +
    "pg_restore --dbname=<the address in --data> slipway.dump. Start them with the same SLIPWAY_KEY.",
};

/**
 * Opens a database of Slipway.
 * @param hint the advice if the file is missing, damaged, or belongs to another program
 * @throws UserError
 */
export function openDatabase(file: string, hint: string): DatabaseSync {
  if (!existsSync(file)) throw new UserError(`${file} does not exist. ${hint}`);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout: 5_000 });
    const id = db.prepare("pragma application_id").get()?.application_id;
    if (id !== applicationId) throw new UserError(`${file} is not a Slipway database. ${hint}`);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof UserError) throw error;
    throw new UserError(`${file} cannot be opened (${(error as Error).message}). ${hint}`);
  }
}

/** @throws UserError if SQLite finds damage */
export function checkDatabase(db: DatabaseSync, file: string): void {
  let verdict: unknown;
  try {
    verdict = db.prepare("pragma quick_check(1)").get()?.quick_check;
  } catch (error) {
    verdict = (error as Error).message;
  }
  if (verdict !== "ok") throw new UserError(`${file} is damaged (${String(verdict)}).`);
}
