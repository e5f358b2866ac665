import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this clone. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Files that the commands keep between runs: state, passphrase, control token, the server's data and log. */
export const localFolder = join(root, ".slipway");

/** The Node.js of the package `node`. */
export const pinnedNode = join(root, "node_modules/node/bin/node");

export const pulumiHome = () => process.env.PULUMI_HOME || join(homedir(), ".pulumi");

/**
 * PATH without the `node_modules/.bin` folders that npm puts in front. They contain a `pulumi` that downloads the CLI,
 * and a `node` that `npm ci` deletes while it runs.
 */
export function pathWithoutPackages() {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "" && !folder.endsWith(`node_modules${sep}.bin`));
}

/** Whether there is a file that this user may run. */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Options of esbuild. Paths in a bundle are relative to the root, so they do not depend on the folder of the clone. */
export const fromRoot = { absWorkingDir: root, preserveSymlinks: true };
