import * as z from "zod";
import { findProject } from "../access/project-store";
import { loadProject, projectPath, reachesProject, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { isVerifiedElsewhere } from "./account-store";
import { domainAliasRoutes } from "./alias-routes";
import { attach, detach, domainEvent, loadAddition, loadDomain as loadNamed, redirectTarget } from "./attach";
import { moveRoutes } from "./move-routes";
import { canonicalDomain, challengeDomain, judgeRecords } from "./names";
import type { DomainRow } from "./object";
import { rateLimits } from "./rate-limits";
import { addRefusals, isDefault, isRedirectTarget, updateRefusals } from "./rules";
import * as wire from "./schema";
import { changeDomain, competingClaims, domainsOf, findDomainOf, listDomainsOf } from "./store";
import { type Verification, verifyRefusals } from "./verification-rules";
import { viewDomain } from "./view";

/** The domain in a path may be in upper or lower case, and in Unicode or punycode. */
const ofProject = projectPath.extend({ domain: z.string().transform(canonicalDomain) });
const unknownDomain = [404, "not_found", "no such domain on the project"] as const;

type OfProject = Call<z.infer<typeof ofProject>>;

const loadDomain = (call: OfProject) => loadNamed(call, call.params.domain);

/** @source Domains, POST /v10/projects/{idOrName}/domains */
const addDomain = route({
  method: "POST",
  path: "/v10/projects/:idOrName/domains",
  operationId: "addProjectDomain",
  summary:
    "Adds a domain to a project. It starts unverified unless its apex is a verified domain of the account.",
  scope: ["read-write:project", "read-write:domain"],
  limit: rateLimits.domainWrite,
  params: projectPath,
  body: wire.addDomain,
  example: { name: "www.example.com" },
  success: [200, wire.projectDomain],
  throws: [unknownProject],
  load: loadAddition,
  refuse: addRefusals,
  handle: async (call) => viewDomain(await attach(call)),
});

/** @source Domains, GET /v9/projects/{idOrName}/domains; wire-shapes 5, list */
const listDomains = route({
  method: "GET",
  path: "/v9/projects/:idOrName/domains",
  operationId: "getProjectDomains",
  summary: "Lists the domains of a project, the newest first.",
  scope: ["read:project"],
  limit: rateLimits.domainList,
  params: projectPath,
  query: wire.domainFilters,
  success: [200, wire.domainList],
  throws: [unknownProject],
  load: loadProject,
  async handle({ tx, project, query }) {
    const { rows, pagination } = await listDomainsOf(tx, project, query);
    return { domains: rows.map(viewDomain), pagination };
  },
});

/** @source Domains, GET /v9/projects/{idOrName}/domains/{domain} */
const getDomain = route({
  method: "GET",
  path: "/v9/projects/:idOrName/domains/:domain",
  operationId: "getProjectDomain",
  summary: "Returns a domain of a project.",
  scope: ["read:project"],
  params: ofProject,
  success: [200, wire.projectDomain],
  throws: [unknownProject, unknownDomain],
  load: loadDomain,
  handle: async ({ domain }) => viewDomain(domain),
});

/** @source Domains, PATCH /v9/projects/{idOrName}/domains/{domain}; Authentication, 6 */
const updateDomain = route({
  method: "PATCH",
  path: "/v9/projects/:idOrName/domains/:domain",
  operationId: "updateProjectDomain",
  summary: "Updates the target of a domain: absent members keep their value, null clears.",
  scope: ["read-write:project", "read-write:domain"],
  limit: rateLimits.domainWrite,
  params: ofProject,
  body: wire.updateDomain,
  example: { gitBranch: "next" },
  success: [200, wire.projectDomain],
  throws: [unknownProject, unknownDomain],
  load: loadUpdate,
  refuse: updateRefusals,
  async handle({ tx, domain, body, gitBranch, redirect = null, now, emit }) {
    const { redirectStatusCode = domain.redirect_status_code } = body;
    const next = { git_branch: gitBranch, redirect, redirect_status_code: redirectStatusCode };
    const same = Object.entries(next).every(
      ([column, value]) => domain[column as keyof typeof next] === value,
    );
    if (same) return viewDomain(domain);
    const changed = await changeDomain({ tx, now }, domain, next);
    await emit({
      type: "project.domain.updated",
      payload: {
        project: { id: domain.project_id },
        previous: targetInEvent(domain),
        next: targetInEvent(changed),
      },
      projectId: domain.project_id,
    });
    return viewDomain(changed);
  },
});

async function loadRemoval(call: OfProject & { readonly body: wire.DeleteDomain }) {
  const { project, domain } = await loadDomain(call);
  const siblings = call.body.removeRedirects ? [] : await domainsOf(call.tx, project.id);
  return { project, domain, redirects: siblings.some(({ redirect }) => redirect === domain.name) };
}

async function loadUpdate(call: OfProject & { readonly body: wire.UpdateDomain }) {
  const { project, domain } = await loadDomain(call);
  const { gitBranch = domain.git_branch, redirect: given } = call.body;
  const redirect = given === undefined ? domain.redirect : redirectTarget(given);
  const redirects = redirect != null && redirect !== domain.redirect;
  const siblings = redirects ? await domainsOf(call.tx, project.id) : [];
  return { project, domain, name: domain.name, gitBranch, redirect, redirects, siblings };
}

/** @source wire-shapes 10, project.domain.updated */
const targetInEvent = (row: DomainRow) => ({
  domain: row.name,
  redirect: row.redirect,
  redirectStatusCode: row.redirect_status_code,
  gitBranch: row.git_branch,
});

/** @source Domains, DELETE /v9/projects/{idOrName}/domains/{domain} */
const deleteDomain = route({
  method: "DELETE",
  path: "/v9/projects/:idOrName/domains/:domain",
  operationId: "removeProjectDomain",
  summary: "Removes a domain from a project; with removeRedirects also the domains that redirect to it.",
  scope: ["read-write:project", "read-write:domain"],
  limit: rateLimits.domainWrite,
  params: ofProject,
  body: wire.deleteDomain,
  example: { removeRedirects: true },
  success: [200, z.strictObject({})],
  throws: [unknownProject, unknownDomain],
  load: loadRemoval,
  refuse: [beingTransferred, isDefault, isRedirectTarget],
  async handle(call) {
    await detach(call, call.body.removeRedirects ?? false);
    return {};
  },
});

/**
 * @choice A domain with a pending challenge is verified only by its own record. If the account verifies the apex later,
 *   only the names that are added after that are verified at once.
 * @source Domains, POST /v9/projects/{idOrName}/domains/{domain}/verify; wire-shapes 5
 */
const verifyDomain = route({
  method: "POST",
  path: "/v9/projects/:idOrName/domains/:domain/verify",
  operationId: "verifyProjectDomain",
  summary: "Looks up the TXT record of the challenge and verifies the domain if it is there.",
  scope: ["read-write:project"],
  limit: rateLimits.domainVerify,
  params: ofProject,
  success: [200, wire.projectDomain],
  throws: [unknownProject],
  before: lookUpChallenge,
  load: loadVerification,
  refuse: verifyRefusals,
  async handle({ tx, claim, name, now, emit }) {
    if (claim === undefined) throw new Error(`no claim of ${name} after the refusals`);
    if (claim.verified === 1) return viewDomain(claim);
    const verified = await changeDomain({ tx, now }, claim, { verified: 1 });
    await emit(domainEvent("project.domain.verified", verified));
    return viewDomain(verified);
  },
});

/**
 * Looks up the TXT records of a domain's challenge, unless the domain is already verified.
 * @returns `found` is undefined when the lookup failed
 */
async function lookUpChallenge({
  services: { store, lookupTxt, log },
  account,
  caller,
  params: { idOrName, domain },
}: Omit<Call<z.infer<typeof ofProject>>, "tx" | "emit">): Promise<{ found: string[] | undefined }> {
  const claim = await store.read(async (tx) => {
    const project = await findProject(tx, account.id, idOrName);
    if (project === undefined || !(await reachesProject({ tx, caller }, project.id))) return undefined;
    return findDomainOf(tx, project, domain);
  });
  if (claim === undefined || claim.verified === 1) return { found: [] };
  try {
    return { found: await lookupTxt(challengeDomain(claim.apex_name)) };
  } catch (error) {
    log.warn({ err: error, domain }, "TXT look-up failed");
    return { found: undefined };
  }
}

async function loadVerification(call: OfProject & { found: string[] | undefined }): Promise<Verification> {
  const { tx, account, params, found } = call;
  const { project } = await loadProject(call);
  const claim = await findDomainOf(tx, project, params.domain);
  if (claim === undefined || claim.verified === 1) {
    return { claim, name: params.domain, ownedElsewhere: false, records: "met" };
  }
  const competing = await competingClaims(tx, account.id, claim.name).execute();
  return {
    claim,
    name: claim.name,
    ownedElsewhere: await isVerifiedElsewhere(tx, account.id, claim.name),
    records: found && judgeRecords(claim, competing, found),
  };
}

export const domainRoutes: readonly Route[] = [
  addDomain,
  listDomains,
  getDomain,
  updateDomain,
  deleteDomain,
  verifyDomain,
  ...domainAliasRoutes,
  ...moveRoutes,
];
