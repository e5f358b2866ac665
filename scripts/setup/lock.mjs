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
 * Runs `work` while no other process owns the lock.
 * The lock is a file with the process id of its owner, who touches it every two seconds. A waiting process takes over a
 * lock that was not touched for half a minute, or whose owner has ended.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {{ waiting?: string }} [options] `waiting` is the message while another process owns the lock
 * @returns {Promise<T>}
 */
export async function withLock(
  file,
  work,
  { waiting = "another set-up is running here; waiting for it …" } = {},
) {
  mkdirSync(dirname(file), { recursive: true });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    await acquire(file, own, waiting);
  } finally {
    rmSync(own, { force: true });
  }
  const touch = () => {
    if (ownerOf(file) === process.pid) utimesSync(file, new Date(), new Date());
  };
  const heartbeat = setInterval(touch, heartbeatMs);
  const release = () => {
    if (ownerOf(file) === process.pid) rmSync(file, { force: true });
  };
  process.on("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off("exit", release);
    release();
  }
}

/** The process id in a lock, if there is one. */
function ownerOf(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function acquire(file, own, waiting) {
  let told = false;
  for (;;) {
    try {
      linkSync(own, file);
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const owner = staleOwner(file);
    if (owner !== undefined) {
      takeOver(file, own, owner);
      continue;
    }
    if (!told) say(waiting);
    told = true;
    await sleep(200);
  }
}

/** The owner of a lock, if the lock is stale or the owner has ended; undefined otherwise. */
function staleOwner(file) {
  try {
    const owner = readFileSync(file, "utf8");
    const isStale = Date.now() - statSync(file).mtimeMs > staleMs;
    return isStale || !isAlive(Number(owner)) ? owner : undefined;
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Removes the lock of `owner`. Only one of several waiting processes can rename the file. This process
 * restores the lock if the owner has changed meanwhile.
 */
function takeOver(file, own, owner) {
  const taken = `${own}.taken`;
  try {
    renameSync(file, taken);
    if (readFileSync(taken, "utf8") !== owner) linkSync(taken, file);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    rmSync(taken, { force: true });
  }
}

/** True for a process that runs. A process that has ended is not alive, even if its parent never waits for it. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  try {
    return !/^.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // Only Linux has this file.
    return true;
  }
}
