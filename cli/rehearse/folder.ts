import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "slipway-rehearsal-";

/** The files of a rehearsal. Only their owner can read them, and secrets in them are encrypted. */
export interface Folder {
  readonly path: string;
  /** Creates a subfolder. */
  folder(name: string): string;
  remove(): void;
}

/** Creates the folder of a rehearsal. Removes the folders of killed rehearsals, and ends their processes. */
export function openFolder(temporary = tmpdir()): Folder {
  removeLeftovers(temporary);
  const path = mkdtempSync(join(temporary, `${prefix}${process.pid}-`));
  // Retries, because a process that was killed may still write a last file.
  const remove = (): void => {
    process.off("exit", remove);
    endProcesses(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  // If the reader of the output ends, the process exits without the clean-up of the command.
  process.on("exit", remove);
  return {
    path,
    folder(name) {
      const folder = join(path, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    remove,
  };
}

function removeLeftovers(temporary: string): void {
  for (const name of readdirSync(temporary)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || isRehearsal(Number(pid))) continue;
    endProcesses(join(temporary, name));
    try {
      rmSync(join(temporary, name), { recursive: true, force: true });
    } catch {
      // The folder belongs to another user.
    }
  }
}

/** The value of PULUMI_HOME for the processes of a rehearsal. No other process has this value. */
const homeIn = (folder: string): string => join(folder, "home");

/**
 * Ends the processes that the command of a rehearsal has left. The CLI runs plugins in separate process groups. If
 * the CLI is killed, the plugins continue for minutes. Only Linux shows the environment of a process.
 */
function endProcesses(folder: string): void {
  if (!existsSync("/proc/self/environ")) return;
  for (const pid of readdirSync("/proc").map(Number)) {
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      if (variables.includes(`PULUMI_HOME=${homeIn(folder)}`)) process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
}

/** True if the process runs and is a rehearsal. Another process may have the id of a rehearsal that has ended. */
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
