import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The facts about a process of this machine that other processes may read. */
interface ProcessEntry {
  parent: number;
  /** The arguments of the process, separated by spaces. */
  command: string;
}

/** True for a running process. A process that has ended is not alive, even if its parent has not read its exit code. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // With EPERM, the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isZombie(pid);
}

/** True for an ended process that remains because the first process of the container does not wait for its children. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /^.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Sends a signal to a process, and kills it if it has not ended after `mostMs` milliseconds. Waits for its end. */
export async function endProcess(pid: number, name: NodeJS.Signals, mostMs: number): Promise<void> {
  signal(pid, name);
  const deadline = Date.now() + mostMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) signal(pid, "SIGKILL");
    await sleep(25);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** @returns undefined when the process does not exist, or the system gives no information about it */
export function findProcess(pid: number): ProcessEntry | undefined {
  try {
    return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

/** Returns the ids of the processes whose working directory is `folder`. Only on Linux; elsewhere none. */
export function findProcessesIn(folder: string): number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      // The process has ended, or belongs to another user.
      return false;
    }
  });
}

/** Reads `/proc`, because container images often have no `ps`. */
function fromProc(pid: number): ProcessEntry {
  // The name of the program, in parentheses, may contain spaces and parentheses.
  const [, parent] = /^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  return { parent: Number(parent), command };
}

function fromPs(pid: number): ProcessEntry | undefined {
  const line = execFileSync("ps", ["-ww", "-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" });
  const [, parent, command = ""] = /^\s*(\d+)\s+(.*?)\s*$/s.exec(line) ?? [];
  return parent === undefined ? undefined : { parent: Number(parent), command };
}
