import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { openServer } from "../../../server/server";
import { openPostgres } from "../../../server/store/postgres";
import type { Store, Tx } from "../../../server/store/store";
import { administrate, run, type TestDatabase, takeDatabase } from "../../support/postgres/database";
import { type DatabaseProxy, openProxy } from "../../support/postgres/proxy";
import { until } from "../../support/until";

/** Units that wait: for a lock, for their lock, or for a database that comes back. */

let database: TestDatabase;
const opened: Store[] = [];

beforeEach(async () => {
  database = await takeDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await database.release();
});

async function open(deadlines = {}, url = database.url): Promise<Store> {
  const store = await openPostgres(url, deadlines);
  opened.push(store);
  return store;
}

const put = (name: string) => (tx: Tx) => tx.insertInto("meta").values({ name, value: "" }).execute();
const names = async (tx: Tx): Promise<string[]> =>
  (await tx.selectFrom("meta").select("name").orderBy("name").execute()).map(({ name }) => name);
const nameOf = (): string => new URL(database.url).pathname.slice(1);

/** How many sessions wait for a lock. */
const waiting = (): Promise<number | null> =>
  run(database.url, async (client) => {
    const text = `select from pg_stat_activity where datname = '${nameOf()}' and wait_event_type = 'Lock'`;
    return (await client.query(text)).rowCount;
  });

describe("a table that the administrator has locked", () => {
  it("leaves no session behind that waits for it", async () => {
    const store = await open({ readMs: 500 });
    await run(database.url, async (client) => {
      await client.query("begin; lock table meta in access exclusive mode");
      const reads = await Promise.allSettled([1, 2, 3].map(() => store.read(names)));
      for (const one of reads) {
        expect(String((one as PromiseRejectedResult).reason)).toMatch(
          /cancelled a query .* pg_stat_activity/,
        );
      }
      expect(await waiting()).toBe(0);
    });
    expect(await store.read(names)).toEqual([]);
  });
});

describe("a unit that waits for its lock", () => {
  it("waits for longer than a query of the role may, which goes for all others", async () => {
    for (const limit of ["lock_timeout", "statement_timeout"]) {
      await administrate(`alter database ${nameOf()} set ${limit} = '100ms'`);
    }
    try {
      const [store, other] = [await open(), await open()];
      const first = other.write(async (tx) => {
        await put("a")(tx);
        await until("the other waits", async () => (await waiting()) === 1);
        await sql`select pg_sleep(0.3)`.execute(tx);
      }, "team");
      await until("the first has its lock", async () =>
        run(database.url, async (client) => {
          const held = await client.query(
            "select from pg_locks where locktype = 'advisory' and objsubid = 2",
          );
          return held.rowCount === 1;
        }),
      );
      await store.write(put("b"), "team");
      await first;
      expect(await store.read(names)).toEqual(["a", "b"]);
    } finally {
      await administrate(`alter database ${nameOf()} reset all`);
    }
  });

  it("and is cancelled there fails with that, not with what follows from it", async () => {
    const [store, other] = [await open(), await open()];
    let failing: Promise<unknown> = Promise.resolve();
    await other.write(async (tx) => {
      await put("a")(tx);
      failing = store.write(put("b"), "team").then(
        () => "done",
        (error) => error.message,
      );
      await until("it waits", async () => (await waiting()) === 1);
      await administrate(
        `select pg_cancel_backend(pid) from pg_stat_activity where datname = '${nameOf()}' and wait_event_type = 'Lock'`,
      );
      expect(await failing).toMatch(/it has cancelled a query \(canceling statement due to user request\)/);
    }, "team");
    expect(await store.read(names)).toEqual(["a"]);
  });

  it("for too long is not begun, and changes nothing", async () => {
    const store = await open({ lockMs: 300 });
    const first = store.write(async (tx) => {
      await put("a")(tx);
      await sql`select pg_sleep(0.6)`.execute(tx);
    }, "team");
    const others = await Promise.allSettled(["b", "c"].map((name) => store.write(put(name), "team")));
    for (const one of others) {
      expect(String((one as PromiseRejectedResult).reason)).toMatch(
        /the lock for writes was not free in time. Nothing/,
      );
    }
    await first;
    await store.write(put("d"), "team");
    expect(await store.read(names)).toEqual(["a", "d"]);
  });

  it("for too long behind one that it shared a transaction with is not begun either", async () => {
    const store = await open({ lockMs: 2_000 });
    const first = store.write(() => sleep(100), "team");
    let runs = 0;
    const failing = store.write(async (tx) => {
      await put("a")(tx);
      runs += 1;
      // The first run is that with the other one. Each is then run in a transaction of its own.
      if (runs === 2) await sql`select pg_sleep(2.5)`.execute(tx);
      throw new Error("refused");
    }, "team");
    const late = store.write(put("b"), "team");
    await expect(Promise.all([expect(failing).rejects.toThrow("refused"), late])).rejects.toThrow(
      /the lock for writes was not free in time/,
    );
    await first;
    expect(runs).toBe(2);
    expect(await store.read(names)).toEqual([]);
  });
});

