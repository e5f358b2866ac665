import type { Account } from "../access/caller";
import type { Role } from "../members/object";
import { notFound, type Refusal, type RefusalRow } from "../platform/refusal";
import type { MicrofrontendRow } from "./object";
import type { UpdateProject } from "./schema";

/** Refusals of microfrontends. @choice The sources document few of their statuses, and no codes. */

type OfAccount = { account: Pick<Account, "kind"> };

/** @source recorded answers of the hosted API: a request without `teamId` is refused */
export const teamsOnly: RefusalRow<OfAccount> = [
  400,
  "bad_request",
  "Microfrontends belong to teams. Add the id of a team to the request as teamId.",
  ({ account }) => account.kind !== "team",
];

/** @source the official command line: 403 for other members. An installation is refused too. */
export const ownersOnly: RefusalRow<{ role: Role | undefined }> = [
  403,
  "forbidden",
  "Only an owner of the team may change microfrontend groups.",
  ({ role }) => role !== "OWNER",
];

type Plan = Account["plan"];

/**
 * @source recorded answers of the hosted API: the limits of the free plan
 * @choice The limits of other plans.
 */
export const limitsOf = (plan: Plan) =>
  plan === "hobby"
    ? { maxMicrofrontendsGroupsPerTeam: 1, maxMicrofrontendsPerGroup: 2 }
    : { maxMicrofrontendsGroupsPerTeam: 100, maxMicrofrontendsPerGroup: 100 };

export const tooManyGroups: RefusalRow<{ plan: Plan; groups: number }> = [
  403,
  "forbidden",
  ({ plan }) =>
    `A team with the plan ${plan} has at most ${limitsOf(plan).maxMicrofrontendsGroupsPerTeam} microfrontend groups.`,
  ({ plan, groups }) => groups >= limitsOf(plan).maxMicrofrontendsGroupsPerTeam,
];

/** `members`: the number of projects after the request. */
export const tooManyProjects: RefusalRow<{ plan: Plan; members: number }> = [
  403,
  "forbidden",
  ({ plan }) =>
    `With the plan ${plan}, a microfrontend group has at most ${limitsOf(plan).maxMicrofrontendsPerGroup} projects.`,
  ({ plan, members }) => members > limitsOf(plan).maxMicrofrontendsPerGroup,
];

/** @source the official command line, which refuses such a name */
export const nameTaken: RefusalRow<{ isNameTaken: boolean }> = [
  400,
  "bad_request",
  "The team has a microfrontend group with this name. Choose another name.",
  ({ isNameTaken }) => isNameTaken,
];

export const unknownFallback: RefusalRow<{ isUnknownFallback: boolean }> = [
  400,
  "bad_request",
  "fallbackEnvironment must be SAME_ENV, PRODUCTION, or the slug of a custom environment of the default application.",
  ({ isUnknownFallback }) => isUnknownFallback,
];

export const notOfTeam: RefusalRow<{ unknownProject: string | undefined }> = [
  400,
  "bad_request",
  ({ unknownProject }) => `The team has no project with the id ${JSON.stringify(unknownProject)}.`,
  ({ unknownProject }) => unknownProject !== undefined,
];

/** @choice 400, since the public API lists no 409 for the creation of a group. */
export const grouped: RefusalRow<{ member: MicrofrontendRow | undefined }> = [
  400,
  "bad_request",
  ({ member }) => inOtherGroup(member),
  ({ member }) => member !== undefined,
];

const inOtherGroup = (member: MicrofrontendRow | undefined): string =>
  `The project ${member?.project_id} is in the microfrontend group ${member?.group_id}. ` +
  "A project cannot be in more than one group.";

/** A change of a project in its group. */
export interface Changing {
  body: UpdateProject;
  /** The project in its current group. */
  current: MicrofrontendRow | undefined;
  /** The group of the body, or else the current one; undefined if there is no such group. */
  groupId: string | undefined;
  /** The number of other projects in that group. */
  others: number;
}

/** The request removes the project from its group. */
export const leaves = ({ body }: Pick<Changing, "body">): boolean => body.enabled === false;

export const noGroup: RefusalRow<Changing> = [
  400,
  "bad_request",
  ({ body }) =>
    body.microfrontendsGroupId === undefined
      ? "microfrontendsGroupId must be set: the project is in no microfrontend group."
      : `The team has no microfrontend group ${JSON.stringify(body.microfrontendsGroupId)}.`,
  (call) => !leaves(call) && call.groupId === undefined,
];

/** @source the official command line: a project cannot be in two groups. The newest official client: 409 */
export const inAnotherGroup: RefusalRow<Changing> = [
  409,
  "conflict",
  ({ current }) => inOtherGroup(current),
  (call) => !leaves(call) && call.current !== undefined && call.current.group_id !== call.groupId,
];

/** @source the public documentation of the service: the default application leaves its group as the last project */
export const defaultAppStays: RefusalRow<Changing> = [
  400,
  "bad_request",
  "The project is the default application of its group. Remove the other projects first, or make another project the default application.",
  (call) => {
    const isDefault = call.current?.is_default_app === 1;
    return isDefault && call.others > 0 && (leaves(call) || call.body.isDefaultApp === false);
  },
];

/** @source the newest official client: both can only be set for other applications than the default one */
export const settingsOfChildren: RefusalRow<Changing> = [
  400,
  "bad_request",
  "routeObservabilityToThisProject and doNotRouteWithMicrofrontendsRouting cannot be set for the default application.",
  (call) =>
    !leaves(call) &&
    isDefaultAfter(call) &&
    (call.body.routeObservabilityToThisProject !== undefined ||
      call.body.doNotRouteWithMicrofrontendsRouting !== undefined),
];

/** Whether the project is the default application after a change. */
export const isDefaultAfter = ({ body, current }: Changing): boolean =>
  body.isDefaultApp ?? current?.is_default_app === 1;

export const noSuchGroup = (id: string): Refusal => notFound(`The microfrontend group ${JSON.stringify(id)}`);
