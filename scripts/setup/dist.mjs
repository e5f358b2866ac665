import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesUnder, fingerprint, sources } from "./build-inputs.mjs";
import { licensesFile, licensesOf, packagesIn } from "./licenses.mjs";
import { buildPages } from "./pages.mjs";
import { fromRoot, root } from "./paths.mjs";
import { buildPlugin } from "./plugin.mjs";
import { step } from "./progress.mjs";
import { CommandError, run } from "./run.mjs";

const stamp = join(root, "dist/.built-from");

/** Compiles the package to dist/ if a source has changed. */
export async function buildDist() {
  const before = fingerprint(root);
  if (before === builtFrom()) return;
  const { code, output } = await step("compiling the package to dist/", () =>
    run(
      process.execPath,
      [
        join(root, "node_modules/typescript-native/bin/tsc"),
        "-p",
        "tsconfig.build.json",
        "--pretty",
        "false",
      ],
      {
        cwd: root,
      },
    ),
  );
  if (code !== 0) throw new CommandError(`The sources do not compile:\n${output.trimEnd()}`);
  const packages = [...(await bundleServer()), ...(await buildPages())];
  prune();
  // Loaded here, because it needs the compiler, which the set-up has installed by now.
  const { writePublicTypes } = await import("./public-types.mjs");
  writePublicTypes();
  writeFileSync(join(root, "dist/server", licensesFile), licensesOf(packages));
  writeFileSync(join(root, "dist/provider", licensesFile), licensesOf(await bundleDynamicHost()));
  await buildPlugin();
  writeFileSync(stamp, before);
}

/** Whether dist/ was built from the sources as they are now. */
export const isDistCurrent = () => fingerprint(root) === builtFrom();

/** Options of all bundles. */
const bundling = {
  ...fromRoot,
  bundle: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  legalComments: "none",
  logLevel: "warning",
};
const minified = { minifySyntax: true, minifyWhitespace: true };

/** The entry points of the server. */
const serverEntries = ["server/command.ts", "server/index.ts"];

/** The module with the options of `slipway serve`, which the server and the command load. */
const optionsModule = "server/options.ts";

/**
 * Bundles the server and its packages into one file per entry point. A bundle starts several times faster than
 * thousands of files, and `require` can load it, although some packages are ES modules only.
 * @returns the folders of the bundled packages
 */
export async function bundleServer() {
  const { build } = await import("esbuild");
  const settings = { ...bundling, outdir: join(root, "dist/server") };
  const { metafile } = await build({
    ...settings,
    entryPoints: serverEntries.map((file) => join(root, file)),
    external: ["pg-native"],
    ...minified,
    metafile: true,
  });
  await build({ ...settings, entryPoints: [join(root, optionsModule)], packages: "external" });
  return packagesIn(metafile);
}

/**
 * Bundles the dynamic host and its packages into one file, which every `pulumi` command loads. The bundle loads twice as
 * fast as the single files. With undici in it, it would be twice as large and no faster.
 * @returns the folders of the bundled packages
 */
export async function bundleDynamicHost() {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    ...bundling,
    ...minified,
    entryPoints: [join(root, "provider/dynamic.ts")],
    external: ["undici"],
    outdir: join(root, "dist/provider"),
    metafile: true,
  });
  return packagesIn(metafile);
}

function builtFrom() {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}

/** Removes compiled files of deleted sources, and compiled files that only the bundles need. */
function prune() {
  const isLoaded = (file) =>
    !file.startsWith("server/") || ["server/main.ts", optionsModule, ...serverEntries].includes(file);
  const expected = new Set(
    sources
      .flatMap((folder) => filesUnder(root, folder))
      .filter((file) => !file.startsWith("server/dashboard/app/"))
      .filter(isLoaded)
      .map((file) => file.replace(/\.ts$/, ".js")),
  );
  for (const folder of sources) {
    for (const file of filesUnder(join(root, "dist"), folder)) {
      if (!expected.has(file) && !file.endsWith(".gz")) rmSync(join(root, "dist", file));
    }
  }
}
