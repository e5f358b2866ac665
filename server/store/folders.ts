import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder and its parents. The option `recursive` would loop for ever below a parent that accepts no folders,
 * such as /proc.
 * @returns false if the folder exists
 */
export function makeFolder(folder: string): boolean {
  if (existsSync(folder) && statSync(folder).isDirectory()) return false;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another process made it first.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !statSync(folder).isDirectory()) throw error;
    return false;
  }
}

/** Keeps the contents of a folder, such as keys and links, out of Git. */
export function ignoreInGit(folder: string): void {
  try {
    writeFileSync(path.join(folder, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
