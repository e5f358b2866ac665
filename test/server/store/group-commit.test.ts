import type { Connection } from "../../../server/store/sqlite/connection";
import { GroupCommit } from "../../../server/store/sqlite/group-commit";
import type { Tx } from "../../../server/store/store";

/** A connection on which these statements fail. */
function failingAt(...failing: string[]): { connection: Connection; ran: string[] } {
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
  return { connection, ran };
}

const groupOn = (connection: Connection): GroupCommit => new GroupCommit(connection, {} as Tx, () => {});

it("refuses all units of a commit that fails, and takes the next ones", async () => {
  const { connection, ran } = failingAt("commit");
  const group = groupOn(connection);
  await expect(group.write(async () => 1)).rejects.toThrow("no commit");
  expect(connection.inTransaction).toBe(false);
  await expect(group.write(async () => 2)).rejects.toThrow("no commit");
  expect(ran).toEqual(["begin immediate", "commit", "rollback", "begin immediate", "commit", "rollback"]);
});

it("takes no more units where it could not take back what it refused", async () => {
  const { connection, ran } = failingAt("commit", "rollback");
  const group = groupOn(connection);
  await expect(group.write(async () => 1)).rejects.toThrow("no commit");
  await expect(group.write(async () => 2)).rejects.toThrow("The store is closed.");
  await expect(group.read(async () => 3)).rejects.toThrow("The store is closed.");
  expect(ran).toEqual(["begin immediate", "commit", "rollback"]);
});
