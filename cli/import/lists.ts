import { z } from "zod";
import type { Client } from "../../provider/client/client";
import {
  accountDomainsPath,
  drainPath,
  projectPath,
  recordsPath,
  webhookPath,
} from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { inParallel } from "../../provider/core/parallel";
import { isOfService } from "../../provider/resources/dns-record/values";

/** All projects of the account, sorted by name. @param shape the fields to read @param items the projects of a page */
export async function listProjects<T extends { name: string }, Page extends responses.Page>(
  client: Client,
  shape: z.ZodType<Page>,
  items: (page: Page) => T[],
): Promise<T[]> {
  const all = await client.list("/v9/projects", shape, items, { limit: "100" });
  return [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** All domains of a project. */
export const domainsOf = (client: Client, projectId: string): Promise<responses.Domain[]> =>
  client.list(`${projectPath(projectId)}/domains`, responses.domainList, (page) => page.domains, {
    limit: "100",
  });

/** All webhooks of the account, the oldest first. */
export async function webhooksOfAccount(client: Client): Promise<responses.Webhook[]> {
  const hooks = await client.get(webhookPath(), z.array(responses.webhook));
  return [...hooks].reverse();
}

/** All drains of the account, the oldest first, including those for data other than logs. */
export async function drainsOfAccount(client: Client): Promise<responses.Drain[]> {
  const { drains } = await client.get(drainPath(), responses.drainList);
  return [...drains].reverse();
}

/** The number of domains whose records are read at the same time. */
const domainsAtOnce = 8;

/** All DNS records of the account's domains, except the records that the service itself created. */
export async function recordsOfAccount(
  client: Client,
): Promise<(responses.ListedDnsRecord & { domain: string })[]> {
  const query = { limit: "100" };
  const domains = await client.list(
    accountDomainsPath,
    responses.accountDomainList,
    ({ domains }) => domains,
    query,
  );
  const names = domains.map(({ name }) => name).sort();
  const all = await inParallel(
    names,
    async (domain) => {
      const records = await client.list(
        recordsPath(domain),
        responses.dnsRecordList,
        ({ records }) => records,
        query,
      );
      return records
        .filter((record) => !isOfService(record))
        .map((record) => ({ ...record, domain }))
        .reverse();
    },
    domainsAtOnce,
  );
  return all.flat();
}
