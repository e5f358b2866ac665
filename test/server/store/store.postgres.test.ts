import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "kysely";
import { openServer } from "../../../server/server";
import { openPostgres } from "../../../server/store/postgres";
import { Connection } from "../../../server/store/postgres/connection";
import { batchLimits } from "../../../server/store/postgres/write-queue";
import { prepared, type Store, StoreError, type Tx } from "../../../server/store/store";
import { administrate, run, type TestDatabase, takeDatabase } from "../../support/postgres/database";
import { until } from "../../support/until";

let database: TestDatabase;
let store: Store;
const opened: Store[] = [];

/** One more server's view of the same database. */
async function openAnother(): Promise<Store> {
  const another = await openPostgres(database.url);
  opened.push(another);
  return another;
}

beforeEach(async () => {
  database = await takeDatabase();
  store = await openAnother();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  await database.release();
});

const put = (name: string) => (tx: Tx) => tx.insertInto("meta").values({ name, value: "" }).execute();
/** Nobody waits for its answer. */
const putUnread = prepared((tx, p: { name: string }) =>
  tx.insertInto("meta").values({ name: p.name, value: "" }),
);
const namesIn = async (tx: Tx): Promise<string[]> =>
  (await tx.selectFrom("meta").select("name").orderBy("name").execute()).map(({ name }) => name);
const names = (): Promise<string[]> => store.read(namesIn);

