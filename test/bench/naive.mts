import { createHash } from "node:crypto";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Running, start } from "./process.mts";
import { token } from "./servers.mts";

const main = path.join(import.meta.dirname, "naive-server.mts");

/** Starts the naive server over as many projects as `server` has, which look like one of them. */
export async function naiveServer(folder: string, server: Running, projects: number): Promise<Running> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(new URL("/v9/projects/project-1", server.url), { headers });
  const { id: _id, name: _name, env: _env, ...settings } = (await response.json()) as Record<string, unknown>;
  const file = path.join(folder, "naive.db");
  fill(file, projects, JSON.stringify(settings));
  return start([main, file]);
}

function fill(file: string, projects: number, settings: string): void {
  const db = new DatabaseSync(file);
  db.exec(`
    create table tokens (hash text primary key, account text not null);
    create table projects (id text primary key, account text not null, name text not null, settings text not null);
    create unique index projects_by_name on projects (account, name);
    create table variables (id text primary key, project text not null, key text not null, value text not null,
      type text not null, target text not null, created integer not null);
    create index variables_by_project on variables (project, created);
  `);
  const hash = createHash("sha256").update(token).digest("hex");
  db.prepare("insert into tokens values (?, 'ada')").run(hash);
  const insert = db.prepare("insert into projects values (?, 'ada', ?, ?)");
  db.exec("begin");
  for (let at = 0; at < projects; at++) {
    insert.run(`prj_${String(at).padStart(28, "0")}`, `project-${at}`, settings);
  }
  db.exec("commit");
  db.close();
}