describe("a database that is away for a moment", () => {
  let proxy: DatabaseProxy;
  beforeEach(async () => {
    proxy = await openProxy(database.url);
  });
  afterEach(() => proxy.close());

  it("costs units nothing but time, however often they are refused in it", async () => {
    const store = await open({}, proxy.url);
    let cuts = 0;
    proxy.cut();
    proxy.fate = () => (cuts++ < 40 ? "cut" : "pass");
    const units = ["a", "b", "c"].map((name) => store.write(put(name), "team"));
    await Promise.all([...units, store.read(names)]);
    expect(await store.read(names)).toEqual(["a", "b", "c"]);
  });

  it("or only read for a moment, as at a fail-over, costs writes nothing but time", async () => {
    const store = await open();
    await administrate(`alter database ${nameOf()} set default_transaction_read_only = on`);
    const ended = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${nameOf()}' and application_name = 'slipway'`;
    await administrate(ended);
    const units = Promise.all(["a", "b", "c"].map((name) => store.write(put(name), "team")));
    const sessions = ended.replace("pg_terminate_backend(pid)", "");
    await until("one writes in vain", () =>
      run(database.url, async (client) => ((await client.query(sessions)).rowCount ?? 0) > 0),
    );
    await administrate(`alter database ${nameOf()} reset default_transaction_read_only`);
    await units;
    expect(await store.read(names)).toEqual(["a", "b", "c"]);
  });

  it("or can only be read has the server not ready, until it can be written again", async () => {
    const server = await openServer({
      port: 0,
      data: database.url,
      key: "00".repeat(32),
      logLevel: "silent",
    });
    const switchTo = async (change: string, status: number): Promise<void> => {
      await administrate(`alter database ${nameOf()} ${change}`);
      await administrate(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${nameOf()}' and application_name = 'slipway'`,
      );
      await until(`/_ready says ${status}`, async () => {
        return (await server.app.inject("/_ready")).statusCode === status;
      });
    };
    await switchTo("set default_transaction_read_only = on", 503);
    await switchTo("reset default_transaction_read_only", 200);
    await server.close();
  });

  it("has the server not ready meanwhile, which it says soon", async () => {
    const server = await openServer({ port: 0, data: proxy.url, key: "00".repeat(32), logLevel: "silent" });
    proxy.cut();
    proxy.fate = () => "cut";
    expect((await server.app.inject("/_ready")).statusCode).toBe(503);
    proxy.fate = () => "pass";
    await until("it is ready", async () => (await server.app.inject("/_ready")).statusCode === 200);
    await server.close();
  });
});

it("a unit that goes on after one of its queries has failed is not taken for done", async () => {
  const store = await open();
  const going = store.write(async (tx) => {
    await put("a")(tx);
    await sql`select 1 / 0`.execute(tx).catch(() => {});
  }, "team");
  await expect(going).rejects.toThrow("a unit went on after a query of it had failed");
  await store.write(put("b"), "team");
  expect(await store.read(names)).toEqual(["b"]);
});
