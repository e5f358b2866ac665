import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { resemblesPostgres } from "../platform/data-address";
import { StartError } from "../platform/start-error";
import { isSystemError } from "../platform/system-error";
import { ignoreInGit, makeFolder } from "../store/folders";
import { ask } from "./ask";
import { endProcess, findProcess, findProcessesIn, isAlive } from "./processes";

const startTimeoutMs = 30_000;
/** How long a server may take to stop, in milliseconds: longer than it needs to finish its requests. */
const stopTimeoutMs = 20_000;

/**
 * Returns the paths of the files of a server in the background. Each working directory can have one server.
 * @throws StartError if a file is at the path of the folder, or a folder at the path of a file
 */
function findFiles(): { folder: string; record: string; log: string } {
  const folder = path.resolve(".slipway");
  const files = { folder, record: path.join(folder, "server.json"), log: path.join(folder, "server.log") };
  const isFolder = (file: string) => statSync(file, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder(folder) === false) {
    throw new StartError(`${folder} is a file. Move it away, or run this in another folder.`);
  }
  for (const file of [files.record, files.log])
    if (isFolder(file)) throw new StartError(`${file} is a folder. Move it away.`);
  return files;
}

interface Entry {
  pid: number;
  url: string;
  /** The instance id from `/_health`. Another process on the same port has another id. */
  instance: string | undefined;
  /** For the commands of the control plane, such as `slipway logs`. */
  controlToken?: string | undefined;
  /** The place of the data: a folder, `memory`, or `postgres` without the address, which may have a password. */
  data?: string | undefined;
}

interface Detached {
  /** The flag `--data`. */
  data: string;
  controlToken?: string | undefined;
  smtp?: string | undefined;
}

/**
 * Starts the same command in the background, and waits until it serves.
 * @returns `said` is the output of the start, without the line with the address
 * @throws StartError if the server does not start, or a server of this folder runs already
 */
export async function startDetached(flags: Detached): Promise<{ said: string; url: string }> {
  const { data, controlToken } = flags;
  const { folder, record, log } = findFiles();
  const running = readEntry(record);
  if (running && (await isOurs(running))) throw alreadyRunning(running);
  prepare(() => {
    if (readEntry(record)?.pid === running?.pid) rmSync(record, { force: true });
    makeFolder(folder);
    ignoreInGit(folder);
  });
  // Two starts at the same time must not read each other's output.
  const ownLog = `${log}.${process.pid}`;
  const child = prepare(() => spawnServer(ownLog, flags));
  // Until the process is recorded, `slipway stop` cannot end it. It is therefore killed if this process ends.
  const abandon = (): void => {
    child.kill("SIGKILL");
    rmSync(ownLog, { force: true });
  };
  process.on("exit", abandon);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const { said, url } = await untilServing(child, ownLog);
  const { instance } = (await askHealth(url)) ?? {};
  keep(record, { pid: child.pid ?? 0, url, instance, controlToken, data: withoutAddress(data) });
  renameSync(ownLog, log);
  process.off("exit", abandon);
  child.unref();
  const told = `slipway: process ${child.pid} serves in the background; slipway stop ends it. Its log is ${log}\n`;
  return { said: `${said}${told}`, url };
}

/** Runs an action that writes files. @throws StartError if they cannot be written */
function prepare<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const hint =
      error.code === "ENOSPC" ? "Free some space on the disk." : "Run this in a folder that you can write.";
    throw new StartError(`The server's files cannot be written (${error.message}). ${hint}`);
  }
}

/** Returns the value of `--data` for the record, without the address of a database. */
export const withoutAddress = (data: string): string =>
  resemblesPostgres(data) ? "postgres" : data === "memory" ? data : path.resolve(data);

const alreadyRunning = ({ url }: Entry): StartError =>
  new StartError(`A server of this folder is already running at ${url}. Stop it with slipway stop.`);

