import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";

/** Writes a value as JSON, formatted like the sources. @param path from the root of the repository */
export function writeJson(path, value) {
  const file = join(root, path);
  writeFileSync(file, JSON.stringify(value, null, 2));
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  execFileSync(process.execPath, [biome, "format", "--write", file], { cwd: root });
}
