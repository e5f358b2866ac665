import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./setup/lock.mjs";
import { localFolder, root } from "./setup/paths.mjs";
import { CommandError, run } from "./setup/run.mjs";

/** The bundled server of this clone, in the background: `slipway serve --detach` and `slipway stop`. */

const slipway = join(root, "dist/cli/main.js");

export const serveCommand = [slipway, "serve"];
export const stopCommand = [slipway, "stop"];

/** The environment of the bundled server; variables that are already set take precedence. */
export function serverEnvironment() {
  return {
    SLIPWAY_DATA: join(localFolder, "data"),
    ...process.env,
    SLIPWAY_PORT: String(wantedPort() ?? 4000),
    SLIPWAY_CONTROL_TOKEN: controlToken(),
  };
}

export const controlToken = () => process.env.SLIPWAY_CONTROL_TOKEN || secret("control-token");

/** A secret of this clone. It is created on first use, and only its owner can read it. */
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

/** SLIPWAY_PORT, if it is set. */
function wantedPort() {
  const text = process.env.SLIPWAY_PORT || undefined;
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new CommandError(`SLIPWAY_PORT is "${text}". Give a number from 0 to 65535.`);
}

/**
 * Returns the address of the server of this clone. If no server answers, starts one.
 * @returns {Promise<{ url: string, started: boolean }>}
 */
export function ensureServer() {
  const waiting = "another command is starting the server; waiting for it …";
  return withLock(join(localFolder, "server.lock"), findOrStart, { waiting });
}

async function findOrStart() {
  const wanted = wantedPort();
  const own = await runningServer();
  if (own) {
    if (wanted === undefined || wanted === 0 || wanted === Number(new URL(own.url).port)) {
      return { url: own.url, started: false };
    }
    throw new CommandError(
      `The server of this clone runs at ${own.url}, and SLIPWAY_PORT asks for port ${wanted}. ` +
        "Unset SLIPWAY_PORT, or stop the server first: npx slipway stop",
    );
  }
  const { SLIPWAY_HOST: host = "127.0.0.1", SLIPWAY_PORT: port } = serverEnvironment();
  const url = `http://${host}:${port}`;
  const answering = port === "0" ? "nothing" : await whoAnswers(url);
  if (answering === "nothing") return { url: await start(), started: true };
  const hint = "Stop it, or choose another port: SLIPWAY_PORT=4001 npm run up";
  if (answering === "another program") {
    throw new CommandError(`Port ${port} is in use by another program. ${hint}`);
  }
  if (await acceptsControlToken(url)) return { url, started: false };
  throw new CommandError(`Port ${port} is in use by a Slipway server of another folder. ${hint}`);
}

/** The server that `slipway serve --detach` started in this clone, if it still answers. */
export async function runningServer() {
  const entry = readRecord();
  if (entry?.instance === undefined) return undefined;
  return (await askHealth(entry.url))?.instance === entry.instance ? entry : undefined;
}

function readRecord() {
  try {
    return JSON.parse(readFileSync(join(localFolder, "server.json"), "utf8"));
  } catch {
    return undefined;
  }
}

async function start() {
  // The banner has tokens and links, which must not get into the log file of a detached server.
  const args = [...serveCommand, "--detach", "--banner", "off"];
  const { code, output, stdout } = await run(process.execPath, args, {
    cwd: root,
    env: serverEnvironment(),
    // If this process ends early, `slipway serve` gets this signal, and stops the server that it is starting.
    stopSignal: "SIGTERM",
  });
  if (code !== 0) throw new CommandError(`The server did not start:\n${output.trim()}`);
  return /^slipway is listening on (\S+)$/m.exec(stdout)[1];
}

/** Sends a request to a server on this machine, never through a proxy. The dependencies are installed by now. */
async function fetchHere(url, options) {
  const { Agent, fetch } = await import("undici");
  return fetch(url, { ...options, dispatcher: new Agent({ keepAliveTimeout: 1 }) });
}

async function whoAnswers(url) {
  try {
    const response = await fetchHere(`${url}/_health`, { signal: AbortSignal.timeout(3_000) });
    const health = await response.json();
    return health?.service === "slipway" ? "slipway" : "another program";
  } catch (error) {
    return error.cause?.code === "ECONNREFUSED" ? "nothing" : "another program";
  }
}

async function askHealth(url) {
  try {
    const response = await fetchHere(`${url}/_health`, { signal: AbortSignal.timeout(3_000) });
    return await response.json();
  } catch {
    return undefined;
  }
}

async function acceptsControlToken(url) {
  const response = await fetchHere(`${url}/_control/events?limit=1`, {
    headers: { authorization: `Bearer ${controlToken()}` },
  });
  return response.ok;
}

/** Sends a request to the control plane of a server, and returns the answer. */
export async function control(url, method, path, body) {
  const response = await fetchHere(`${url}/_control${path}`, {
    method,
    headers: { authorization: `Bearer ${controlToken()}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new CommandError(`${method} /_control${path}: ${response.status} ${await response.text()}`);
  }
  return response.status === 204 ? undefined : response.json();
}
