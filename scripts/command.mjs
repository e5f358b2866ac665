import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installDependencies, linkCommand } from "./setup/dependencies.mjs";
import { buildDist } from "./setup/dist.mjs";
import { withLock } from "./setup/lock.mjs";
import { localFolder, pinnedNode, pulumiHome, root } from "./setup/paths.mjs";
import { providePulumi } from "./setup/pulumi.mjs";
import { CommandError } from "./setup/run.mjs";

/**
 * Runs a script: prints its help, sets up, switches to the pinned Node.js, and reports errors without a stack trace.
 * @param {{
 *   usage: string,
 *   flags?: string[],
 *   needs: ("pulumi" | "dist")[],
 *   run: (args: string[], tools: { pulumi: string }) => Promise<number>,
 * }} options `flags` are the accepted flags; without them, all arguments are passed on. `run` returns the exit code.
 */
export async function command({ usage, flags, needs, run }) {
  const args = process.argv.slice(2);
  if (args[0] === "--help" || args[0] === "-h") {
    console.log(usage);
    return;
  }
  const unknown = flags && args.find((arg) => !flags.includes(arg));
  if (unknown !== undefined) {
    console.error(`unknown argument: ${unknown}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  try {
    process.exitCode = await withSetUp(needs, (tools) => run(args, tools));
  } catch (error) {
    const message = error instanceof CommandError ? error.message : refusalOfDisk(error);
    if (message === undefined) throw error;
    console.error(message);
    process.exitCode = 1;
  }
}

/** The message for a file or folder that cannot be created or read. */
function refusalOfDisk({ message, path, syscall }) {
  if (typeof path !== "string" || syscall === undefined || syscall.startsWith("spawn")) return undefined;
  const hint = path.startsWith(pulumiHome())
    ? "Set PULUMI_HOME to a folder that you can write to."
    : "Check that this user may write there, and that the disk is not full.";
  return `${message}. ${hint}`;
}

/** The function that prints messages: to standard error with `--json`, so that standard output contains only JSON. */
export const printer = (args) =>
  args.some((arg) => /^(--json|-j)(=true)?$/.test(arg)) ? console.error : console.log;

let inForeground = 0;

/** Exits on a signal, so that clean-up handlers run. While a program runs in the foreground, waits for its end. */
function interrupt(signal) {
  if (inForeground === 0) process.exit(signal === "SIGINT" ? 130 : 143);
}

/**
 * Treats the end of npm's shell as a signal, since some shells (dash) end at a signal without passing it on. This
 * applies only to scripts that npm started. A background job of a user's shell continues.
 */
function endWithShell() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, 100).unref();
}

async function withSetUp(needs, run) {
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  endWithShell();
  const lock = join(localFolder, "setup.lock");
  await withLock(lock, installDependencies);
  if (!isPinned()) return foreground(pinnedNode, process.argv.slice(1), process.env);
  const pulumi = needs.includes("pulumi") ? await providePulumi() : "";
  if (needs.includes("dist")) {
    await withLock(lock, async () => {
      await buildDist();
      await linkCommand();
    });
  }
  return run({ pulumi });
}

function isPinned() {
  const { version } = JSON.parse(readFileSync(join(root, "node_modules/node/package.json"), "utf8"));
  return process.version === `v${version}`;
}

/** Signals within this time count as one interrupt, in milliseconds. */
const oneInterruptMs = 1_000;

/**
 * Runs a program in the foreground, with the input and output of this process.
 * Ctrl-C at a terminal reaches the whole foreground group. Other signals are passed on to the program.
 * @param {{ cwd?: string, isOneInterrupt?: boolean }} [options] `isOneInterrupt` is for a program that stops at once at
 * a second interrupt. Without a terminal, an interrupt can arrive twice: from the process group and from npm. Then the
 * program runs in a separate group, and gets each interrupt once.
 * @returns {Promise<number>} its exit code; 130 if SIGINT ended it, and 143 if another signal did
 */
export function foreground(file, args, env, { cwd = root, isOneInterrupt = false } = {}) {
  return new Promise((done, fail) => {
    inForeground += 1;
    const detached = isOneInterrupt && !process.stdin.isTTY;
    const child = spawn(file, args, { cwd, env, stdio: "inherit", detached });
    let passedOn = 0;
    const passOn = (signal) => {
      if (signal === "SIGINT") {
        if (process.stdin.isTTY || (detached && Date.now() - passedOn < oneInterruptMs)) return;
        passedOn = Date.now();
      }
      child.kill(signal);
    };
    process.on("SIGINT", passOn).on("SIGTERM", passOn);
    const finish = () => {
      inForeground -= 1;
      process.off("SIGINT", passOn).off("SIGTERM", passOn);
    };
    child.on("error", (error) => {
      finish();
      fail(error);
    });
    child.on("close", (code, signal) => {
      finish();
      done(code ?? (signal === "SIGINT" ? 130 : 143));
    });
  });
}
