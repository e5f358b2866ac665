import net from "node:net";
import { banner } from "../../../server/ops/banner";
import { migrations } from "../../../server/store/migrations";
import { openPostgres } from "../../../server/store/postgres";
import { StoreError } from "../../../server/store/store";
import { administrate, makeDatabase, run, type TestDatabase } from "../../support/postgres/database";

let database: TestDatabase;

beforeEach(async () => {
  database = await makeDatabase();
});
afterEach(() => database.release());

const execute = (statements: string): Promise<unknown> =>
  run(database.url, (client) => client.query(statements));

/** All tables and how many rows they hold: what must not change. */
const contents = (): Promise<unknown> =>
  run(database.url, async (client) => {
    const { rows } = await client.query(`select schemaname, tablename,
      query_to_xml(format('select * from %I.%I', schemaname, tablename), true, true, '')::text as rows
      from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2`);
    return rows;
  });

/** @returns the one line that tells why it does not open */
async function complaint(url = database.url): Promise<string> {
  const error = await openPostgres(url).then(
    (store) => store.close(),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreError);
  expect(error.message).not.toMatch(/\n|slipway:slipway|secret/);
  return error.message;
}

const changed = (change: (url: URL) => void): string => {
  const url = new URL(database.url);
  change(url);
  return url.href;
};

describe("an empty database", () => {
  it("gets its tables once, however many servers start at the same time", async () => {
    const stores = await Promise.all(Array.from({ length: 5 }, () => openPostgres(database.url)));
    const applied = await run(database.url, (client) => client.query("select name from kysely_migration"));
    expect(applied.rows.map(({ name }) => name)).toEqual(Object.keys(migrations));
    await Promise.all(stores.map((store) => store.close()));
  });

  it("keeps what it holds when servers start over it again", async () => {
    await (await openPostgres(database.url)).close();
    await execute("insert into meta values ('kept', 'as it was')");
    const before = await contents();
    await (await openPostgres(database.url)).close();
    expect(await contents()).toEqual(before);
  });

  it("may be named as libpq names one behind a socket, with a user and without a host", async () => {
    const { username, password, host, pathname } = new URL(database.url);
    const url = `postgres://${username}:${password}@${pathname}?host=${host}`;
    await (await openPostgres(url)).close();
    await expect(openPostgres(url.replace(pathname, "/none"))).rejects.toThrow(
      /, none: there is no such database/,
    );
    expect(banner({ url: "", data: url, development: undefined })).not.toContain(`:${password}@`);
  });

  it("may be a schema beside others", async () => {
    await execute("create schema ours; create table theirs (x int)");
    const store = await openPostgres(
      changed((url) => url.searchParams.set("options", "-c search_path=ours")),
    );
    await store.write((tx) => tx.insertInto("meta").values({ name: "a", value: "b" }).execute());
    await store.close();
    const { rows } = await run(database.url, (client) => client.query("select name from ours.meta"));
    expect(rows).toEqual([{ name: "a" }]);
  });
});

describe("a database that cannot be used is left as it is, and the message tells why:", () => {
  it("it holds another program's tables", async () => {
    await execute("create table theirs (x int); insert into theirs values (1)");
    const before = await contents();
    expect(await complaint()).toMatch(/schema "public" holds tables that are not Slipway's.*--data/);
    expect(await contents()).toEqual(before);
  });

  it("it holds the tables of another program that keeps the same kind of ledger", async () => {
    await execute("create table theirs (x int); create table kysely_migration (name text, timestamp text)");
    await execute("insert into kysely_migration values ('2020-theirs', '2020')");
    const before = await contents();
    expect(await complaint()).toMatch(/not Slipway's/);
    expect(await contents()).toEqual(before);
  });

  it("it was written by a newer version", async () => {
    await (await openPostgres(database.url)).close();
    await execute("insert into kysely_migration values ('9999-later', '2030-01-01')");
    const before = await contents();
    expect(await complaint()).toMatch(/newer version of Slipway/);
    expect(await contents()).toEqual(before);
  });

  it("it lacks a table", async () => {
    await (await openPostgres(database.url)).close();
    await execute('drop table "domains"; drop table "env_vars"');
    expect(await complaint()).toMatch(/damaged: the tables "domains", "env_vars" are missing. Restore/);
  });

  it("it is read-only", async () => {
    await execute(
      `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_read_only = on`,
    );
    expect(await complaint()).toMatch(/is read-only/);
  });

  it("its encoding cannot hold every text", async () => {
    const latin = await makeDatabase("encoding 'LATIN1' template template0 locale_provider libc locale 'C'");
    try {
      expect(await complaint(latin.url)).toMatch(/its encoding is LATIN1.*createdb --encoding=UTF8/);
    } finally {
      await latin.release();
    }
  });

  it("the user may not make tables", async () => {
    await administrate("drop role if exists guest");
    await administrate("create role guest login password 'secret'");
    const asGuest = changed((url) => {
      url.username = "guest";
      url.password = "secret";
    });
    expect(await complaint(asGuest)).toMatch(/the user may not do this \(.*\)\. Let it own the database/);
  });

  it("its schema is not there", async () => {
    const elsewhere = changed((url) => url.searchParams.set("options", "-c search_path=nowhere"));
    expect(await complaint(elsewhere)).toMatch(/search_path names no existing schema/);
  });
});

describe("an address that leads nowhere is told in one line:", () => {
  it.each<[string, (url: URL) => void, RegExp]>([
    [
      "a wrong password",
      (url) => (url.password = "secret"),
      /the user or the password is wrong\. Correct them/,
    ],
    ["a user that is not there", (url) => (url.username = "nobody"), /the user or the password is wrong/],
    ["no password", (url) => (url.password = ""), /asks for a password, and --data has none/],
    [
      "no such database",
      (url) => (url.pathname = "/none"),
      /none: there is no such database\. Create it with createdb/,
    ],
    [
      "no server there",
      (url) => (url.host = "127.0.0.1:1"),
      /127\.0\.0\.1:1, fresh_\w+: unreachable \(connect ECONNREFUSED 127\.0\.0\.1:1\)\. Check that it runs/,
    ],
    [
      "a server that does not encrypt",
      (url) => url.searchParams.set("sslmode", "verify-full"),
      /does not support SSL connections\. Leave sslmode out of --data\./,
    ],
    ["no such host", (url) => (url.host = "none.invalid"), /there is no such host/],
  ])("%s", async (_, change, message) => {
    expect(await complaint(changed(change))).toMatch(message);
  });

  it.each([
    "postgres://user:secret@one:5432,two:5432/database",
    "postgres://one,two/database?target_session_attrs=read-write",
    "postgres://user:secret@/database?host=one,two",
  ])("several hosts, as libpq takes them: %s", async (address) => {
    expect(await complaint(address)).toMatch(/names several hosts\. Slipway takes one/);
  });

  it("not an address", async () => {
    expect(await complaint("postgres://user:secret@host:port/database")).toMatch(
      /postgres:\/\/user:password@host/,
    );
  });

  it("something else that listens there", async () => {
    const other = net.createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    const { port } = other.address() as net.AddressInfo;
    expect(await complaint(changed((url) => (url.host = `127.0.0.1:${port}`)))).toMatch(
      /unreachable|not PostgreSQL/,
    );
    other.close();
  });
});
