import { z } from "zod";
import type { Client } from "../../provider/client/client";
import { ifAllowed } from "../../provider/client/errors";
import { accountDomainsPath, recordsPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { inParallel } from "../../provider/core/parallel";
import { dnsRecord as resource } from "../../provider/resources/dns-record";
import { isOfService, readParts } from "../../provider/resources/dns-record/values";
import { type AccountKind, atOnce, itemOf, pageSize, unreadText } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { objectOf } from "./recorded";
import { boolean, number, pagination, string, text, times } from "./shapes";

const domains = z.looseObject({
  domains: z.array(z.looseObject({ name: string, verified: boolean, echMode: text, createdAt: number })),
  pagination,
});

const records = z.looseObject({
  records: z.array(
    z.looseObject({
      ...{ id: string, name: string, type: string, value: string, mxPriority: number, priority: number },
      ...{ ttl: number, comment: text, creator: text, ...times },
    }),
  ),
  pagination,
});

const query = { limit: pageSize };

/** All DNS records of the account's domains, except the records that the service itself created. */
export async function recordsOfAccount(
  client: Client,
): Promise<(responses.ListedDnsRecord & { domain: string })[]> {
  const all = await client.list(
    accountDomainsPath,
    responses.accountDomainList,
    (page) => page.domains,
    query,
  );
  const recordsOf = async (domain: string) => {
    const path = recordsPath(domain);
    const listed = await client.list(path, responses.dnsRecordList, (page) => page.records, query);
    const own = listed.filter((record) => !isOfService(record));
    return own.map((record) => ({ ...record, domain })).reverse();
  };
  const names = all.map(({ name }) => name).sort();
  return (await inParallel(names, recordsOf, atOnce)).flat();
}

export const dnsRecord = {
  name: "DNS record",
  owner: "domain",
  resource,
  suffix: "record",
  weight: 45,
  section: "dnsRecords",
  /** Also puts the domains of the account. */
  async rows(reading) {
    const listed = await ifAllowed(
      reading.client.listNow(accountDomainsPath, domains, (page) => page.domains, query),
    );
    const read = async ({ name: domain }: { name: string }) => ({
      domain,
      found: await reading.client.listNow(recordsPath(domain), records, (page) => page.records, query),
    });
    const all = await inParallel(listed ?? [], read, atOnce);
    for (const { name, verified, echMode, createdAt } of listed ?? []) {
      const mode = echMode === "disabled" ? echMode : undefined;
      reading.put("accountDomains", { name, verified, echMode: mode, createdAt });
    }
    if (!listed) reading.note(unreadText("the domains of the account and their DNS records"));
    return all.flatMap(({ domain, found }) =>
      found
        .filter((record) => !isOfService(record))
        .map(({ id, name, type, value, mxPriority, priority, ...rest }) => {
          const { ttl, comment, creator, createdAt, updatedAt } = rest;
          const parts = readParts(type, { value, mxPriority, priority });
          return { id, domain, name, type, ...parts, ttl, comment, creator, createdAt, updatedAt };
        }),
    );
  },
  items(row) {
    const name = `${row.name === "" ? "" : `${row.name}.`}${row.domain} ${row.type}`;
    return [itemOf(row, { id: `${row.domain}/${row.id}`, name })];
  },
  async discover({ client, add, allowed }) {
    for (const { domain, id, name, type } of await allowed("DNS records", recordsOfAccount(client)))
      await add(resource, `${domain}/${id}`, `${name === "" ? domain : `${name}.${domain}`}-${type}`);
  },
  recorded: {
    vercel_dns_record: (one) => [objectOf(one, resource, `${one.values.domain}/${one.values.id}`)],
  },
  operations: {
    list: listOperation("/v5/domains/{domain}/records", "DNS records", responses.dnsRecordList, "records"),
    one: oneOperation("/v5/domains/records/{recordId}", "DNS record", responses.dnsRecord),
  },
} as const satisfies AccountKind;
