import { leases } from "../../../server/events/lease-store";
import { queueMail } from "../../../server/mail/outbox";
import { openPostgres } from "../../../server/store/postgres";
import type { Store, Tx } from "../../../server/store/store";
import { type TestDatabase, takeDatabase } from "../../support/postgres/database";

let database: TestDatabase;
let store: Store;

/** The planner picks a plan by its statistics, which change while a server runs. These settings leave it one. */
const nestedLoops = ["hashjoin", "mergejoin", "hashagg", "material", "memoize", "sort"]
  .map((way) => `-c enable_${way}=off`)
  .join(" ");

beforeEach(async () => {
  database = await takeDatabase();
  const url = new URL(database.url);
  url.searchParams.set("options", nestedLoops);
  store = await openPostgres(url.href);
});
afterEach(async () => {
  await store.close();
  await database.release();
});

test("no more is leased than was asked for, whatever plan the database makes", async () => {
  await store.write(async (tx) => {
    for (const to of ["ada", "bob", "eve"]) await queueMail({ tx, now: 1000 }, { to, subject: "", body: "" });
  });
  const mail = leases(store, "mail");
  const first = await mail.claim(1000, 1, []);
  expect(first).toHaveLength(1);
  expect(await mail.claim(1000, 5, first)).toHaveLength(2);
});

test("what a worker leased and lost hold of is its own again at once, and nobody else's", async () => {
  await store.write((tx) => queueMail({ tx, now: 1000 }, { to: "ada", subject: "", body: "" }));
  const mail = leases(store, "mail");
  const [id] = await mail.claim(1000, 1, []);
  expect(await leases(store, "mail").claim(1000, 1, [])).toEqual([]);
  expect(await mail.claim(1000, 1, [id ?? ""])).toEqual([]);
  expect(await mail.claim(1000, 1, [])).toEqual([id]);
});

test("what a worker is at work on is not its own again when its claim is repeated", async () => {
  await store.write((tx) => queueMail({ tx, now: 1000 }, { to: "ada", subject: "", body: "" }));
  const again: Store = Object.create(store, {
    write: {
      value: (unit: (tx: Tx) => Promise<unknown>, lockKey: string) =>
        store.write((tx) => unit(tx).then(() => unit(tx)), lockKey),
    },
  });
  const mail = leases(again, "mail");
  const busy = new Set<string>();
  // The second time, it finds what the first has leased.
  for (const id of await mail.claim(1000, 1, busy.keys())) busy.add(id);
  expect(busy.size).toBe(1);
  expect(await mail.claim(1000, 1, busy.keys())).toEqual([]);
});

test("all servers together serve no more receivers of an account than its share", async () => {
  const receivers = ["a1", "a2", "a3", "a4", "a5", "a6", "b1"].map((id) => ({
    id,
    account_id: id.slice(0, 1),
    kind: "webhook" as const,
    url: "",
    secret: "",
    secret_row: "",
    position: 1,
    next_attempt_at: 0,
    lease: null,
    leased_until: 0,
  }));
  await store.write((tx) => tx.insertInto("receivers").values(receivers).execute());
  const first = leases(store, "receivers");
  const second = leases(store, "receivers");
  expect(await first.claim(1000, 3, [])).toEqual(["a1", "a2", "a3"]);
  const others = await second.claim(1000, 10, []);
  expect(others.sort()).toEqual(["a4", "b1"]);
  expect(await first.claim(1000, 10, ["a1", "a2", "a3"])).toEqual([]);
  await store.write((tx) => first.release(tx, "a1"));
  expect(await second.claim(1000, 10, others)).toHaveLength(1);
});
