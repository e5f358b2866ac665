import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installDependencies } from "./setup/dependencies.mjs";
import { buildDist } from "./setup/dist.mjs";
import { withLock } from "./setup/lock.mjs";
import { localFolder, pinnedNode, root } from "./setup/paths.mjs";
import { providePulumi } from "./setup/pulumi.mjs";
import { CommandError } from "./setup/run.mjs";

/**
 * The frame of every script: help, set-up, the pinned Node.js, and errors told in words.
 * @param {{
 *   usage: string,
 *   flags?: string[],
 *   needs: ("pulumi" | "dist")[],
 *   run: (args: string[], tools: { pulumi: string }) => Promise<number>,
 * }} options `flags` are all that it takes; without them, arguments are somebody else's. `run` answers the exit code.
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

/** What to tell of a file or folder that cannot be made or read. */
function refusalOfDisk({ message, path, syscall }) {
  if (typeof path !== "string" || syscall === undefined || syscall.startsWith("spawn")) return undefined;
  return `${message}. This user has to be able to write there: see whose it is, and whether the disk is full.`;
}

let inForeground = 0;

/** Leaves through the clean-ups of whatever is at work, unless a program in the foreground has to end first. */
function interrupt(signal) {
  if (inForeground === 0) process.exit(signal === "SIGINT" ? 130 : 143);
}

/**
 * npm runs a script by a shell, and a shell may end at a signal without handing it on (dash does). So its end counts
 * as the signal. Only where npm started us: what a shell leaves in the background goes on.
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
  if (needs.includes("dist")) await withLock(lock, buildDist);
  return run({ pulumi });
}

function isPinned() {
  const { version } = JSON.parse(readFileSync(join(root, "node_modules/node/package.json"), "utf8"));
  return process.version === `v${version}`;
}

/** What comes within this time is one interrupt; who means a second one takes longer. */
const oneInterruptMs = 1_000;

/**
 * Runs a program in the foreground, with our own input and output.
 * Ctrl-C at a terminal reaches the whole foreground group by itself; a signal sent to us alone is passed on.
 * @param {{ cwd?: string, isOneInterrupt?: boolean }} [options] `isOneInterrupt` for a program that takes a second
 * interrupt for an order to stop at once. Without a terminal an interrupt may reach all of a group, and npm hands it on
 * as well: the program then has a group of its own, and gets it from us alone, and once.
 * @returns {Promise<number>} its exit code, or 128 and the signal's number
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
