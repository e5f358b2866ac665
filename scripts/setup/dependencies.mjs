import { chmodSync, existsSync, lstatSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isExecutable, pathWithoutPackages, pinnedNode, root } from "./paths.mjs";
import { step } from "./progress.mjs";
import { CommandError, run } from "./run.mjs";

/** Installs the packages of package-lock.json, unless node_modules already has exactly these. */
export async function installDependencies() {
  if (installed()) return;
  // npm would empty the folder that the link leads to.
  if (lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new CommandError(
      "node_modules is a symbolic link, and its packages differ from package-lock.json. Run npm ci in the folder of its target.",
    );
  }
  const { code, output } = await step("installing the dependencies (npm ci)", () =>
    npm("ci", "--no-progress"),
  );
  if (code === 127)
    throw new CommandError("npm is not on PATH. Install Node.js 20 or later, which includes npm.");
  if (code !== 0) throw new CommandError(`npm ci failed:\n${errorsIn(output)}`);
  if (!existsSync(pinnedNode)) {
    throw new CommandError(
      "npm ci left out the package `node`, whose install script must run. " +
        "Allow install scripts (npm config set ignore-scripts false) and try again.",
    );
  }
}

/**
 * Links the command of this package, so that `npx slipway` finds it. During an installation, npm does not link a
 * command whose file does not exist yet, and it leaves the mode of a file that a link leads to.
 */
export async function linkCommand() {
  chmodSync(join(root, "dist/cli/main.js"), 0o755);
  if (isExecutable(join(root, "node_modules/.bin/slipway"))) return;
  const { code, output } = await npm("rebuild", "slipway", "--ignore-scripts");
  if (code !== 0) throw new CommandError(`npm could not link the command slipway:\n${errorsIn(output)}`);
}

/** Runs npm on this package. */
const npm = (...args) =>
  run("npm", args, {
    cwd: root,
    // `npm pack --dry-run` sets this variable, which must not affect the installation.
    env: { ...process.env, npm_config_dry_run: "false", PATH: pathWithoutPackages().join(delimiter) },
  });

/** The errors in npm's output. */
function errorsIn(output) {
  const lines = output.split("\n").filter((line) => line.startsWith("npm error"));
  return (lines.length > 0 ? lines : output.trim().split("\n")).slice(0, 20).join("\n");
}

/**
 * True when the node_modules of a folder have the packages of its package-lock.json. npm writes
 * node_modules/.package-lock.json last, so this also detects an interrupted installation.
 */
export function installed(folder = root) {
  const wanted = packages(folder, "package-lock.json");
  const present = packages(folder, "node_modules/.package-lock.json");
  if (!wanted || !present || !existsSync(pinnedNode)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    const found = present[path];
    // An optional package may be for another system.
    if (!found) return path === "" || entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function packages(folder, file) {
  try {
    return JSON.parse(readFileSync(join(folder, file), "utf8")).packages;
  } catch {
    return undefined;
  }
}
