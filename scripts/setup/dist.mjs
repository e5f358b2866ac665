import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { licensesFile, licensesOf, packagesIn } from "./licenses.mjs";
import { buildPages } from "./pages.mjs";
import { root } from "./paths.mjs";
import { buildPlugin } from "./plugin.mjs";
import { step } from "./progress.mjs";
import { CommandError, run } from "./run.mjs";

const sources = ["cli", "provider", "sdk", "server"];
const settings = [
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  ...["descriptions", "dist", "licenses", "pages", "plugin"].map((name) => `scripts/setup/${name}.mjs`),
];
const stamp = join(root, "dist/.built-from");

/** Compiles the package to dist/ if a source has changed. */
export async function buildDist() {
  const before = fingerprint();
  if (before === builtFrom()) return;
  const { code, output } = await step("compiling the package to dist/", () =>
    run(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json", "--pretty", "false"],
      {
        cwd: root,
      },
    ),
  );
  if (code !== 0) throw new CommandError(`The sources do not compile:\n${output.trimEnd()}`);
  const packages = [...(await bundleServer()), ...(await buildPages())];
  prune();
  writeFileSync(join(root, "dist/server", licensesFile), licensesOf(packages));
  await buildPlugin();
  writeFileSync(stamp, before);
}

/** Whether dist/ was built from the sources as they are now. */
export const isDistCurrent = () => fingerprint() === builtFrom();

/** Records that dist/ was built from the sources as they are now. */
export const recordDist = () => writeFileSync(stamp, fingerprint());

/** The entry points of the server. */
const serverEntries = ["server/command.ts", "server/index.ts"];

/**
 * Bundles the server and its packages into one file per entry point: it starts several times faster than from thousands
 * of files, and `require` can load it although some packages are ES modules only.
 * @returns the folders of the bundled packages
 */
export async function bundleServer() {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    entryPoints: serverEntries.map((file) => join(root, file)),
    outdir: join(root, "dist/server"),
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    external: ["pg-native"],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
  return packagesIn(metafile);
}

/** A hash of everything that goes into dist/. */
function fingerprint() {
  const hash = createHash("sha256");
  const files = sources
    .flatMap((folder) => list(folder))
    .filter((file) => /\.(tsx?|css|html|svg)$/.test(file));
  for (const file of [...files, ...settings]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

function builtFrom() {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}

/** Removes compiled files of deleted sources, and those that are in the bundles. */
function prune() {
  const isLoaded = (file) =>
    !file.startsWith("server/") || file === "server/main.ts" || serverEntries.includes(file);
  const expected = new Set(
    sources
      .flatMap((folder) => list(folder))
      .filter((file) => !file.startsWith("server/dashboard/app/"))
      .flatMap((file) => [
        file.replace(/\.ts$/, ".d.ts"),
        ...(isLoaded(file) ? [file.replace(/\.ts$/, ".js")] : []),
      ]),
  );
  for (const folder of sources) {
    for (const file of list(folder, "dist")) {
      if (!expected.has(file) && !file.endsWith(".gz")) rmSync(join(root, "dist", file));
    }
  }
}

/** The files below a folder, relative to `base`, sorted. */
function list(folder, base = "") {
  let names;
  try {
    names = readdirSync(join(root, base, folder), { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
  const start = join(root, base).length + 1;
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(start))
    .sort();
}
