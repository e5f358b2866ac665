import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../../server/platform/clock";
import { openServer, type Server } from "../../../server/server";
import { engine } from "../../support/engine";
import { makeDatabase, run, type TestDatabase } from "../../support/postgres/database";
import type { Golden } from "./golden/write.mts";

const goldenFolder = path.join(__dirname, "golden");
const versions = readdirSync(goldenFolder)
  .filter((name) => name.endsWith(`-${engine}.json`))
  .map((name) => name.replace(`-${engine}.json`, ""));

let golden: Golden;
let server: Server;
let dispose: () => Promise<void>;

/** The query with which a project has its last promotion. */
const withLastPromotion = (url: string): string => `${url}${url.includes("?") ? "&" : "?"}rollbackInfo=true`;

/**
 * An answer of that version as this version gives it: the default domains of projects are in another zone, and are
 * listed, and the time when names were assigned replaces a flag.
 */
function asNow(answer: unknown): object {
  const { domains, pagination } = answer as { domains?: object[]; pagination: { count: number } };
  if (domains) {
    const isDefault = expect.objectContaining({ name: "web.vercel.app" });
    return { domains: [...domains, isDefault], pagination: { ...pagination, count: pagination.count + 1 } };
  }
  const text = JSON.stringify(answer).replace(/"(web|docs|late)\.slipway\.app"/g, '"$1.vercel.app"');
  return JSON.parse(text, (key, value) => (key === "aliasAssigned" ? expect.anything() : value));
}

/** An answer with several projects, which have no last promotion. */
const withoutLastPromotion = (answer: unknown): object =>
  JSON.parse(JSON.stringify(answer), (key, value) => (key === "lastAliasRequest" ? null : value));

describe.each(versions)("what version %s left in a store", (version) => {
  beforeEach(async () => {
    golden = JSON.parse(readFileSync(path.join(goldenFolder, `${version}-${engine}.json`), "utf8"));
    const data = engine === "postgres" ? await restorePostgres() : restoreSqlite();
    server = await openServer({
      port: 0,
      data,
      key: golden.key,
      clock: systemClock(),
      strict: true,
      logLevel: "silent",
    });
  });
  afterEach(async () => {
    await server.close();
    await dispose();
  });

  it("is answered as it was, secrets included", async () => {
    for (const [url, before] of Object.entries(golden.answers)) {
      const isProject = /^\/v9\/projects\/[^/?]+$/.test(url.replace(/\?.*/, ""));
      const { status, body } = await ask("GET", isProject ? withLastPromotion(url) : url);
      const expected = asNow(isProject ? before : withoutLastPromotion(before));
      expect({ url, status, body }).toMatchObject({ url, status: 200, body: expected });
    }
  });

  it("is gone on with: what is there is changed and deleted, and more is added", async () => {
    const { env } = (await ask("GET", "/v9/projects/web")).body;
    const secret = env.find(({ key }: { key: string }) => key === "SECRET");
    expect(await ask("PATCH", `/v9/projects/web/env/${secret.id}`, { value: "newer" })).toMatchObject({
      status: 200,
    });
    expect(
      await ask("POST", "/v10/projects/web/env", {
        key: "MORE",
        value: "v",
        type: "plain",
        target: ["preview"],
      }),
    ).toMatchObject({ status: 201 });
    expect((await ask("POST", "/v10/projects/web/promote/dpl_new")).status).toBe(201);
    expect((await ask("PATCH", "/v9/projects/docs", { buildCommand: "make" })).body).toMatchObject({
      buildCommand: "make",
      passwordProtection: { deploymentType: "all" },
      paused: true,
    });
    expect((await ask("DELETE", "/v9/projects/web/domains/old.example.com")).status).toBe(200);
    expect((await ask("DELETE", "/v9/projects/late")).status).toBe(204);
    const names = (await ask("GET", "/v9/projects")).body.projects.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(["docs", "web"]);
  });
});

async function ask(method: "GET" | "POST" | "PATCH" | "DELETE", url: string, payload?: object) {
  const { statusCode, body } = await server.app.inject({
    method,
    url: `${url}${url.includes("?") ? "&" : "?"}slug=acme`,
    headers: { authorization: `Bearer ${golden.token}`, "content-type": "application/json" },
    ...(payload ? { payload: JSON.stringify(payload) } : {}),
  });
  return { status: statusCode, body: body ? JSON.parse(body) : undefined };
}

function restoreSqlite(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-golden-"));
  dispose = async () => rmSync(folder, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(path.join(folder, "slipway.db"));
  // The mark of a store, "slip" in ASCII.
  db.exec(`pragma application_id = ${0x736c6970}`);
  for (const statement of golden.statements) db.exec(statement);
  for (const { text, values } of inserts(() => "?")) db.prepare(text).run(...(values as string[]));
  db.close();
  return folder;
}

async function restorePostgres(): Promise<string> {
  const database: TestDatabase = await makeDatabase();
  dispose = () => database.release();
  await run(database.url, async (client) => {
    for (const statement of golden.statements) await client.query(statement);
    for (const { text, values } of inserts((at) => `$${at + 1}`)) await client.query(text, values);
  });
  return database.url;
}

function inserts(parameter: (at: number) => string): { text: string; values: unknown[] }[] {
  return Object.entries(golden.rows).flatMap(([table, rows]) =>
    rows.map((row) => {
      const names = Object.keys(row).map((name) => `"${name}"`);
      return {
        text: `insert into "${table}" (${names.join(", ")}) values (${names.map((_, at) => parameter(at)).join(", ")})`,
        values: Object.values(row),
      };
    }),
  );
}
