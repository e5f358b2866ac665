import { spawn } from "node:child_process";
import { setPriority } from "node:os";

/** A failure that a command reports in words, without a stack trace: wrong usage, or a tool that fails or is missing. */
export class CommandError extends Error {}

/**
 * Runs a program to its end and returns its output.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, gentle?: boolean, stopSignal?: NodeJS.Signals }} [options]
 * `gentle` lets everything else on the machine go first. `stopSignal` ends the program when this process ends before it.
 * @returns {Promise<{ code: number, output: string, stdout: string, timedOut: boolean }>} `code` is 127 when the program is missing.
 */
export function run(file, args, { cwd, env, timeoutMs, gentle = false, stopSignal = "SIGKILL" } = {}) {
  return new Promise((done) => {
    // A group of its own, so that a time-out or an interrupt reaches what the program itself started.
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
    // It has ended already, or the system has no priorities; speed is all that depends on it.
  }
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone.
  }
}
