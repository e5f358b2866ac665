import { sql } from "kysely";
import { prepared, type Tx } from "./store";

/** Named values that describe the store as a whole. */

/**
 * The address of the API whose data are copied here. A server with it sends nothing: the receivers of its events, log
 * lines and mail are those of the account itself.
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

/** Writes a value unless there is one. @returns the stored value, which another server may have written first */
export async function keepMeta(tx: Tx, name: string, value: string): Promise<string> {
  await tx
    .insertInto("meta")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return (await readMeta(tx, name)) ?? value;
}

/** Adds to a number that starts at 0; concurrent writers wait for each other. @returns the sum */
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

/** The database's clock, in milliseconds since the epoch. PostgreSQL alone has one: those of its servers may differ. */
export const databaseNow = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

export async function readDatabaseNow(tx: Tx): Promise<number> {
  return Number((await tx.selectNoFrom(databaseNow.as("now")).executeTakeFirstOrThrow()).now);
}
