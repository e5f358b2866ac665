import { closeSync, cpSync, existsSync, mkdirSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../provider/client/version";
import { command } from "./core/command";
import { UserError } from "./core/errors";
import { pulumiHome } from "./core/pulumi-home";

export const pluginInstall = command({
  summary: "installs the plugin for the Pulumi CLI",
  description:
    "Installs the plugin for the Pulumi CLI: in PULUMI_HOME, or else in .pulumi in your home directory. Prints the folder.",
  examples: [["slipway plugin install", "for programs in YAML, Python, Go, C# and Java"]],
  run: () => void process.stdout.write(`${installPlugin()}\n`),
});

/** The files that the Pulumi CLI needs. Without PulumiPlugin.yaml, the CLI runs the executable itself. */
const parts = ["pulumi-resource-slipway", "pulumi-resource-slipway.cmd", "LICENSES.txt", "package.json"];

/**
 * Installs the plugin for the Pulumi CLI, or replaces the installed plugin of this version. A plugin from a release
 * archive is kept: it is the same plugin, and contains Node.js.
 * @returns the folder
 * @throws UserError if it cannot be written
 */
export function installPlugin(): string {
  const folder = join(pulumiHome(), "plugins");
  const target = join(folder, `resource-slipway-v${version}`);
  const staging = `${target}.${process.pid}`;
  if (containsRuntime(target)) return target;
  try {
    makeFolders(staging);
    for (const part of parts) cpSync(join(__dirname, "../plugin", part), join(staging, part));
    rmSync(target, { recursive: true, force: true });
    renameSync(staging, target);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `The plugin cannot be installed in ${target} (${reason}). Set PULUMI_HOME to another folder.`,
    );
  }
  return target;
}

/** True for a plugin that contains Node.js, instead of a script for the Node.js of the machine. */
function containsRuntime(folder: string): boolean {
  const file = ["pulumi-resource-slipway.exe", "pulumi-resource-slipway"]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
  if (file === undefined) return false;
  const start = Buffer.alloc(2);
  const descriptor = openSync(file, "r");
  try {
    return readSync(descriptor, start) === start.length && start.toString() !== "#!";
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a folder and its parents. The option `recursive` would loop for ever below a folder such as /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  mkdirSync(folder);
}
