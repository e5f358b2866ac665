import { batched, type Tx } from "../../../server/store/store";
import { useTestServer } from "../../support/world";

const world = useTestServer();

describe("a query for the rows of one key", () => {
  /** How many statements were built: one for a single key, one for several. */
  let built: number;
  const noted = () => {
    built = 0;
    return batched(
      (tx, has) => {
        built++;
        return tx.selectFrom("meta").selectAll().where(has("name")).orderBy("value");
      },
      (row) => row.name,
    );
  };
  const within = <T>(unit: (tx: Tx) => Promise<T>): Promise<T> => world.services.store.read(unit);
  const put = (...names: string[]) =>
    world.services.store.write((tx) =>
      tx
        .insertInto("meta")
        .values(names.map((name) => ({ name, value: `of ${name}` })))
        .execute(),
    );

  it("finds those of each, however many keys are asked for in one turn", async () => {
    await put("a", `b's "name"`, "c");
    const rowsOf = noted();
    const keys = ["a", `b's "name"`, "nobody", "a"];
    const found = await within((tx) => Promise.all(keys.map((key) => rowsOf(tx, key))));
    expect(found.map((rows) => rows.map(({ value }) => value))).toEqual([
      ["of a"],
      [`of b's "name"`],
      [],
      ["of a"],
    ]);
    expect(built).toBe(1);
    expect(await within((tx) => rowsOf(tx, "c"))).toEqual([{ name: "c", value: "of c" }]);
    expect(await within((tx) => rowsOf(tx, "nobody"))).toEqual([]);
    expect(built).toBe(2);
  });

  it("keeps units apart that ask in the same turn", async () => {
    await put("a", "b");
    const rowsOf = noted();
    const [read, written] = await Promise.all([
      within((tx) => Promise.all([rowsOf(tx, "a"), rowsOf(tx, "b")])),
      world.services.store.write(async (tx) => {
        await tx.updateTable("meta").set({ value: "changed" }).where("name", "=", "a").execute();
        return rowsOf(tx, "a");
      }),
    ]);
    expect(read.flat()).toHaveLength(2);
    expect(written).toEqual([{ name: "a", value: "changed" }]);
  });

  it("fails for all who asked", async () => {
    const rowsOf = batched(
      (tx, has) =>
        tx
          .selectFrom("nowhere" as "meta")
          .selectAll()
          .where(has("name")),
      (row) => row.name,
    );
    const failed = await within((tx) => Promise.allSettled([rowsOf(tx, "a"), rowsOf(tx, "b")])).catch(
      (error) => error,
    );
    expect(JSON.stringify(failed)).not.toContain("fulfilled");
  });
});
