import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { version } from "../provider/client/version";
import { UserError } from "./import/command";

/** The files that the CLI needs. Without PulumiPlugin.yaml it runs the executable itself. */
const parts = ["pulumi-resource-slipway", "pulumi-resource-slipway.cmd", "LICENSES.txt", "package.json"];

/** Installs the plugin for the Pulumi CLI, and replaces one of the same version. @throws UserError */
export function installPlugin(): void {
  const folder = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "plugins");
  const target = join(folder, `resource-slipway-v${version}`);
  const staging = `${target}.${process.pid}`;
  try {
    mkdirSync(staging, { recursive: true });
    for (const part of parts) cpSync(join(__dirname, "../plugin", part), join(staging, part));
    rmSync(target, { recursive: true, force: true });
    renameSync(staging, target);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `The plugin cannot be installed in ${target} (${reason}). Name another folder in PULUMI_HOME.`,
    );
  }
  process.stdout.write(`${target}\n`);
}
