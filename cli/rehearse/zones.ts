import type { Plain } from "../../provider/core/values";
import { accountDomain } from "../objects/account-domain";

/**
 * Adds to the domains of a document whether they have a DNS zone. The API does not return that, so the copy begins with
 * the zones that the stack has declared, and its store tells which zones it has.
 * @param zones by the name of the domain
 */
export function withZones<D extends { [accountDomain.section]?: unknown[] }>(
  document: D,
  zones: ReadonlyMap<string, boolean>,
): D {
  const rows = document[accountDomain.section] as Plain[] | undefined;
  if (!rows || zones.size === 0) return document;
  return { ...document, [accountDomain.section]: rows.map((row) => ({ ...row, ...zoneOf(row) })) };

  function zoneOf({ name, zone = zones.get(String(name)) }: Plain): Plain {
    return zone === undefined ? {} : { zone };
  }
}
