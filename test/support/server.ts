import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { built } from "./dist";
import { until } from "./until";

export const root = join(__dirname, "../..");

/** A `slipway serve` in a process of its own, on a free port. */
export interface ServerProcess {
  readonly url: string;
  /** Everything it has said so far, on both outputs. */
  log(): string;
  /** A request with the account's token; answers status and body. */
  request(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A request to the control plane. */
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into whatever the server answers.
  body: any;
}

export interface ServerSettings {
  folder: string;
  token: string;
  controlToken: string;
  /** Added to every request. */
  team?: string;
  /** The seed document. */
  seed: object;
  /** The compiled command; by default this repository's. */
  main?: string;
}

export async function serve({
  folder,
  token,
  controlToken,
  team,
  seed,
  main = built("server/main.js"),
}: ServerSettings): Promise<ServerProcess> {
  const seedFile = join(folder, "seed.json");
  const logFile = join(folder, "server.log");
  writeFileSync(seedFile, JSON.stringify(seed), { mode: 0o600 });
  writeFileSync(logFile, "");
  const child = spawn(
    process.execPath,
    [main, "serve", "--port", "0", "--data", "memory", "--seed", seedFile],
    { env: { ...process.env, SLIPWAY_CONTROL_TOKEN: controlToken }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const record = (text: Buffer) => appendFileSync(logFile, text);
  child.stdout.on("data", record);
  child.stderr.on("data", record);
  const log = () => readFileSync(logFile, "utf8");
  const url = await until("the server listens", () => {
    if (child.exitCode !== null) throw new Error(`the server ended:\n${log()}`);
    return /^slipway is listening on (\S+)$/m.exec(log())?.[1];
  });
  const query = team ? `?slug=${team}` : "";
  return {
    url,
    log,
    request: (method, path, body) =>
      request(`${url}${path}${path.includes("?") ? query.replace("?", "&") : query}`, method, token, body),
    control: (method, path, body) => request(`${url}/_control${path}`, method, controlToken, body),
    stop: () => stop(child),
  };
}

async function request(url: string, method: string, token: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("close", done));
  child.kill("SIGTERM");
  await ended;
}
