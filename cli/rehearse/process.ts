import { type ChildProcess, spawn } from "node:child_process";
import { UserError } from "../core/errors";

/** Runs the processes of a rehearsal, and ends the running one when the rehearsal is interrupted. */
export class Processes {
  readonly #running = new Set<ChildProcess>();
  /** The signal that interrupted the rehearsal. */
  interruption: NodeJS.Signals | undefined;
  #onInterrupt: (() => void)[] = [];

  constructor() {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => this.#interrupt(signal));
  }

  /** Rejects when the rehearsal is interrupted. */
  readonly interrupted = new Promise<never>((_, reject) => {
    this.#onInterrupt.push(() => reject(new RehearsalInterrupted()));
  });

  #interrupt(signal: NodeJS.Signals): void {
    const isSecond = this.interruption !== undefined;
    this.interruption ??= signal;
    // After one signal, the CLI finishes its steps. After a second one, it ends at once.
    for (const child of this.#running) killGroup(child, isSecond ? "SIGKILL" : signal);
    if (this.#running.size === 0) for (const call of this.#onInterrupt) call();
  }

  /** Runs a process to its end and returns its output. @throws ProcessFailed with its output if it fails */
  async output(words: readonly string[], options: RunOptions): Promise<string> {
    const child = this.#start(words, options, ["pipe", "pipe", "pipe"]);
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.stdin?.on("error", () => {});
    child.stdin?.end(options.input ?? "");
    const code = await this.#ended(child);
    if (this.interruption) throw new RehearsalInterrupted();
    if (code === 0) return stdout;
    throw new ProcessFailed(words, `${stderr.trim() || stdout.trim()}`);
  }

  /**
   * Runs a process that shows its output, on a terminal directly. Elsewhere, such as in the log of a job, without
   * secrets. @returns its exit code; after a signal, the code that a shell would return
   */
  async show(
    words: readonly string[],
    { conceal, ...options }: RunOptions & { conceal?: Conceal },
  ): Promise<number> {
    const modes = [process.stdout, process.stderr].map(({ isTTY }) =>
      isTTY || conceal === undefined ? "inherit" : "pipe",
    );
    const child = this.#start(words, options, ["ignore", ...modes]);
    if (conceal && child.stdout) forward(child.stdout, process.stdout, conceal);
    if (conceal && child.stderr) forward(child.stderr, process.stderr, conceal);
    return this.#ended(child);
  }

  /** @throws RehearsalInterrupted after an interruption: nothing more is started */
  #start(words: readonly string[], { cwd, env }: RunOptions, stdio: ("pipe" | "inherit" | "ignore")[]) {
    if (this.interruption) throw new RehearsalInterrupted();
    const [file = "", ...args] = words;
    const isWindows = process.platform === "win32";
    // In a separate process group, so that providers that the process leaves behind can be ended too.
    const child = spawn(file, args, { cwd, env, stdio, detached: !isWindows, shell: isWindows });
    this.#running.add(child);
    return child;
  }

  #ended(child: ChildProcess): Promise<number> {
    return new Promise((done, fail) => {
      const end = (): void => {
        this.#running.delete(child);
        killGroup(child, "SIGKILL");
      };
      child.on("error", (error) => {
        end();
        fail(
          new UserError(
            `${child.spawnfile} cannot be run (${error.message}). Install the Pulumi CLI, or start it by its path or with npx.`,
          ),
        );
      });
      child.on("exit", end);
      child.on("close", (code, signal) => done(code ?? (signal === "SIGINT" ? 130 : 137)));
    });
  }
}

type Conceal = (text: string) => string;

/** Writes whole lines, because a secret could be in two parts of a stream. */
function forward(from: NodeJS.ReadableStream, to: NodeJS.WritableStream, conceal: Conceal): void {
  let rest = "";
  from.setEncoding("utf8").on("data", (text: string) => {
    const all = rest + text;
    const end = all.lastIndexOf("\n") + 1;
    rest = all.slice(end);
    if (end > 0) to.write(conceal(all.slice(0, end)));
  });
  from.on("end", () => rest !== "" && to.write(conceal(rest)));
}

export interface RunOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The text for the standard input of the process. */
  input?: string;
}

export class ProcessFailed extends Error {
  constructor(
    readonly words: readonly string[],
    readonly said: string,
  ) {
    super(`\`${words.join(" ")}\` failed: ${said}`);
  }
}

export class RehearsalInterrupted extends Error {
  override readonly name = "RehearsalInterrupted";
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The process has ended.
  }
}
