import { createHash, randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import Fastify from "fastify";

/**
 * An afternoon's work, as a yardstick: the same two requests on the framework that most would take, with prepared
 * statements and one durable commit a write. It knows tokens, and no rule beside them.
 */
const [file = ""] = process.argv.slice(2);
const db = new DatabaseSync(file);
db.exec("pragma journal_mode = wal; pragma synchronous = full");
const accountOf = db.prepare("select account from tokens where hash = ?");
const projectOf = db.prepare("select id, name, settings from projects where account = ? and name = ?");
const variablesOf = db.prepare("select * from variables where project = ? order by created");
const insertVariable = db.prepare(
  "insert into variables (id, project, key, value, type, target, created) values (?, ?, ?, ?, ?, ?, ?)",
);

interface Variable {
  key: string;
  value: string;
  type: string;
  target: string[];
}

const app = Fastify();

function findProject(authorization: string | undefined, name: string): Record<string, unknown> | undefined {
  const hash = createHash("sha256")
    .update(authorization?.slice("Bearer ".length) ?? "")
    .digest("hex");
  const account = accountOf.get(hash)?.account;
  return account === undefined ? undefined : projectOf.get(String(account), name);
}

const view = (row: Record<string, unknown>): object => ({
  ...row,
  target: JSON.parse(String(row.target)),
  createdAt: row.created,
});

app.get<{ Params: { name: string } }>("/v9/projects/:name", (request, reply) => {
  const project = findProject(request.headers.authorization, request.params.name);
  if (!project) return reply.code(404).send({ error: { code: "not_found" } });
  const { id, name, settings } = project;
  const env = variablesOf.all(String(id)).map(view);
  return reply.send({ ...JSON.parse(String(settings)), id, name, env });
});

app.post<{ Params: { name: string }; Body: Variable }>("/v10/projects/:name/env", (request, reply) => {
  const project = findProject(request.headers.authorization, request.params.name);
  if (!project) return reply.code(404).send({ error: { code: "not_found" } });
  const { key, value, type, target } = request.body;
  const row = { id: randomUUID(), project: String(project.id), key, value, type };
  const now = Date.now();
  insertVariable.run(row.id, row.project, key, value, type, JSON.stringify(target), now);
  return reply.code(201).send({ created: { ...row, target, createdAt: now }, failed: [] });
});

console.log(`naive is listening on ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
