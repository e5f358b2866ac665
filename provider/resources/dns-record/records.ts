import type { Client } from "../../client/client";
import { ifFound } from "../../client/errors";
import { recordsPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { UniqueKeys } from "../../core/unique-keys";
import { holdsUnknown, isPlain, type Plain } from "../../core/values";
import { isOfService, partNames, partsOf, readParts, spelledPart } from "./values";

/** The records of a domain at the service, and their unique keys. */

export type AnyRecord = responses.ListedDnsRecord | responses.DnsRecord;

/** Inputs that an update sends. */
export const settings = ["name", ...partNames, "ttl", "comment"] as const;

/**
 * The unique keys of a record: a domain cannot have equal records, and a name cannot have two CNAME records.
 * @choice The id of a record follows its contents, so a record that gets a temporary name would be another record, and
 *   the domain would miss it meanwhile. A resource that declares the contents of another one takes its record over.
 */
export const recordKeys: UniqueKeys = {
  noun: "the DNS record",
  choices: "another name or value",
  scope: "account",
  isNeverAdopted: true,
  mayBeShared: true,
  of: (inputs, account) => {
    const key = keyOf(inputs);
    return key === undefined ? undefined : [`${account}/${key}`];
  },

  owners: recordsMatching((key, other) => key === other),

  exclusion: {
    between: isExclusive,
    objects: recordsMatching(isExclusive),
  },

  freeKeys: async () => async () => {},
};

/** The records of a domain whose key matches one of several. */
function recordsMatching(matches: (key: string, other: string) => boolean): UniqueKeys["owners"] {
  return async ({ client }, keys, { domain }, fresh) => {
    if (typeof domain !== "string") return [];
    const existing = (await ifFound(recordsOf(client, domain, !fresh))) ?? [];
    return existing
      .filter((one) => {
        const own = recordKeys.of({ domain, ...membersOf(one) }, client.settings.team ?? "") ?? [];
        return own.some((other) => keys.some((key) => matches(key, other)));
      })
      .map(({ id }) => `${domain}/${id}`);
  };
}

/** A name that has a CNAME record can have no other record. */
function isExclusive(key: string, other: string): boolean {
  if (!key.endsWith(" CNAME") && !other.endsWith(" CNAME")) return false;
  const [name, type] = key.split(" ");
  const [otherName, otherType] = other.split(" ");
  return name === otherName && type !== otherType && (type === "CNAME" || otherType === "CNAME");
}

/** All records that users created for a domain, without the records of the service. @param stale see `Client.list` */
const recordsOf = async (
  client: Client,
  domain: string,
  stale: boolean,
): Promise<responses.ListedDnsRecord[]> =>
  (
    await client.list(
      recordsPath(domain),
      responses.dnsRecordList,
      ({ records }) => records,
      { limit: "100" },
      stale,
    )
  ).filter((record) => !isOfService(record));

/** Finds the record of a domain with a key. */
export const recordWith = async (
  client: Client,
  domain: string,
  key: string | undefined,
): Promise<responses.ListedDnsRecord | undefined> =>
  key === undefined
    ? undefined
    : (await recordsOf(client, domain, false)).find((one) => keyOf({ domain, ...membersOf(one) }) === key);

/** Converts a record of the API to inputs. */
export function membersOf(remote: AnyRecord): Plain {
  const type = "recordType" in remote ? remote.recordType : remote.type;
  return { name: remote.name, type, ...readParts(`${type}`, remote) };
}

/** The unique key of a record in its domain; undefined if it is not known yet. */
export function keyOf({ domain, name, type, ...parts }: Plain): string | undefined {
  if (typeof domain !== "string" || typeof name !== "string" || typeof type !== "string") return undefined;
  const said = type === "CNAME" ? [] : partsOf(type).map((part) => spelledPart(type, part, parts[part]));
  if (holdsUnknown(said)) return undefined;
  const text = said.map((part) => (isPlain(part) ? Object.values(part).join(" ") : `${part}`));
  return [nameIn(domain, name), type, ...text].join(" ");
}

export const nameIn = (domain: string, name: string): string => (name === "" ? domain : `${name}.${domain}`);
