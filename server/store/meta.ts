import { sql } from "kysely";
import { prepared, type Tx } from "./store";

/** Named values that describe the store as a whole. */

/**
 * The name of the value that holds the address of the API from which the data were copied. A server with a copy sends
 * no events, log lines or mail, because they would reach the receivers of the real account.
 */
export const copyOfName = "copy_of";

const valueByName = prepared((tx, p: { name: string }) =>
  tx.selectFrom("meta").select("value").where("name", "=", p.name),
);

export async function readMeta(tx: Tx, name: string): Promise<string | undefined> {
  return (await valueByName(tx, { name }))[0]?.value;
}

export async function writeMeta(tx: Tx, name: string, value: string): Promise<void> {
  await tx
    .insertInto("meta")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** Writes a value if the name has none. @returns the stored value, which another server may have written before */
export async function keepMeta(tx: Tx, name: string, value: string): Promise<string> {
  await tx
    .insertInto("meta")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return (await readMeta(tx, name)) ?? value;
}

/** Adds to a number, which starts at 0. Concurrent writers wait for each other. @returns the sum */
export async function addToMeta(tx: Tx, name: string, count: number): Promise<number> {
  const { value } = await tx
    .insertInto("meta")
    .values({ name, value: String(count) })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({
        value: sql<string>`cast(cast(meta.value as bigint) + cast(${count} as bigint) as text)`,
      }),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return Number(value);
}

export async function removeMeta(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom("meta").where("name", "=", name).execute();
}

/** The time of PostgreSQL, in milliseconds since the epoch. Servers use it because their own clocks may differ. */
export const databaseNow = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

export async function readDatabaseNow(tx: Tx): Promise<number> {
  return Number((await tx.selectNoFrom(databaseNow.as("now")).executeTakeFirstOrThrow()).now);
}
