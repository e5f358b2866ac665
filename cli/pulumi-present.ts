import { existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pulumiEnvironment } from "../provider/pulumi-cli";
import { UserError } from "./core/errors";
import { pulumiHome } from "./core/pulumi-home";
import { isSupportedPulumi, supportedPulumiText } from "./core/pulumi-version";
import { type Processes, ProcessFailed } from "./rehearse/process";

const pulumiMissing = `The Pulumi CLI is not on PATH. Install it, then try again:
  macOS    brew install pulumi/tap/pulumi
  Linux    curl -fsSL https://get.pulumi.com | sh
  Windows  winget install pulumi
https://www.pulumi.com/docs/install/ has other ways.`;

const yamlMissing = `This Pulumi CLI has no language host for YAML (pulumi-language-yaml). Install Pulumi's full download.
If set-up in a clone of Slipway has built the CLI, run this in the clone instead:
  export PATH="$PATH:$(npm run --silent setup -- --print-yaml)"`;

/** @throws UserError if the Pulumi CLI is missing, fails, or has a version that Slipway does not support */
export async function refuseWithoutPulumi(processes: Processes): Promise<void> {
  let version: string;
  try {
    const options = { cwd: process.cwd(), env: pulumiEnvironment() };
    const output = await processes.output(["pulumi", "version"], options);
    version = output.trim().replace(/^v/, "");
  } catch (error) {
    if (processes.interruption) throw error;
    throw new UserError(
      error instanceof ProcessFailed ? `pulumi version failed:\n${error.said}` : pulumiMissing,
    );
  }
  if (isSupportedPulumi(version)) return;
  throw new UserError(
    `The Pulumi CLI on PATH has the version ${version}. Slipway supports ${supportedPulumiText}: ` +
      "https://www.pulumi.com/docs/install/ explains how to install one of these versions.",
  );
}

/** @throws UserError if the Pulumi CLI has no language host for YAML */
export function refuseWithoutYamlHost(): void {
  if (!hasYamlHost()) throw new UserError(yamlMissing);
}

/** True if the Pulumi CLI finds the language host for YAML: on PATH, in its own folder, or among its plugins. */
function hasYamlHost(): boolean {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const clis = folders.map((folder) => join(folder, `pulumi${suffix}`)).filter((file) => existsSync(file));
  const beside = clis.map((file) => dirname(realpathSync(file)));
  if ([...folders, ...beside].some((folder) => existsSync(join(folder, `pulumi-language-yaml${suffix}`))))
    return true;
  const plugins = join(pulumiHome(), "plugins");
  return existsSync(plugins) && readdirSync(plugins).some((name) => name.startsWith("language-yaml-v"));
}
