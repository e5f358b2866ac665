import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createOf, type Draw, drawFrom, pagesFrom, requestsOf } from "./draw.mts";
import { request } from "./load.mts";
import { naiveServer } from "./naive.mts";
import type { Plan } from "./plan.mts";
import { draw } from "./plot.mts";
import { type Running, start } from "./process.mts";
import { median, progress } from "./report.mts";
import { alternate, cost, cpuOf, exactly, type Row, rateOf, ratio, tableOf } from "./rounds.mts";
import { bareServer, main, slipway, timesOf, token } from "./servers.mts";

/**
 * The reference server on the embedded engine beside an afternoon's server and a bare one, under loads whose
 * requests are drawn at random. Each server has a process of its own; rounds alternate, and medians count.
 */
export async function benchServer(plan: Plan): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "slipway-bench-"));
  try {
    const [byLoad, mixed] = await mixes(folder, plan);
    const first = await firstReads(folder, plan);
    const listed = await lists(folder, plan);
    const [bySize, many] = await manyProjects(folder, plan);
    const started = await startTime(folder, plan);
    const held = await memory(folder, plan);
    return [tableOf([...mixed, first, listed, many, ...started, ...held]), byLoad, bySize].join("\n\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requests by what they ask: of a thousand so many create a variable, and what the others are is drawn. */
async function mixes(folder: string, plan: Plan): Promise<[plot: string, rows: Row[]]> {
  const { projects, seed } = plan;
  const ours = await slipway(folder, "mixed", projects);
  const naive = await naiveServer(folder, ours, projects);
  const bare = await bareServer(folder, ours, "/v9/projects/project-1", createOf(0));
  const rows: Row[] = [];
  for (const { what, creates, goals } of [
    { what: "GET of random projects", creates: 0, goals: [1, 0.3] },
    { what: "the same with 1 % creates of variables", creates: 10, goals: [1.05, 0.25] },
    { what: "the same with 10 % creates", creates: 100, goals: [1, 0.2] },
    { what: "creates only, durable", creates: 1000, goals: [1.8, 0.18] },
  ]) {
    const contenders = [ours, naive, bare].map((server) => ({
      server,
      next: requestsOf({ projects, creates }, seed),
    }));
    const [mine = [], afternoons = [], bares = []] = await alternate(what, contenders, plan);
    rows.push({
      what,
      measured: `${ratio(mine, afternoons).toFixed(2)} × naive, ${ratio(mine, bares).toFixed(2)} × bare`,
      goal: `≥ ${goals[0]} × naive, ≥ ${goals[1]} × bare`,
      cpu: `${cpuOf(mine)} (naive ${cpuOf(afternoons)}, bare ${cpuOf(bares)})`,
      rate: `${rateOf(mine)} (naive ${rateOf(afternoons)}, bare ${rateOf(bares)})`,
    });
  }
  const plot = await byLoad([ours, naive], plan);
  for (const server of [ours, naive, bare]) await server.stop();
  return [plot, rows];
}

/** How long a read takes when ever more are asked for at the same time. */
async function byLoad([ours, naive]: [Running, Running], plan: Plan): Promise<string> {
  const connections = [1, 2, 4, 8, 16, 32, 64, 128];
  const lines = new Map<string, number[]>();
  const note = (name: string, value: number): void => {
    lines.set(name, [...(lines.get(name) ?? []), value]);
  };
  for (const count of connections) {
    progress(`GET of random projects over ${count} connections`);
    for (const [name, server] of [
      ["Slipway", ours],
      ["naive", naive],
    ] as const) {
      const next = requestsOf({ projects: plan.projects, creates: 0 }, plan.seed);
      const { median: half, p99 } = await cost(server, next, { ...plan, connections: count });
      note(`${name}, p50`, half);
      note(`${name}, p99`, p99);
    }
  }
  return draw(
    {
      name: "latency-by-load",
      title: "Time of a GET of a random project, by number of requests at a time",
      along: "connections",
      values: connections,
      measured: "milliseconds",
      series: [...lines].map(([name, values]) => ({ name, values })),
      logarithmic: true,
    },
    plan,
  );
}

/** Every project once after the start, and then again: what is the first answer to cost more? */
async function firstReads(folder: string, plan: Plan): Promise<Row> {
  const what = "first GET of each project after the start, against a later one";
  const times: { first: number; later: number }[] = [];
  for (let round = 1; round <= plan.rounds; round++) {
    progress(`${what}: round ${round} of ${plan.rounds}`);
    const server = await slipway(folder, `first-${round}`, plan.projects);
    const pass = async (): Promise<number> => {
      const order = shuffled(plan.projects, drawFrom(plan.seed + round));
      const next = (): string | undefined => {
        const project = order.pop();
        return project === undefined ? undefined : request("GET", `/v9/projects/project-${project}`, token);
      };
      return 1 / (await cost(server, next, { ...plan, durationMs: 600_000 })).rate;
    };
    const first = await pass();
    await pass();
    times.push({ first, later: await pass() });
    await server.stop();
  }
  return { what, measured: median(times.map(({ first, later }) => first / later)).toFixed(2), goal: "≤ 3" };
}

function shuffled(count: number, draw: Draw): number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = draw(at + 1);
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return order;
}

/** Pages of 100 projects that begin anywhere in the list. */
async function lists(folder: string, plan: Plan): Promise<Row> {
  const what = "list of 100 random projects, with 1 % creates";
  const ours = await slipway(folder, "lists", plan.projects);
  const read = pagesFrom(timesOf(folder, "lists"));
  const bare = await bareServer(folder, ours, read(drawFrom(plan.seed)), createOf(0));
  const contenders = [ours, bare].map((server) => ({
    server,
    next: requestsOf({ projects: plan.projects, creates: 10, read }, plan.seed),
  }));
  const [mine = [], bares = []] = await alternate(what, contenders, plan);
  for (const server of [ours, bare]) await server.stop();
  return {
    what,
    measured: `${ratio(mine, bares).toFixed(2)} × bare`,
    goal: "≥ 0.3 × bare",
    cpu: `${cpuOf(mine)} (bare ${cpuOf(bares)})`,
    rate: `${rateOf(mine)} (bare ${rateOf(bares)})`,
  };
}

/** Does the size of the store matter? */
async function manyProjects(folder: string, plan: Plan): Promise<[plot: string, row: Row]> {
  const few = 100;
  const sizes = [few, 1000, 10_000, plan.manyProjects].filter((size, at, all) => size > (all[at - 1] ?? 0));
  const what = `time of a GET, with ${plan.manyProjects} projects in the store against ${few}`;
  const contenders = [];
  for (const projects of sizes) {
    progress(`writing ${projects} projects`);
    const server = await slipway(folder, `of-${projects}`, projects);
    contenders.push({ server, next: requestsOf({ projects, creates: 0 }, plan.seed) });
  }
  const rounds = await alternate(what, contenders, plan);
  for (const { server } of contenders) await server.stop();
  const [small = [], large = []] = [rounds[0], rounds.at(-1)];
  const plot = await draw(
    {
      name: "growth-by-projects",
      title: "Processor time of a GET of a random project, by number of projects",
      along: "projects",
      values: sizes,
      measured: "microseconds",
      series: [{ name: "Slipway", values: rounds.map((of) => median(of.map(({ cpu }) => cpu))) }],
    },
    plan,
  );
  const measured = ratio(small, large).toFixed(2);
  return [plot, { what, measured, goal: "≤ 1.5", rate: `${rateOf(large)} against ${rateOf(small)}` }];
}

/**
 * From the start of the process in an empty folder to its first answer, against `node -e 0`; and to the first answer
 * of the API.
 */
async function startTime(folder: string, plan: Plan): Promise<Row[]> {
  progress("starting in an empty folder");
  const ratios: { first: number[]; api: number[] } = { first: [], api: [] };
  const times: { first: number[]; api: number[] } = { first: [], api: [] };
  const headers = { authorization: "Bearer slipway-dev-token" };
  for (let i = 0; i < plan.starts; i++) {
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
      goal: "≤ 6",
    },
    {
      what: `the same, to the first answer to a request with a token (${median(times.api).toFixed(0)} ms)`,
      measured: median(ratios.api).toFixed(1),
      goal: "",
    },
  ];
}

/** Memory after the start and its first answers, and over a long run of mixed requests. */
async function memory(folder: string, plan: Plan): Promise<Row[]> {
  const server = await slipway(folder, "memory", plan.projects);
  const headers = { authorization: `Bearer ${token}` };
  await (await fetch(new URL("/v9/projects/project-1", server.url), { headers })).text();
  const idle = server.memory();
  const seen: number[] = [];
  const targets = requestsOf({ projects: plan.projects, creates: 10 }, plan.seed);
  const part = plan.longRun / 10;
  for (let round = 0; round <= 10; round++) {
    progress(`memory: ${round * part} of ${plan.longRun} requests answered`);
    await exactly(server, part, targets, plan);
    seen.push(server.memory());
  }
  await server.stop();
  const [first = 0] = seen;
  const last = seen.at(-1) ?? 0;
  return [
    { what: "resident memory, idle", measured: `${idle.toFixed(0)} MiB`, goal: "≤ 120 MiB" },
    {
      what: `resident memory, before and after ${plan.longRun} requests, 1 % of them creates, warmed up with ${part}`,
      measured: `${first.toFixed(0)} → ${last.toFixed(0)} MiB`,
      goal: "no leak, see Memory",
    },
  ];
}
