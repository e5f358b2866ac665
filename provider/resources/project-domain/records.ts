import type { Client } from "../../client/client";
import { ApiError, ifFound } from "../../client/errors";
import { domainPath, projectPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { type Listing, readPage } from "../../core/listing";
import { type filters, twoParts } from "../names";

/** Reads domains of projects from the service. */

/** Lists the domains of a project. @param stale see `Client.list` */
export const domainsOf = (client: Client, projectId: string, stale = false): Promise<responses.Domain[]> =>
  client.list(
    `${projectPath(projectId)}/domains`,
    responses.domainList,
    (page) => page.domains,
    { limit: "100" },
    stale,
  );

/**
 * A page of the domains of a project, for the lists of `ProjectDomain` and `DomainVerification`, without the default
 * domain, which no program can have.
 */
export const domainPage: Listing<typeof filters>["page"] = async (client, { project }, at) => {
  const { id: projectId } = await client.identify(project);
  const page = await readPage(client, at, {
    path: `${projectPath(projectId)}/domains`,
    shape: responses.domainList,
    items: ({ domains }) => domains.map(({ name }) => ({ id: `${projectId}/${name}`, name })),
  });
  if (!page.items.some(({ name }) => mayBeDefault(name))) return page;
  const known = await client.project(projectId);
  return { ...page, items: page.items.filter(({ name }) => !isDefaultDomain(name, known.name)) };
};

/** The zones of the service: that of the hosted API, and that of the bundled server. */
const serviceZones = ["vercel.app", "slipway.app"];

/** True for the domain that the service gives to a project. It stays as long as the project. */
export const isDefaultDomain = (name: string, projectName: string): boolean =>
  serviceZones.some((zone) => name === `${projectName}.${zone}`);

/** True for names that may be the default domain of a project. */
const mayBeDefault = (name: string): boolean => serviceZones.some((zone) => name.endsWith(`.${zone}`));

/** Why a program cannot have a domain: the service attaches it to the project. Undefined if it can. */
export async function reasonOfService(
  client: Client,
  project: string,
  name: string,
): Promise<string | undefined> {
  if (!mayBeDefault(name)) return undefined;
  const known = await ifFound(client.project(project));
  if (!known || !isDefaultDomain(name, known.name)) return undefined;
  return (
    `${name} is the default domain of the project ${known.name}. The service attaches it and keeps it, so a program ` +
    "cannot declare it. Remove this resource, and write the name where the program needs it. To redirect its visitors, " +
    "declare a ProjectDomain of your own, and let the application redirect."
  );
}

/**
 * The domains of a project. The list may come from the cache. A project that this run created has
 * no domains yet, except its default domain.
 */
export async function domainsBefore(client: Client, projectId: string): Promise<responses.Domain[]> {
  return client.hasCreated(projectId) ? [] : domainsOf(client, projectId, true);
}

/** Finds a domain in the project's list, or else requests it. @throws ApiError 404 */
export async function readDomain(client: Client, projectId: string, name: string): Promise<responses.Domain> {
  const listed = (await domainsOf(client, projectId)).find((domain) => domain.name === name);
  return listed ?? client.get(domainPath(projectId, name), responses.domain);
}

/** Returns the error of a write, with a hint if the project lacks the target of the redirect. */
export async function withTargetHint(
  client: Client,
  projectId: string,
  redirect: string | undefined,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.status !== 400 || redirect === undefined) return error;
  const domains = await domainsOf(client, projectId).catch(() => undefined);
  if (!domains || domains.some(({ name }) => name === redirect)) return error;
  return error.withHint(
    `If the program declares ${redirect}, set \`redirect\` to the \`name\` of its resource, or use \`dependsOn\`, ` +
      "so that Pulumi adds this domain first. Both domains must have the same project.",
  );
}

/** Parses `project/domain`, with the project by id or name. */
export function partsOf(id: string): { project: string; name: string } {
  const form = 'The id of a domain is "project/domain", such as "prj_…/www.example.com".';
  const [project, name] = twoParts(id, form);
  return { project, name };
}
