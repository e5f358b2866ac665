import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Draw, drawFrom } from "./draw.mts";
import { request } from "./load.mts";
import type { Plan } from "./plan.mts";
import { type Running, start } from "./process.mts";
import { median, progress, table } from "./report.mts";
import { alternate, cpuOf, rateOf, ratio } from "./rounds.mts";
import { main, slipway, token } from "./servers.mts";
import { home, installTools, moduleOf, versions } from "./tools.mts";

const prism = path.join(home, "node_modules/@stoplight/prism-cli/dist/index.js");
const emulate = path.join(import.meta.dirname, "emulate-server.mts");

/** How many tokens `emulate` gets, since it takes 5,000 requests an hour of each. */
const tokens = 2_000;

interface Peer {
  name: string;
  /** @param projects how many it has, `project-0` and so on */
  start(folder: string, projects: number): Promise<Running>;
  /** The bytes of a request. */
  ask(method: string, path: string, draw: Draw, body?: unknown): string;
}

const ours: Peer = {
  name: "Slipway",
  start: (folder, projects) =>
    projects > 0
      ? slipway(folder, "peers", projects)
      : start([main, "serve", "--port", "0", "--data", mkdtempSync(path.join(folder, "empty-"))]),
  ask: (method, at, _, body) => request(method, at, token, body),
};

const others: Peer[] = [
  {
    name: `emulate ${versions.emulate}`,
    start: (_, projects) => start([emulate, moduleOf.emulate, String(projects), String(tokens)]),
    ask(method, at, draw, body) {
      // It knows one version of each path.
      const known = at.replace("/v9/projects?", "/v10/projects?");
      const team = `${known.includes("?") ? "&" : "?"}slug=acme`;
      return request(method, known + team, `token-${draw(tokens)}`, body);
    },
  },
  {
    name: `Prism ${versions["@stoplight/prism-cli"]}`,
    start: (folder) =>
      start([prism, "mock", "--port", "0", "--host", "127.0.0.1", path.join(folder, "openapi.json")]),
    ask: (method, at, _, body) => request(method, at, token, body),
  },
];

/** Loads that all of them take. */
const loads: { what: string; creates: number; read: (draw: Draw, projects: number) => string }[] = [
  {
    what: "GET of random projects",
    creates: 0,
    read: (draw, projects) => `/v9/projects/project-${draw(projects)}`,
  },
  {
    what: "the same with 10 % creates of variables",
    creates: 100,
    read: (draw, projects) => `/v9/projects/project-${draw(projects)}`,
  },
  { what: "creates only", creates: 1000, read: () => "" },
  { what: "list of 100 projects", creates: 0, read: () => "/v9/projects?limit=100" },
];

/**
 * Compares the reference server with its alternatives on the same requests: an emulator that keeps its data in memory,
 * and a mock server that answers with examples from Slipway's own document. Slipway keeps everything on the disk and
 * has all its rules on.
 */
export async function benchPeers(plan: Plan): Promise<string> {
  installTools();
  const folder = mkdtempSync(path.join(os.tmpdir(), "slipway-peers-"));
  try {
    const contestants = [ours, ...others];
    const rows = [
      await startAndMemory(folder, contestants, plan),
      await underLoad(folder, contestants, plan),
    ];
    return table([["what", ...contestants.map(({ name }) => name), "Slipway against each"], ...rows.flat()]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From the start of the process, without projects, to its first answer; and what it then holds. */
async function startAndMemory(folder: string, contestants: readonly Peer[], plan: Plan): Promise<string[][]> {
  const starts = contestants.map((): number[] => []);
  const memory = contestants.map((): number[] => []);
  for (let round = 0; round <= plan.rounds; round++) {
    progress(`starts of the peers: round ${round} of ${plan.rounds}`);
    for (const [at, peer] of contestants.entries()) {
      const from = performance.now();
      const server = await peer.start(folder, 0);
      await (await fetch(server.url)).text();
      // The first start has its files compiled and read into the memory of the machine.
      if (round > 0) starts[at]?.push(performance.now() - from);
      memory[at]?.push(server.memory());
      if (peer === ours && round === 0) await keepDocument(server, folder);
      await server.stop();
    }
  }
  return [
    ["start to the first answer", ...starts.map((ms) => `${median(ms).toFixed(0)} ms`), ""],
    ["resident memory after it", ...memory.map((mib) => `${median(mib).toFixed(0)} MiB`), ""],
  ];
}

/** The rate of Slipway against that of an alternative. The goal is to be as fast. */
const shown = (ratio: number): string => `${ratio.toFixed(1)} ×${ratio < 1 ? " (missed)" : ""}`;

async function keepDocument(server: Running, folder: string): Promise<void> {
  const document = await (await fetch(new URL("/openapi.json", server.url))).text();
  writeFileSync(path.join(folder, "openapi.json"), document);
}

async function underLoad(folder: string, contestants: readonly Peer[], plan: Plan): Promise<string[][]> {
  const servers: Running[] = [];
  for (const peer of contestants) {
    progress(`${peer.name}: writing ${plan.projects} projects`);
    servers.push(await peer.start(folder, plan.projects));
  }
  const rows: string[][] = [];
  // No key is drawn twice, in whatever load.
  let keys = 0;
  for (const { what, creates, read } of loads) {
    const contenders = contestants.map((peer, at) => {
      const draw = drawFrom(plan.seed);
      const create = (): string => {
        const body = { key: `KEY_${keys++}`, value: "value", type: "encrypted", target: ["production"] };
        return peer.ask("POST", `/v10/projects/project-${draw(plan.projects)}/env`, draw, body);
      };
      const next = (): string =>
        draw(1000) < creates ? create() : peer.ask("GET", read(draw, plan.projects), draw);
      return { server: servers[at] as Running, next };
    });
    const [mine = [], ...theirs] = await alternate(what, contenders, plan);
    rows.push([
      what,
      `${rateOf(mine)}/s, ${cpuOf(mine)}`,
      ...theirs.map((rounds) => `${rateOf(rounds)}/s, ${cpuOf(rounds)}`),
      theirs.map((rounds) => shown(ratio(mine, rounds))).join(", "),
    ]);
  }
  for (const server of servers) await server.stop();
  return rows;
}
