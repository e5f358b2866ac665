import { Resolver } from "node:dns/promises";
import type { Store, Tx } from "../store/store";
import { newId } from "./ids";

/** Looks up the TXT records of a name, each joined from its parts. A name without records gives an empty array. */
export type TxtLookup = (name: string) => Promise<string[]>;

/** Reads the zone in the store, which seeds and the control plane write. */
export function embeddedZone(store: Store): TxtLookup {
  return async (name) => {
    const rows = await store.read((tx) =>
      tx
        .selectFrom("dns_records")
        .select("value")
        .where("name", "=", name.toLowerCase())
        .where("type", "=", "TXT")
        .execute(),
    );
    return rows.map(({ value }) => value);
  };
}

/** Asks the resolver of the machine. */
export function systemResolver(): TxtLookup {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
    } catch (error) {
      if (["ENOTFOUND", "ENODATA"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
      throw error;
    }
  };
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
