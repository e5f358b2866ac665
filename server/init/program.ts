import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { endProcess, findProcess, isAlive } from "../process/processes";

/** The stack of each program. Its settings are in `Pulumi.init.yaml`, beside the program. */
const stack = "init";

/** Programs that failed. The message has no output, which may contain secrets. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
}

export interface ProgramRun {
  /** The folder of the program. */
  folder: string;
  /** The folder for the state of its stack. */
  state: string;
  /** The variables that point the program at the server. */
  env: Readonly<Record<string, string>>;
  /** Called with each line of output. */
  onLine(line: string): void;
  /** Called with each process that is started, so that it can be ended. */
  onProcess(child: ChildProcess): void;
}

/**
 * Runs `pulumi up --refresh` in the folder of a program, on a stack whose state is on this machine.
 * @throws ProgramError if the CLI is missing, or if it fails
 */
export async function runProgram(run: ProgramRun): Promise<void> {
  mkdirSync(run.state, { recursive: true });
  // Only this server uses the state, so a run or a lock is left from a server that was killed.
  await endFormerRun(run);
  rmSync(path.join(run.state, ".pulumi/locks"), { recursive: true, force: true });
  const flags = ["--non-interactive", "--color", "never"];
  await pulumi(run, ["stack", "select", "--create", stack, ...flags]);
  const up = ["up", "--yes", "--skip-preview", "--refresh", "--suppress-progress", "--stack", stack];
  await pulumi(run, [...up, ...flags]);
}

const recordOf = ({ state }: ProgramRun): string => path.join(state, "pid");

/** How long a former run may take to end by itself, in milliseconds. */
const mostMsToEnd = 10_000;

/** Ends a run of the same program that has outlived its server. Its requests would otherwise reach this server. */
async function endFormerRun(run: ProgramRun): Promise<void> {
  if (!existsSync(recordOf(run))) return;
  const pid = Number(readFileSync(recordOf(run), "utf8"));
  // Another process may have the id by now.
  if (isAlive(pid) && /\bpulumi\b/.test(findProcess(pid)?.command ?? "")) {
    run.onLine(`a run of the killed server is still there (process ${pid}), and is ended`);
    await endProcess(pid, "SIGINT", mostMsToEnd);
  }
  rmSync(recordOf(run));
}

/** Settings of the server that are not for programs. */
const ofServer = {
  SLIPWAY_KEY: undefined,
  SLIPWAY_CONTROL_TOKEN: undefined,
  SLIPWAY_SMTP: undefined,
  SLIPWAY_DATA: undefined,
};

async function pulumi(run: ProgramRun, args: readonly string[]): Promise<void> {
  const child = spawn("pulumi", args, {
    cwd: run.folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...(process.env.PULUMI_CONFIG_PASSPHRASE_FILE === undefined && { PULUMI_CONFIG_PASSPHRASE: "" }),
      ...process.env,
      ...ofServer,
      ...run.env,
      PULUMI_BACKEND_URL: pathToFileURL(run.state).href,
      PULUMI_STACK: undefined,
      PULUMI_SKIP_UPDATE_CHECK: "true",
    },
  });
  run.onProcess(child);
  if (child.pid !== undefined) writeFileSync(recordOf(run), `${child.pid}`);
  for (const input of [child.stdout, child.stderr])
    if (input) createInterface({ input }).on("line", (line) => line.trim() !== "" && run.onLine(line));
  const words = ["pulumi", ...args].join(" ").replace(/ --.*/, "");
  await new Promise<void>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new ProgramError(
          error.code === "ENOENT"
            ? "The Pulumi CLI is not on PATH, and --init has a program. Install it: https://www.pulumi.com/docs/install/"
            : `${words} cannot be started (${error.message}).`,
        ),
      ),
    );
    child.once("close", (code, signal) =>
      code === 0
        ? resolve()
        : reject(
            new ProgramError(`${words} failed (${signal ?? `exit code ${code}`}). Its output is in the log.`),
          ),
    );
  });
}
