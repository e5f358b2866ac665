import { z } from "zod";
import type { Client } from "../../client/client";
import { ifFound } from "../../client/errors";
import { pagination } from "../../client/responses";
import type { RequestOptions } from "../../client/transport";
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
export type GroupProject = z.infer<typeof groupProject>;
export const groupProjectList = z.looseObject({ projects: z.array(groupProject), pagination });

/** The parameter that asks for the next page of a list of groups, or of a part of one. */
export const cursor = "next";

export const membersOfGroupPath = (group: string): string => `${groupPath(group)}/members`;

/** @param project undefined for the group's list, or to add a project */
export const projectsOfGroupPath = (group: string, project?: string): string =>
  [`${groupPath(group)}/projects`, ...(project === undefined ? [] : [encodeURIComponent(project)])].join("/");

const teamHint =
  "An access group belongs to a team: set SLIPWAY_TEAM, the configuration slipway:team, or the team of an explicit Provider.";

/** Adds what a missing team means to a step. @throws ApiError 404 without a team, as for a group of another account */
export const inTeam = <T>(client: Client, step: Promise<T>, path = groupPath()): Promise<T> =>
  ofTeam(client, step, path, teamHint);

/** Sends a request about access groups. @throws ApiError 404 without a team */
export const send = <T>(client: Client, request: RequestOptions & { shape: z.ZodType<T> }): Promise<T> =>
  inTeam(client, client.send(request), request.path);

const query = { limit: "100" };

/** All groups of the team, uncached, the newest first. */
export const groupsOf = (client: Client): Promise<RemoteGroup[]> =>
  inTeam(
    client,
    client.listNow(groupPath(), groupList, (page) => page.accessGroups, query, cursor),
  );

/** All members of a group, uncached, the latest first. */
export const membersOfGroup = (client: Client, group: string): Promise<GroupMember[]> => {
  const path = membersOfGroupPath(group);
  return inTeam(
    client,
    client.listNow(path, groupMemberList, (page) => page.members, query, cursor),
    path,
  );
};

/** All projects of a group, uncached, the latest first. */
export const projectsOfGroup = (client: Client, group: string): Promise<GroupProject[]> => {
  const path = projectsOfGroupPath(group);
  return inTeam(
    client,
    client.listNow(path, groupProjectList, (page) => page.projects, query, cursor),
    path,
  );
};

/** Reads a group, uncached; undefined if the team has none with this id or name. */
export const findGroup = (client: Client, idOrName: string): Promise<RemoteGroup | undefined> =>
  ifFound(client.send({ method: "GET", path: groupPath(idOrName), shape: remoteGroup, mayBeAbsent: true }));

/** @throws ApiError 404 */
export const readGroup = (client: Client, idOrName: string): Promise<RemoteGroup> =>
  inTeam(client, client.get(groupPath(idOrName), remoteGroup), groupPath(idOrName));
