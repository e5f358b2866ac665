import { z } from "zod";
import type { Client, Request } from "../../client/client";
import { absentFrom } from "../../client/errors";
import { projectPath } from "../../client/paths";
import { anything } from "../../client/responses";
import type { Plain } from "../../core/values";
import { ofTeam } from "../without-team";

/** Reads and changes microfrontend groups and their projects. */

/** The member `microfrontends` of a project. @source the newest official client: GET /v9/projects/{idOrName} */
const remoteMember = z.looseObject({
  enabled: z.boolean().nullish(),
  groupIds: z.array(z.string()).nullish(),
  isDefaultApp: z.boolean().nullish(),
  defaultRoute: z.string().nullish(),
  routeObservabilityToThisProject: z.boolean().nullish(),
  doNotRouteWithMicrofrontendsRouting: z.boolean().nullish(),
});
type RemoteMember = z.infer<typeof remoteMember>;

const withMember = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  microfrontends: remoteMember.nullish(),
});

const remoteGroup = z.looseObject({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  fallbackEnvironment: z.string().nullish(),
  enablePolyrepoBranchRouting: z.boolean().nullish(),
});

/** @source the official command line: GET /v1/microfrontends/groups */
export const groupList = z.looseObject({
  groups: z.array(z.looseObject({ group: remoteGroup, projects: z.array(withMember) })),
});

/** The answer to the create. @source the newest official client: POST /v1/microfrontends/group */
export const newGroup = z.looseObject({ newMicrofrontendsGroup: remoteGroup });

/** A project of a group. */
export interface Member extends Pick<RemoteMember, keyof typeof settingDefaults> {
  projectId: string;
  /** The name of the project, if the answer has it. */
  name: string | undefined;
  group: string;
  isDefaultApp: boolean;
}

/** A group with its projects. */
export interface Group extends z.infer<typeof remoteGroup> {
  members: readonly Member[];
}

/** The settings of a project in its group, with the values that they have by default. */
export const settingDefaults = {
  defaultRoute: "/",
  routeObservabilityToThisProject: false,
  doNotRouteWithMicrofrontendsRouting: false,
};

/** A path that begins with a slash, as the official command line checks it. */
export const defaultRoute = z
  .string()
  .max(1024)
  .regex(
    /^\/[^\s?#]*$/,
    "must be a path such as /docs: it begins with a slash, and has no spaces, `?` and `#`",
  );

/** Id of a microfrontend group. */
export const groupId = z
  .string()
  .max(100)
  .regex(/^mfe_[A-Za-z0-9_-]+$/, "must be the id of a microfrontend group, such as mfe_1");

export const newGroupPath = "/v1/microfrontends/group";
export const groupsPath = "/v1/microfrontends/groups";
/** @param team its id */
export const groupPath = (team: string, id: string): string =>
  `/v1/teams/${encodeURIComponent(team)}/microfrontends/${encodeURIComponent(id)}`;

const teamHint =
  "A microfrontend group belongs to a team: set SLIPWAY_TEAM, the configuration slipway:team, or the team of an " +
  "explicit Provider.";

/** Adds what a missing team means to a step. @throws ApiError 404 without a team */
export const inTeam = <T>(client: Client, step: Promise<T>): Promise<T> =>
  ofTeam(client, step, groupsPath, teamHint);

/** All groups of the team, uncached, the newest first. The service returns them in one page. */
export async function groupsOf(client: Client): Promise<Group[]> {
  const { groups } = await inTeam(client, client.get(groupsPath, groupList));
  return groups.map(({ group, projects }) => ({
    ...group,
    members: projects.flatMap((project) => {
      const member = memberOf(project, group.id);
      return member && member.group === group.id ? [member] : [];
    }),
  }));
}

/** Reads a group, uncached; undefined if the team has none with this id or name. */
export async function findGroup(client: Client, idOrName: string): Promise<Group | undefined> {
  const all = await groupsOf(client);
  return all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName);
}

