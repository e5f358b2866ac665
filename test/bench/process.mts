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
}

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
  return {
    url,
    child,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024,
  };
}
