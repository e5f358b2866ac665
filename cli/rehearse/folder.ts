import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "slipway-rehearsal-";

/** The files of a rehearsal. Only their owner can read them, and secrets in them are encrypted. */
export interface Folder {
  readonly path: string;
  /** A folder within. */
  folder(name: string): string;
  remove(): void;
}

/** Makes the folder of a rehearsal, and removes those of rehearsals that were killed. */
export function openFolder(): Folder {
  removeLeftovers();
  const path = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  return {
    path,
    folder(name) {
      const folder = join(path, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    // A process that was killed may still write a last file.
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || isRehearsal(Number(pid))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // That of another user.
    }
  }
}

/** Another process may have got the number of one that ended. */
function isRehearsal(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("rehearse");
  } catch {
    return true;
  }
}
