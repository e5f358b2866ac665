import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Mix, pagesFrom, requestsOf } from "./draw.mts";
import type { Plan } from "./plan.mts";
import { multiply, onPostgres, startDatabase } from "./postgres.mts";
import type { Running } from "./process.mts";
import { progress } from "./report.mts";
import {
  alternate,
  alternating,
  type Cost,
  cpuOf,
  exactly,
  type Row,
  rateOf,
  ratio,
  tableOf,
} from "./rounds.mts";
import { entryOf, main, seedFile, serve, slipway, timesOf } from "./servers.mts";

interface Load {
  what: string;
  creates: number;
  /** For each server, as in a mix: what pages begin at differs from store to store. */
  reads?: readonly Mix["read"][];
}

/**
 * This build of the server beside the one of another checkout, such as that of a release: what has become slower?
 * @param other the folder of that checkout, with its `dist`
 */
export async function benchBuilds(plan: Plan, other: string): Promise<string> {
  const theirs = entryOf(path.resolve(other));
  if (!existsSync(theirs)) throw new Error(`${theirs} is not there. Run "npm run build" in ${other}.`);
  const folder = mkdtempSync(path.join(os.tmpdir(), "slipway-bench-"));
  try {
    return tableOf([
      ...(await fromStart(folder, theirs, plan)),
      ...(await embedded(folder, theirs, plan)),
      ...(await durable(folder, theirs, plan)),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first requests of a server, before one that remembers answers can have any. */
async function fromStart(folder: string, theirs: string, plan: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  for (const times of [1, 10]) {
    const what = `SQLite: GET of random projects from the start, each ${times} × on average`;
    const measured: [Cost[], Cost[]] = [[], []];
    for (let round = 1; round <= plan.rounds; round++) {
      progress(`${what}: round ${round} of ${plan.rounds}`);
      for (const [at, entry] of alternating([main, theirs], round)) {
        const server = await slipway(folder, `start-${times}-${round}-${at}`, plan.projects, { entry });
        const next = requestsOf({ projects: plan.projects, creates: 0 }, plan.seed + round);
        measured[at]?.push(await exactly(server, plan.projects * times, next, plan));
        await server.stop();
      }
    }
    rows.push(rowOf(what, ...measured));
  }
  return rows;
}

async function embedded(folder: string, theirs: string, plan: Plan): Promise<Row[]> {
  return inBothOrders(theirs, async (builds, order) => {
    const servers: Running[] = [];
    for (const { name, entry } of builds)
      servers.push(await slipway(folder, `${name}-${order}`, plan.projects, { entry }));
    const reads = builds.map(({ name }) => pagesFrom(timesOf(folder, `${name}-${order}`)));
    const measured = await compare("SQLite", servers, plan, [
      { what: "GET of random projects", creates: 0 },
      { what: "the same with 1 % creates of variables", creates: 10 },
      { what: "the same with 10 % creates", creates: 100 },
      { what: "creates only, durable", creates: 1000 },
      { what: "list of 100 random projects, with 1 % creates", creates: 10, reads },
    ]);
    for (const server of servers) await server.stop();
    return measured;
  });
}

async function durable(folder: string, theirs: string, plan: Plan): Promise<Row[]> {
  return inBothOrders(theirs, async (builds, order) => {
    const servers: Running[] = [];
    const databases: { stop(): Promise<void> }[] = [];
    try {
      for (const { name, entry } of builds) {
        const database = await startDatabase();
        databases.push(database);
        const seed = seedFile(folder, `postgres-${name}-${order}`);
        servers.push(await onPostgres(serve(database.url, { entry, seed })));
        await multiply(database.url, plan.projects);
      }
      return await compare("PostgreSQL", servers, plan, [
        { what: "GET of random projects", creates: 0 },
        { what: "the same with 10 % creates", creates: 100 },
        { what: "creates only, durable", creates: 1000 },
      ]);
    } finally {
      for (const server of servers) await server.stop();
      for (const database of databases) await database.stop();
    }
  });
}

interface Build {
  name: "this" | "other";
  entry: string;
}

/** The rounds of each server under one load. */
interface Measured {
  what: string;
  rounds: readonly (readonly Cost[])[];
}

/**
 * Measures twice, with either build started first, and takes the rounds together. Of two equal servers, the one that
 * was started first is up to 4 % slower, and no two processes are equally fast.
 */
async function inBothOrders(
  theirs: string,
  measure: (builds: readonly Build[], order: number) => Promise<Measured[]>,
): Promise<Row[]> {
  const builds: Build[] = [
    { name: "this", entry: main },
    { name: "other", entry: theirs },
  ];
  const oursFirst = await measure(builds, 1);
  const theirsFirst = await measure(builds.toReversed(), 2);
  return oursFirst.map(({ what, rounds: [ours = [], others = []] }, at) => {
    const [moreOthers = [], moreOurs = []] = theirsFirst[at]?.rounds ?? [];
    return rowOf(what, [...ours, ...moreOurs], [...others, ...moreOthers]);
  });
}

async function compare(
  engine: string,
  servers: readonly Running[],
  plan: Plan,
  loads: readonly Load[],
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { what, creates, reads } of loads) {
    const contenders = servers.map((server, at) => ({
      server,
      next: requestsOf({ projects: plan.projects, creates, read: reads?.[at] }, plan.seed),
    }));
    const rounds = await alternate(`${engine}: ${what}`, contenders, plan);
    measured.push({ what: `${engine}: ${what}`, rounds });
  }
  return measured;
}

const rowOf = (what: string, ours: readonly Cost[], others: readonly Cost[]): Row => ({
  what,
  measured: `${ratio(ours, others).toFixed(2)} × the other`,
  goal: "≥ 1",
  cpu: `${cpuOf(ours)} (other ${cpuOf(others)})`,
  rate: `${rateOf(ours)} (other ${rateOf(others)})`,
});
