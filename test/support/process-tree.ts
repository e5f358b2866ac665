import { execFileSync } from "node:child_process";

/**
 * Kills a process and all that it has started, as a lost machine would: none of them can put anything in order.
 * @param pid of a process of this test
 */
export function killTree(pid: number): void {
  for (const one of treeOf(pid)) kill(one.pid);
}

/**
 * Kills those that a process has started, itself or by others, whose command line has this text.
 * @param pid of a process of this test
 */
export function killWithin(pid: number, text: string): void {
  const doomed = treeOf(pid).filter((one) => one.pid !== pid && one.command.includes(text));
  for (const one of doomed) kill(one.pid);
}

export interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** A process and all that it has started, by itself or by others: each after the one that has started it. */
export function treeOf(pid: number): Process[] {
  const lines = execFileSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  const all = lines.flatMap((line): Process[] => {
    const [, id, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return id === undefined ? [] : [{ pid: Number(id), parent: Number(parent), command }];
  });
  const tree = all.filter((one) => one.pid === pid);
  for (const one of tree) tree.push(...all.filter(({ parent }) => parent === one.pid));
  return tree;
}

/** Does nothing to a process that has ended by itself. */
export function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
