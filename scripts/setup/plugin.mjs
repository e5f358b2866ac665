import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { licensesFile, licensesOf, packagesIn } from "./licenses.mjs";
import { fromRoot, pathWithoutPackages, root } from "./paths.mjs";
import { CommandError, run } from "./run.mjs";

/**
 * The plugin for programs in every language, as a folder that can be copied anywhere. It contains the package schema, the
 * files by which the CLI recognizes a package, and one executable file that needs only Node.js.
 */

export const pluginFolder = join(root, "dist/plugin");
const executable = "pulumi-resource-slipway";

/** With this file, Pulumi's Node.js host runs the folder of the plugin. */
const pluginFile = `runtime:
  name: nodejs
  options:
    typescript: false
`;

/** Runs the executable, without the first argument of the Node.js host: the folder, before the engine's address. */
const runPlugin = `"use strict";
process.argv.splice(2, 1);
require("../${executable}");
`;

/** Runs the executable on Windows, which ignores the first line of a script. */
const windowsCommand = `@node "%~dp0${executable}" %*\r\n`;

/** Leaves out the serialization of functions, which components do not use, and which needs TypeScript and npm. */
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
  const { version, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
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
  // The host loads `@pulumi/pulumi/cmd/run-plugin` from the folder of the plugin. A package can load itself by its
  // name, so this package has the name of the SDK. The host also requires installed dependencies. The only dependency
  // is an archive in the folder, which needs no registry. A folder does not work as a dependency: npm would link it,
  // and `pulumi plugin install` cannot copy links to folders. The package also has the version of the SDK, because the
  // host warns when a program has packages of this name with different versions.
  writePackage("package.json", {
    name: "@pulumi/pulumi",
    description: `Lets Pulumi's Node.js host run ${executable}, which needs no SDK.`,
    ...about,
    version: devDependencies["@pulumi/pulumi"],
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

/** Writes the executable. @param {string} schema the package schema, which the executable contains */
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
