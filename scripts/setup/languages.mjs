import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildLanguage, goVersion, oldestGo, partsOf } from "./go-build.mjs";
import { withLock } from "./lock.mjs";
import { isExecutable, pathWithoutPackages, pulumiHome } from "./paths.mjs";
import { say } from "./progress.mjs";
import { CommandError } from "./run.mjs";

/** The language hosts other than Node.js. The vendor's CLI includes them. A CLI that was built here does not. */
export const languages = ["yaml", "python", "go", "java"];

/**
 * Finds the language host, or builds it.
 * @param {string} language @param {string} pulumi the CLI
 * @returns {Promise<string>} the folder of the host
 */
export async function provideLanguage(language, pulumi) {
  const host = `pulumi-language-${language}`;
  const own = join(pulumiHome(), "slipway-languages");
  const find = () =>
    [dirname(pulumi), own, ...pathWithoutPackages()].find((folder) =>
      partsOf(language).every((part) => isExecutable(join(folder, part))),
    );
  return find() ?? withLock(join(own, `.${host}.lock`), async () => find() ?? build(language, host, own));
}

async function build(language, host, folder) {
  const version = await goVersion();
  if (!version?.supported) {
    throw new CommandError(
      `There is no ${host}. Install Pulumi from its vendor, which includes it, or install Go ${oldestGo} or later, so that set-up can build it.`,
    );
  }
  say(`building ${host} from Go modules; this takes some minutes, once`);
  const staging = join(folder, `.${host}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    await buildLanguage(language, staging);
    for (const part of partsOf(language)) renameSync(join(staging, part), join(folder, part));
  } finally {
    if (existsSync(staging)) rmSync(staging, { recursive: true, force: true });
  }
  return folder;
}
