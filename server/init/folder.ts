import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { StartError } from "../platform/start-error";
import { isSystemError } from "../platform/system-error";
import { readSeedFile, type SeedFile } from "../seed/file";

/** An entry of the folder that `--init` names. */
export type InitEntry = { name: string } & (
  | ({ kind: "seed" } & SeedFile)
  /** `folder`: the absolute path of a Pulumi program. */
  | { kind: "program"; folder: string }
);

const isSeed = (name: string): boolean => /\.(?:ya?ml|json)$/i.test(name);
const isProgram = (folder: string): boolean =>
  ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].some((name) => existsSync(path.join(folder, name)));
/** Hidden files and notes are no entries. */
const isNote = (name: string): boolean => name.startsWith(".") || /\.(?:md|txt)$/i.test(name);

/**
 * Reads the folder of `--init`: seed files and folders with Pulumi programs, in the order of their names.
 * @throws StartError if the folder cannot be read, or has an entry that is neither
 */
export function readInitFolder(folder: string): InitEntry[] {
  const entries = namesIn(folder)
    .filter((name) => !isNote(name))
    .map((name) => entryOf(folder, name));
  if (entries.length > 0) return entries;
  throw new StartError(`${folder} has no seed file and no Pulumi program. ${expected}`);
}

const expected =
  "Put seed files (.yaml or .json) and folders with a Pulumi.yaml into it, named in their order.";

function entryOf(folder: string, name: string): InitEntry {
  const file = path.resolve(folder, name);
  if (!statSync(file).isDirectory()) {
    if (isSeed(name)) return { name, kind: "seed", ...readSeedFile(file) };
    throw new StartError(`${file} is no seed file. ${expected}`);
  }
  if (isProgram(file)) return { name, kind: "program", folder: file };
  throw new StartError(`${file} has no Pulumi.yaml. ${expected}`);
}

/** The names in a folder, sorted by their code points, so that the order is the same on all machines. */
function namesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder);
    if (names.includes("Pulumi.yaml"))
      throw new StartError(
        `${folder} is a Pulumi program. Give the folder that contains it to --init, so that it can have seed files too.`,
      );
    return names.sort();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new StartError(`The folder ${folder} of --init cannot be read (${error.message}).`);
  }
}
