import { writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Running, start } from "./process.mts";

export const main = path.join(import.meta.dirname, "../../dist/server/main.js");
export const token = "bench-token";
const bare = path.join(import.meta.dirname, "bare-server.mts");

/**
 * Starts the reference server over a new store with this many projects, `project-0` and so on. All but the
 * first are written straight into the stopped store.
 */
export async function slipway(
  folder: string,
  name: string,
  projects: number,
  controlToken?: string,
): Promise<Running> {
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
  if (controlToken !== undefined) args.push("--control-token", controlToken);
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

/** Starts a bare server that answers what `server` answers to a request, byte for byte. */
export async function bareServer(
  folder: string,
  server: Running,
  target: string,
  status: number,
): Promise<Running> {
  const [head = "", body] = target.split("\r\n\r\n");
  const [method = "GET", at = ""] = head.split(" ");
  const response = await fetch(new URL(at, server.url), {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body ? { body } : {}),
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${method} ${at}: ${response.status} ${text}`);
  const file = path.join(folder, "answer.json");
  writeFileSync(file, text);
  const requestId = response.headers.get("x-request-id") ?? "";
  return start([bare, file, String(status), requestId]);
}
