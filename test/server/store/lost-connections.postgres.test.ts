import { sql } from "kysely";
import { request } from "undici";
import { developmentToken } from "../../../server/seed/development-account";
import { openServer } from "../../../server/server";
import { openPostgres } from "../../../server/store/postgres";
import { Connection } from "../../../server/store/postgres/connection";
import type { Store, Tx } from "../../../server/store/store";
import { runChild } from "../../support/child";
import { administrate, run, type TestDatabase, takeDatabase } from "../../support/postgres/database";
import { type DatabaseProxy, openProxy } from "../../support/postgres/proxy";
import { until } from "../../support/until";

/** Far more than anything here takes, far less than a query may. */
const soonMs = 10_000;
const deadlines = { readMs: 700, rollbackMs: 700 };

let database: TestDatabase;
let proxy: DatabaseProxy;
let store: Store;

beforeEach(async () => {
  database = await takeDatabase();
  proxy = await openProxy(database.url);
  store = await openPostgres(proxy.url, deadlines);
});
afterEach(async () => {
  await store.close();
  await proxy.close();
  await database.release();
});

const put = (name: string) => (tx: Tx) => tx.insertInto("meta").values({ name, value: "" }).execute();
const names = async (tx: Tx): Promise<string[]> =>
  (await tx.selectFrom("meta").select("name").orderBy("name").execute()).map(({ name }) => name);
const refuse = async (tx: Tx): Promise<void> => {
  await put("refused")(tx);
  throw new Error("refused");
};

/** Fails with "late" where something takes longer than it may. */
function soon<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("late")), soonMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The connection falls silent when the server first says this. */
function stallAt(text: string): void {
  let done = false;
  proxy.fate = (from, piece) => {
    if (done || from === "far" || !piece.includes(text)) return "pass";
    done = true;
    return "stall";
  };
}

describe("PostgreSQL that falls silent", () => {
  it("as a unit is taken back holds up neither its refusal nor what follows", async () => {
    stallAt("rollback");
    await expect(soon(store.write(refuse, "team"))).rejects.toThrow("refused");
    await soon(store.write(put("next"), "team"));
    expect(await soon(store.read(names))).toEqual(["next"]);
  });

  it("as one of several units is taken back has all of them carried out, each once", async () => {
    stallAt("rollback to savepoint");
    const first = store.write(put("a"), "team");
    const refused = expect(soon(store.write(refuse, "team"))).rejects.toThrow("refused");
    const last = store.write(put("b"), "team");
    await soon(Promise.all([first, refused, last]));
    expect(await soon(store.read(names))).toEqual(["a", "b"]);
  });

  it("before a read has the read done on another connection, and all idle ones are closed", async () => {
    await Promise.all([1, 2, 3, 4].map(() => store.read(names)));
    proxy.stall();
    expect(await soon(store.read(names))).toEqual([]);
    const made = proxy.made;
    expect(await soon(Promise.all([1, 2, 3, 4].map(() => store.read(names))))).toHaveLength(4);
    expect(proxy.made).toBe(made + 3);
  });

  it("after it said that it ends the connection, for a reason that is not known here, is asked on another", async () => {
    let times = 0;
    proxy.fate = (from, piece) => {
      if (from === "near" && piece.includes("begin") && ++times === 1) return "pass";
      return from === "far" && times === 1 && piece.includes("BEGIN") ? farewell() : "pass";
    };
    await soon(store.write(put("a"), "team"));
    expect(await soon(store.read(names))).toEqual(["a"]);
  });

  it("for good keeps nothing waiting once the store is abandoned", async () => {
    await store.read(names);
    proxy.stall();
    proxy.fate = () => "stall";
    const units = [put("a"), put("b"), put("c")].map((unit, at) => store.write(unit, `${at % 2}`));
    const reads = Array.from({ length: 12 }, () => store.read(names));
    const outcomes = Promise.allSettled([...units, ...reads]);
    await new Promise((next) => setTimeout(next, 100));
    store.abandon();
    for (const { status } of await soon(outcomes)) expect(status).toBe("rejected");
    await expect(store.read(names)).rejects.toThrow("closed");
    await soon(store.close());
  });

  it("lets a server end in the time that a supervisor gives it", async () => {
    const server = await openServer({
      port: 0,
      data: proxy.url,
      key: Buffer.alloc(32, "key").toString("base64"),
      logLevel: "silent",
      alwaysDevelopmentAccount: true,
    });
    proxy.stall();
    proxy.fate = () => "stall";
    const answer = server.app.inject({
      method: "POST",
      url: "/v10/projects?slug=acme",
      headers: { authorization: `Bearer ${developmentToken}` },
      payload: { name: "web" },
    });
    await new Promise((next) => setTimeout(next, 100));
    await soon(server.close());
    expect((await answer).statusCode).toBe(503);
  });

  /** An error that ends the session, which nothing follows. */
  function farewell(): Buffer {
    const fields = Buffer.from("SFATAL\0VFATAL\0C58000\0Mthe system fails\0\0");
    const head = Buffer.from("E\0\0\0\0");
    head.writeInt32BE(fields.length + 4, 1);
    proxy.stall();
    return Buffer.concat([head, fields]);
  }
});

