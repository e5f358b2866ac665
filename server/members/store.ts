import { findAccount } from "../access/account-store";
import type { AccountRow } from "../accounts/object";
import { pageOf } from "../http/query";
import { newId } from "../platform/ids";
import { lower, someContain } from "../store/like";
import type { Tx, Unit } from "../store/store";
import type { MembershipRow, Role } from "./object";
import type { MemberFilters } from "./schema";

/** The members of teams, and users who were invited and have not accepted. */

/** A member of a team. */
export type MemberRow = Pick<AccountRow, "id" | "slug" | "email" | "name"> & {
  role: Role;
  joined_at: number;
} & Pick<MembershipRow, "confirmed" | "access_requested_at" | "joined_from">;

/** The columns of a user in which a search looks. */
export const searched = ["u.name", "u.slug", "u.email"];

/** A page of a team's members. @choice The search is not case-sensitive. */
export function listMembers(tx: Tx, team: string, query: MemberFilters) {
  const { role, search, filterByUserIds, excludeProject, eligibleMembersForProjectId } = query;
  let list = tx
    .selectFrom("members as m")
    .innerJoin("accounts as u", "u.id", "m.user_id")
    .select(["u.id", "u.slug", "u.email", "u.name", "m.role", "m.confirmed", "m.created_at as joined_at"])
    .select(["m.access_requested_at", "m.joined_from"])
    .where("m.team_id", "=", team);
  if (role !== undefined) list = list.where("m.role", "=", role);
  if (filterByUserIds !== undefined) list = list.where("u.id", "in", filterByUserIds);
  for (const key of [excludeProject, eligibleMembersForProjectId])
    if (key !== undefined) list = list.where("u.id", "not in", membersOfProject(tx, team, key));
  if (search !== undefined) list = list.where(someContain(searched, search));
  return pageOf(list, "m.created_at", query, { as: "joined_at" });
}

/** The ids of the members of a project of a team, by the id or name of the project. */
const membersOfProject = (tx: Tx, team: string, key: string) =>
  tx
    .selectFrom("project_members as m")
    .innerJoin("projects as p", "p.id", "m.project_id")
    .select("m.user_id")
    .where("p.account_id", "=", team)
    .where((eb) => eb.or([eb("p.id", "=", key), eb("p.name", "=", key)]));

/** The user with an email address, ignoring its case. Of several users, the oldest is returned. */
export const userByEmail = (tx: Tx, email: string): Promise<AccountRow | undefined> =>
  tx
    .selectFrom("accounts")
    .selectAll()
    .where("kind", "=", "user")
    .where(lower("email"), "=", email.toLowerCase())
    .orderBy("created_at")
    .orderBy("id")
    .executeTakeFirst();

/** Adds an account for an invited user. The username is made from the email address. */
export async function addInvitedUser({ tx, now }: Unit, email: string): Promise<AccountRow> {
  const id = newId("user");
  const [local = ""] = email.toLowerCase().split("@");
  const name = local.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "user";
  const slug = (await findAccount(tx, "user", name)) ? `${name}-${id.slice(-6).toLowerCase()}` : name;
  return tx
    .insertInto("accounts")
    .values({
      id,
      kind: "user",
      slug,
      name: null,
      email,
      plan: "hobby",
      addons: "[]",
      soft_blocked: 0,
      payment_method_needs_update: 0,
      denied_domains: "[]",
      event_sequence: 0,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The team, by id or slug, to which a user was invited. */
export const findInvitation = (tx: Tx, user: string, key: string) =>
  tx
    .selectFrom("accounts as a")
    .innerJoin("members as m", "m.team_id", "a.id")
    .select(["a.id", "a.slug", "a.name"])
    .where((eb) => eb.or([eb("a.id", "=", key), eb("a.slug", "=", key)]))
    .where("m.user_id", "=", user)
    .where("m.confirmed", "=", 0)
    .where("m.access_requested_at", "is", null)
    .executeTakeFirst();

/** The ids of the owners who have accepted. Locks them, so that they stay owners until the transaction ends. */
export async function lockOwners(tx: Tx, team: string): Promise<string[]> {
  const owners = await tx
    .updateTable("members")
    .set((eb) => ({ role: eb.ref("role") }))
    .where("team_id", "=", team)
    .where("role", "=", "OWNER")
    .where("confirmed", "=", 1)
    .returning("user_id")
    .execute();
  return owners.map(({ user_id }) => user_id);
}

export async function changeMember(
  tx: Tx,
  team: string,
  user: string,
  columns: { role?: Role; confirmed?: 1 },
): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await tx
    .updateTable("members")
    .set(columns)
    .where("team_id", "=", team)
    .where("user_id", "=", user)
    .execute();
}

/** How many users wait until they may join a team. */
export async function countRequests(tx: Tx, team: string): Promise<number> {
  const { count } = await tx
    .selectFrom("members")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("team_id", "=", team)
    .where("confirmed", "=", 0)
    .where("access_requested_at", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
