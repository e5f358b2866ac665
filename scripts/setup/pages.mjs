import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packagesIn } from "./licenses.mjs";
import { fromRoot, root } from "./paths.mjs";

/**
 * Builds the pages of the server: the dashboard and the API reference. Only the compressed files are kept, because the
 * server sends them compressed.
 * @returns the folders of the packages in the pages
 */
export async function buildPages() {
  const { build } = await import("esbuild");
  const packages = [];
  const bundle = async (folder, entries) => {
    const { outputFiles, metafile } = await build({
      ...fromRoot,
      entryPoints: entries.map((entry) => join(root, folder, entry)),
      outdir: "/",
      write: false,
      bundle: true,
      minify: true,
      format: "iife",
      target: ["chrome110", "firefox115", "safari16"],
      jsx: "automatic",
      jsxImportSource: "preact",
      legalComments: "none",
      logLevel: "warning",
      metafile: true,
    });
    packages.push(...packagesIn(metafile));
    return outputFiles.map(({ path, contents }) => [path.split(/[\\/]/).at(-1), contents]);
  };
  const source = (folder, name) => [name, readFileSync(join(root, folder, name))];

  const dashboard = "server/dashboard/app";
  write(dashboard, [
    source(dashboard, "index.html"),
    source(dashboard, "locked.html"),
    source(dashboard, "icon.svg"),
    ...(await bundle(dashboard, ["main.tsx", "locked.ts", "style.css"])),
  ]);
  const reference = "server/ops/reference";
  write(reference, [
    source(reference, "index.html"),
    source(dashboard, "icon.svg"),
    ...(await bundle(reference, ["main.tsx", "page.css"])),
  ]);
  return packages;
}

function write(folder, files) {
  const target = join(root, "dist", folder);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const [name, contents] of files) {
    writeFileSync(join(target, `${name}.gz`), gzipSync(contents, { level: 9 }));
  }
}
