import { readdirSync } from "node:fs";
import { create } from "tar";

/** The time of every file in an archive, as in packages of npm, so that equal files give an equal archive. */
const mtime = new Date("1985-10-26T08:15:00Z");

/**
 * Packs the contents of a folder into a `.tar.gz`. The same contents give the same bytes.
 * @param {string} [prefix] a folder for all files in the archive
 */
export async function pack(folder, file, prefix) {
  const names = readdirSync(folder).sort();
  await create({ file, cwd: folder, gzip: true, portable: true, mtime, noPax: true, prefix }, names);
}
