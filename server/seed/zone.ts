import * as z from "zod";
import { putDnsRecord } from "../platform/dns-store";
import { section } from "./section";

export const dnsName = z
  .string()
  .toLowerCase()
  .transform((text) => text.replace(/\.$/, ""))
  .pipe(z.string().regex(/^(?=.{1,253}$)[a-z0-9_*-]+(\.[a-z0-9_*-]+)*$/, "must be a domain name"));

export const zoneType = z.enum(["A", "CNAME", "TXT"]);

/** A record of the embedded zone. */
export const zoneRecord = z.discriminatedUnion("type", [
  z.strictObject({ name: dnsName, type: z.literal("A"), value: z.ipv4("must be an IPv4 address") }),
  z.strictObject({ name: dnsName, type: z.literal("CNAME"), value: dnsName }),
  z.strictObject({ name: dnsName, type: z.literal("TXT"), value: z.string() }),
]);

export const dns = section("dns_records", zoneRecord, ({ tx }, record) => putDnsRecord(tx, record));