/** Reads a group, again while the list may be older than one that this process has created. @throws ApiError 404 */
export async function readGroup(client: Client, idOrName: string): Promise<Group> {
  const found = await client.readUntil(
    groupsPath,
    () => findGroup(client, idOrName),
    (group) => group !== undefined,
  );
  if (found) return found;
  throw absentFrom(groupsPath, `The team has no microfrontend group ${JSON.stringify(idOrName)}.`);
}

/** A project in its group; undefined if it is in none. @param group the group whose list has the project */
export function memberOf(
  { id, name, microfrontends }: { id: string; name?: string | null | undefined; microfrontends?: unknown },
  group?: string,
): Member | undefined {
  const found = remoteMember.nullish().parse(microfrontends);
  const [own = group] = found?.groupIds ?? [];
  if (found?.enabled === false || own === undefined) return undefined;
  return {
    ...found,
    projectId: id,
    name: name ?? undefined,
    group: own,
    isDefaultApp: found?.isDefaultApp === true,
  };
}

/** The request that adds a project to a group, or changes its settings there. */
export const memberRequest = (projectId: string, group: string, settings: object): Request<Member> => ({
  method: "PATCH",
  path: memberPath(projectId),
  body: { microfrontendsGroupId: group, enabled: true, ...settings },
  shape: withMember.transform(
    (answer): Member =>
      memberOf(answer, group) ?? { projectId, name: undefined, group, isDefaultApp: false, ...settings },
  ),
});

export const putMember = (
  client: Client,
  projectId: string,
  group: string,
  settings: object,
): Promise<Member> => client.send(memberRequest(projectId, group, settings));

/** Removes a project from its group. */
export async function removeMember(client: Client, projectId: string): Promise<void> {
  const body = { enabled: false };
  await client.send({ method: "PATCH", path: memberPath(projectId), body, shape: withMember });
}

const memberPath = (projectId: string): string => `${projectPath(projectId, "v1")}/microfrontends`;

/** The settings of a project in the form of inputs. */
export const settingsOf = (member: Partial<Member>): typeof settingDefaults =>
  Object.fromEntries(
    Object.entries(settingDefaults).map(([key, value]) => [key, member[key as keyof Member] ?? value]),
  ) as typeof settingDefaults;

/** The name of a project for messages. */
export const labelOf = ({ name, projectId }: Member): string =>
  name === undefined ? projectId : `${name} (${projectId})`;

/** Why a project cannot be added to a group: it is in another one. */
export const inOtherGroup = (member: Member): string =>
  `The project ${labelOf(member)} is ${member.isDefaultApp ? "the default application of" : "in"} the microfrontend ` +
  `group ${member.group}, and a project can be in one group only. Remove it from that group first.`;

export const defaultAppOf = ({ members }: Group): Member | undefined =>
  members.find(({ isDefaultApp }) => isDefaultApp);

/** The settings of a group itself, with the values that they have by default. */
export const groupDefaults = { fallbackEnvironment: "SAME_ENV", enablePolyrepoBranchRouting: false };

/** The settings of a group and its default application, in the form of inputs. */
export const groupSettingsOf = (group: Group): Plain => ({
  defaultRoute: settingsOf(defaultAppOf(group) ?? {}).defaultRoute,
  fallbackEnvironment: group.fallbackEnvironment ?? groupDefaults.fallbackEnvironment,
  enablePolyrepoBranchRouting: group.enablePolyrepoBranchRouting ?? groupDefaults.enablePolyrepoBranchRouting,
});

/** Changes the name or the settings of a group. @param team its id */
export async function changeGroup(client: Client, team: string, id: string, body: Plain): Promise<void> {
  const path = groupPath(team, id);
  await client.send({ method: "PATCH", path, object: `${groupsPath}/${id}`, body, shape: anything });
}
