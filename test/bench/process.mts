import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** A server in a process of its own, which says on standard output where it listens. */
export interface Running {
  url: URL;
  child: ChildProcess;
  stop(): Promise<void>;
  /** Resident memory in MiB. */
  memory(): number;
  /** Processor time that it has taken so far, in microseconds, over all of its threads. */
  cpu(): number;
}

/** Microseconds of a clock tick of the kernel's counts, which is the same on all Linux machines. */
const tick = 10_000;

export async function start(args: string[], env: Record<string, string> = {}): Promise<Running> {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  let text = "";
  const url = await new Promise<URL>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const address = /listening on (http:\/\/\S+)/.exec(text)?.[1];
      if (address !== undefined) resolve(new URL(address));
    });
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)));
  });
  const proc = (file: string): string => readFileSync(`/proc/${child.pid}/${file}`, "utf8");
  return {
    url,
    child,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(proc("status"))?.[1] ?? 0) / 1024,
    cpu() {
      // The name, which stands in front in brackets, may hold anything; after it come state, 10 counts, and the times.
      const [, ...fields] = (proc("stat").split(")").pop() ?? "").trim().split(" ");
      return (Number(fields[10]) + Number(fields[11])) * tick;
    },
  };
}
