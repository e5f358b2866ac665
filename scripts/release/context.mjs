import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pack } from "./archive.mjs";

/**
 * Packs the context of `docker build`: the Dockerfile and the files that it copies.
 * @param {string} source a copy of the sources, compiled
 * @param {string} context a new folder for the files
 * @param {string} file the archive
 */
export async function packContext(source, context, file) {
  const dockerfile = readFileSync(join(source, "examples/docker/Dockerfile"), "utf8");
  mkdirSync(context);
  writeFileSync(join(context, "Dockerfile"), dockerfile);
  for (const [, sources = ""] of dockerfile.matchAll(/^COPY (.*) \S+$/gm)) {
    for (const name of sources.split(" ")) {
      mkdirSync(dirname(join(context, name)), { recursive: true });
      cpSync(join(source, "dist/server", name), join(context, name), { recursive: true });
    }
  }
  await pack(context, file);
}
