import { cpSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";

/** Files that commands generate here, which no release contains. */
const generated = new Set(["node_modules", "dist", "site", "coverage", ".git", ".slipway"]);

/** Copies the sources, so that a release is built from nothing else and can have a version of its own. */
export function copySources(folder) {
  cpSync(root, folder, { recursive: true, filter: (path) => !generated.has(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}

/** The number of commits, or 0 where there is no history. */
export async function countCommits() {
  const { code, stdout } = await run("git", ["rev-list", "--count", "HEAD"], { cwd: root });
  return code === 0 ? Number(stdout) : 0;
}
