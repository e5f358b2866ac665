import * as z from "zod";
import { loadProject, projectPath, reachesProject, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { flag } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { addressRecordsOf } from "../platform/dns-store";
import { notFound } from "../platform/refusal";
import { attach, detach, loadAddition, loadDomain } from "./attach";
import { viewConfig } from "./config-view";
import { canonicalDomain, isGiven, parseDomain } from "./names";
import type { DomainRow } from "./object";
import { rateLimits } from "./rate-limits";
import { addAliasRefusals, invalidDomain, isDefault } from "./rules";
import * as wire from "./schema";
import { claimOf, domainsOf, findDomainIn } from "./store";
import { viewDomain } from "./view";

/** Further routes for domains, which the official command line uses. @source wire-shapes 5 and 11 */

const named = z.object({ domain: z.string().transform(canonicalDomain) });
const unknownDomain = [404, "not_found", "no such domain in the account"] as const;

const aliasTargets = (rows: readonly DomainRow[]): z.infer<typeof wire.aliasTargets> =>
  rows.map((row) => ({
    domain: row.name,
    target: row.git_branch === null ? "PRODUCTION" : "STAGING",
    redirect: row.redirect,
    createdAt: row.created_at,
    configuredBy: null,
  }));

/** Adds a domain as `addDomain` does. The answer lists all domains of the project. */
const addAlias = route({
  method: "POST",
  path: "/projects/:idOrName/alias",
  operationId: "addProjectAlias",
  summary: "Adds a domain to a project, as the command-line client does.",
  scope: ["read-write:project", "read-write:domain"],
  limit: rateLimits.domainWrite,
  params: projectPath,
  body: wire.addAlias,
  example: { domain: "www.example.com" },
  success: [200, wire.aliasTargets],
  throws: [unknownProject],
  load: loadAddition,
  refuse: addAliasRefusals,
  async handle(call) {
    await attach(call);
    return aliasTargets(await domainsOf(call.tx, call.project.id));
  },
});

type Named = Call<z.infer<typeof projectPath>, z.infer<typeof named>>;

/** Removes a domain as `deleteDomain` does. The answer lists the remaining domains. */
const removeAlias = route({
  method: "DELETE",
  path: "/projects/:idOrName/alias",
  operationId: "removeProjectAlias",
  summary: "Removes a domain from a project, as the command-line client does.",
  scope: ["read-write:project", "read-write:domain"],
  limit: rateLimits.domainWrite,
  params: projectPath,
  query: named,
  success: [200, wire.aliasTargets],
  throws: [unknownProject, unknownDomain],
  load: (call: Named) => loadDomain(call, call.query.domain),
  refuse: [beingTransferred, isDefault],
  async handle(call) {
    await detach(call, false);
    return aliasTargets(await domainsOf(call.tx, call.project.id));
  },
});

/** Finds a domain of the account, on any project that the caller may see. */
const getProjectDomain = route({
  method: "GET",
  path: "/project-domains/:domain",
  operationId: "findProjectDomain",
  summary: "Returns the project domain of that name, whichever project of the account it is on.",
  scope: ["read:project"],
  params: named,
  success: [200, wire.projectDomain],
  throws: [unknownDomain],
  load: async (call) => {
    const domain = await findDomainIn(call.tx, call.account.id, call.params.domain);
    if (domain === undefined) throw notFound(`Domain ${JSON.stringify(call.params.domain)}`);
    await loadProject({ ...call, params: { projectId: domain.project_id } });
    return { domain };
  },
  handle: async ({ domain }) => viewDomain(domain),
});

/**
 * Reads the domain's address records in the embedded zone. Seeds and the control plane write these records.
 * @source wire-shapes 5 and 11; the shape is the one that the official clients accept
 */
const getDomainConfig = route({
  method: "GET",
  path: "/v6/domains/:domain/config",
  operationId: "getDomainConfig",
  summary:
    "Returns whether a domain's DNS records point at the service, and the records that it should have.",
  scope: ["read:project"],
  params: named,
  query: z.object({ projectIdOrName: z.string().optional(), strict: flag.optional() }),
  success: [200, wire.domainConfig],
  throws: [[400, "invalid_domain", "no valid domain name"]],
  async handle({ tx, account, caller, params }) {
    const domain = parseDomain(params.domain);
    if (domain === undefined) throw invalidDomain(params.domain);
    const claim = await claimOf(tx, account.id, domain.name);
    const verified =
      isGiven(domain.name) ||
      (claim?.verified === 1 && (await reachesProject({ tx, caller }, claim.project_id)));
    return viewConfig(domain, await addressRecordsOf(tx, domain.name), verified);
  },
});

export const domainAliasRoutes: readonly Route[] = [addAlias, removeAlias, getProjectDomain, getDomainConfig];