/** Something to wait for inside a unit, which the test controls. */
function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("a unit on PostgreSQL", () => {
  it("takes effect as a whole or not at all", async () => {
    const failing = store.write(async (tx) => {
      await put("a")(tx);
      throw new Error("changed its mind");
    });
    await expect(failing).rejects.toThrow("changed its mind");
    await store.write(put("b"));
    expect(await names()).toEqual(["b"]);
  });

  it("fails by a change that nobody waited for, whatever came after it", async () => {
    await store.write((tx) => putUnread(tx, { name: "a" }));
    const taken = /duplicate key/;
    await expect(store.write((tx) => putUnread(tx, { name: "a" }))).rejects.toThrow(taken);
    const failing = store.write(async (tx) => {
      await Promise.all([putUnread(tx, { name: "b" }), putUnread(tx, { name: "a" })]);
      return namesIn(tx);
    });
    await expect(failing).rejects.toThrow(taken);
    const refused = store.write(async (tx) => {
      await putUnread(tx, { name: "a" });
      throw new Error("changed its mind");
    });
    await expect(refused).rejects.toThrow(taken);
    expect(await names()).toEqual(["a"]);
    // The connections are as good as before.
    await store.write((tx) => putUnread(tx, { name: "c" }));
    expect(await names()).toEqual(["a", "c"]);
  });

  it("reads by index what may grow at once, however small its table was when PostgreSQL looked", async () => {
    const explain = "explain select * from env_vars where project_id = 'a'";
    const planOf = async (tx: Tx): Promise<string> =>
      JSON.stringify((await sql<object>`${sql.raw(explain)}`.execute(tx)).rows);
    const byItself = await run(database.url, async (client) => {
      // Rows that an earlier test has left behind make a table large, though they are deleted.
      await client.query("truncate env_vars");
      await client.query("analyze env_vars");
      return JSON.stringify((await client.query(explain)).rows);
    });
    expect(byItself).toContain("Seq Scan");
    const byIndex = "Index Scan using env_vars_project_id";
    expect(await store.read(planOf)).toContain(byIndex);
    expect(await store.write(planOf)).toContain(byIndex);
  });

  it("has its settings also on a session that a pooler shares with other clients, and leaves none there", async () => {
    const settingsIn = async (processID?: number): Promise<string[]> => {
      const session = new Connection({ connectionString: database.url }, new Set());
      await session.connect();
      // A pooler gives each client an id of its own.
      if (processID !== undefined) Object.assign(session, { processID });
      const show = async (): Promise<string> =>
        (await session.query("show lock_timeout")).rows[0].lock_timeout;
      await session.setUp("begin", { lock_timeout: "7s" });
      const seen = [await show()];
      for (const text of [session.begin, "commit"]) {
        await session.query(text);
        seen.push(await show());
      }
      await session.end();
      return seen;
    };
    expect(await settingsIn()).toEqual(["7s", "7s", "7s"]);
    expect(await settingsIn(-1)).toEqual(["0", "7s", "0"]);
  });

  it("sees what it has changed itself, though it did not wait for that", async () => {
    const seen = store.write(async (tx) => {
      await putUnread(tx, { name: "a" });
      return namesIn(tx);
    });
    expect(await seen).toEqual(["a"]);
  });

  it("that only reads sees one moment throughout, and can write nothing", async () => {
    const seen = await store.read(async (tx) => {
      const before = await namesIn(tx);
      await store.write(put("a"));
      return [before, await namesIn(tx)];
    });
    expect(seen).toEqual([[], []]);
    await expect(store.read(put("b"))).rejects.toThrow(/read-only/);
    await expect(store.read((tx) => putUnread(tx, { name: "b" }))).rejects.toThrow(/read-only/);
  });

  it("gets numbers for whatever counts, and text in the order of its bytes", async () => {
    for (const name of ["b", "B", "a", "Z", "_"]) await store.write(put(name));
    expect(await names()).toEqual(["B", "Z", "_", "a", "b"]);
    const row = await store.read((tx) =>
      tx
        .selectFrom("meta")
        .select((eb) => [
          eb.fn.countAll<number>().as("count"),
          sql<number>`sum(cast(5000000000 as bigint))`.as("sum"),
          sql<number>`count(*) = 5`.as("is"),
        ])
        .executeTakeFirstOrThrow(),
    );
    expect(row).toEqual({ count: 5, sum: 25_000_000_000, is: 1 });
  });

  it("runs hot queries by a name under which they stay prepared", async () => {
    const byName = prepared((tx, p: { name: string }) =>
      tx.selectFrom("meta").select("name").where("name", "=", p.name),
    );
    await store.write(put("a"));
    const uses = await store.read(async (tx) => {
      expect(await byName(tx, { name: "a" })).toEqual([{ name: "a" }]);
      expect(await byName(tx, { name: "b" })).toEqual([]);
      const { rows } = await sql<{ uses: number }>`select generic_plans + custom_plans as uses
        from pg_prepared_statements where statement like '%from "meta" where%'`.execute(tx);
      return rows;
    });
    expect(uses).toEqual([{ uses: 2 }]);
  });

  it("leaves nothing in memory once it is done", async () => {
    const answers: WeakRef<object>[] = [];
    for (let i = 0; i < 20; i++) answers.push(new WeakRef(await store.read(async () => ({}))));
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    // The last ones may still be held by what is under way.
    await until("most of the answers are gone", () => {
      collect();
      return answers.filter((answer) => answer.deref()).length < 5;
    });
  });

  it("is finished when the store closes; a later one is refused", async () => {
    const writes = Array.from({ length: 30 }, (_, index) =>
      store.write(put(`row-${index}`), `lock-${index}`),
    );
    await store.close();
    await expect(Promise.all(writes)).resolves.toHaveLength(30);
    await expect(store.write(put("late"))).rejects.toThrow("closed");
    await expect(store.read(namesIn)).rejects.toThrow("closed");
  });
});

