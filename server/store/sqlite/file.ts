import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ignoreInGit, makeFolder } from "../folders";
import { StoreError } from "../store";

/** The application id of Slipway's files: "slip" in ASCII. */
const applicationId = 0x736c6970;
/** Files up to this size are checked for damage at the start, which takes some milliseconds. */
const checkedBytes = 16 * 1024 * 1024;

/** The page cache of the writing connection, in KiB. */
const cacheKiB = 16 * 1024;

/** Result codes of SQLite: the lowest byte of an extended result code. */
const results = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
};

/** An open database with an exclusive lock. */
export interface OpenFile {
  readonly db: DatabaseSync;
  /** Opens another connection, which only reads; undefined for a database in memory. */
  readonly openReader: (() => DatabaseSync) | undefined;
  /** @throws StoreError when the folder no longer has this file */
  check(): void;
  close(): void;
}

/**
 * Opens the database of a data folder. Creates the folder and the database if they are missing.
 * @param folder undefined: in memory
 * @throws StoreError when the database is damaged, not Slipway's, in use by another server, or read-only; nothing in
 *   the folder has then changed
 */
export function openFile(folder: string | undefined): OpenFile {
  const opened: DatabaseSync[] = [];
  const close = (): void => {
    for (const db of opened.reverse()) db.close();
  };
  const open = (file: string, readOnly = false): DatabaseSync => {
    const db = new DatabaseSync(file, { timeout: folder === undefined ? 0 : 1000, readOnly });
    opened.push(db);
    return db;
  };
  const file = folder === undefined ? ":memory:" : fileIn(folder);
  try {
    if (folder !== undefined) {
      if (makeFolder(folder)) ignoreInGit(folder);
      lock(open(path.join(folder, "lock")));
    }
    const isNew = folder === undefined || !existsSync(file);
    if (!isNew && isEmptied(file, folder)) throw damaged(file);
    const db = open(file);
    if (folder === undefined && migrated !== undefined) db.deserialize(migrated);
    if (!isNew) examine(db, file);
    // Until `makeDurable`, commits do not wait for the disk. The start makes several, and no client relies on them yet.
    db.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on");
    db.exec(`pragma cache_size = ${-cacheKiB}`);
    mark(db);
    if (folder === undefined) return { db, openReader: undefined, check: () => {}, close };
    return { db, openReader: () => open(file, true), check: sameFile(file), close };
  } catch (error) {
    close();
    throw asStoreError(error, file);
  }
}

/** True for an empty file beside the log or the key of a store, which has lost its contents. */
const isEmptied = (file: string, folder: string): boolean =>
  statSync(file).size === 0 && (existsSync(`${file}-wal`) || existsSync(path.join(folder, "key")));

/** Returns a check that the file was not removed or moved. Otherwise the next server on the folder has no data. */
function sameFile(file: string): () => void {
  const { dev, ino } = statSync(file);
  return () => {
    const now = statSync(file, { throwIfNoEntry: false });
    if (now?.ino === ino && now.dev === dev) return;
    throw new StoreError(
      `${file} was removed or moved while this server ran. Put it back, or stop this server and start it with --data and the new folder.`,
    );
  };
}

/** The contents of a store in memory after its migration. A store that begins with them holds at most 1 GiB. */
let migrated: Uint8Array | undefined;

/** Keeps the contents of a new store in memory for the next one of this process, which needs no migration then. */
export function keepMigrated({ db }: OpenFile): void {
  // Node.js has it since 24.16. Before, each store is migrated.
  if (typeof db.serialize === "function") migrated ??= db.serialize();
}

/** Makes every later commit wait until it and all earlier ones are on the disk. */
export function makeDurable({ db }: OpenFile): void {
  db.exec("pragma synchronous = full");
}

export const tablesIn = (db: DatabaseSync): string[] =>
  db
    .prepare("select name from sqlite_master where type = 'table'")
    .all()
    .map(({ name }) => String(name));

export const fileIn = (folder: string): string => path.join(folder, "slipway.db");

/**
 * Locks the file, because a server assumes that no other process commits. The operating system releases the lock when
 * the process ends, also after a crash.
 */
function lock(db: DatabaseSync): void {
  db.exec("pragma locking_mode = exclusive; begin exclusive");
}

function examine(db: DatabaseSync, file: string): void {
  const found = db.prepare("pragma application_id").get()?.application_id;
  const tables = db.prepare("select count(*) as n from sqlite_master").get()?.n;
  if (found !== applicationId && tables !== 0) {
    throw new StoreError(`${file} is not a Slipway database. Give another folder with --data.`);
  }
  if (statSync(file).size > checkedBytes) return;
  const verdict = db.prepare("pragma quick_check(1)").get()?.quick_check;
  if (verdict !== "ok") throw damaged(file);
}

function mark(db: DatabaseSync): void {
  // The id is written only if it is missing, so that the file of a newer version does not change.
  if (db.prepare("pragma application_id").get()?.application_id === applicationId) return;
  db.exec(`pragma application_id = ${applicationId}`);
}

const damaged = (file: string): StoreError =>
  new StoreError(`${file} is damaged or not a database. Restore it from a backup, or move it away.`);

/** The error of a unit. Errors of the disk or the file become a `StoreError`, and others are not changed. */
export function asUnitError(error: unknown, file: string): unknown {
  const { errcode } = error as { errcode?: number };
  const { busy: _, ...failures } = results;
  const isOfFile = errcode !== undefined && Object.values(failures).includes(errcode & 0xff);
  return isOfFile ? asStoreError(error, file) : error;
}

export function asStoreError(error: unknown, file: string): Error {
  if (error instanceof StoreError) return error;
  const { code, syscall, errcode, message } = error as {
    code?: string;
    /** The system call that failed, for an error of the operating system. */
    syscall?: string;
    errcode?: number;
    message: string;
  };
  const result = errcode === undefined ? undefined : errcode & 0xff;
  if (result === results.notADatabase || result === results.corrupt) return damaged(file);
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new StoreError(
      `${file} cannot be made: a file is at the path of the data folder. Give another folder with --data.`,
    );
  }
  if (result === results.full || code === "ENOSPC")
    return new StoreError(`${file}: the disk is full. Free some space on it.`);
  if (syscall !== undefined || result === results.readOnly || result === results.cannotOpen) {
    return new StoreError(`${file} cannot be written (${message}). Give a writable folder with --data.`);
  }
  if (result === results.ioError) {
    return new StoreError(`${file} cannot be read or written (${message}). The disk may be full or broken.`);
  }
  if (result === results.busy) {
    return new StoreError(`${file} is in use by another server. Stop it, or give another --data.`);
  }
  // Any other error is a bug.
  return errcode === undefined ? (error as Error) : new StoreError(`${file} cannot be opened: ${message}`);
}
