import { z } from "zod";
import type { Client } from "../../client/client";
import { ifFound } from "../../client/errors";
import type { RequestOptions } from "../../client/transport";
import type { ListedPage, PageAt } from "../../core/listing";
import { ofTeam } from "../without-team";

/** Reads access groups of a team, their members and their projects. */

/** @param idOrName undefined for the team's list, or to create a group */
export const groupPath = (idOrName?: string): string =>
  ["/v1/access-groups", ...(idOrName === undefined ? [] : [encodeURIComponent(idOrName)])].join("/");

/** An access group. @source the newest official client: GET /v1/access-groups/{idOrName} */
export const remoteGroup = z.looseObject({
  ...{ accessGroupId: z.string(), name: z.string(), teamId: z.string() },
  ...{ membersCount: z.number().nullish(), projectsCount: z.number().nullish() },
});
export type RemoteGroup = z.infer<typeof remoteGroup>;

/** The position of the next page is a text. */
const pagination = z.looseObject({ next: z.string().nullish() }).nullish();
export const groupList = z.looseObject({ accessGroups: z.array(remoteGroup), pagination });

export const groupMember = z.looseObject({
  uid: z.string(),
  email: z.string().nullish(),
  username: z.string().nullish(),
});
export type GroupMember = z.infer<typeof groupMember>;
export const groupMemberList = z.looseObject({ members: z.array(groupMember), pagination });

export const groupProject = z.looseObject({
  projectId: z.string(),
  role: z.string(),
  /** Only the list has it. */
  project: z.looseObject({ name: z.string().nullish() }).nullish(),
});
export const groupProjectList = z.looseObject({ projects: z.array(groupProject), pagination });

export const membersOfGroupPath = (group: string): string => `${groupPath(group)}/members`;

/** @param project undefined for the group's list, or to add a project */
export const projectsOfGroupPath = (group: string, project?: string): string =>
  [`${groupPath(group)}/projects`, ...(project === undefined ? [] : [encodeURIComponent(project)])].join("/");

/** A list of access groups, or of a part of one. */
interface List<Page, T> {
  path: string;
  shape: z.ZodType<Page>;
  items(page: Page): readonly T[];
  query?: Record<string, string>;
}
type Page = { pagination?: { next?: string | null | undefined } | null | undefined };

export const groups: List<z.infer<typeof groupList>, RemoteGroup> = {
  ...{ path: groupPath(), shape: groupList },
  items: ({ accessGroups }) => accessGroups,
};

export const membersOfGroup = (group: string): List<z.infer<typeof groupMemberList>, GroupMember> => ({
  ...{ path: membersOfGroupPath(group), shape: groupMemberList },
  items: ({ members }) => members,
});

export const projectsOfGroup = (
  group: string,
): List<z.infer<typeof groupProjectList>, z.infer<typeof groupProject>> => ({
  ...{ path: projectsOfGroupPath(group), shape: groupProjectList },
  items: ({ projects }) => projects,
});

const teamHint =
  "An access group belongs to a team: set SLIPWAY_TEAM, the configuration slipway:team, or the team of an explicit Provider.";

/** Sends a request about access groups. @throws ApiError 404 without a team, as for a group of another account */
export const send = <T>(client: Client, request: RequestOptions & { shape: z.ZodType<T> }): Promise<T> =>
  ofTeam(client, client.send(request), request.path, teamHint);

const pageOf = <P extends Page, T>(
  client: Client,
  { path, shape, query }: List<P, T>,
  limit: number,
  next: string | undefined,
): Promise<P> => send(client, { method: "GET", path, shape, query: { ...query, limit: `${limit}`, next } });

/** Reads one page of a list, for `Listing`. */
export async function listedPage<P extends Page, T>(
  client: Client,
  { until, limit }: PageAt,
  list: List<P, T>,
  listed: (item: T) => ListedPage["items"][number],
): Promise<ListedPage> {
  const page = await pageOf(client, list, limit, until);
  return { items: list.items(page).map(listed), next: page.pagination?.next ?? undefined };
}

/** Reads all pages of a list, uncached. */
export async function readAll<P extends Page, T>(client: Client, list: List<P, T>): Promise<T[]> {
  const all: T[] = [];
  const read = new Set<string>();
  for (let next: string | undefined; ; ) {
    const page = await pageOf(client, list, 100, next);
    all.push(...list.items(page));
    next = page.pagination?.next ?? undefined;
    // Stops if the service repeats a page, so that the run does not loop forever.
    if (next === undefined || read.has(next)) return all;
    read.add(next);
  }
}

/** Reads a group, uncached; undefined if the team has none with this id or name. */
export const findGroup = (client: Client, idOrName: string): Promise<RemoteGroup | undefined> =>
  ifFound(client.send({ method: "GET", path: groupPath(idOrName), shape: remoteGroup, mayBeAbsent: true }));

/** @throws ApiError 404 */
export const readGroup = (client: Client, idOrName: string): Promise<RemoteGroup> =>
  ofTeam(client, client.get(groupPath(idOrName), remoteGroup), groupPath(idOrName), teamHint);
