import { Pacer } from "../../../server/store/pacer";
import type { Connection } from "../../../server/store/sqlite/connection";
import { GroupCommit } from "../../../server/store/sqlite/group-commit";
import { Reads } from "../../../server/store/sqlite/reads";
import type { Tx } from "../../../server/store/store";

/** A connection on which these statements fail. */
function failingAt(...failing: string[]): { connection: Connection; ran: string[]; failing: string[] } {
  const ran: string[] = [];
  let inTransaction = false;
  const connection = {
    writes: 0,
    get inTransaction() {
      return inTransaction;
    },
    exec(text: string) {
      ran.push(text);
      if (failing.includes(text)) throw new Error(`no ${text}`);
      inTransaction = text.startsWith("begin");
    },
  } as unknown as Connection;
  return { connection, ran, failing };
}

const tx = {} as Tx;

function groupOn(connection: Connection) {
  const pacer = new Pacer();
  const group: GroupCommit = new GroupCommit(connection, tx, {
    check: () => {},
    alone: (commit) => reads.alone(commit),
    pacer,
  });
  const reads = new Reads({ connection, tx }, undefined, pacer, () => group.requireUndone());
  return {
    write: <T>(unit: () => Promise<T>, key = "") => group.write(unit, key),
    read: <T>(unit: () => Promise<T>, key = "") => reads.read(unit, key),
    abandon: () => group.abandon(),
  };
}

it("refuses all units of a commit that fails, and takes the next ones", async () => {
  const { connection, ran } = failingAt("commit");
  const group = groupOn(connection);
  await expect(group.write(async () => 1)).rejects.toThrow("no commit");
  expect(connection.inTransaction).toBe(false);
  await expect(group.write(async () => 2)).rejects.toThrow("no commit");
  expect(ran).toEqual(["begin immediate", "commit", "rollback", "begin immediate", "commit", "rollback"]);
});

it("takes no more units until it has taken back what it refused", async () => {
  const { connection, ran, failing } = failingAt("commit", "rollback");
  const group = groupOn(connection);
  const more = Array.from({ length: 300 }, () => group.write(async () => 1));
  const [first, ...others] = await Promise.allSettled(more);
  expect(first).toMatchObject({ reason: { message: "no commit" } });
  expect(others.at(-1)).toMatchObject({ reason: { message: expect.stringContaining("no rollback") } });
  await expect(group.read(async () => 2)).rejects.toThrow(
    "The changes of a failed commit are not rolled back yet: no rollback",
  );
  expect(ran.filter((text) => text === "commit")).toHaveLength(1);
  failing.length = 0;
  expect(await group.write(async () => 3)).toBe(3);
  expect(ran.slice(-3)).toEqual(["rollback", "begin immediate", "commit"]);
});

it("serves accounts round robin", async () => {
  const { connection } = failingAt();
  const group = groupOn(connection);
  const order: string[] = [];
  const write = (key: string, at: number): Promise<unknown> =>
    group.write(async () => order.push(`${key}${at}`), key);
  await Promise.all([
    write("a", 1),
    write("a", 2),
    write("a", 3),
    write("b", 1),
    write("c", 1),
    write("b", 2),
  ]);
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

it("refuses the units that have not begun when the store is abandoned", async () => {
  const { connection, ran } = failingAt();
  const group = groupOn(connection);
  const units = [group.write(async () => 1), group.write(async () => 2, "other")];
  group.abandon();
  const outcomes = await Promise.allSettled(units);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(group.write(async () => 3)).rejects.toThrow("The store is closed.");
  expect(ran.filter((text) => text.startsWith("savepoint"))).toEqual([]);
});
