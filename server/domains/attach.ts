import { findProject } from "../access/project-store";
import { loadProject } from "../access/projects";
import type { DomainEvent } from "../events/event";
import type { Call } from "../http/route";
import { notFound } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { deleteRows, hasRow } from "../store/rows";
import type { Tx } from "../store/store";
import { hasProved, isVerifiedElsewhere } from "./account-store";
import { defaultDomain, isGiven, parseDomain, projectNameIn } from "./names";
import type { DomainRow } from "./object";
import type { Addition } from "./rules";
import type { AddDomain } from "./schema";
import {
  apexStatusOf,
  claimOf,
  countDomains,
  domainsOf,
  findDomainOf,
  insertDomain,
  isApexElsewhere,
  latestProduction,
  projectsNamed,
} from "./store";
import { viewDomain } from "./view";

/** Functions that add and remove a domain, for several routes. */

type Adding = Call<{ idOrName: string }, unknown, AddDomain>;

/** Loads the facts that decide whether a domain can be added. @throws Refusal 404 if there is no such project */
export async function loadAddition(call: Adding): Promise<Addition> {
  const { tx, account, caller, body } = call;
  const { project } = await loadProject(call);
  const domain = parseDomain(body.name);
  const name = domain?.name ?? body.name;
  const redirect = redirectTarget(body.redirect ?? null);
  const claim = domain && (await claimOf(tx, account.id, name));
  const seesOthers = caller.installation === undefined && caller.onlyProject === undefined;
  const isVisible = claim && (seesOthers || claim.project_id === project.id);
  const ownName = domain && (await ownNameOf(tx, project, name));
  const existing = isVisible ? claim : ownName === "this" ? defaultDomain(project) : undefined;
  return {
    project,
    account,
    caller,
    body,
    domain,
    name,
    gitBranch: body.gitBranch ?? null,
    redirect,
    redirects: redirect != null,
    siblings: redirect != null ? await domainsOf(tx, project.id) : [],
    environmentExists:
      body.customEnvironmentId == null ||
      (await hasRow(tx, "custom_environments", { project_id: project.id, id: body.customEnvironmentId })),
    latestProduction: await latestProduction(tx, project),
    isFree: domain !== undefined && !(await isApexElsewhere(tx, account.id, domain.apexName)),
    ownedElsewhere: domain !== undefined && (await isVerifiedElsewhere(tx, account.id, name)),
    claim,
    existing: existing ? { projectId: existing.project_id, domain: viewDomain(existing) } : {},
    claimedBy: claim && seesOthers ? await projectName(tx, account.id, claim) : undefined,
    ownNameOf: ownName,
    count: account.plan === "hobby" ? await countDomains(tx, project.id) : 0,
  };
}

/**
 * Finds the project that a path names, and its domain.
 * @throws Refusal 404
 */
export async function loadDomain(
  call: Pick<Call<{ idOrName: string }>, "tx" | "account" | "caller" | "params">,
  name: string,
): Promise<{ project: ProjectRow; domain: DomainRow }> {
  const { project } = await loadProject(call);
  const domain = await findDomainOf(call.tx, project, name);
  if (domain === undefined) throw notFound(`Domain ${JSON.stringify(name)}`);
  return { project, domain };
}

/** @returns the target in canonical form; undefined if it is a wildcard or not a domain name, which is refused */
export function redirectTarget(given: string | null): string | null | undefined {
  if (given === null) return null;
  const target = parseDomain(given);
  return target === undefined || target.wildcard ? undefined : target.name;
}

async function projectName(tx: Tx, account: string, claim: DomainRow): Promise<string | undefined> {
  return (await findProject(tx, account, claim.project_id))?.name;
}

/** Returns whether a name is the default domain of this project or of another one; undefined if it is of neither. */
async function ownNameOf(tx: Tx, project: ProjectRow, name: string): Promise<"this" | "other" | undefined> {
  const projectName = projectNameIn(name);
  if (projectName === undefined) return undefined;
  const named = await projectsNamed(tx, projectName);
  if (named.includes(project.id)) return "this";
  return named.length === 0 ? undefined : "other";
}

/**
 * Adds a domain that was not refused.
 * @choice After `project.domain.created`, a second event says whether the domain is verified. If the apex is new in the
 *   account, `domain.created` comes before both.
 * @source wire-shapes 10
 */
export async function attach({
  tx,
  account,
  caller,
  project,
  body,
  redirect,
  isFree,
  now,
  services,
  emit,
}: Adding & Addition): Promise<DomainRow> {
  const { name = "", apexName = "" } = parseDomain(body.name) ?? {};
  const given = isGiven(name);
  const apexStatus = await apexStatusOf(tx, project.account_id, apexName);
  const row = await insertDomain({ tx, now }, project, {
    ...body,
    redirect: redirect ?? null,
    verified:
      given ||
      (isFree && services.profile.isHosted("domain-verified-at-once")) ||
      (await hasProved({ tx, account, caller }, apexName)),
  });
  if (apexStatus === "new" && !given) {
    await emit({ type: "domain.created", payload: { domain: { name: apexName, delegated: false } } });
  }
  await emit(domainEvent("project.domain.created", row));
  await emit(domainEvent(row.verified === 1 ? "project.domain.verified" : "project.domain.unverified", row));
  return row;
}

/**
 * Removes a domain.
 * @param removeRedirects also removes the project's domains that redirect to it
 * @choice By default, these domains are kept. They work again when the target is added again.
 * @source wire-shapes 5, delete
 */
export async function detach(
  { tx, domain, emit }: Pick<Call, "tx" | "emit"> & { domain: DomainRow },
  removeRedirects: boolean,
): Promise<void> {
  const siblings = removeRedirects ? await domainsOf(tx, domain.project_id) : [];
  for (const row of [domain, ...siblings.filter(({ redirect }) => redirect === domain.name)]) {
    await deleteRows(tx, "domains", { id: row.id });
    await emit(domainEvent("project.domain.deleted", row));
  }
}

export function domainEvent(
  type: `project.domain.${"created" | "deleted" | "verified" | "unverified"}`,
  row: DomainRow,
): DomainEvent {
  return {
    type,
    payload: { project: { id: row.project_id }, domain: { name: row.name } },
    projectId: row.project_id,
  };
}
