import type { Account } from "../access/caller";
import { notFound, type Refusal, type RefusalRow } from "../platform/refusal";

interface OfAccount {
  account: Pick<Account, "kind" | "role" | "plan">;
}

/** @choice The status: a personal account has no members who could be in a group. */
export const teamsOnly: RefusalRow<OfAccount> = [
  400,
  "bad_request",
  "Access groups belong to teams. Add the id of a team to the request as teamId.",
  ({ account }) => account.kind !== "team",
];

/** @choice Only owners, as for roles of members. An installation is refused, because a group may have more access than it. */
export const ownersOnly: RefusalRow<OfAccount> = [
  403,
  "forbidden",
  "Only an owner of the team may change access groups.",
  ({ account }) => account.role !== "OWNER",
];

/**
 * @choice The status. Groups that exist can be changed with every plan.
 * @source the public documentation of the service: access groups
 */
export const enterpriseOnly: RefusalRow<OfAccount> = [
  403,
  "forbidden",
  "Access groups are only available on the enterprise plan.",
  ({ account }) => account.plan !== "enterprise",
];

/** @choice Names are unique, because paths name groups by them. 400, since the public API lists no 409 here. */
export const nameTaken: RefusalRow<{ body: { name?: string | undefined }; isNameTaken: boolean }> = [
  400,
  "bad_request",
  ({ body }) =>
    `The team has an access group with the name ${JSON.stringify(body.name)}. Choose another name.`,
  ({ isNameTaken }) => isNameTaken,
];

/** The members and projects in a body that are none of the team. */
export interface Unknown {
  unknownMember: string | undefined;
  unknownProject: string | undefined;
}

/**
 * @choice The status, which is not documented.
 * @source the Terraform provider: a user who has not accepted the invitation is refused
 */
export const notConfirmed: RefusalRow<Unknown> = [
  400,
  "bad_request",
  ({ unknownMember }) =>
    `The team has no member with the id ${JSON.stringify(unknownMember)} who has accepted the invitation.`,
  ({ unknownMember }) => unknownMember !== undefined,
];

/** @choice 400, as for the roles of a member in projects. Bodies name projects by id. */
export const notOfTeam: RefusalRow<Unknown> = [
  400,
  "bad_request",
  ({ unknownProject }) => `The team has no project with the id ${JSON.stringify(unknownProject)}.`,
  ({ unknownProject }) => unknownProject !== undefined,
];

/** @choice 400, since the public API lists no 409 here. */
export const hasProject: RefusalRow<{ current: object | undefined }> = [
  400,
  "bad_request",
  "The access group has this project. Change its role instead.",
  ({ current }) => current !== undefined,
];

export const noSuchGroup = (key: string): Refusal => notFound(`Access group ${JSON.stringify(key)}`);

export const noSuchGroupProject = (group: string, project: string): Refusal =>
  notFound(`The project ${JSON.stringify(project)} of the access group ${JSON.stringify(group)}`);
