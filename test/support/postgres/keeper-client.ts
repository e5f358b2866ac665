import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";

/** A PostgreSQL of our own, which lives no longer than the process that asked for it. */
export interface Keeper {
  /** Path of the socket for `askKeeper`, from any process. */
  readonly socket: string;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** @param durable commits survive a crash of the database, which takes time */
export async function startKeeper({ durable = false } = {}): Promise<Keeper> {
  const file = path.join(__dirname, "keeper.mts");
  const child: ChildProcess = spawn(process.execPath, [file, ...(durable ? ["--durable"] : [])], {
    stdio: ["pipe", "pipe", "inherit"],
    // Ctrl-C in the terminal does not reach it: it ends with its standard input.
    detached: true,
  });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error("the keeper has no pipes");
  const [line] = await Promise.race([
    once(stdout, "data"),
    once(child, "exit").then(() => {
      throw new Error("the keeper of PostgreSQL ended");
    }),
  ]);
  // A test run that is done need not wait for it.
  for (const handle of [child, stdin, stdout] as { unref?(): void }[]) handle.unref?.();
  return {
    socket: String(line).trim(),
    async stop() {
      child.ref();
      const exited = child.exitCode === null ? once(child, "exit") : undefined;
      stdin.end();
      await exited;
    },
  };
}

/** @returns the address of the database `postgres`, once it accepts connections */
export async function askKeeper(socket: string, word: "start" | "crash"): Promise<string> {
  const connection = net.connect(socket);
  connection.write(word);
  const answer = await text(connection);
  if (!answer.startsWith("postgres:")) throw new Error(`PostgreSQL did not start: ${answer}`);
  return answer;
}
