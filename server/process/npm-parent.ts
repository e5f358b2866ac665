import { findProcess, isAlive } from "./processes";

/** The interval between checks that npm still runs, in milliseconds. */
const lookMs = 250;

/**
 * Calls back when the `npx` that started this process has ended. npx runs a command through a shell. A signal to npx
 * ends npx and the shell but does not reach the command, which would keep running and keep its port and its data.
 * A server that an npm script started in the background keeps running, because npm may end before it.
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

/** If npx started this process, returns the id of the parent, and of npx if the parent is only its shell. */
function watchedProcesses(): number[] {
  if (process.env.npm_command !== "exec") return [];
  const parent = findProcess(process.ppid);
  if (!parent) return [];
  if (isNpx(parent.command)) return [process.ppid];
  const npx = /^\S*sh -c /.test(parent.command) ? findProcess(parent.parent) : undefined;
  return npx && isNpx(npx.command) ? [process.ppid, parent.parent] : [];
}

/** True for the command of an npx process. npm changes the title of its process to its command, such as `npm exec`. */
const isNpx = (command: string): boolean =>
  /^npm exec\b|\bnpx(?:-cli\.js)?\b|\bnpm-cli\.js exec\b/.test(command);
