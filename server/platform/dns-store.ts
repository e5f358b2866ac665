import type { Tx } from "../store/store";
import { newId } from "./ids";

/** The embedded zone, which seeds and the control plane write. */

/** The values of the TXT records of a name. @param name in lower case */
export async function txtRecordsOf(tx: Tx, name: string): Promise<string[]> {
  const rows = await tx
    .selectFrom("dns_records")
    .select("value")
    .where("name", "=", name)
    .where("type", "=", "TXT")
    .execute();
  return rows.map(({ value }) => value);
}

/** Adds a TXT record to the embedded zone, unless it is there. @param name in lower case */
export async function putDnsRecord(tx: Tx, name: string, value: string): Promise<void> {
  const known = await tx
    .selectFrom("dns_records")
    .select("id")
    .where("name", "=", name)
    .where("type", "=", "TXT")
    .where("value", "=", value)
    .executeTakeFirst();
  if (!known)
    await tx
      .insertInto("dns_records")
      .values({ id: newId("row"), name, type: "TXT", value })
      .execute();
}

/** Removes the TXT records of a name from the embedded zone. */
export async function removeDnsRecords(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom("dns_records").where("name", "=", name).where("type", "=", "TXT").execute();
}
