import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { extract } from "tar";
import { pathWithoutPackages } from "../setup/paths.mjs";
import { CommandError, run } from "../setup/run.mjs";
import { platforms, runtimeVersion } from "./platforms.mjs";

/**
 * Downloads the Node.js of a platform with npm, which caches it, and compares its checksum with the pinned one.
 * @param {string} folder where the package is unpacked
 * @returns {Promise<{ executable: string, license: string }>} its files; the packages for Windows have no license
 */
export async function fetchRuntime(platform, folder) {
  const { package: name, integrity } = platforms[platform];
  mkdirSync(folder, { recursive: true });
  const specifier = `${name}@${runtimeVersion}`;
  const { code, output, stdout } = await run("npm", ["pack", specifier, "--silent"], {
    cwd: folder,
    env: { ...process.env, npm_config_dry_run: "false", PATH: pathWithoutPackages().join(delimiter) },
  });
  if (code !== 0) throw new CommandError(`npm pack ${specifier} failed:\n${output.trim()}`);
  const archive = join(folder, stdout.trim().split("\n").at(-1));
  const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (found !== integrity) {
    throw new CommandError(`${specifier} has the checksum ${found}, not ${integrity} as in platforms.mjs.`);
  }
  const executable = platform.startsWith("windows") ? "bin/node.exe" : "bin/node";
  await extract({ file: archive, cwd: folder, strip: 1 }, [`package/${executable}`, "package/LICENSE"]);
  rmSync(archive);
  return { executable: join(folder, executable), license: join(folder, "LICENSE") };
}
