import { existsSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../store";

/** Marks a file as ours: "slip" in ASCII. */
const applicationId = 0x736c6970;
/** Up to this size a file is looked through at the start: that takes some milliseconds. */
const checkedBytes = 16 * 1024 * 1024;

/** Pages that the connection which writes keeps in memory, in KiB, as far as they are used. */
const cacheKiB = 16 * 1024;

/** SQLite's result codes, the lowest byte of those that tell more. */
const results = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
};

/** A database that is nobody else's as long as it is open. */
export interface OpenFile {
  readonly db: DatabaseSync;
  close(): void;
}

/**
 * Opens the database of a data folder, or makes both.
 * @param folder undefined: in memory
 * @throws StoreError when it is damaged, not ours, another server's at the moment, or cannot be written; then
 *   nothing in the folder has changed
 */
export function openFile(folder: string | undefined): OpenFile {
  const opened: DatabaseSync[] = [];
  const close = (): void => {
    for (const db of opened.reverse()) db.close();
  };
  const open = (file: string): DatabaseSync => {
    const db = new DatabaseSync(file, { timeout: folder === undefined ? 0 : 1000 });
    opened.push(db);
    return db;
  };
  const file = folder === undefined ? ":memory:" : fileIn(folder);
  try {
    if (folder !== undefined) {
      makeFolder(folder);
      lock(open(path.join(folder, "lock")));
    }
    const isNew = folder === undefined || !existsSync(file);
    const db = open(file);
    if (!isNew) examine(db, file);
    // Until `makeDurable`, commits wait for no disk: nothing is promised yet, and a start has several of them.
    db.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on");
    db.exec(`pragma cache_size = ${-cacheKiB}`);
    mark(db);
    return { db, close };
  } catch (error) {
    close();
    throw asStoreError(error, file);
  }
}

/**
 * Makes a folder and those above it. Not by the option `recursive`, which tries for ever where a parent is there and
 * takes no folders, as /proc does.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another server was quicker.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !statSync(folder).isDirectory()) throw error;
  }
}

/** From now on a commit is on the disk when it is done, and all before it with it. */
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
 * Two servers over one folder would each believe that nobody else commits. The lock is one of the system's: it
 * ends with the process, however that ends.
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
  // Written only where it changes something: a newer version's file is left as it is.
  if (db.prepare("pragma application_id").get()?.application_id === applicationId) return;
  db.exec(`pragma application_id = ${applicationId}`);
}

const damaged = (file: string): StoreError =>
  new StoreError(`${file} is damaged or not a database. Restore it from a copy, or move it away.`);

export function asStoreError(error: unknown, file: string): Error {
  if (error instanceof StoreError) return error;
  const { code, syscall, errcode, message } = error as {
    code?: string;
    /** What the system was asked for, when it is its refusal. */
    syscall?: string;
    errcode?: number;
    message: string;
  };
  const result = errcode === undefined ? undefined : errcode & 0xff;
  if (result === results.notADatabase || result === results.corrupt) return damaged(file);
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new StoreError(
      `${file} cannot be made: a file stands where the data folder should be. Give another --data.`,
    );
  }
  if (result === results.full || code === "ENOSPC") return new StoreError(`${file}: the disk is full.`);
  if (syscall !== undefined || result === results.readOnly || result === results.cannotOpen) {
    return new StoreError(`${file} cannot be written (${message}). Give a folder that can with --data.`);
  }
  if (result === results.ioError) {
    return new StoreError(`${file} cannot be read or written (${message}). The disk may be full or broken.`);
  }
  if (result === results.busy) {
    return new StoreError(`${file} is in use by another server. Stop it, or give another --data.`);
  }
  // What is not the file's fault is ours.
  return errcode === undefined ? (error as Error) : new StoreError(`${file} cannot be opened: ${message}`);
}
