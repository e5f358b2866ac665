import { systemClock } from "../../../server/platform/clock";
import { openServer, type Server } from "../../../server/server";
import { openPostgres } from "../../../server/store/postgres";
import { OutdatedError, type Store, type Tx } from "../../../server/store/store";
import { makeDatabase, run, type TestDatabase } from "../../support/postgres/database";

let database: TestDatabase;
let store: Store;

beforeEach(async () => {
  database = await makeDatabase();
  store = await openPostgres(database.url);
});
afterEach(async () => {
  await store.close();
  await database.release();
});

const execute = (text: string) => run(database.url, (client) => client.query(text));
const put = (name: string) => (tx: Tx) => tx.insertInto("meta").values({ name, value: "" }).execute();
const names = async (tx: Tx): Promise<string[]> =>
  (await tx.selectFrom("meta").select("name").orderBy("name").execute()).map(({ name }) => name);

/** The changes of a newer version at its start, in one transaction. */
const migrate = (change: string): Promise<unknown> =>
  execute(
    `begin; select pg_advisory_xact_lock(${0x736c6970}); ${change};
     insert into kysely_migration values ('9999-later', '2030-01-01'); commit`,
  );

describe("a server that runs while a newer version migrates its database", () => {
  it("writes nothing after that, and says why", async () => {
    await store.write(put("before"), "team");
    await migrate(`alter table "meta" add column "later" text`);
    const together = await Promise.allSettled(["a", "b", "c"].map((name) => store.write(put(name), "team")));
    for (const one of together) {
      expect(one).toMatchObject({ status: "rejected", reason: expect.any(OutdatedError) });
      expect(String((one as PromiseRejectedResult).reason)).toMatch(/newer version.*Stop this server/);
    }
    await expect(store.read(names)).rejects.toThrow(OutdatedError);
    const { rows } = await execute("select name from meta where name in ('before', 'a', 'b', 'c')");
    expect(rows).toEqual([{ name: "before" }]);
  });

  it.each([
    ["a column is gone that it reads", `alter table "meta" drop column "value"`],
    ["a table has another name", `alter table "meta" rename to "facts"`],
  ])("tells a read why, when %s", async (_, change) => {
    await migrate(change);
    await expect(
      store.read((tx) => tx.selectFrom("meta").select(["name", "value"]).execute()),
    ).rejects.toThrow(OutdatedError);
  });

  it.each([
    ["are put back", "delete from kysely_migration"],
    ["are not there yet", "drop table kysely_migration"],
  ])("is not taken for one whose tables %s, which it goes on with", async (_, change) => {
    await store.write(put("before"), "team");
    await execute("create table kept as select * from kysely_migration");
    await store.check();
    await execute(change);
    await expect(store.check()).rejects.toThrow(/tables of the database are missing/);
    for (const name of ["a", "b"]) {
      const write = store.write(put(name), "team");
      await expect(write).rejects.toThrow(
        /tables of the database are missing, for example because a backup is being restored/,
      );
      await expect(write).rejects.not.toThrow(OutdatedError);
    }
    await execute("create table if not exists kysely_migration as select * from kept limit 0");
    await execute("insert into kysely_migration select * from kept");
    await store.check();
    await store.write(put("after"), "team");
    expect(await store.read(names)).toEqual(expect.arrayContaining(["after", "before"]));
  });

  it("takes a column that is missing without a migration for what it is", async () => {
    await execute(`alter table "meta" drop column "value"`);
    await expect(store.read((tx) => tx.selectFrom("meta").select("value").execute())).rejects.toThrow(
      /"?value"? does not exist/,
    );
    expect(await store.read(names)).toEqual(expect.any(Array));
  });
});

it("a server over it answers 503, and is not ready", async () => {
  const server: Server = await openServer({
    port: 0,
    data: database.url,
    key: Buffer.alloc(32, "key").toString("base64"),
    clock: systemClock(),
    strict: true,
    logLevel: "silent",
    alwaysDevelopmentAccount: true,
  });
  const ask = (method: "GET" | "POST", url: string) =>
    server.app.inject({
      method,
      url,
      headers: { authorization: "Bearer slipway-dev-token", "content-type": "application/json" },
      ...(method === "POST" ? { payload: JSON.stringify({ name: "late" }) } : {}),
    });
  try {
    expect((await ask("GET", "/_ready")).statusCode).toBe(200);
    await migrate(`alter table "projects" add column "later" text not null`);
    const refused = await ask("POST", "/v10/projects?slug=acme");
    expect(refused.statusCode).toBe(503);
    expect(refused.json().error).toMatchObject({
      code: "service_unavailable",
      message: expect.stringMatching(/newer version of Slipway has migrated the database/),
    });
    expect((await ask("GET", "/v9/projects?slug=acme")).statusCode).toBe(503);
    expect((await ask("GET", "/_ready")).statusCode).toBe(503);
  } finally {
    await server.close();
  }
});
