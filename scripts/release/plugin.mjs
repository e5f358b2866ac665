import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { licensesFile } from "../setup/licenses.mjs";
import { root } from "../setup/paths.mjs";
import { CommandError, run } from "../setup/run.mjs";
import { pack } from "./archive.mjs";
import { ownPlatform, runtimeVersion } from "./platforms.mjs";
import { fetchRuntime } from "./runtime.mjs";
import { findSigner, signForMac } from "./sign.mjs";
import { withoutSignature } from "./windows.mjs";

/** A text in the executable of Node.js. It records whether the executable contains an application. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/**
 * Packs the plugin for each platform: one executable file that contains Node.js, and runs without installed Node.js.
 * @param {string} plugin the folder with the plugin as one file of JavaScript, and the licenses of its packages
 * @param {{ version: string, names: string[], scratch: string, out: string, say(text: string): void }} options
 * @returns {Promise<string[]>} notes about parts that are missing from an archive
 */
export async function packPlugins(plugin, { version, names, scratch, out, say }) {
  const own = await fetchRuntime(ownPlatform, join(scratch, ownPlatform));
  const application = await prepare(plugin, own.executable, scratch);
  const signer = names.some((name) => name.startsWith("darwin")) ? await findSigner() : undefined;
  const notes = [];
  for (const name of names) {
    say(`the plugin for ${name} …`);
    const runtime = name === ownPlatform ? own : await fetchRuntime(name, join(scratch, name));
    const folder = join(scratch, `${name}-archive`);
    mkdirSync(folder);
    const isWindows = name.startsWith("windows");
    const file = join(folder, `pulumi-resource-slipway${isWindows ? ".exe" : ""}`);
    const bytes = readFileSync(runtime.executable);
    writeFileSync(file, isWindows ? withoutSignature(bytes) : bytes);
    await inject(file, application, name.startsWith("darwin"));
    if (name.startsWith("darwin")) {
      if (signer) await signForMac(signer, file);
      else notes.push(`The plugin for ${name} is not signed: macOS on Apple silicon refuses to run it.`);
    }
    chmodSync(file, 0o755);
    // The license of this machine's Node.js, because the packages for Windows have no license.
    addLicenses(plugin, own.license, folder);
    if (runtime !== own) rmSync(join(scratch, name), { recursive: true });
    await pack(folder, join(out, `pulumi-resource-slipway-v${version}-${name}.tar.gz`));
    rmSync(folder, { recursive: true });
  }
  return notes;
}

/** Converts the plugin's JavaScript to an application that Node.js can contain. @returns the file */
async function prepare(plugin, node, scratch) {
  const [main, output, config] = ["plugin.cjs", "plugin.blob", "sea.json"];
  // The application must not begin with a line that names an interpreter.
  const text = readFileSync(join(plugin, "pulumi-resource-slipway"), "utf8").replace(/^#!.*\n/, "");
  writeFileSync(join(scratch, main), text);
  // Compiled code would start faster, but runs only on the platform that made it, and differs from build to build.
  const options = { main, output, disableExperimentalSEAWarning: true };
  writeFileSync(join(scratch, config), JSON.stringify(options));
  // Runs in the folder of the input, because the output contains the path of the input.
  await must(node, ["--experimental-sea-config", config], scratch);
  return join(scratch, output);
}

/** Puts the application into the executable of Node.js. */
async function inject(file, application, isMac) {
  const postject = join(root, "node_modules/postject/dist/cli.js");
  const segment = isMac ? ["--macho-segment-name", "NODE_SEA"] : [];
  await must(process.execPath, [
    ...[postject, file, "NODE_SEA_BLOB", application],
    ...["--sentinel-fuse", fuse, ...segment],
  ]);
}

function addLicenses(plugin, license, folder) {
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const file = join(folder, licensesFile);
  copyFileSync(join(plugin, licensesFile), file);
  appendFileSync(file, `\n=== Node.js ${runtimeVersion}: MIT\n\n${readFileSync(license, "utf8")}`);
}

async function must(file, args, cwd) {
  const { code, output } = await run(file, args, { cwd });
  if (code !== 0) throw new CommandError(`${file} ${args[0]} failed:\n${output.trim()}`);
}
