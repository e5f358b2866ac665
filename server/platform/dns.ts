import { Resolver } from "node:dns/promises";
import type { Store } from "../store/store";
import { txtRecordsOf } from "./dns-store";

/** Looks up the TXT records of a name, each joined from its parts. A name without records gives an empty array. */
export type TxtLookup = (name: string) => Promise<string[]>;

/** Reads the zone in the store, which seeds and the control plane write. */
export function embeddedZone(store: Store): TxtLookup {
  return (name) => store.read((tx) => txtRecordsOf(tx, name.toLowerCase()));
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
