import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { parse } from "yaml";
import { isPlain, type Plain } from "../../provider/core/values";

/** The files of a Pulumi project. */

export interface ProjectFile {
  /** The folder of the file, to which its paths are relative. */
  root: string;
  contents: Plain;
  /** The folder of the program, which `main` can name. */
  program: string;
}

const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The project of a folder: its own file, or the one in a folder above it, as the Pulumi CLI finds it. */
export function projectOf(folder: string): ProjectFile | undefined {
  for (let at = existsSync(folder) ? realpathSync(folder) : folder; ; at = dirname(at)) {
    const file = names.map((name) => join(at, name)).find(existsSync);
    if (file !== undefined) return readProject(at, file);
    if (at === dirname(at)) return undefined;
  }
}

function readProject(root: string, file: string): ProjectFile {
  const parsed: unknown = parse(readFileSync(file, "utf8"));
  const contents = isPlain(parsed) ? parsed : {};
  const main = resolve(root, typeof contents.main === "string" ? contents.main : ".");
  return { root, contents, program: existsSync(main) && statSync(main).isFile() ? dirname(main) : main };
}

const skipped = new Set(["node_modules", ".git", "dist", "venv", ".venv", "bin", "obj", "target", ".pulumi"]);
const largestFile = 262_144;
const mostFiles = 2_000;

/** The texts of the files in a folder, without packages and builds. */
export function* textsIn(folder: string): Generator<{ path: string; extension: string; text: string }> {
  let left = mostFiles;
  const open = [{ folder, depth: 0 }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const entry of readdirSync(next.folder, { withFileTypes: true })) {
      const path = join(next.folder, entry.name);
      if (entry.isDirectory() && next.depth < 4 && !skipped.has(entry.name))
        open.push({ folder: path, depth: next.depth + 1 });
      else if (entry.isFile() && left-- > 0 && statSync(path).size <= largestFile)
        yield { path, extension: extname(entry.name), text: readFileSync(path, "utf8") };
    }
  }
}
