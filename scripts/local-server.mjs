import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./setup/lock.mjs";
import { localFolder, pinnedNode, root } from "./setup/paths.mjs";
import { CommandError, run } from "./setup/run.mjs";

const record = join(localFolder, "server.json");
const log = join(localFolder, "server.log");
const startTimeoutMs = 30_000;
const stopTimeoutMs = 20_000;

/** The environment of the bundled server; variables that are already set take precedence. */
export function serverEnvironment() {
  return {
    SLIPWAY_PORT: "4000",
    SLIPWAY_DATA: join(localFolder, "data"),
    ...process.env,
    SLIPWAY_CONTROL_TOKEN: controlToken(),
  };
}

export const serverCommand = [join(root, "dist/server/main.js"), "serve"];

export const controlToken = () => process.env.SLIPWAY_CONTROL_TOKEN || secret("control-token");

/** A secret of this clone, made on first use and readable by its owner only. */
export function secret(name) {
  const file = join(localFolder, name);
  mkdirSync(localFolder, { recursive: true });
  try {
    writeFileSync(file, randomBytes(24).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}

/**
 * Returns the address of this clone's server, and starts it if none answers.
 * @returns {Promise<{ url: string, started: boolean }>}
 */
export async function ensureServer() {
  const own = await recorded();
  if (own) return { url: own.url, started: false };
  const { SLIPWAY_HOST: host = "127.0.0.1", SLIPWAY_PORT: port } = serverEnvironment();
  const url = `http://${host}:${port}`;
  const there = port === "0" ? "nothing" : await whoAnswers(url);
  if (there === "nothing") return { url: await start(), started: true };
  const wayOut = "Stop it, or choose another port: SLIPWAY_PORT=4001 npm run up";
  if (there === "something else") {
    throw new CommandError(`Port ${port} is in use by another program. ${wayOut}`);
  }
  if (await acceptsControlToken(url)) return { url, started: false };
  throw new CommandError(`Port ${port} is in use by a Slipway server of another folder. ${wayOut}`);
}

/** The server that `npm run up` started, if it still answers. */
export async function recorded() {
  const entry = readRecord();
  return entry && isAlive(entry.pid) && (await answersAs(entry)) ? entry : undefined;
}

async function answersAs({ url, instance }) {
  return instance !== undefined && (await askHealth(url))?.instance === instance;
}

/**
 * Stops the server that `npm run up` started, and no other.
 * @returns {Promise<boolean>} whether there was one
 */
export async function stopServer() {
  const entry = readRecord();
  const ours =
    entry !== undefined && isAlive(entry.pid) && ((await answersAs(entry)) || (await looksLikeOurs(entry)));
  if (ours) await end(entry.pid);
  rmSync(record, { force: true });
  return ours;
}

/** For a process that does not answer: its id may belong to another program by now. */
async function looksLikeOurs({ pid }) {
  const { stdout } = await run("ps", ["-o", "args=", "-p", String(pid)]);
  return stdout.includes(serverCommand.join(" "));
}

async function end(pid) {
  process.kill(pid, "SIGTERM");
  const deadline = Date.now() + stopTimeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) process.kill(pid, "SIGKILL");
    await sleep(50);
  }
}

function readRecord() {
  try {
    return JSON.parse(readFileSync(record, "utf8"));
  } catch {
    return undefined;
  }
}

async function start() {
  mkdirSync(localFolder, { recursive: true });
  const output = openSync(log, "w", 0o600);
  // The log is a file, so it must not hold tokens and links.
  const args = [...serverCommand, "--banner", "off"];
  const child = spawn(existsSync(pinnedNode) ? pinnedNode : process.execPath, args, {
    cwd: root,
    env: serverEnvironment(),
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  let exited = false;
  child.on("exit", () => {
    exited = true;
  });
  // Until it is recorded, `npm run down` could not stop it.
  const abandon = () => child.kill("SIGKILL");
  process.on("exit", abandon);
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const said = readFileSync(log, "utf8");
    const url = /^slipway is listening on (\S+)$/m.exec(said)?.[1];
    if (url) {
      const { instance } = (await askHealth(url)) ?? {};
      writeFileSync(record, JSON.stringify({ pid: child.pid, url, instance }));
      process.off("exit", abandon);
      child.unref();
      return url;
    }
    if (exited) throw new CommandError(`The server did not start:\n${said.trim()}`);
    if (Date.now() > deadline) {
      throw new CommandError(
        `The server was not ready within ${startTimeoutMs / 1000} s; see .slipway/server.log.`,
      );
    }
    await sleep(25);
  }
}

async function whoAnswers(url) {
  try {
    const response = await fetch(`${url}/_health`, { signal: AbortSignal.timeout(3_000) });
    const health = await response.json();
    return health?.service === "slipway" ? "slipway" : "something else";
  } catch (error) {
    return error.cause?.code === "ECONNREFUSED" ? "nothing" : "something else";
  }
}

async function askHealth(url) {
  try {
    const response = await fetch(`${url}/_health`, { signal: AbortSignal.timeout(3_000) });
    return await response.json();
  } catch {
    return undefined;
  }
}

async function acceptsControlToken(url) {
  const response = await fetch(`${url}/_control/events?limit=1`, {
    headers: { authorization: `Bearer ${controlToken()}` },
  });
  return response.ok;
}

/** Sends a request to the control plane of a server, and returns the answer. */
export async function control(url, method, path, body) {
  const response = await fetch(`${url}/_control${path}`, {
    method,
    headers: { authorization: `Bearer ${controlToken()}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new CommandError(`${method} /_control${path}: ${response.status} ${await response.text()}`);
  }
  return response.status === 204 ? undefined : response.json();
}
