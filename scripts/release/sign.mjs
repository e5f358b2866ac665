import { join } from "node:path";
import { withLock } from "../setup/lock.mjs";
import { isExecutable, pathWithoutPackages, pulumiHome } from "../setup/paths.mjs";
import { step } from "../setup/progress.mjs";
import { CommandError, run } from "../setup/run.mjs";

const version = "0.29.0";
const toolsFolder = () => join(pulumiHome(), "slipway-tools");

/**
 * Finds `rcodesign`, which signs programs for macOS on every system, or builds it once with Cargo (about four minutes).
 * @returns {Promise<string | undefined>} its path; undefined if it is not found and cannot be built
 */
export async function findSigner() {
  const find = () =>
    [...pathWithoutPackages(), join(toolsFolder(), "bin")]
      .map((folder) => join(folder, "rcodesign"))
      .find(isExecutable);
  return find() ?? withLock(join(toolsFolder(), ".lock"), async () => find() ?? build());
}

async function build() {
  if ((await run("cargo", ["--version"])).code !== 0) return undefined;
  // Without the features that connect to Apple's servers.
  const options = ["--locked", "--no-default-features", "--version", version, "--root", toolsFolder()];
  const { code, output } = await step("building rcodesign, which signs the plugin for macOS", () =>
    run("cargo", ["install", "apple-codesign", ...options], { gentle: true }),
  );
  if (code === 0) return join(toolsFolder(), "bin/rcodesign");
  process.stderr.write(`${output.trim().split("\n").slice(-5).join("\n")}\n`);
  return undefined;
}

/** Signs a program for macOS ad hoc, without an identity. On Apple silicon, macOS does not run unsigned programs. */
export async function signForMac(signer, file) {
  const args = ["sign", "--binary-identifier", "pulumi-resource-slipway", file];
  const { code, output } = await run(signer, args);
  if (code !== 0) throw new CommandError(`rcodesign failed:\n${output.trim()}`);
}
