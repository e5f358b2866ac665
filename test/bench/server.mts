import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { load, request } from "./load.mts";
import { type Running, start } from "./process.mts";
import { median, type Row } from "./report.mts";

const main = path.join(import.meta.dirname, "../../dist/server/main.js");
const bare = path.join(import.meta.dirname, "bare-server.mts");
const token = "bench-token";
const connections = 32;

/**
 * What the reference server costs beside a bare `node:http` server that answers the same bytes without any
 * work. Each server has a process of its own; both are warmed up, rounds alternate, medians count.
 */
export async function benchServer({ rounds = 5, durationMs = 2000, long = false } = {}): Promise<Row[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "slipway-bench-"));
  const rows: Row[] = [];
  try {
    const small = await slipway(folder, "small", 100);
    const get = (server: Running, target: string) => () =>
      load(server.url, { connections, durationMs, next: () => target });
    const getProject = request("GET", "/v9/projects/project-50", token);
    const list = request("GET", "/v9/projects?limit=100", token);
    rows.push(
      await compare("GET one project", 0.6, small, folder, getProject, 200, rounds, get(small, getProject)),
    );
    rows.push(await compare("list 100 projects", 0.5, small, folder, list, 200, rounds, get(small, list)));
    rows.push({
      name: "resident memory, idle",
      measured: (await idle(folder)).toFixed(0),
      goal: "≤ 120 MiB",
    });

    let made = 0;
    const create = (): string => {
      const project = made % 100;
      const body = { key: `KEY_${made++}`, value: "value", type: "encrypted", target: ["production"] };
      return request("POST", `/v10/projects/project-${project}/env`, token, body);
    };
    // Variables are limited per project, so each round has a store of its own.
    rows.push(await compareCreates("create a variable, durable", 0.25, folder, rounds, durationMs, create));

    const large = await slipway(folder, "large", 100_000);
    const few = spread(100);
    const many = spread(100_000);
    const times: { small: number[]; large: number[]; all: number[] } = { small: [], large: [], all: [] };
    for (let round = 0; round <= rounds; round++) {
      const inSmall = await load(small.url, { connections, durationMs, next: few });
      const inLarge = await load(large.url, { connections, durationMs, next: few });
      const overAll = await load(large.url, { connections, durationMs, next: many });
      if (round === 0) continue;
      times.small.push(1 / inSmall.rate);
      times.large.push(1 / inLarge.rate);
      times.all.push(1 / overAll.rate);
    }
    const against = (some: number[]): string => (median(some) / median(times.small)).toFixed(2);
    rows.push(
      {
        name: "time of a GET over 100 projects, with 100,000 in the store",
        measured: against(times.large),
        goal: "≤ 1.2",
      },
      { name: "time of a GET over all of 100,000 projects", measured: against(times.all), goal: "–" },
    );
    await large.stop();
    rows.push(await startTime(folder));
    if (long) rows.push(await growth(small, getProject));
    await small.stop();
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requests for this many projects in turn, in an order that has nothing to do with theirs. */
function spread(count: number): () => string {
  let seen = 0;
  return () => {
    seen = (seen + 7919) % count;
    return request("GET", `/v9/projects/project-${seen}`, token);
  };
}

/** Starts a server with this many projects. Beyond a few they are written straight into the stopped store. */
async function slipway(folder: string, name: string, projects: number): Promise<Running> {
  const seed = path.join(folder, `${name}.json`);
  const data = path.join(folder, name);
  writeFileSync(
    seed,
    JSON.stringify({
      users: [{ username: "ada", email: "ada@example.com" }],
      tokens: [{ token, user: "ada" }],
      projects: [{ user: "ada", name: "project-0", framework: "nextjs", buildCommand: "npm run build" }],
    }),
  );
  const args = [main, "serve", "--port", "0", "--data", data, "--seed", seed, "--log-level", "warn"];
  const first = await start(args);
  await first.stop();
  multiply(path.join(data, "slipway.db"), projects);
  return start(args);
}

function multiply(file: string, projects: number): void {
  const db = new DatabaseSync(file);
  const columns = db
    .prepare("select name from pragma_table_info('projects')")
    .all()
    .map(({ name }) => String(name));
  const copied = columns.map((column) => {
    if (column === "id") return "'prj_' || printf('%028d', n)";
    if (column === "name") return "'project-' || n";
    if (column === "updated_at") return "updated_at + n";
    return column;
  });
  db.exec(`with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ${projects - 1})
    insert into projects (${columns.join(", ")}) select ${copied.join(", ")} from projects, counter where name = 'project-0'`);
  db.close();
}

async function compare(
  name: string,
  goal: number,
  server: Running,
  folder: string,
  target: string,
  status: number,
  rounds: number,
  round: () => ReturnType<typeof load>,
): Promise<Row> {
  const yardstick = await bareServer(folder, server, target, status);
  const bareRound = () => load(yardstick.url, { connections, durationMs: 2000, next: () => target });
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    const theirs = await bareRound();
    const ours = await round();
    expectOnly(status, ours.statuses, name);
    if (i === 0) continue;
    ratios.push(ours.rate / theirs.rate);
    rates.push(ours.rate);
  }
  await yardstick.stop();
  return { name, measured: median(ratios).toFixed(2), goal: `≥ ${goal}`, rate: Math.round(median(rates)) };
}

