import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { askKeeper } from "./keeper-client";

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  /** Gives it back. */
  release(): Promise<void>;
}

/** Those of this worker that no test has at the moment. They are used again: to make one takes long. */
const free: string[] = [];
let made = 0;

/** One connection to each of them, since a test file empties them often. */
const emptying = new Map<string, Client>();

afterAll(async () => {
  for (const client of emptying.values()) await client.end();
  emptying.clear();
});

/** An empty store, whose tables are there already more often than not. */
export async function takeDatabase(): Promise<TestDatabase> {
  const name = free.pop() ?? `worker_${process.env.JEST_WORKER_ID ?? 0}_${made++}`;
  const url = await urlOf(name);
  let client = emptying.get(name);
  if (client === undefined) {
    await makeUnlessThere(name);
    client = new Client({ connectionString: url });
    await client.connect();
    emptying.set(name, client);
  }
  await client.query(emptyAllTables);
  return {
    url,
    async release() {
      free.push(name);
    },
  };
}

const emptyAllTables = `do $$
  declare name text;
  begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
      execute format('delete from %I', name);
    end loop;
  end
$$`;

/** A database in which nothing was ever made, for tests of what stands there. It goes when it is given back. */
export async function makeDatabase(options = ""): Promise<TestDatabase> {
  const name = `fresh_${randomUUID().replace(/-/g, "")}`;
  await administrate(`create database ${name} ${options}`);
  return {
    url: await urlOf(name),
    release: () => administrate(`drop database ${name} with (force)`),
  };
}

/** Runs statements as the one who may do everything. */
export async function administrate(statement: string): Promise<void> {
  await run(await server(), (client) => client.query(statement));
}

export async function run<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function makeUnlessThere(name: string): Promise<void> {
  const { rowCount } = await run(await server(), (client) =>
    client.query("select from pg_database where datname = $1", [name]),
  );
  if (rowCount === 0) await administrate(`create database ${name}`);
}

let address: Promise<string> | undefined;

/** The PostgreSQL of this test run. */
function server(): Promise<string> {
  const socket = process.env.SLIPWAY_TEST_POSTGRES;
  if (socket === undefined) throw new Error("only tests of the project postgres have a PostgreSQL");
  address ??= askKeeper(socket, "start");
  return address;
}

async function urlOf(name: string): Promise<string> {
  return (await server()).replace(/\/postgres$/, `/${name}`);
}
