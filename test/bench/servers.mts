import { writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { BareAnswer } from "./bare-server.mts";
import { request } from "./load.mts";
import { type Running, start } from "./process.mts";

/** The file that starts the server of a checkout. */
export const entryOf = (checkout: string): string => path.join(checkout, "dist/server/main.js");
export const main = entryOf(path.join(import.meta.dirname, "../.."));
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
  { entry, controlToken }: { entry?: string; controlToken?: string } = {},
): Promise<Running> {
  const args = serve(path.join(folder, name), { entry, seed: seedFile(folder, name) });
  if (controlToken !== undefined) args.push("--control-token", controlToken);
  const first = await start(args);
  await first.stop();
  multiply(databaseOf(folder, name), projects);
  return start(args);
}

/**
 * Arguments of Node.js to start a server.
 * @param entry the file that starts it. Default: that of this checkout
 */
export function serve(
  data: string,
  { entry = main, seed }: { entry?: string | undefined; seed?: string | undefined },
): string[] {
  const args = [entry, "serve", "--port", "0", "--data", data, "--log-level", "warn"];
  return seed === undefined ? args : [...args, "--seed", seed];
}

/** Writes a seed with a user, the token and the first project. */
export function seedFile(folder: string, name: string): string {
  const file = path.join(folder, `${name}.json`);
  const project = { user: "ada", name: "project-0", framework: "nextjs", buildCommand: "npm run build" };
  writeFileSync(
    file,
    JSON.stringify({
      users: [{ username: "ada", email: "ada@example.com" }],
      tokens: [{ token, user: "ada" }],
      projects: [project],
    }),
  );
  return file;
}

const databaseOf = (folder: string, name: string): string => path.join(folder, name, "slipway.db");

/** When the projects of a store were changed, the oldest first: what pages of their list begin at. */
export function timesOf(folder: string, name: string): number[] {
  const db = new DatabaseSync(databaseOf(folder, name), { readOnly: true });
  const rows = db.prepare("select updated_at as at from projects order by updated_at").all();
  db.close();
  return rows.map(({ at }) => Number(at));
}

function multiply(file: string, projects: number): void {
  const db = new DatabaseSync(file);
  const columns = db
    .prepare("select name from pragma_table_info('projects')")
    .all()
    .map(({ name }) => String(name));
  const counter = `(with recursive counter(n) as
    (select 1 union all select n + 1 from counter where n < ${projects - 1}) select n from counter)`;
  db.exec(copyProjects(columns, counter, "printf('%028d', n)"));
  db.close();
}

/**
 * The statement that copies `project-0`.
 * @param counter a table with a row `n` for each copy
 * @param digits what makes 28 digits of `n`
 */
export function copyProjects(columns: readonly string[], counter: string, digits: string): string {
  const copied = columns.map((column) => {
    if (column === "id") return `'prj_' || ${digits}`;
    if (column === "name") return "'project-' || n";
    if (column === "updated_at") return "updated_at + n";
    return column;
  });
  return `insert into projects (${columns.join(", ")})
    select ${copied.join(", ")} from projects, ${counter} as copies where name = 'project-0'`;
}

/**
 * Starts a bare server that answers what `server` answers to a GET and to a create, byte for byte.
 * @param create the bytes of a request
 */
export async function bareServer(
  folder: string,
  server: Running,
  read: string,
  create: string,
): Promise<Running> {
  const got = await answerOf(server, request("GET", read, token));
  const created = await answerOf(server, create);
  const file = path.join(folder, "answers.json");
  const answers: Record<string, BareAnswer> = { GET: got.answer, POST: created.answer };
  writeFileSync(file, JSON.stringify(answers));
  return start([bare, file, got.requestId]);
}

async function answerOf(server: Running, bytes: string): Promise<{ answer: BareAnswer; requestId: string }> {
  const [head = "", body] = bytes.split("\r\n\r\n");
  const [method = "GET", at = ""] = head.split(" ");
  const response = await fetch(new URL(at, server.url), {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body ? { body } : {}),
  });
  const answer = { status: response.status, body: await response.text() };
  if (!response.ok) throw new Error(`${method} ${at}: ${answer.status} ${answer.body}`);
  return { answer, requestId: response.headers.get("x-request-id") ?? "" };
}