describe("a unit that is taken back in time", () => {
  it.each([
    ["alone", () => store.write(refuse, "team")],
    [
      "among others of its lock",
      () =>
        Promise.all([
          store.write(put("a"), "team"),
          store.write(refuse, "team"),
          store.write(put("b"), "team"),
        ]),
    ],
  ])("%s leaves its connection to the next, which may take longer than taking back may", async (_, begin) => {
    await expect(begin()).rejects.toThrow("refused");
    const made = proxy.made;
    let runs = 0;
    await store.write(async (tx) => {
      runs += 1;
      await sql`select pg_sleep(${(1.5 * deadlines.rollbackMs) / 1000})`.execute(tx);
    }, "team");
    expect([runs, proxy.made]).toEqual([1, made]);
  });
});

describe("what ends a connection", () => {
  it("is the first error that it reports, of any kind, and no other of the same words", () => {
    const connection = new Connection(undefined, new Set());
    const [first, other] = [new Error("the wire has broken"), new Error("the wire has broken")];
    expect(connection.isLostBy(first)).toBe(false);
    connection.emit("error", first);
    connection.emit("error", other);
    expect([first, other].map((error) => connection.isLostBy(error))).toEqual([true, false]);
    connection.drop();
  });
});

describe("a connection that is cut", () => {
  it("while it is made has the unit run on another one", async () => {
    let cuts = 0;
    proxy.fate = () => (cuts++ < 3 ? "cut" : "pass");
    await Promise.all([soon(store.write(put("a"), "team")), soon(store.write(put("b"), "other"))]);
    expect(await soon(store.read(names))).toEqual(["a", "b"]);
  });

  it.each([2, 5, 8, 11, 14, 17, 20, 23, 26, 29])(
    "at the %d. piece of what is said costs at most an answer to a commit, and little time",
    async (moment) => {
      let pieces = 0;
      let cutAt = "";
      proxy.fate = (from, piece) => {
        if (++pieces !== moment) return "pass";
        cutAt = `${from}: ${piece.toString("latin1")}`;
        return "cut";
      };
      const units = [put("a"), refuse, put("b"), refuse].map((unit, index) => ({
        unit,
        lock: `${index % 2}`,
      }));
      const outcomes = await soon(
        Promise.allSettled(units.map(({ unit, lock }) => store.write<unknown>(unit, lock))),
      );
      const unexpected = outcomes
        .map((outcome, index) => (outcome.status === "rejected" ? `${index} ${outcome.reason.message}` : ""))
        .filter((text) => text !== "" && !/^[13] refused$/.test(text));
      expect(await soon(store.read(names))).toEqual(unexpected.length === 0 ? ["a", "b"] : expect.anything());
      // Whether a commit that got no answer took effect cannot be known.
      if (unexpected.length > 0) expect(cutAt).toMatch(/commit/i);
    },
  );
});

it("a commit of several units whose answer is lost is reported as in doubt to each, and none is run again", async () => {
  const runs: string[] = [];
  const unit = (name: string) => async (tx: Tx) => {
    runs.push(name);
    await put(name)(tx);
  };
  // The first unit has a transaction of its own; the others wait for it, and share one.
  let isFirstDone = false;
  let isShared = false;
  proxy.fate = (from, piece) => {
    if (from === "near") isShared ||= isFirstDone && piece.includes("commit");
    return from === "far" && isShared && piece.includes("COMMIT") ? "cut" : "pass";
  };
  const first = store.write(unit("first"), "team").then(() => {
    isFirstDone = true;
  });
  const shared = ["a", "b", "c"].map((name) => store.write(unit(name), "team"));
  await soon(first);
  const outcomes = await soon(Promise.allSettled(shared));
  proxy.fate = () => "pass";
  expect(outcomes).toEqual(
    Array(3).fill({ status: "rejected", reason: expect.objectContaining({ name: "InDoubtError" }) }),
  );
  expect(runs).toEqual(["first", "a", "b", "c"]);
  expect(await soon(store.read(names))).toEqual(["a", "b", "c", "first"]);
});

it("a session that is ended at the first of two queries under way costs a request nothing but time", async () => {
  // In a process of its own: a failure that is handled too late ends it.
  const child = runChild("server/command.ts", ["serve", "--port", "0"], {
    SLIPWAY_DATA: database.url,
    SLIPWAY_KEY: "00".repeat(32),
  });
  const [, address] = await child.waitFor(/listening on (\S+)/);
  const waiting = `from pg_stat_activity
    where datname = '${new URL(database.url).pathname.slice(1)}' and wait_event_type = 'Lock'`;
  const isWaiting = (): Promise<boolean> =>
    run(database.url, async (client) => (await client.query(`select ${waiting}`)).rowCount === 1);
  const asked = await run(database.url, async (client) => {
    await client.query("begin; lock table meta in access exclusive mode");
    const answer = request(`${address}/v9/projects?slug=acme`, {
      headers: { authorization: `Bearer ${developmentToken}` },
    }).catch((error: Error) => ({ statusCode: error.message }));
    await until("the request waits", isWaiting);
    await administrate(`select pg_terminate_backend(pid) ${waiting}`);
    await Promise.race([until("it waits on another connection", isWaiting), child.exited]);
    await client.query("commit");
    return answer;
  });
  expect([asked.statusCode, child.output().stderr]).toEqual([200, expect.not.stringContaining("error")]);
  child.process.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});
