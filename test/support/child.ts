import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { built, isCurrent } from "./dist";

const root = path.join(__dirname, "../..");

export interface Child {
  readonly process: ChildProcess;
  readonly output: () => { stdout: string; stderr: string };
  /** Waits until standard output shows the pattern. @throws Error with all output when the child ends before */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** The exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
}

/** Collects what a child prints. @returns what it has printed so far */
export function outputOf(child: { stdout: Readable; stderr: Readable }): Child["output"] {
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  return () => ({ stdout, stderr });
}

/** The built files of entries, which start faster than the sources. */
const entries: Record<string, string> = {
  "cli/command.ts": "cli/main.js",
  "server/command.ts": "server/main.js",
};

/** Arguments of Node.js that run a file. An outdated build is not used. */
export function commandOf(file: string): string[] {
  const entry = entries[file];
  if (isCurrent() && entry !== undefined) return [built(entry)];
  return ["--require", path.join(root, "test/support/register.cjs"), path.join(root, file)];
}

/** The variables of a child: nothing of this process's settings but the profile, and the given ones. */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^SLIPWAY_(?!PROFILE$)/.test(name));
  return { ...Object.fromEntries(inherited), ...env };
}

/** Runs a TypeScript file of this repository in a process of its own, with nothing of this one's settings but the profile. */
export function runChild(
  file: string,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
  { cwd, input }: { cwd?: string; input?: string } = {},
): Child {
  const child = spawn(process.execPath, [...commandOf(file), ...args], {
    env: childEnvironment(env),
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  child.stdin?.end(input);
  const output = outputOf(child);
  const exited = once(child, "close").then(([code]) => code as number | null);
  return {
    process: child,
    output,
    exited,
    async waitFor(pattern) {
      let ended = false;
      exited.then(() => {
        ended = true;
      });
      for (;;) {
        const { stdout, stderr } = output();
        const found = pattern.exec(stdout);
        if (found) return found;
        if (ended) throw new Error(`the child ended before ${pattern}:\n${stdout}${stderr}`);
        await Promise.race([once(child.stdout, "data"), exited]);
      }
    },
  };
}
