import type { AccountRow } from "../accounts/object";
import type { MembershipRow, Role } from "./object";
import type { AccessRequest, Invited, JoinedFrom, Member } from "./schema";
import type { MemberRow } from "./store";

/** The properties of an answer that say who a user is. */
export const viewPerson = (row: Pick<AccountRow, "id" | "slug" | "email" | "name">) => ({
  uid: row.id,
  username: row.slug,
  email: row.email ?? "",
  ...(row.name === null ? {} : { name: row.name }),
});

export const viewMember = (row: MemberRow): Member => ({
  ...viewPerson(row),
  role: row.role,
  confirmed: row.confirmed === 1,
  ...requestOf(row),
  createdAt: row.joined_at,
});

/** When and from where a user asked to join. */
const requestOf = ({ access_requested_at: at, joined_from }: RequestColumns) =>
  at === null
    ? undefined
    : { accessRequestedAt: at, joinedFrom: JSON.parse(joined_from ?? "{}") as JoinedFrom };
type RequestColumns = Pick<MembershipRow, "access_requested_at" | "joined_from">;

/** @returns undefined for a user who did not ask to join */
export function viewRequest(
  { name, slug }: Pick<AccountRow, "name" | "slug">,
  row: RequestColumns & Pick<MembershipRow, "confirmed">,
): AccessRequest | undefined {
  const request = requestOf(row);
  const team = { teamName: name ?? slug, teamSlug: slug };
  const accounts = { github: null, gitlab: null, bitbucket: null };
  return request && { ...team, confirmed: row.confirmed === 1, ...request, ...accounts };
}

export const viewInvited = (user: AccountRow, email: string, role: Role): Invited => ({
  uid: user.id,
  username: user.slug,
  email: user.email ?? email,
  role,
});
