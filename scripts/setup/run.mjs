import { spawn } from "node:child_process";
import { setPriority } from "node:os";

/** A failure that a command reports without a stack trace: wrong usage, or a tool that fails or is missing. */
export class CommandError extends Error {}

/**
 * Runs a program to its end and returns its output.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, gentle?: boolean, stopSignal?: NodeJS.Signals }} [options]
 * `gentle` gives the program a low priority. `stopSignal` ends the program if this process ends first.
 * @returns {Promise<{ code: number, output: string, stdout: string, timedOut: boolean }>} `code` is 127 when the program is missing.
 */
export function run(file, args, { cwd, env, timeoutMs, gentle = false, stopSignal = "SIGKILL" } = {}) {
  return new Promise((done) => {
    // A separate process group, so that a time-out or an interrupt also reaches processes that the program started.
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    if (gentle && child.pid !== undefined) lowerPriority(child.pid);
    let output = "";
    let stdout = "";
    let timedOut = false;
    child.stdout.on("data", (text) => {
      output += text;
      stdout += text;
    });
    child.stderr.on("data", (text) => {
      output += text;
    });
    const stop = () => signalGroup(child, stopSignal);
    const expire = () => {
      timedOut = true;
      stop();
    };
    const timer = timeoutMs && setTimeout(expire, timeoutMs);
    process.on("exit", stop);
    const finish = (code) => {
      clearTimeout(timer);
      process.off("exit", stop);
      done({ code, output, stdout, timedOut });
    };
    child.on("error", (error) => {
      output += error.message;
      finish(127);
    });
    child.on("close", (code) => finish(code ?? 1));
  });
}

function lowerPriority(pid) {
  try {
    setPriority(pid, 10);
  } catch {
    // The program has already ended, or the system has no priorities. Only the speed depends on the priority.
  }
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process group has already ended.
  }
}
