import { z } from "zod";
import type { Client } from "../../client/client";
import { accountDomainPath, recordsPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { aliasesOf } from "../alias/records";
import { nameIn } from "../dns-record/records";
import { isOfService } from "../dns-record/values";

/** Everything that the service would delete with a domain of the account, except its own records. */

const projectDomainList = z.looseObject({
  projectDomains: z.array(z.looseObject({ name: z.string() })),
  pagination: responses.pagination,
});

const query = { limit: "100" };

/** How many objects a message names. */
const named = 5;

/** Why a domain is not deleted; undefined if the service would delete nothing else with it. @throws ApiError */
export async function reasonAgainstDeletion(client: Client, domain: string): Promise<string | undefined> {
  const contents = await contentsOf(client, domain);
  if (contents.length === 0) return undefined;
  const more = contents.length - named;
  const listed = [...contents.slice(0, named), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return (
    `The domain ${domain} is not deleted, because the service would delete with it: ${listed}. Remove these first. ` +
    "If the program declares them, give them the output `name` of the domain, so that they are deleted before it, and " +
    "run again. To leave the domain at the service, run `pulumi state delete`, or set the option `retainOnDelete` " +
    "before you remove the resource."
  );
}

/** The names of project domains, aliases and DNS records, for messages. */
async function contentsOf(client: Client, domain: string): Promise<string[]> {
  const [projectDomains, records, aliases] = await Promise.all([
    client.listNow(
      `${accountDomainPath(domain, "v1")}/project-domains`,
      projectDomainList,
      (page) => page.projectDomains,
      query,
    ),
    client.listNow(recordsPath(domain), responses.dnsRecordList, (page) => page.records, query),
    aliasesOf(client),
  ]);
  const ofProjects = new Set(projectDomains.map(({ name }) => name));
  const isWithin = (name: string): boolean => name === domain || name.endsWith(`.${domain}`);
  return [
    ...[...ofProjects].map((name) => `the project domain ${name}`),
    // The service lists the names of projects among the aliases once a deployment serves them.
    ...aliases
      .filter(({ alias }) => isWithin(alias) && !ofProjects.has(alias))
      .map(({ alias }) => `the alias ${alias}`),
    ...records
      .filter((record) => !isOfService(record))
      .map(({ name, type }) => `the DNS record ${nameIn(domain, name)} ${type}`),
  ];
}
