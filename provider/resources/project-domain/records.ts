import type { Client } from "../../client/client";
import { domainPath, projectPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { type Listing, readPage } from "../../core/listing";
import type { filters } from "../names";

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

/** A page of the domains of a project, for the lists of `ProjectDomain` and `DomainVerification`. */
export const domainPage: Listing<typeof filters>["page"] = async (client, { project }, at) => {
  const { id: projectId } = await client.identify(project);
  return readPage(client, at, {
    path: `${projectPath(projectId)}/domains`,
    shape: responses.domainList,
    items: ({ domains }) => domains.map(({ name }) => ({ id: `${projectId}/${name}`, name })),
  });
};

/** The domain of the service. Each new project gets a name below this domain. */
const serviceDomain = /(^|\.)vercel\.app$/;

/**
 * The domains of a project, for a search by name. The list may come from the cache. A project that this run created has
 * no domains yet, except below the domain of the service.
 */
export async function domainsBefore(
  client: Client,
  projectId: string,
  names: readonly string[],
): Promise<responses.Domain[]> {
  const isKnown = client.hasCreated(projectId) && !names.some((name) => serviceDomain.test(name));
  return isKnown ? [] : domainsOf(client, projectId, true);
}

/** Finds a domain in the project's list, or else requests it. @throws ApiError 404 */
export async function readDomain(client: Client, projectId: string, name: string): Promise<responses.Domain> {
  const listed = (await domainsOf(client, projectId)).find((domain) => domain.name === name);
  return listed ?? client.get(domainPath(projectId, name), responses.domain);
}

/** Parses `project/domain`, with the project by id or name. */
export function partsOf(id: string): { project: string; name: string } {
  const [, project, name] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
  if (project === undefined || name === undefined) {
    throw new Error(`The id of a domain is "project/domain", such as "prj_…/www.example.com".`);
  }
  return { project, name };
}
