import type { Tx } from "../store/store";
import { newId } from "./ids";
import type { DnsRecordRow } from "./object";

/** The embedded zone, which seeds and the control plane write. Names are in lower case. */

/** The lock key of changes of the zone. */
export const zoneKey = "dns";

export type ZoneRecord = Pick<DnsRecordRow, "name" | "type" | "value">;

const recordsOf = (tx: Tx, name: string) =>
  tx.selectFrom("dns_records").select(["type", "value"]).where("name", "=", name);

/** The values of the TXT records of a name. */
export async function txtRecordsOf(tx: Tx, name: string): Promise<string[]> {
  const rows = await recordsOf(tx, name).where("type", "=", "TXT").execute();
  return rows.map(({ value }) => value);
}

/** The address records (A and CNAME) of a name, in the order of their types and values. */
export const addressRecordsOf = (tx: Tx, name: string): Promise<Omit<ZoneRecord, "name">[]> =>
  recordsOf(tx, name).where("type", "in", ["A", "CNAME"]).orderBy("type").orderBy("value").execute();

/** Adds a record to the embedded zone, unless the zone has it. */
export async function putDnsRecord(tx: Tx, { name, type, value }: ZoneRecord): Promise<void> {
  const known = await recordsOf(tx, name)
    .where("type", "=", type)
    .where("value", "=", value)
    .executeTakeFirst();
  if (!known)
    await tx
      .insertInto("dns_records")
      .values({ id: newId("row"), name, type, value })
      .execute();
}

/** Removes the records of a name from the embedded zone. @param type undefined: of all types */
export async function removeDnsRecords(tx: Tx, name: string, type?: ZoneRecord["type"]): Promise<void> {
  await tx
    .deleteFrom("dns_records")
    .where("name", "=", name)
    .$if(type !== undefined, (records) => records.where("type", "=", type as ZoneRecord["type"]))
    .execute();
}
