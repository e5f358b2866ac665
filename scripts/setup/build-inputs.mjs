import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folders that are compiled to dist/. */
export const sources = ["cli", "provider", "sdk", "server"];

const settings = [
  "package.json",
  "package-lock.json",
  "publishing.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

/**
 * A hash of every file from which dist/ is built: the sources with their pages and pictures, the build scripts, and the
 * code on the pages of resources, which is in the schema.
 */
export function fingerprint(root) {
  const hash = createHash("sha256");
  const scripts = filesUnder(root, "scripts/setup").filter((file) => file.endsWith(".mjs"));
  for (const file of [...sources.flatMap((folder) => filesUnder(root, folder)), ...scripts, ...settings]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  for (const page of filesUnder(root, "docs/resources")) {
    const code = readFileSync(join(root, page), "utf8").match(/^```[\s\S]*?^```$/gm) ?? [];
    hash.update(`${page}\0`).update(code.join("\0"));
  }
  return hash.digest("hex");
}

/** The files below a folder, relative to `root`, sorted; none if it does not exist. */
export function filesUnder(root, folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
  const start = join(root).length + 1;
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(start))
    .sort();
}