async function compareCreates(
  name: string,
  goal: number,
  folder: string,
  rounds: number,
  durationMs: number,
  next: () => string,
): Promise<Row> {
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    const server = await slipway(folder, `create-${i}`, 2000);
    let made = 0;
    const onAnother = (): string => next().replace(/project-\d+/, `project-${made++ % 2000}`);
    const yardstick = await bareServer(folder, server, onAnother(), 201);
    await load(server.url, { connections, durationMs: 500, next: onAnother });
    await load(yardstick.url, { connections, durationMs: 500, next: onAnother });
    const theirs = await load(yardstick.url, { connections, durationMs, next: onAnother });
    const ours = await load(server.url, { connections, durationMs, next: onAnother });
    expectOnly(201, ours.statuses, name);
    ratios.push(ours.rate / theirs.rate);
    rates.push(ours.rate);
    await server.stop();
    await yardstick.stop();
  }
  return { name, measured: median(ratios).toFixed(2), goal: `≥ ${goal}`, rate: Math.round(median(rates)) };
}

/** A bare server with the bytes of the answer to `target`. */
async function bareServer(folder: string, server: Running, target: string, status: number): Promise<Running> {
  const [head = "", body] = target.split("\r\n\r\n");
  const [method, at = ""] = head.split(" ");
  const response = await fetch(new URL(at, server.url), {
    method: method ?? "GET",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body ? { body } : {}),
  });
  if (response.status !== status)
    throw new Error(`${method} ${at}: ${response.status} ${await response.text()}`);
  const file = path.join(folder, "answer.json");
  writeFileSync(file, await response.text());
  return start([bare, file, String(status)]);
}

function expectOnly(status: number, statuses: Record<number, number>, name: string): void {
  const others = Object.keys(statuses).filter((one) => Number(one) !== status);
  if (others.length > 0)
    throw new Error(`${name}: answers other than ${status}: ${JSON.stringify(statuses)}`);
}

async function idle(folder: string): Promise<number> {
  const server = await slipway(folder, "idle", 100);
  await fetch(new URL("/v9/projects/project-1", server.url), {
    headers: { authorization: `Bearer ${token}` },
  });
  const memory = server.memory();
  await server.stop();
  return memory;
}

/** From the start of the process in an empty folder to its first answer, against `node -e 0`. */
async function startTime(folder: string): Promise<Row> {
  const ratios: number[] = [];
  for (let i = 0; i < 7; i++) {
    const nodeAt = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    const nodeMs = performance.now() - nodeAt;
    const at = performance.now();
    const server = await start([main, "serve", "--port", "0", "--data", path.join(folder, `start-${i}`)]);
    await fetch(new URL("/_health", server.url));
    ratios.push((performance.now() - at) / nodeMs);
    await server.stop();
  }
  return {
    name: "start to first answer, empty folder",
    measured: median(ratios).toFixed(1),
    goal: "≤ 4 × node -e 0",
  };
}

/** Memory over a million requests. */
async function growth(server: Running, target: string): Promise<Row> {
  let left = 100_000;
  const next = (): string | undefined => (left-- > 0 ? target : undefined);
  await load(server.url, { connections, durationMs: 600_000, next });
  const before = server.memory();
  left = 1_000_000;
  await load(server.url, { connections, durationMs: 600_000, next });
  return {
    name: "memory grown over 1,000,000 requests",
    measured: `${(server.memory() - before).toFixed(0)} MiB of ${before.toFixed(0)}`,
    goal: "none",
  };
}
