import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { Client } from "pg";

/**
 * Writes what a release leaves in its stores, for later versions to open:
 * `node test/server/store/golden/write.mts <server/main.js of the release> <version>`, once per release that brings a
 * migration.
 */
const [main = "", version = ""] = process.argv.slice(2);
const token = "golden-token";
const control = "golden-control";
const key = Buffer.alloc(32, "golden").toString("base64");

/** A store as text: how its tables are made, and their rows. */
export interface Golden {
  key: string;
  token: string;
  statements: string[];
  rows: Record<string, Record<string, unknown>[]>;
  /** The answers of the release, by path. */
  answers: Record<string, unknown>;
}

const seed = {
  users: [
    { username: "ada", email: "ada@example.com" },
    { username: "bob", email: "bob@example.com" },
  ],
  teams: [
    {
      slug: "acme",
      plan: "enterprise",
      members: [
        { user: "ada", role: "OWNER" },
        { user: "bob", role: "DEVELOPER" },
      ],
    },
  ],
  tokens: [{ token, user: "ada" }],
  projects: [
    { team: "acme", name: "web", framework: "nextjs", buildCommand: "npm run build" },
    { team: "acme", name: "docs" },
    { user: "ada", name: "private" },
  ],
  deployments: ["dpl_old", "dpl_new"].map((id) => ({
    id,
    team: "acme",
    project: "web",
    target: "production",
    readyState: "READY",
    gitBranch: "main",
  })),
  domains: [
    { team: "acme", project: "web", name: "example.com", verified: true },
    { team: "acme", project: "web", name: "www.example.org" },
  ],
};

const writes: [method: string, path: string, body?: unknown][] = [
  [
    "POST",
    "/v10/projects/web/env",
    { key: "SECRET", value: "sealed", type: "encrypted", target: ["production"] },
  ],
  [
    "POST",
    "/v10/projects/web/env",
    { key: "TOKEN", value: "hidden", type: "sensitive", target: ["preview"] },
  ],
  [
    "POST",
    "/v10/projects/web/env",
    { key: "PLAIN", value: "seen", type: "plain", target: ["preview"], gitBranch: "dev" },
  ],
  ["PATCH", "/v9/projects/web", { nodeVersion: "20.x", publicSource: true, framework: null }],
  ["PATCH", "/v9/projects/docs", { passwordProtection: { deploymentType: "all", password: "open sesame" } }],
  ["PATCH", "/v1/projects/web/protection-bypass", {}],
  ["POST", "/v9/projects/web/custom-environments", { slug: "staging" }],
  [
    "POST",
    "/v10/projects/web/domains",
    { name: "old.example.com", redirect: "example.com", redirectStatusCode: 308 },
  ],
  ["POST", "/v1/projects/docs/pause"],
  ["POST", "/v10/projects/web/promote/dpl_old"],
  ["POST", "/v1/webhooks", { url: "https://example.com/hook", events: ["project.created"] }],
  ["POST", "/v10/projects", { name: "late" }],
];

const reads = [
  "/v9/projects/web",
  "/v9/projects/docs",
  "/v9/projects/late",
  "/v9/projects",
  "/v9/projects/web/env?decrypt=true",
  "/v9/projects/web/domains",
  "/v1/webhooks",
  "/v2/teams",
];

for (const engine of ["sqlite", "postgres"] as const) {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-golden-"));
  const keeper = engine === "postgres" ? await startPostgres() : undefined;
  try {
    const data = keeper?.url ?? folder;
    const answers = await work(data, folder);
    const store = keeper ? await dumpPostgres(keeper.url) : dumpSqlite(path.join(folder, "slipway.db"));
    const golden: Golden = { key, token, ...store, answers };
    const file = path.join(import.meta.dirname, `${version}-${engine}.json`);
    writeFileSync(file, `${JSON.stringify(golden, null, 1)}\n`);
    console.log(file);
  } finally {
    keeper?.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Has a server of the release make what there is. @returns what it answers then */
async function work(data: string, folder: string): Promise<Record<string, unknown>> {
  const seedFile = path.join(folder, "seed.json");
  writeFileSync(seedFile, JSON.stringify(seed));
  const args = [main, "serve", "--port", "0", "--data", data, "--seed", seedFile, "--control-token", control];
  const server = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, SLIPWAY_KEY: key, SLIPWAY_LOG_LEVEL: "warn" },
  });
  const ended = new Promise((done) => server.once("exit", done));
  try {
    const url = await new Promise<string>((found) =>
      server.stdout.on("data", (line) => {
        const address = /listening on (\S+)/.exec(String(line))?.[1];
        if (address) found(address);
      }),
    );
    const ask = async (method: string, at: string, body?: unknown): Promise<unknown> => {
      const target = new URL(at, url);
      target.searchParams.set("slug", "acme");
      const response = await fetch(target, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = await response.text();
      if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${answer}`);
      return answer && JSON.parse(answer);
    };
    for (const [method, at, body] of writes) await ask(method, at, body);
    const answers: Record<string, unknown> = {};
    for (const at of reads) answers[at] = await ask("GET", at);
    return answers;
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
}

function dumpSqlite(file: string): Pick<Golden, "statements" | "rows"> {
  const db = new DatabaseSync(file, { readOnly: true });
  const made = db
    .prepare("select name, type, sql from sqlite_master where sql is not null order by rowid")
    .all();
  const tables = made.filter(({ type }) => type === "table").map(({ name }) => String(name));
  const rows = Object.fromEntries(tables.map((name) => [name, db.prepare(`select * from "${name}"`).all()]));
  db.close();
  return { statements: made.map(({ sql }) => String(sql)), rows };
}

async function dumpPostgres(url: string): Promise<Pick<Golden, "statements" | "rows">> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const all = async (query: string) => (await client.query(query)).rows;
  const statements: string[] = [];
  const rows: Golden["rows"] = {};
  for (const { name } of await all("select tablename as name from pg_tables where schemaname = 'public'")) {
    const columns = await all(
      `select a.attname || ' ' || format_type(a.atttypid, a.atttypmod) ||
         case when c.collname = 'C' then ' collate "C"' else '' end ||
         case when d.adbin is null then '' else ' default ' || pg_get_expr(d.adbin, d.adrelid) end ||
         case when a.attnotnull then ' not null' else '' end as text
       from pg_attribute a left join pg_collation c on c.oid = a.attcollation
         left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = '"${name}"'::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    );
    statements.push(`create table "${name}" (${columns.map(({ text: column }) => column).join(", ")})`);
    rows[name] = await all(`select * from "${name}"`);
  }
  const constraints = await all(
    `select 'alter table "' || conrelid::regclass || '" add constraint "' || conname || '" ' ||
       pg_get_constraintdef(oid) as text from pg_constraint where connamespace = 'public'::regnamespace and contype = 'p'`,
  );
  const indexes = await all(
    `select indexdef as text from pg_indexes where schemaname = 'public'
       and indexname not in (select conname from pg_constraint)`,
  );
  await client.end();
  return {
    statements: [...statements, ...[...constraints, ...indexes].map((one) => String(one.text))],
    rows,
  };
}

async function startPostgres(): Promise<{ url: string; stop(): void }> {
  const file = path.join(import.meta.dirname, "../../../support/postgres/keeper.mts");
  const keeper = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] });
  const socket = await new Promise<string>((found) =>
    keeper.stdout.once("data", (line) => found(String(line).trim())),
  );
  const connection = net.connect(socket);
  connection.write("start");
  return { url: (await text(connection)).trim(), stop: () => keeper.stdin.end() };
}
