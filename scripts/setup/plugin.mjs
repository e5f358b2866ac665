import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { licensesFile, licensesOf, packagesIn } from "./licenses.mjs";
import { fromRoot, pathWithoutPackages, root } from "./paths.mjs";
import { CommandError, run } from "./run.mjs";

/**
 * The plugin for programs in every language, as a folder that can be copied anywhere: one executable file that needs
 * nothing but Node.js, the package schema, and what lets the CLI take the folder as a package.
 */

export const pluginFolder = join(root, "dist/plugin");
const executable = "pulumi-resource-slipway";

/** A folder with this file is run by Pulumi's Node.js host. */
const pluginFile = `runtime:
  name: nodejs
  options:
    typescript: false
`;

/** Runs the executable the way that host runs a program of its SDK: with the folder before the engine's address. */
const runPlugin = `"use strict";
process.argv.splice(2, 1);
require("../${executable}");
`;

/** Windows runs no script by its first line. */
const windowsCommand = `@node "%~dp0${executable}" %*\r\n`;

/** Leaves out how the SDK serialises functions, which components do without: it brings the TypeScript compiler and half of npm. */
const withoutClosures = {
  name: "without-closures",
  setup(build) {
    build.onResolve({ filter: /\/closure\/(serializeClosure|codePaths|createClosure)$/ }, ({ path }) => ({
      path,
      namespace: "left-out",
    }));
    build.onLoad({ filter: /./, namespace: "left-out" }, () => ({ contents: "module.exports = {};" }));
  },
};

export async function buildPlugin() {
  const { version, dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  rmSync(pluginFolder, { recursive: true, force: true });
  mkdirSync(pluginFolder, { recursive: true });
  const schema = await packageSchema(version);
  const metafile = await bundlePlugin(schema);
  const write = (name, text) => writeFileSync(join(pluginFolder, name), text);
  write("schema.json", schema);
  write("PulumiPlugin.yaml", pluginFile);
  write(licensesFile, licensesOf(packagesIn(metafile)));
  write(`${executable}.cmd`, windowsCommand);
  mkdirSync(join(pluginFolder, "run-plugin"));
  write("run-plugin/index.js", runPlugin);
  const about = { version, private: true, type: "commonjs" };
  const writePackage = (name, manifest) => write(name, `${JSON.stringify(manifest, null, 2)}\n`);
  writePackage("run-plugin/package.json", { name: "slipway-run-plugin", ...about });
  // The host asks a plugin's folder for the SDK's own way to run it, and a package finds itself under its name.
  // It wants an installation of packages, too, which this one does without asking any registry: from an archive,
  // because npm links a folder, and `pulumi plugin install` cannot copy a link to a folder. Its version is the SDK's:
  // the host compares those of all packages of that name that a program has, and warns when they differ.
  writePackage("package.json", {
    name: "@pulumi/pulumi",
    description: `Lets Pulumi's Node.js host run ${executable}, which needs no SDK.`,
    ...about,
    version: dependencies["@pulumi/pulumi"],
    exports: { "./cmd/run-plugin": "./run-plugin/index.js" },
    dependencies: { "slipway-run-plugin": `file:./${await packed("run-plugin")}` },
  });
}

/** Packs a folder of the plugin. @returns the name of the archive */
async function packed(folder) {
  const { code, output, stdout } = await run(
    "npm",
    ["pack", "--silent", "--pack-destination", pluginFolder],
    {
      cwd: join(pluginFolder, folder),
      env: { ...process.env, npm_config_dry_run: "false", PATH: pathWithoutPackages().join(delimiter) },
    },
  );
  if (code !== 0) throw new CommandError(`npm pack failed:\n${output.trimEnd()}`);
  return stdout.trim();
}

/** The package schema as a text. The sources have to be compiled. */
async function packageSchema(version) {
  const { packageTexts } = await import("./descriptions.mjs");
  const { packageSchema } = createRequire(import.meta.url)(join(root, "dist/provider/plugin/schema"));
  const publishing = JSON.parse(readFileSync(join(root, "publishing.json"), "utf8"));
  return `${JSON.stringify(packageSchema(version, packageTexts(), publishing), null, 2)}\n`;
}

/** Writes the executable. @param {string} schema the package schema, which it contains */
export async function bundlePlugin(schema = readFileSync(join(pluginFolder, "schema.json"), "utf8")) {
  const { build } = await import("esbuild");
  const file = join(pluginFolder, executable);
  const { metafile } = await build({
    ...fromRoot,
    entryPoints: [join(root, "sdk/plugin.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    banner: { js: "#!/usr/bin/env node" },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    plugins: [withoutClosures],
    define: { packageSchema: JSON.stringify(schema) },
  });
  chmodSync(file, 0o755);
  return metafile;
}
