import type { Caller } from "../access/caller";
import type { Role } from "../members/object";
import { Refusal, type RefusalRow } from "../platform/refusal";

/** @choice A caller outside of a team cannot tell whether the team exists. */
export const noSuchTeam = (): Refusal =>
  new Refusal(
    403,
    "team_unauthorized",
    "The access token has no access to this team, or there is no such team.",
  );

/** @choice The status and the code, which are those of a project whose name is taken. */
export const slugTaken: RefusalRow<{ body: { slug?: string | undefined }; isSlugTaken: boolean }> = [
  409,
  "conflict",
  ({ body }) => `Another team has the slug ${JSON.stringify(body.slug)}. Choose another one.`,
  ({ isSlugTaken }) => isSlugTaken,
];

/** @choice An installation is refused, because the settings of a team apply to all of its projects. */
export const notOwner: RefusalRow<{ role: Role | undefined }> = [
  403,
  "forbidden",
  "Only an owner may change the team.",
  ({ role }) => role !== "OWNER",
];

/** @choice A token that is limited to a team, and an installation, create no teams. */
export const onlyUsers: RefusalRow<{ caller: Caller }> = [
  403,
  "forbidden",
  "Only a user creates a team, with an access token that is not limited to a team.",
  ({ caller }) => caller.installation !== undefined || caller.boundTo !== null,
];

export const unknownGroup: RefusalRow<{ unknownGroup: string | undefined }> = [
  400,
  "bad_request",
  ({ unknownGroup }) => `The team has no access group with the id ${JSON.stringify(unknownGroup)}.`,
  ({ unknownGroup }) => unknownGroup !== undefined,
];
