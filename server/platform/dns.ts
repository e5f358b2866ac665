import { Resolver } from "node:dns/promises";
import type { Store } from "../store/store";

/** Looks up the values of TXT records, each joined from its parts. A name without any gives an empty array. */
export type TxtLookup = (name: string) => Promise<string[]>;

/** The zone that seed file and control plane write. */
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

/** The resolver of the machine. */
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
