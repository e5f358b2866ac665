import type { RefusalRow } from "../platform/refusal";
import type { Role } from "./object";

/** The caller's role in the team; undefined for an installation. */
interface OfTeam {
  role: Role | undefined;
}

/**
 * @choice An installation is refused, because a member may have more access than the installation.
 * @source the newest official client: POST /v2/teams/{teamId}/members
 */
export const ownersOnly: RefusalRow<OfTeam> = [
  403,
  "forbidden",
  "Only an owner of the team may invite members, change their roles, and delete the team.",
  ({ role }) => role !== "OWNER",
];

/**
 * @choice An installation is refused. It acts for its account, so it is not the member who leaves.
 * @source the newest official client, "or leave a team"
 */
export const ownersOrOneself: RefusalRow<OfTeam & { caller: { userId: string }; params: { uid: string } }> = [
  403,
  "forbidden",
  "Only an owner of the team may remove other members.",
  ({ role, caller, params }) => role !== "OWNER" && (role === undefined || params.uid !== caller.userId),
];

/** The facts that decide whether a member may be removed, or lose the role of an owner. */
export interface Membership {
  member: { user_id: string; role: Role; confirmed: 0 | 1 };
  /** The ids of the confirmed owners of the team. */
  owners: readonly string[];
}

const isLastOwner = ({ member, owners }: Membership): boolean =>
  owners.length === 1 && owners[0] === member.user_id;

/** @choice A team keeps an owner who has accepted. */
export const removesLastOwner: RefusalRow<Membership> = [
  400,
  "bad_request",
  "The team must keep an owner. Make another member an owner first.",
  isLastOwner,
];

export const demotesLastOwner: RefusalRow<Membership & { body: { role?: Role | undefined } }> = [
  400,
  "bad_request",
  "The team must keep an owner. Make another member an owner first.",
  ({ body, ...membership }) => body.role !== undefined && body.role !== "OWNER" && isLastOwner(membership),
];

/** @choice 400, as for a user who is not a member of the team. */
export const unknownProjects: RefusalRow<{ grants: readonly { projectId: string; isKnown: boolean }[] }> = [
  400,
  "bad_request",
  ({ grants }) =>
    `The team has no project ${JSON.stringify(grants.find(({ isKnown }) => !isKnown)?.projectId)}.`,
  ({ grants }) => grants.some(({ isKnown }) => !isKnown),
];

/** @choice 400, because the public API lists no 409 for this request. */
export const isMemberAlready: RefusalRow<{ email: string; member: unknown }> = [
  400,
  "bad_request",
  ({ email }) => `${email} is a member of the team, has been invited to it, or asked to join it.`,
  ({ member }) => member !== undefined,
];

/** @choice 400, as for an invitation of a member. */
export const joinedOrInvited: RefusalRow<{
  member: { confirmed: 0 | 1; access_requested_at: number | null } | undefined;
}> = [
  400,
  "bad_request",
  "The user is a member of the team, or has been invited to it.",
  ({ member }) => member !== undefined && (member.confirmed === 1 || member.access_requested_at === null),
];

/** @source the newest official client: requestAccessToTeam. @choice The status, which is not documented. */
const mostRequests = 100;

export const tooManyRequests: RefusalRow<{ requests: number; member: unknown }> = [
  400,
  "bad_request",
  `At most ${mostRequests} users can ask to join a team at the same time. An owner must answer one of them first.`,
  ({ requests, member }) => member === undefined && requests >= mostRequests,
];

/** @choice 409, as for a project that is being transferred. */
export const hasTransfer: RefusalRow<{ transferring: string | undefined }> = [
  409,
  "conflict",
  ({ transferring }) =>
    `The project "${transferring}" is being transferred from or to the team. Try again when that is done.`,
  ({ transferring }) => transferring !== undefined,
];
