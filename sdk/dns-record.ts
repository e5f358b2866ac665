import type * as pulumi from "@pulumi/pulumi";
import { dnsRecord } from "../provider/resources/dns-record";
import { classOf } from "./core/resource";
import type { DnsRecordArgs, DnsRecordOutputs } from "./types";

/** A DNS record of a domain of the account. A project of the account must have this domain or one of its subdomains. */
export class DnsRecord extends classOf<DnsRecordOutputs>(dnsRecord) {
  constructor(name: string, args: DnsRecordArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing record by its id, `domain/record`, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): DnsRecord {
    return new DnsRecord(name, {} as DnsRecordArgs, { ...opts, id });
  }
}
