import type { Member } from "./records";

/** Protects two owners of a team: the last one, and the user whose token runs the program. */

export const isOwner = ({ role, confirmed }: Member): boolean => confirmed && role === "OWNER";

/**
 * Why an owner cannot get another role; undefined if the owner can.
 * @param all the members of the team
 * @param own the id of the user of the access token
 * @param former the ids of owners who get another role in the same run
 */
export function reasonToStayOwner(
  all: readonly Member[],
  member: Member,
  own: string | undefined,
  former: ReadonlySet<string> = new Set(),
): string | undefined {
  if (member.uid !== undefined && member.uid === own) return ownRole(member.email);
  return isLastOwner(all, member, former) ? lastOwner(member.email) : undefined;
}

/** Why a member cannot be removed; undefined if the member can. @param own as in `reasonToStayOwner` */
export function reasonToStay(
  all: readonly Member[],
  member: Member,
  own: string | undefined,
): string | undefined {
  if (member.uid !== undefined && member.uid === own) return ownMembership(member.email);
  return isOwner(member) && isLastOwner(all, member, new Set()) ? lastOwner(member.email) : undefined;
}

const isLastOwner = (all: readonly Member[], member: Member, former: ReadonlySet<string>): boolean =>
  !all.some((other) => isOwner(other) && other.uid !== member.uid && !former.has(other.uid ?? ""));

const lastOwner = (email: string): string =>
  `${email} is the last owner of the team with an accepted invitation, so nothing was changed. ` +
  "Make another member an owner first, in a separate run.";

const ownRole = (email: string): string =>
  `The access token belongs to ${email}, so the program would remove its own owner role. ` +
  "Nothing was changed. Run it with the token of another owner.";

const ownMembership = (email: string): string =>
  `The access token belongs to ${email}, so the program would remove itself from the team. Nothing was changed. ` +
  "Run it with the token of another owner, or remove the resource from the state with `pulumi state delete`, which changes nothing at the service.";
