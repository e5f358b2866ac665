import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "./errors";

/**
 * Refuses to write a file into a folder with Slipway's own files. These folders are the server's data folders, which
 * contain the key for all secrets, and `.slipway`, which contains passphrases and state.
 * @param dataFolder a folder that is treated as a data folder even if it is empty
 * @throws UserError
 */
export function refuseOwnFiles(path: string, dataFolder?: string): void {
  const isOwn = (folder: string): boolean =>
    basename(folder) === ".slipway" || isDataFolder(folder, dataFolder);
  const folder = foldersAround(path).find(isOwn);
  if (folder === undefined) return;
  throw new UserError(
    `${path} is in ${folder}, where Slipway keeps its own files. Choose a path outside this folder.`,
  );
}

/** @returns the data folder that contains a file; undefined if none does */
export const dataFolderWith = (path: string, dataFolder?: string): string | undefined =>
  foldersAround(path).find((folder) => isDataFolder(folder, dataFolder));

/** Recognizes a data folder by two files that every server creates in it. */
function isDataFolder(folder: string, known: string | undefined): boolean {
  if (known !== undefined && realPathOf(known) === folder) return true;
  return ["slipway.db", "key", "lock"].filter((name) => existsSync(join(folder, name))).length >= 2;
}

/** The path and all its parent folders, without symbolic links. If the path itself is a link, also its target. */
function foldersAround(path: string): string[] {
  const given = resolve(path);
  const paths = [join(realPathOf(dirname(given)), basename(given)), realPathOf(given)];
  return paths.flatMap((start) => {
    const folders = [start];
    for (let at = start; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
    return folders;
  });
}

/** The path without symbolic links. The last parts of the path need not exist. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}

/** @param hint the advice in the error @throws UserError if a file exists */
export function refuseExisting(paths: readonly string[], hint: string): void {
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length === 0) return;
  throw new UserError(
    `${existing.join(", ")} ${existing.length === 1 ? "exists" : "exist"} already. ${hint}`,
  );
}

/**
 * Refuses to replace a device, a pipe, a link or a folder with a file.
 * @param hint the advice in the error
 * @throws UserError
 */
export function refuseIrregular(path: string, hint: string): void {
  if (isIrregular(path)) throw new UserError(`${path} is not a regular file. ${hint}`);
}

function isIrregular(path: string): boolean {
  try {
    return !lstatSync(path).isFile();
  } catch {
    // The path does not exist, or its folder cannot be read. The later write reports an unreadable folder.
    return false;
  }
}

/**
 * Checks early whether the result of a command can be written.
 * @param hint the advice
 * @throws UserError if it cannot
 */
export function refuseUnwritable(path: string, hint: string): void {
  try {
    if (!existsSync(path)) {
      const folder = dirname(resolve(path));
      if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file`);
      accessSync(folder, constants.W_OK);
    } else if (statSync(path).isDirectory()) throw new Error("it is a folder");
    else accessSync(path, constants.W_OK);
  } catch (error) {
    throw new UserError(`${path} cannot be written (${(error as Error).message}). ${hint}`);
  }
}
