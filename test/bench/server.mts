import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { load, type Round, request } from "./load.mts";
import { type Running, start } from "./process.mts";
import { median, progress, table } from "./report.mts";
import { bareServer, main, slipway, token } from "./servers.mts";

const connections = 32;
const rounds = 5;
const durationMs = 2000;

/** A line of the table. */
interface Row {
  what: string;
  /** A ratio of one run, unless it says its unit. */
  measured: string;
  goal: string;
  /** Processor time per request in µs, and what part of it the yardstick takes. */
  cpu?: string;
  /** Requests per second on this machine: for orientation, not for comparison. */
  rate?: string;
}

/**
 * What the reference server costs beside a bare `node:http` server that answers the same bytes without any
 * work. Each server has a process of its own; both are warmed up, rounds alternate, medians count.
 */
export async function benchServer(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "slipway-bench-"));
  try {
    const rows = [
      ...(await reads(folder)),
      await creates(folder),
      ...(await manyProjects(folder)),
      ...(await startTime(folder)),
      ...(await memory(folder)),
    ];
    return table([
      ["what", "measured", "goal", "processor time per request", "requests per second"],
      ...rows.map(({ what, measured, goal, cpu = "", rate = "" }) => [what, measured, goal, cpu, rate]),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What one round of load cost the server. */
interface Cost extends Round {
  /** Processor time of the server per request, in microseconds. */
  cpu: number;
}

async function cost(
  server: Running,
  status: number,
  next: () => string | undefined,
  ms = durationMs,
): Promise<Cost> {
  const before = server.cpu();
  const round = await load(server.url, { connections, durationMs: ms, next });
  const others = Object.keys(round.statuses).filter((one) => Number(one) !== status);
  if (others.length > 0)
    throw new Error(`answers other than ${status}: ${JSON.stringify(round.statuses)} to ${next()}`);
  return { ...round, cpu: (server.cpu() - before) / round.requests };
}

/** The row that compares rounds of ours with those of the yardstick which alternated with them. */
function compared(what: string, goal: number, pairs: readonly { ours: Cost; theirs: Cost }[]): Row {
  const middle = (of: (pair: { ours: Cost; theirs: Cost }) => number): number => median(pairs.map(of));
  const cpu = middle(({ ours }) => ours.cpu);
  const part = middle(({ ours, theirs }) => theirs.cpu / ours.cpu);
  return {
    what,
    measured: middle(({ ours, theirs }) => ours.rate / theirs.rate).toFixed(2),
    goal: `≥ ${goal}`,
    cpu: `${cpu.toFixed(0)} µs (${part.toFixed(2)})`,
    rate: `${middle(({ ours }) => ours.rate).toFixed(0)} of ${middle(({ theirs }) => theirs.rate).toFixed(0)}`,
  };
}

async function reads(folder: string): Promise<Row[]> {
  const server = await slipway(folder, "reads", 100);
  const rows: Row[] = [];
  for (const [what, goal, at] of [
    ["GET one project", 0.6, "/v9/projects/project-50"],
    ["list 100 projects", 0.5, "/v9/projects?limit=100"],
  ] as const) {
    const target = request("GET", at, token);
    const yardstick = await bareServer(folder, server, target, 200);
    const pairs = [];
    for (let round = 0; round <= rounds; round++) {
      progress(`${what}: ${round === 0 ? "warming up" : `round ${round} of ${rounds}`}`);
      const theirs = await cost(yardstick, 200, () => target);
      const ours = await cost(server, 200, () => target);
      if (round > 0) pairs.push({ ours, theirs });
    }
    rows.push(compared(what, goal, pairs));
    await yardstick.stop();
  }
  await server.stop();
  return rows;
}

/** Each connection fills a project of its own, and the next one when that has the thousand variables that it takes. */
async function creates(folder: string): Promise<Row> {
  const what = "create a variable, durable";
  const server = await slipway(folder, "creates", 20 * connections);
  const counting = () => {
    let made = 0;
    return (): string => {
      const project = Math.floor(made / (1000 * connections)) * connections + (made % connections);
      const body = { key: `KEY_${made++}`, value: "value", type: "encrypted", target: ["production"] };
      return request("POST", `/v10/projects/project-${project}/env`, token, body);
    };
  };
  const next = counting();
  // The yardstick answers many times as often, and must not use up what ours has room for.
  const nextOfYardstick = counting();
  const yardstick = await bareServer(folder, server, next(), 201);
  const pairs = [];
  for (let round = 0; round <= rounds; round++) {
    progress(`${what}: ${round === 0 ? "warming up" : `round ${round} of ${rounds}`}`);
    // Many lines of code take part in a create: it takes a while until all of them are compiled.
    const ms = round === 0 ? 4 * durationMs : durationMs;
    const theirs = await cost(yardstick, 201, nextOfYardstick, ms);
    const ours = await cost(server, 201, next, ms);
    if (round > 0) pairs.push({ ours, theirs });
  }
  await server.stop();
  await yardstick.stop();
  return compared(what, 0.25, pairs);
}

/** Does the size of the store matter to who asks for few projects, and what does it cost to ask for all? */
async function manyProjects(folder: string): Promise<Row[]> {
  progress("writing 100,000 projects");
  const small = await slipway(folder, "few", 100);
  const large = await slipway(folder, "many", 100_000);
  const times: { small: number[]; large: number[]; all: number[] } = { small: [], large: [], all: [] };
  const few = spread(100);
  const many = spread(100_000);
  for (let round = 0; round <= rounds; round++) {
    progress(`GET with 100,000 projects: ${round === 0 ? "warming up" : `round ${round} of ${rounds}`}`);
    const inSmall = await cost(small, 200, few);
    const inLarge = await cost(large, 200, few);
    const overAll = await cost(large, 200, many);
    if (round === 0) continue;
    times.small.push(1 / inSmall.rate);
    times.large.push(1 / inLarge.rate);
    times.all.push(1 / overAll.rate);
  }
  await small.stop();
  await large.stop();
  const against = (some: number[]): string => (median(some) / median(times.small)).toFixed(2);
  return [
    {
      what: "time of a GET of 100 projects in turn, with 100,000 in the store against 100",
      measured: against(times.large),
      goal: "≤ 1.2",
    },
    {
      what: "the same, of all 100,000 in turn, none of them asked for before",
      measured: against(times.all),
      goal: "",
    },
  ];
}

/** Requests for this many projects in turn, in an order that has nothing to do with theirs. */
function spread(count: number): () => string {
  let seen = 0;
  return () => {
    seen = (seen + 7919) % count;
    return request("GET", `/v9/projects/project-${seen}`, token);
  };
}

/**
 * From the start of the process in an empty folder to its first answer, against `node -e 0`; and to the first answer
 * of the API, whose routes are loaded when they are first asked for.
 */
async function startTime(folder: string): Promise<Row[]> {
  progress("starting in an empty folder");
  const ratios: { first: number[]; api: number[] } = { first: [], api: [] };
  const times: { first: number[]; api: number[] } = { first: [], api: [] };
  const headers = { authorization: "Bearer slipway-dev-token" };
  for (let i = 0; i < 15; i++) {
    const nodeAt = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    const nodeMs = performance.now() - nodeAt;
    const at = performance.now();
    const server = await start([main, "serve", "--port", "0", "--data", path.join(folder, `start-${i}`)]);
    await (await fetch(new URL("/_health", server.url))).text();
    const firstMs = performance.now() - at;
    await (await fetch(new URL("/v9/projects?slug=acme", server.url), { headers })).text();
    const apiMs = performance.now() - at;
    await server.stop();
    // The first start has V8 compile what the later ones find compiled.
    if (i === 0) continue;
    ratios.first.push(firstMs / nodeMs);
    ratios.api.push(apiMs / nodeMs);
    times.first.push(firstMs);
    times.api.push(apiMs);
  }
  return [
    {
      what: `start to first answer in an empty folder (${median(times.first).toFixed(0)} ms), against \`node -e 0\``,
      measured: median(ratios.first).toFixed(1),
      goal: "≤ 4",
    },
    {
      what: `the same, to the first answer of the API (${median(times.api).toFixed(0)} ms)`,
      measured: median(ratios.api).toFixed(1),
      goal: "",
    },
  ];
}

/** Memory after the start and its first answers, and over a million requests. */
async function memory(folder: string): Promise<Row[]> {
  const server = await slipway(folder, "memory", 100);
  const headers = { authorization: `Bearer ${token}` };
  await (await fetch(new URL("/v9/projects/project-1", server.url), { headers })).text();
  const idle = server.memory();
  const seen: number[] = [];
  const targets = spread(100);
  for (let round = 0; round <= 10; round++) {
    progress(`memory: ${round * 100_000} of 1,000,000 requests answered`);
    let left = 100_000;
    const next = (): string | undefined => (left-- > 0 ? targets() : undefined);
    const { requests } = await cost(server, 200, next, 600_000);
    if (requests !== 100_000) throw new Error(`${requests} requests were answered instead of 100,000`);
    seen.push(server.memory());
  }
  await server.stop();
  const [first = 0] = seen;
  const last = seen.at(-1) ?? 0;
  return [
    { what: "resident memory, idle", measured: `${idle.toFixed(0)} MiB`, goal: "≤ 120 MiB" },
    {
      what: "resident memory, before and after 1,000,000 requests, warmed up with 100,000",
      measured: `${first.toFixed(0)} → ${last.toFixed(0)} MiB`,
      goal: "no growth",
    },
  ];
}
