import { hide, object, oneOf, type Row, text } from "../store/object";

/** A record of the embedded zone. */
export const dnsRecords = object("dns_records", {
  columns: {
    id: hide(text()),
    name: text(),
    type: oneOf("A", "CNAME", "TXT"),
    value: text(),
  },
  indexes: [["name", "type"]],
  section: "dns",
  order: ["name", "value"],
});
export type DnsRecordRow = Row<typeof dnsRecords>;
