import { findProcess, isAlive } from "./processes";

/** How often it is looked whether npm is still there, in milliseconds. */
const lookMs = 250;

/**
 * Calls back when the `npx` that started this process has ended. npx runs a command by a shell, and a signal to npx
 * ends both without reaching the command, which would go on serving with its port and its data.
 * A server that a script started in the background stays: there npm is not expected to outlive it.
 */
export function onEndOfNpx(callback: () => void): void {
  const watched = watchedProcesses();
  if (watched.length === 0) return;
  const timer = setInterval(() => {
    if (process.ppid === watched[0] && watched.every(isAlive)) return;
    clearInterval(timer);
    callback();
  }, lookMs);
  timer.unref();
}

/** The parent, and where that is a shell of npx, npx too. */
function watchedProcesses(): number[] {
  if (process.env.npm_command !== "exec") return [];
  const parent = findProcess(process.ppid);
  if (!parent) return [];
  if (isNpx(parent.command)) return [process.ppid];
  const npx = /^\S*sh -c /.test(parent.command) ? findProcess(parent.parent) : undefined;
  return npx && isNpx(npx.command) ? [process.ppid, parent.parent] : [];
}

/** npm calls its own process by what it does. */
const isNpx = (command: string): boolean =>
  /^npm exec\b|\bnpx(?:-cli\.js)?\b|\bnpm-cli\.js exec\b/.test(command);