/** Starts the server. Other users can read the arguments of a process, so the environment passes the secrets. */
function spawnServer(log: string, { data, controlToken, smtp }: Detached): ChildProcess {
  const output = openSync(log, "w", 0o600);
  const { npm_command: _, ...inherited } = process.env;
  const given = { SLIPWAY_DATA: data, SLIPWAY_CONTROL_TOKEN: controlToken, SLIPWAY_SMTP: smtp };
  const [, script = "", ...args] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, script, ...withoutSecrets(args)], {
    env: { ...inherited, ...given },
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  return child;
}

const withoutSecrets = (args: readonly string[]): string[] =>
  args.filter((arg, index) => {
    const isSecret = (text = ""): boolean => /^--(data|control-token|smtp)$/.test(text);
    return !(arg === "--detach" || isSecret(arg.replace(/=.*/s, "")) || isSecret(args[index - 1]));
  });

async function untilServing(child: ChildProcess, log: string): Promise<{ said: string; url: string }> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    const said = readFileSync(log, "utf8");
    const url = /^slipway is listening on (\S+)$/m.exec(said)?.[1];
    if (url !== undefined) return { said: said.replace(/^slipway is listening on .*\n/m, ""), url };
    if (hasEnded) throw new StartError(said.trim().replace(/^slipway: /, "") || silentEnd(child, log));
    if (Date.now() > deadline)
      throw new StartError(`The server was not ready within ${startTimeoutMs / 1000} s:\n${said.trim()}`);
    await sleep(25);
  }
}

/** The message for a server that ended without output. On a full disk, it could not write its own message. */
const silentEnd = ({ exitCode, signalCode }: ChildProcess, log: string): string =>
  `The server ended without output (${signalCode ?? `exit code ${exitCode}`}). ` +
  `Check that the disk of ${path.dirname(log)} has free space.`;

/** Records the server. @throws StartError if another start in this folder was faster */
function keep(record: string, entry: Entry): void {
  try {
    writeFileSync(record, JSON.stringify(entry), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw alreadyRunning(readEntry(record) ?? entry);
  }
}

/** Stops the server that was started in this folder, and no other. @returns its address; undefined: there is none */
export async function stopDetached(): Promise<string | undefined> {
  const { record } = findFiles();
  const entry = readEntry(record);
  const isRunning = entry !== undefined && (await isOurs(entry));
  if (isRunning) await endProcess(entry.pid, "SIGTERM", stopTimeoutMs);
  prepare(() => rmSync(record, { force: true }));
  return isRunning ? entry.url : undefined;
}

/** True if the recorded server runs. A process with its id may be another one, because the system reuses ids. */
async function isOurs({ pid, url, instance }: Entry): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const health = await askHealth(url);
  if (health && instance !== undefined) return health.instance === instance;
  // The server hangs or is closing, or the process is another one.
  return isServe(pid);
}

const askHealth = (url: string): Promise<{ instance?: string } | undefined> =>
  ask<{ instance?: string }>(url, "/_health", 3_000).catch(() => undefined);

/** Reads the record. @returns undefined if it does not exist @throws StartError if it does not describe a server */
function readEntry(record: string): Entry | undefined {
  let text: string;
  try {
    text = readFileSync(record, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new StartError(`${record} cannot be read (${message}).`);
  }
  // Another start is about to write the record.
  if (text === "") return undefined;
  try {
    const { pid, url, instance } = JSON.parse(text) as Entry;
    if (Number.isInteger(pid) && pid > 0 && typeof url === "string") return { pid, url, instance };
  } catch {
    // The text is not JSON.
  }
  const [pid] = findProcessesIn(process.cwd()).filter(isServe);
  const server = pid === undefined ? "the server of this folder, if it runs" : `process ${pid}, the server`;
  throw new StartError(`${record} is damaged. End ${server}, then remove the file.`);
}

/** True for a process that runs `slipway serve`. */
const isServe = (pid: number): boolean =>
  /\b(?:slipway|main\.js|command\.ts) serve\b/.test(findProcess(pid)?.command ?? "");
