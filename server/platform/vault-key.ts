import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import { keepMeta, readMeta } from "../store/meta";
import type { Store } from "../store/store";
import type { Log } from "./log";
import { StartError } from "./start-error";
import { type Vault, vault } from "./vault";

export interface KeyOptions {
  /** The key itself: 32 bytes as base64 or hex. Not together with `keyFile`. */
  key?: string | undefined;
  /** A file with the key in the same form. */
  keyFile?: string | undefined;
  /** Gets a warning when other users may read the key file. */
  log?: Pick<Log, "warn"> | undefined;
  /** The data folder of the embedded engine. The first start creates a key file in this folder. */
  folder?: string | undefined;
}

const length = 32;
const checkName = "key_check";
const checkText = "slipway";

/**
 * Opens the vault with the server's key. A store in memory needs no key: by default, it gets a random one.
 * @throws StartError when the key is missing, unreadable, malformed, or not the one that sealed the data
 */
export async function openVault(store: Store, options: KeyOptions): Promise<Vault> {
  const known = await store.read((tx) => readMeta(tx, checkName));
  const opened = vault(findKey(options, store.engine, known !== undefined));
  const seal = (): string => opened.seal(checkName, checkText);
  if (!opensCheck(opened, known ?? (await store.write((tx) => keepMeta(tx, checkName, seal()), checkName)))) {
    throw new StartError(
      "The key is not the one that sealed this data. Give the right one with SLIPWAY_KEY or --key-file.",
    );
  }
  return opened;
}

function findKey(
  { key, keyFile, folder, log }: KeyOptions,
  engine: Store["engine"],
  hasData: boolean,
): Buffer {
  if (key !== undefined && keyFile !== undefined) {
    throw new StartError("SLIPWAY_KEY and --key-file are both given. Give one of them.");
  }
  if (key !== undefined) return parseKey(key, "SLIPWAY_KEY");
  if (keyFile !== undefined) return readKeyFile(keyFile, log);
  if (engine === "postgres") {
    throw new StartError(
      "A PostgreSQL store needs a key. Make one (openssl rand -base64 32), and give it with SLIPWAY_KEY or --key-file.",
    );
  }
  if (folder === undefined) return randomBytes(length);
  const file = path.join(folder, "key");
  try {
    const found = parseKey(readFileSync(file, "utf8"), file);
    warnOfReaders(file, log);
    return found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw asStartError(error, file);
  }
  if (hasData) {
    throw new StartError(
      `${file} is missing, and its key sealed the data in ${folder}. Put it back, or give the key with SLIPWAY_KEY or --key-file.`,
    );
  }
  return makeKeyFile(file);
}

function readKeyFile(file: string, log: KeyOptions["log"]): Buffer {
  try {
    const found = parseKey(readFileSync(file, "utf8"), file);
    warnOfReaders(file, log);
    return found;
  } catch (error) {
    throw asStartError(error, file);
  }
}

/** Warns when other users may read a key file, because they could decrypt the secrets. Windows has no file modes. */
function warnOfReaders(file: string, log: KeyOptions["log"]): void {
  const mode = statSync(file).mode & 0o777;
  if (process.platform === "win32" || (mode & 0o077) === 0) return;
  log?.warn({ file, mode: mode.toString(8) }, "others may read the key file: chmod 600");
}

function parseKey(text: string, from: string): Buffer {
  const trimmed = text.trim();
  const isHex = /^[0-9a-f]{64}$/i.test(trimmed);
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed);
  if (!isHex && !isBase64) {
    throw new StartError(
      `${from} does not hold a key. Give ${length} bytes as base64 or hex, for instance from: openssl rand -base64 32`,
    );
  }
  return Buffer.from(trimmed, isHex ? "hex" : "base64");
}

/** Makes a key file. Data without their key are lost, so the file is on the disk before the key seals anything. */
function makeKeyFile(file: string): Buffer {
  const key = randomBytes(length);
  try {
    const whole = `${file}.${process.pid}.new`;
    const handle = openSync(whole, "wx", 0o600);
    writeSync(handle, `${key.toString("base64")}\n`);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(whole, file);
    const folder = openSync(path.dirname(file), "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    throw asStartError(error, file);
  }
  return key;
}

function asStartError(error: unknown, file: string): StartError {
  if (error instanceof StartError) return error;
  return new StartError(
    `The key file ${file} cannot be used (${(error as Error).message}). Give another one with --key-file.`,
  );
}

function opensCheck(opened: Vault, sealed: string): boolean {
  try {
    return opened.open(checkName, sealed) === checkText;
  } catch {
    return false;
  }
}
