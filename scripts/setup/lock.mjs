import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "./progress.mjs";

const heartbeatMs = 2_000;
const staleMs = 30_000;

/**
 * Runs `work` while no other process holds the lock of that name.
 * The lock is a file with its holder's process id, touched while it is held; a stale one, or one whose holder has
 * ended, is taken over.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    await acquire(file, own);
  } finally {
    rmSync(own, { force: true });
  }
  const touch = () => utimesSync(file, new Date(), new Date());
  const heartbeat = setInterval(touch, heartbeatMs);
  const release = () => rmSync(file, { force: true });
  process.on("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off("exit", release);
    release();
  }
}

async function acquire(file, own) {
  let told = false;
  for (;;) {
    try {
      linkSync(own, file);
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = staleHolder(file);
    if (holder !== undefined) {
      takeOver(file, own, holder);
      continue;
    }
    if (!told) say("another set-up is at work here; waiting for it …");
    told = true;
    await sleep(200);
  }
}

/** The process id in a lock that is stale, or whose holder has ended. */
function staleHolder(file) {
  try {
    const holder = readFileSync(file, "utf8");
    const isStale = Date.now() - statSync(file).mtimeMs > staleMs;
    return isStale || !isAlive(Number(holder)) ? holder : undefined;
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Renaming lets one of several waiters win; what it then holds tells whether it took the lock it meant. */
function takeOver(file, own, holder) {
  const taken = `${own}.taken`;
  try {
    renameSync(file, taken);
    if (readFileSync(taken, "utf8") !== holder) linkSync(taken, file);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    rmSync(taken, { force: true });
  }
}

/** Whether a process runs. One that has ended is not alive, even where its parent never waits for it. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  try {
    return !/^.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // Other systems than Linux have no such file, and always wait.
    return true;
  }
}