describe("units that meet", () => {
  /** Starts a unit that waits inside. @returns what lets it go on, once it is inside */
  async function begin(on: Store, ...locks: string[]): Promise<{ finish: () => Promise<unknown> }> {
    const [inside, leave] = [gate(), gate()];
    const done = on.write(
      async (tx) => {
        await sql`select 1`.execute(tx);
        inside.open();
        await leave.opened;
      },
      ...locks,
    );
    await inside.opened;
    return {
      finish() {
        leave.open();
        return done;
      },
    };
  }

  /** Waits until a server waits for a lock, or tries to get it. */
  const queued = (): Promise<unknown> =>
    until("somebody waits for a lock", () =>
      run(database.url, async (client) => {
        const { rowCount } = await client.query(
          `select from pg_locks where locktype = 'advisory' and not granted
             union all select from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_try_advisory%'`,
        );
        return rowCount === 0 ? undefined : true;
      }),
    );

  it.each([
    ["of one lock", ["team"], ["team"]],
    ["of several locks", ["team", "other"], ["third", "other"]],
    ["without a lock", [], []],
    ["with and without a lock", ["team"], []],
    ["without and with a lock", [], ["team"]],
  ])("%s wait for each other, whichever servers they run on", async (_, first, second) => {
    const another = await openAnother();
    const running = await begin(store, ...first);
    const order: string[] = [];
    const waiting = another.write(
      async (tx) => {
        await put("b")(tx);
        order.push("second");
      },
      ...second,
    );
    await queued();
    order.push("first");
    await running.finish();
    await waiting;
    expect(order).toEqual(["first", "second"]);
  });

  it("of other accounts do not wait behind a unit that waits to run alone", async () => {
    const another = await openAnother();
    const running = await begin(store, "team");
    const order: string[] = [];
    const alone = another.write(async () => order.push("alone"));
    await queued();
    await another.write(async () => order.push("other"), "other");
    await running.finish();
    await alone;
    expect(order).toEqual(["other", "alone"]);
  });

  it("of different turns do not wait for each other, on one server and on two", async () => {
    const another = await openAnother();
    const running = await begin(store, "team");
    await store.write(put("a"), "other");
    await another.write(put("b"), "another");
    expect(await names()).toEqual(["a", "b"]);
    await running.finish();
  });

  /** Writes `n0` to `n7` in units that wait for each other. @returns what came of them, and in how many transactions */
  async function eightTogether(
    fail: (tx: Tx, index: number, isWritten: boolean) => Promise<unknown>,
  ): Promise<{ outcomes: string; commits: number; last: unknown }> {
    // On a busy machine, the units may take longer than a commit waits for more of them.
    const limit = jest.replaceProperty(batchLimits, "ms", 60_000);
    const commits = new Set<unknown>();
    const write = (index: number) => async (tx: Tx) => {
      await fail(tx, index, false);
      const { rows } = await sql`select txid_current() as id`.execute(tx);
      commits.add((rows[0] as { id: number }).id);
      await put(`n${index}`)(tx);
      await fail(tx, index, true);
      return namesIn(tx);
    };
    const running = await begin(store, "team");
    const written = Array.from({ length: 8 }, (_, index) => store.write(write(index), "team"));
    const settled = Promise.allSettled(written);
    await running.finish();
    const outcomes = await settled;
    limit.restore();
    return {
      outcomes: outcomes.map(({ status }) => status[0]).join(""),
      commits: commits.size,
      last: await written[7],
    };
  }

  it("of one lock that wait share a commit, also with one that is refused before it writes", async () => {
    const { outcomes, commits, last } = await eightTogether(async (tx, index, isWritten) => {
      if (index !== 3 || isWritten) return;
      await namesIn(tx);
      throw new Error("no");
    });
    expect({ outcomes, commits }).toEqual({ outcomes: "fffrffff", commits: 1 });
    expect(last).toEqual(["n0", "n1", "n2", "n4", "n5", "n6", "n7"]);
    expect(await names()).toEqual(last);
  });

  it.each([
    ["that changes its mind", () => Promise.reject(new Error("no"))],
    ["in which a query fails", (tx: Tx) => sql`select 1 / 0`.execute(tx)],
    ["in which a query fails that nobody waits for", (tx: Tx) => putUnread(tx, { name: "n0" })],
  ])("of one lock take nothing of the others along: one %s", async (_, fail) => {
    const { outcomes, last } = await eightTogether(async (tx, index, isWritten) => {
      if (isWritten && index === 5) await fail(tx);
    });
    expect(outcomes).toBe("fffffrff");
    expect(last).toEqual(["n0", "n1", "n2", "n3", "n4", "n6", "n7"]);
    expect(await names()).toEqual(last);
  });

  it("see what the one before them wrote, so that none is counted twice", async () => {
    const servers = [store, await openAnother(), await openAnother()];
    const count = async (tx: Tx): Promise<void> => {
      const row = await tx.selectFrom("meta").select("value").where("name", "=", "n").executeTakeFirst();
      const value = String(Number(row?.value ?? 0) + 1);
      await tx
        .insertInto("meta")
        .values({ name: "n", value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
    };
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        servers[index % 3]?.write(count, ...(index % 2 ? ["team"] : [])),
      ),
    );
    const value = store.read((tx) => tx.selectFrom("meta").select("value").executeTakeFirst());
    expect(await value).toEqual({ value: "60" });
  });

  it("over a name of which both found that it was free: one runs again, and sees that it is taken", async () => {
    const found: string[][] = [];
    const other = gate();
    const claim = (owner: string) => async (tx: Tx) => {
      const taken = await tx.selectFrom("meta").select("value").where("name", "=", "n").executeTakeFirst();
      found.push([owner, taken?.value ?? "free"]);
      if (found.length === 2) other.open();
      await other.opened;
      if (taken) return `refused: it is ${taken.value}'s`;
      await tx.insertInto("meta").values({ name: "n", value: owner }).execute();
      return "taken";
    };
    const answers = await Promise.all([store.write(claim("a"), "a"), store.write(claim("b"), "b")]);
    const winner = answers[0] === "taken" ? "a" : "b";
    expect([...answers].sort()).toEqual([`refused: it is ${winner}'s`, "taken"]);
    expect(found).toHaveLength(3);
  });

  it("and wait for each other's rows crosswise both take effect", async () => {
    await store.write(put("a"));
    await store.write(put("b"));
    const both = gate();
    let inside = 0;
    const touch = (first: string, second: string) => async (tx: Tx) => {
      const set = (name: string) =>
        tx
          .updateTable("meta")
          .set({ value: sql`value || ${first}` })
          .where("name", "=", name)
          .execute();
      await set(first);
      inside += 1;
      if (inside === 2) both.open();
      await both.opened;
      await set(second);
    };
    await Promise.all([store.write(touch("a", "b"), "a"), store.write(touch("b", "a"), "b")]);
    const values = await store.read((tx) => tx.selectFrom("meta").select("value").execute());
    expect(values.map(({ value }) => [...value].sort().join(""))).toEqual(["ab", "ab"]);
  });

  it("and lose every time end with what the database says", async () => {
    await store.write(put("a"));
    let runs = 0;
    const failing = store.write(async (tx) => {
      runs += 1;
      await put("a")(tx);
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(runs).toBeGreaterThan(2);
    expect(runs).toBeLessThan(20);
  });
});

describe("a connection that is lost", () => {
  const cut = (): Promise<void> =>
    administrate(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'slipway' and datname = '${new URL(database.url).pathname.slice(1)}'`,
    );

  it("while nothing runs is replaced", async () => {
    await store.write(put("a"));
    await cut();
    await store.write(put("b"));
    await cut();
    expect(await names()).toEqual(["a", "b"]);
  });

  it("within a unit has the unit run again, once only in effect", async () => {
    let runs = 0;
    const interrupted = async (tx: Tx): Promise<string[]> => {
      runs += 1;
      if (runs % 2 === 1) await cut();
      return namesIn(tx);
    };
    await store.write(async (tx) => {
      await put("a")(tx);
      await interrupted(tx);
    });
    expect(await store.read(interrupted)).toEqual(["a"]);
    expect(runs).toBe(4);
  });
});

describe("a newer version that changes a table while this one runs", () => {
  const everything = prepared((tx, p: { name: string }) =>
    tx.selectFrom("meta").selectAll().where("name", "=", p.name),
  );
  afterEach(() => run(database.url, (client) => client.query("alter table meta drop column later")));

  it("is no reason to fail, for reads and for writes", async () => {
    await store.write(put("a"));
    const find = (tx: Tx) => everything(tx, { name: "a" });
    expect(await store.read(find)).toEqual([{ name: "a", value: "" }]);
    await run(database.url, (client) => client.query("alter table meta add column later int"));
    expect(await store.read(find)).toEqual([{ name: "a", value: "", later: null }]);
    await run(database.url, (client) => client.query("alter table meta alter column later type text"));
    expect(await store.write(find)).toEqual([{ name: "a", value: "", later: null }]);
  });
});

describe("PostgreSQL that cannot be used as it is", () => {
  it("is told apart from an address that is none", async () => {
    await expect(openPostgres("postgres://u:p@host:port/db")).rejects.toThrow(StoreError);
  });

  it("needs the key", async () => {
    const opening = openServer({ port: 0, data: database.url, logLevel: "silent" });
    await expect(opening).rejects.toThrow(/PostgreSQL store needs a key\. .* with SLIPWAY_KEY or --key-file/);
  });

  it("and another key than that of the data", async () => {
    const open = (key: string) => openServer({ port: 0, data: database.url, key, logLevel: "silent" });
    await (await open("00".repeat(32))).close();
    await expect(open("11".repeat(32))).rejects.toThrow(/not the one that sealed this data/);
    await (await open("00".repeat(32))).close();
  });
});
