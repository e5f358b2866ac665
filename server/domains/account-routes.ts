import * as z from "zod";
import { page, pageSize, pagination, paging } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { deleteRows } from "../store/rows";
import { notCovered, type Removal, removedWhileTransferred, sellsNoDomains } from "./account-rules";
import { visibleAdded, visibleDomains } from "./account-store";
import { apexesOf, idOf, loadApex, viewer, withUniqueTimes } from "./account-view";
import { addedDomainsOf, aliasesNotCovered, deleteAliasesUnder } from "./added-store";
import { detach } from "./attach";
import { canonicalDomain, parseDomain } from "./names";
import { rateLimits } from "./rate-limits";
import { deleteRecordsOf } from "./record-store";
import * as wire from "./schema";
import { domainsUnder, transferringUnder } from "./store";
import { viewDomain } from "./view";

/**
 * The domains of an account, which the official command line lists and inspects.
 * @choice This server neither sells nor hosts domains. The domains of an account are those that were added to it, the
 *   apexes of its project domains, and the domains that have DNS records. A domain is verified if the account has
 *   verified the apex.
 * @source the newest official client: GET /v5/domains
 */

const pageOf = <T extends { createdAt: number }>(query: PageQuery, all: readonly T[]) =>
  page(
    query,
    pageSize(query.limit),
    ({ createdAt }: T) => createdAt,
    async ({ since, until, direction, limit }) => {
      const within = all.filter(({ createdAt }) => createdAt > since && createdAt < until);
      return (direction === "asc" ? within : within.reverse()).slice(0, limit);
    },
  );
type PageQuery = { [name in keyof typeof paging]?: number | undefined };

const listAccountDomains = route({
  method: "GET",
  path: "/v5/domains",
  operationId: "getDomains",
  summary:
    "Lists the domains of the account: those added to it, the apexes of its projects' domains, and those with DNS records.",
  scope: ["read:domain"],
  limit: rateLimits.domainList,
  query: z.object(paging),
  success: [200, z.strictObject({ domains: z.array(wire.accountDomain), pagination })],
  async handle(call) {
    const { rows, pagination } = await pageOf(call.query, await apexesOf(call));
    return { domains: rows.map(await viewer(call.tx, call.account)), pagination };
  },
});

const getAccountDomain = route({
  method: "GET",
  path: "/v5/domains/:domain",
  operationId: "getDomain",
  summary: "Returns a domain of the account, by its apex or by a name below it.",
  scope: ["read:domain"],
  params: z.object({ domain: z.string().transform(canonicalDomain) }),
  success: [200, z.strictObject({ domain: wire.accountDomain })],
  throws: [[404, "not_found", "no such domain in the account"]],
  async handle(call) {
    const { domain } = call.params;
    const apex = await loadApex(call, parseDomain(domain)?.apexName ?? domain);
    return { domain: (await viewer(call.tx, call.account))(apex) };
  },
});

/**
 * @choice Also removes all names below the domain from their projects, and deletes its aliases and DNS records. If the
 *   caller has no access to one of the projects, or to the domain that was added to the account, the whole request is
 *   refused.
 * @source the newest official client and the command line's `domains rm`
 */
const removeAccountDomain = route({
  method: "DELETE",
  path: "/v6/domains/:domain",
  operationId: "deleteDomain",
  summary:
    "Removes a domain of the account, by its apex, from all projects, with the names below it and its DNS records.",
  scope: ["read-write:project", "read-write:domain"],
  limit: rateLimits.domainWrite,
  params: z.object({ domain: z.string().transform(canonicalDomain) }),
  success: [200, z.strictObject({ uid: z.string() })],
  throws: [[404, "not_found", "no such domain in the account"]],
  load: loadRemoval,
  refuse: [notCovered, removedWhileTransferred],
  async handle(call) {
    const { account, params, domains } = call;
    for (const domain of domains) await detach({ ...call, domain }, false);
    await deleteRecordsOf({ ...call, domain: params.domain });
    await deleteAliasesUnder(call.tx, account.id, params.domain);
    await deleteRows(call.tx, "added_domains", { account_id: account.id, name: params.domain });
    return { uid: idOf(account, params.domain) };
  },
});

async function loadRemoval(call: Call<{ domain: string }>): Promise<Removal> {
  await loadApex(call);
  const { tx, account, params, caller } = call;
  const domains = await domainsUnder(tx, account.id, params.domain);
  const hiddenDomains = domains.length - (await visibleDomains(call, params.domain)).length;
  const added = await addedDomainsOf(tx, account.id, params.domain);
  const hiddenAdded = added.length - (await visibleAdded(call, params.domain)).length;
  const hiddenAliases = caller.installation?.selected
    ? await aliasesNotCovered(tx, account.id, params.domain, caller.installation.id)
    : 0;
  return {
    apexName: params.domain,
    domains,
    hidden: hiddenDomains + hiddenAdded + hiddenAliases,
    transferring: await transferringUnder(tx, account.id, params.domain),
  };
}

const listProjectDomains = route({
  method: "GET",
  path: "/v1/domains/:domain/project-domains",
  operationId: "getDomainProjectDomains",
  summary: "Lists the account's project domains under an apex: the apex itself and the names below it.",
  scope: ["read:domain"],
  params: z.object({ domain: z.string().transform(canonicalDomain) }),
  query: z.object(paging),
  success: [200, z.strictObject({ projectDomains: z.array(wire.projectDomain), pagination })],
  throws: [[404, "not_found", "no such domain in the account"]],
  async handle(call) {
    await loadApex(call);
    const found = withUniqueTimes(await visibleDomains(call, call.params.domain));
    const { rows, pagination } = await pageOf(call.query, found);
    return { projectDomains: rows.map(({ row }) => viewDomain(row)), pagination };
  },
});

/** @choice This server sells no domains, so it answers as for a suffix that is not supported. */
const getPrice = route({
  method: "GET",
  path: "/v1/registrar/domains/:domain/price",
  operationId: "getDomainPrice",
  summary: "Refuses every request, because this server sells no domains.",
  scope: ["read:domain"],
  params: z.object({ domain: z.string() }),
  success: [200, z.strictObject({})],
  throws: [[400, "tld_not_supported", "always"]],
  handle: () => Promise.reject(sellsNoDomains()),
});

/** @choice This server sells no domains, so none is available. */
const getAvailability = route({
  method: "GET",
  path: "/v1/registrar/domains/:domain/availability",
  operationId: "getDomainAvailability",
  summary: "Says that a domain cannot be bought, because this server sells no domains.",
  scope: ["read:domain"],
  params: z.object({ domain: z.string() }),
  success: [200, z.strictObject({ available: z.boolean() })],
  handle: async () => ({ available: false }),
});

export const accountDomainRoutes: readonly Route[] = [
  listAccountDomains,
  getAccountDomain,
  removeAccountDomain,
  listProjectDomains,
  getPrice,
  getAvailability,
];
