import type { AccountRow } from "../accounts/object";
import type { Role } from "./object";
import type { Invited, Member } from "./schema";
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
  createdAt: row.joined_at,
});

export const viewInvited = (user: AccountRow, email: string, role: Role): Invited => ({
  uid: user.id,
  username: user.slug,
  email: user.email ?? email,
  role,
});
