import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { requestsOf } from "./draw.mts";
import { load } from "./load.mts";
import type { Plan } from "./plan.mts";
import { type Running, start } from "./process.mts";
import { median, progress } from "./report.mts";
import { alternate, type Cost, cost, cpuOf, type Row, rateOf, tableOf } from "./rounds.mts";
import { copyProjects, seedFile, serve } from "./servers.mts";

const keeper = path.join(import.meta.dirname, "../support/postgres/keeper.mts");

/** The reference server on a PostgreSQL of its own, whose commits are durable: one server, and two of them. */
export async function benchPostgres(plan: Plan): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "slipway-bench-"));
  const database = await startDatabase();
  const servers: Running[] = [];
  try {
    const another = async (seed?: string): Promise<Running> => {
      const server = await onPostgres(serve(database.url, { seed }));
      servers.push(server);
      return server;
    };
    const first = await another(seedFile(folder, "postgres"));
    await multiply(database.url, plan.projects);
    return tableOf([
      await creates(first, database.url, plan),
      await oneByOne(first, plan),
      await mixed(first, plan),
      ...(await together([first, await another()], plan)),
    ]);
  } finally {
    for (const server of servers) await server.stop();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a server whose store is a PostgreSQL, which needs a key. */
export const onPostgres = (args: string[]): Promise<Running> => start(args, { SLIPWAY_KEY: "00".repeat(32) });

export async function startDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [keeper, "--durable"], { stdio: ["pipe", "pipe", "inherit"] });
  const [place] = await once(child.stdout, "data");
  const socket = net.connect(String(place).trim());
  socket.write("start");
  const url = await text(socket);
  if (!url.startsWith("postgres")) throw new Error(url);
  return {
    url,
    async stop() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export const multiply = (url: string, projects: number): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'projects'",
    );
    await client.query(
      copyProjects(
        rows.map(({ name }) => String(name)),
        `(select generate_series(1, ${projects - 1}) as n)`,
        "lpad(n::text, 28, '0')",
      ),
    );
    await client.query("analyze");
  });

/** Creates on one account beside what the database takes of like transactions over as many connections. */
async function creates(server: Running, url: string, plan: Plan): Promise<Row> {
  const what = "creates on one account, durable";
  const next = requestsOf({ projects: plan.projects, creates: 1000 }, plan.seed);
  await withClient(url, (client) =>
    client.query(`create schema yardstick;
      create table yardstick.rows (id bigserial primary key, n int not null, body text not null);
      create table yardstick.counter (n bigint not null); insert into yardstick.counter values (0)`),
  );
  const ours: Cost[] = [];
  const theirs: number[] = [];
  for (let round = 0; round <= plan.rounds; round++) {
    progress(`${what}: ${round === 0 ? "warming up" : `round ${round} of ${plan.rounds}`}`);
    const rate = await transactions(url, plan);
    const one = await cost(server, next, plan);
    if (round === 0) continue;
    theirs.push(rate);
    ours.push(one);
  }
  return {
    what: `${what}, against transactions of four inserts and a counter`,
    measured: median(ours.map(({ rate }, at) => rate / (theirs[at] ?? rate))).toFixed(2),
    goal: "≥ 0.5",
    cpu: cpuOf(ours),
    rate: `${rateOf(ours)} of ${median(theirs).toFixed(0)}`,
  };
}

/** With the row above, what a commit takes and what a create adds to it: docs/scale.md. */
async function oneByOne(server: Running, plan: Plan): Promise<Row> {
  const what = "creates on one account, one after the other";
  const next = requestsOf({ projects: plan.projects, creates: 1000 }, plan.seed);
  const [rounds = []] = await alternate(what, [{ server, next }], { ...plan, connections: 1 });
  const middle = median(rounds.map((round) => round.median));
  return { what, measured: `${middle.toFixed(1)} ms`, goal: "", cpu: cpuOf(rounds), rate: rateOf(rounds) };
}

/** @returns transactions a second, each sent in one piece */
async function transactions(url: string, { connections, durationMs }: Plan): Promise<number> {
  const row = `insert into yardstick.rows (n, body) values (1, '${"x".repeat(200)}');`;
  const transaction = `begin; ${row.repeat(4)} update yardstick.counter set n = n + 1; commit`;
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }));
  for (const client of clients) await client.connect();
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - startedAt < durationMs) {
        await client.query(transaction);
        done += 1;
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const client of clients) await client.end();
  return done / seconds;
}

async function mixed(server: Running, plan: Plan): Promise<Row> {
  const what = "99th percentile of a mix with 10 % creates, against the median";
  const next = requestsOf({ projects: plan.projects, creates: 100 }, plan.seed);
  const [rounds = []] = await alternate(what, [{ server, next }], plan);
  const p50 = median(rounds.map(({ median: middle }) => middle));
  const p99 = median(rounds.map((round) => round.p99));
  return {
    what: `${what} (${p99.toFixed(1)} ms against ${p50.toFixed(1)} ms)`,
    measured: median(rounds.map((round) => round.p99 / round.median)).toFixed(1),
    goal: "≤ 5",
    cpu: cpuOf(rounds),
    rate: rateOf(rounds),
  };
}

/** As many connections to one server, and shared by two of them on the same machine. */
async function together(servers: readonly Running[], plan: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, part] of [
    ["reads", 0],
    ["creates", 1000],
  ] as const) {
    const next = requestsOf({ projects: plan.projects, creates: part }, plan.seed);
    const what = `${name} by two servers on the same cores, against one`;
    const rates: { one: number; two: number }[] = [];
    for (let round = 0; round <= plan.rounds; round++) {
      progress(`${what}: ${round === 0 ? "warming up" : `round ${round} of ${plan.rounds}`}`);
      const one = await rate(servers.slice(0, 1), next, plan);
      const two = await rate(servers, next, plan);
      if (round > 0) rates.push({ one, two });
    }
    rows.push({
      what,
      measured: median(rates.map(({ one, two }) => two / one)).toFixed(2),
      goal: "≥ 1",
      rate: `${median(rates.map(({ two }) => two)).toFixed(0)} against ${median(rates.map(({ one }) => one)).toFixed(0)}`,
    });
  }
  return rows;
}

async function rate(servers: readonly Running[], next: () => string, plan: Plan): Promise<number> {
  const connections = plan.connections / servers.length;
  const all = await Promise.all(servers.map(({ url }) => load(url, { ...plan, connections, next })));
  return all.reduce((sum, round) => sum + round.rate, 0);
}
