import { execFileSync } from "node:child_process";

/**
 * Kills a process and all that it has started, as a lost machine would: none of them can put anything in order.
 * @param pid of a process of this test
 */
export function killTree(pid: number): void {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number]);
  const doomed = [pid];
  for (const one of doomed)
    doomed.push(...pairs.filter(([, parent]) => parent === one).map(([child]) => child));
  for (const one of doomed) {
    try {
      process.kill(one, "SIGKILL");
    } catch (error) {
      // It has ended by itself.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
