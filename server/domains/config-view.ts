import type { z } from "zod";
import type { ZoneRecord } from "../platform/dns-store";
import { type DomainName, hostZone } from "./names";
import type { domainConfig } from "./schema";

/** The IP address for domains of this server. It is from a range that is reserved for documentation. */
const address = "192.0.2.1";
const target = `cname.${hostZone}`;

type AddressRecord = Omit<ZoneRecord, "name">;

/**
 * Whether requests to a domain reach the service.
 * @param records the A and CNAME records of the name in the embedded zone
 * @param verified whether the account has verified the domain
 * @choice Without records in the zone, a verified domain counts as configured. Programs therefore need not set address
 *   records, and the copy of an account, which has no zone records, behaves like the original.
 * @choice If the name also has a record that points elsewhere, this is a conflict, and the domain is misconfigured.
 * @source the newest official client: GET /v6/domains/{domain}/config; `ipStatus`: recorded answers of the hosted API
 */
export function viewConfig(
  domain: DomainName,
  records: readonly AddressRecord[],
  verified: boolean,
): z.infer<typeof domainConfig> {
  const isApex = domain.name === domain.apexName;
  const assumed: AddressRecord = isApex ? { type: "A", value: address } : { type: "CNAME", value: target };
  const known = records.length === 0 && verified ? [assumed] : records;
  const here = known.find(leadsHere)?.type as "A" | "CNAME" | undefined;
  const elsewhere = known.filter((record) => !leadsHere(record));
  const isReady = here !== undefined && elsewhere.length === 0;
  return {
    configuredBy: here ?? null,
    misconfigured: !isReady,
    serviceType: "external",
    nameservers: [],
    cnames: valuesOf(known, "CNAME"),
    aValues: valuesOf(known, "A"),
    ipStatus: isReady ? "no-change" : "required-change",
    conflicts: here === undefined ? [] : elsewhere.map((record) => ({ name: domain.name, ...record })),
    acceptedChallenges: isReady ? ["http-01", "dns-01"] : [],
    recommendedIPv4: [{ rank: 1, value: [address] }],
    recommendedCNAME: [{ rank: 1, value: target }],
  };
}

const leadsHere = ({ type, value }: AddressRecord): boolean => value === (type === "A" ? address : target);

const valuesOf = (records: readonly AddressRecord[], type: AddressRecord["type"]): string[] =>
  records.filter((record) => record.type === type).map(({ value }) => value);
