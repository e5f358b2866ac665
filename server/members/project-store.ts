import type { AccountRow } from "../accounts/object";
import { pageOf } from "../http/query";
import type { ProjectRow } from "../projects/object";
import { lower, someContain } from "../store/like";
import { nextTime } from "../store/monotonic";
import { changeRows } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { ProjectRole, Role } from "./object";
import type { AddMember, MemberFilters } from "./project-schema";
import { searched } from "./store";

/** The members of projects. Each member of a project is also a member of the team, or is invited to the team. */

/** A member of a project. */
export type ProjectMemberRow = Pick<AccountRow, "id" | "slug" | "email" | "name"> & {
  role: ProjectRole;
  team_role: Role;
  joined_at: number;
};

/** A page of a project's members. @choice The search is not case-sensitive. */
export function listProjectMembers(tx: Tx, { id, account_id }: ProjectRow, query: MemberFilters) {
  let list = tx
    .selectFrom("project_members as p")
    .innerJoin("accounts as u", "u.id", "p.user_id")
    .innerJoin("members as m", "m.user_id", "p.user_id")
    .select([
      ...(["u.id", "u.slug", "u.email", "u.name", "p.role", "m.role as team_role"] as const),
      "p.created_at as joined_at",
    ])
    .where("p.project_id", "=", id)
    .where("m.team_id", "=", account_id);
  if (query.search !== undefined) list = list.where(someContain(searched, query.search));
  return pageOf(list, "p.created_at", query, { as: "joined_at" });
}

/** Finds the user of the team whom a body names. `isMember`: true if the user is a member of the project. */
export async function findUser(
  tx: Tx,
  { id: project, account_id }: ProjectRow,
  { uid, username, email }: Partial<AddMember>,
): Promise<{ id: string; isMember: boolean } | undefined> {
  let found = tx
    .selectFrom("members as m")
    .innerJoin("accounts as u", "u.id", "m.user_id")
    .leftJoin("project_members as p", (join) =>
      join.onRef("p.user_id", "=", "u.id").on("p.project_id", "=", project),
    )
    .select(["u.id", "p.user_id as member"])
    .where("m.team_id", "=", account_id);
  if (uid !== undefined) found = found.where("u.id", "=", uid);
  else if (username !== undefined) found = found.where("u.slug", "=", username);
  else found = found.where(lower("u.email"), "=", (email ?? "").toLowerCase());
  const row = await found.orderBy("u.created_at").orderBy("u.id").executeTakeFirst();
  return row && { id: row.id, isMember: row.member !== null };
}

export async function insertProjectMember(
  { tx, now }: Unit,
  project: string,
  { user, role, createdAt }: { user: string; role: ProjectRole; createdAt?: number | undefined },
): Promise<void> {
  const members = tx.selectFrom("project_members").where("project_id", "=", project);
  const created_at = createdAt ?? (await nextTime(members, "created_at", now));
  await tx
    .insertInto("project_members")
    .values({ project_id: project, user_id: user, role, created_at })
    .execute();
}

/** Makes these roles the only ones that a user has in the projects of a team. */
export async function putProjectRoles(
  { tx, now }: Unit,
  { team, user }: { team: string; user: string },
  grants: readonly { projectId: string; role: ProjectRole }[],
): Promise<void> {
  const projects = tx.selectFrom("projects").select("id").where("account_id", "=", team);
  const current = await tx
    .selectFrom("project_members")
    .select("project_id")
    .where("user_id", "=", user)
    .where("project_id", "in", projects)
    .execute();
  const left = new Set(current.map(({ project_id }) => project_id));
  for (const { projectId, role } of grants) {
    if (left.delete(projectId))
      await changeRows(tx, "project_members", { project_id: projectId, user_id: user }, { role });
    else await insertProjectMember({ tx, now }, projectId, { user, role });
  }
  for (const project of left) await deleteProjectMembers(tx, project, [user]);
}

export async function deleteProjectMembers(tx: Tx, project: string, users: readonly string[]): Promise<void> {
  await tx
    .deleteFrom("project_members")
    .where("project_id", "=", project)
    .where("user_id", "in", users)
    .execute();
}
