import { mkdtempSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Plan } from "./plan.mts";
import { startDatabase, withClient } from "./postgres.mts";
import { type Running, start } from "./process.mts";
import { progress, table } from "./report.mts";
import { main, seedFile, token } from "./servers.mts";

/** Bytes of each table with its indexes. */
type Sizes = ReadonlyMap<string, number>;

const variables = 5;
/** With more projects, a project takes as much. */
const enough = 2000;
/** Tables whose rows are kept for a month only. */
const history = ["events", "deliveries", "receivers"];

/** The size of a project with some variables and a domain in the store, on both engines. */
export async function benchSize(plan: Plan): Promise<string> {
  const projects = Math.min(plan.projects, enough);
  const folder = mkdtempSync(path.join(os.tmpdir(), "slipway-bench-"));
  const seed = seedFile(folder, "size");
  try {
    const sqlite = await onSqlite(folder, seed, projects);
    const postgres = await onPostgres(seed, projects);
    const row = (what: string, wanted: (name: string) => boolean): string[] => [
      what,
      ...[sqlite, postgres].map((sizes) => {
        const bytes = [...sizes].reduce((sum, [name, size]) => sum + (wanted(name) ? size : 0), 0);
        return `${Math.round(bytes / projects)} bytes`;
      }),
    ];
    return table([
      [`a project with ${variables} variables and a domain`, "SQLite", "PostgreSQL"],
      row("project", (name) => name === "projects"),
      row("variables", (name) => /^env_/.test(name)),
      row("everything except events", (name) => !history.includes(name)),
      row("events of the creates", (name) => history.includes(name)),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onSqlite(folder: string, seed: string, projects: number): Promise<Sizes> {
  const data = path.join(folder, "data");
  const server = await serve(data, seed);
  try {
    await fill(server, projects, "SQLite");
  } finally {
    await server.stop();
  }
  const db = new DatabaseSync(path.join(data, "slipway.db"));
  db.exec("vacuum");
  const rows = db
    .prepare(
      "select m.tbl_name as name, sum(s.pgsize) as size from dbstat s join sqlite_master m on m.name = s.name group by 1",
    )
    .all();
  db.close();
  const sizes = new Map(rows.map(({ name, size }) => [String(name), Number(size)]));
  progress(`the file has ${statSync(path.join(data, "slipway.db")).size} bytes`);
  return sizes;
}

async function onPostgres(seed: string, projects: number): Promise<Sizes> {
  const database = await startDatabase();
  try {
    const server = await serve(database.url, seed);
    try {
      await fill(server, projects, "PostgreSQL");
    } finally {
      await server.stop();
    }
    return await withClient(database.url, async (client) => {
      await client.query("vacuum full");
      const { rows } = await client.query(
        "select relname as name, pg_total_relation_size(oid) as size from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
      );
      return new Map(rows.map(({ name, size }) => [String(name), Number(size)]));
    });
  } finally {
    await database.stop();
  }
}

const serve = (data: string, seed: string): Promise<Running> =>
  start([main, "serve", "--port", "0", "--data", data, "--log-level", "warn", "--seed", seed], {
    SLIPWAY_KEY: "00".repeat(32),
  });

async function fill(server: Running, projects: number, engine: string): Promise<void> {
  progress(`making ${projects} projects on ${engine}`);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < projects; n = next++) await makeProject(server, n);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

async function makeProject({ url }: Running, n: number): Promise<void> {
  const name = `sized-${n}`;
  await post(url, "/v10/projects", { name, framework: "nextjs", buildCommand: "npm run build" });
  const items = Array.from({ length: variables }, (_, at) => ({
    key: `SETTING_${at}`,
    value: `the value of setting ${at}`,
    type: "encrypted",
    target: ["production", "preview"],
  }));
  await post(url, `/v10/projects/${name}/env`, items);
  await post(url, `/v10/projects/${name}/domains`, { name: `www.${name}.example.com` });
}

async function post(url: URL, target: string, body: unknown): Promise<void> {
  const response = await fetch(new URL(target, url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}
