import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A process of this machine, as far as others may see it. */
interface ProcessEntry {
  parent: number;
  /** Its arguments, with blanks between them. */
  command: string;
}

/** True for a process that runs. One that has ended is not alive, even if its parent has not yet noticed. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It is another user's.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isZombie(pid);
}

/** The first process of a container is often one that never waits for its children, so they stay as zombies. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /^.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** @returns undefined when there is no such process, or the system does not tell */
export function findProcess(pid: number): ProcessEntry | undefined {
  try {
    return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

/** The processes whose working directory is a folder, on Linux. Other systems do not tell. */
export function findProcessesIn(folder: string): number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      // It has ended, or is another user's.
      return false;
    }
  });
}

/** Images of containers often have no `ps`. */
function fromProc(pid: number): ProcessEntry {
  // The name in parentheses may hold blanks and parentheses.
  const [, parent] = /^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  return { parent: Number(parent), command };
}

function fromPs(pid: number): ProcessEntry | undefined {
  const line = execFileSync("ps", ["-ww", "-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" });
  const [, parent, command = ""] = /^\s*(\d+)\s+(.*?)\s*$/s.exec(line) ?? [];
  return parent === undefined ? undefined : { parent: Number(parent), command };
}
