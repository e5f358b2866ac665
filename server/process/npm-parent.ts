import { findProcess, isAlive } from "./processes";

/** How often this process checks whether npm is still running, in milliseconds. */
const lookMs = 250;

/**
 * Calls back when the `npx` that started this process has ended. npx runs a command in a shell. A signal to npx ends
 * npx and the shell, but does not reach the command, so the server would continue to use its port and its data. A
 * server that a script started in the background continues, because npm ends before such a server.
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

/** The ids of the parent process and, if the parent is a shell of npx, of npx. */
function watchedProcesses(): number[] {
  if (process.env.npm_command !== "exec") return [];
  const parent = findProcess(process.ppid);
  if (!parent) return [];
  if (isNpx(parent.command)) return [process.ppid];
  const npx = /^\S*sh -c /.test(parent.command) ? findProcess(parent.parent) : undefined;
  return npx && isNpx(npx.command) ? [process.ppid, parent.parent] : [];
}

/** True for the process of npx. npm sets the title of its process to its command. */
const isNpx = (command: string): boolean =>
  /^npm exec\b|\bnpx(?:-cli\.js)?\b|\bnpm-cli\.js exec\b/.test(command);
