import { sql } from "kysely";
import { type Reach, reachOf } from "../access/project-store";
import type { AccountRow } from "../accounts/object";
import { pageOf } from "../http/query";
import type { ProjectRole, Role } from "../members/object";
import { searched } from "../members/store";
import type { ProjectRow } from "../projects/object";
import { contains, lower, someContain } from "../store/like";
import { nextTime } from "../store/monotonic";
import { changeRows, deleteRows, findRow, insertRow, insertRows, listRows } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { AccessGroupRow, GroupProjectRow } from "./object";
import type { Grants, GroupFilters, MemberFilters, ProjectFilters } from "./schema";

/** The access groups of teams, with their members and the roles in projects that they give. */

/** A group with the numbers of its members and projects. */
export type CountedGroup = AccessGroupRow & { member_count: number; project_count: number };

const countedGroups = (tx: Tx, team: string) =>
  tx
    .selectFrom("access_groups as g")
    .selectAll("g")
    .select((eb) => [
      eb
        .selectFrom("access_group_members as m")
        .select(sql<number>`count(*)`.as("count"))
        .whereRef("m.access_group_id", "=", "g.id")
        .as("member_count"),
      eb
        .selectFrom("access_group_projects as p")
        .select(sql<number>`count(*)`.as("count"))
        .whereRef("p.access_group_id", "=", "g.id")
        .as("project_count"),
    ])
    .where("g.account_id", "=", team);

/** @param key id or name */
export const findGroup = (tx: Tx, team: string, key: string): Promise<CountedGroup | undefined> =>
  countedGroups(tx, team)
    .where((eb) => eb.or([eb("g.id", "=", key), eb("g.name", "=", key)]))
    .executeTakeFirst() as Promise<CountedGroup | undefined>;

/** @throws Error if the group does not exist */
export const groupById = (tx: Tx, { id, account_id }: Pick<AccessGroupRow, "id" | "account_id">) =>
  countedGroups(tx, account_id).where("g.id", "=", id).executeTakeFirstOrThrow() as Promise<CountedGroup>;

/** A page of the groups of a team, the latest first. @choice The search is not case-sensitive. */
export function listGroups(
  tx: Tx,
  team: string,
  { search, limit, next }: GroupFilters,
  project: ProjectRow | undefined,
) {
  let list = countedGroups(tx, team);
  if (search !== undefined) list = list.where(contains(lower("g.name"), search.toLowerCase()));
  if (project !== undefined)
    list = list.where((eb) =>
      eb(
        "g.id",
        "in",
        eb
          .selectFrom("access_group_projects as p")
          .select("p.access_group_id")
          .where("p.project_id", "=", project.id),
      ),
    );
  return pageOf(list, "g.created_at", { limit, until: next }, { as: "created_at" });
}

/** The ids of up to `limit` members of each group, the latest first. */
export async function memberIds(
  tx: Tx,
  groups: readonly string[],
  limit: number | undefined,
): Promise<ReadonlyMap<string, string[]>> {
  if (limit === undefined || groups.length === 0) return new Map();
  const rows = await tx
    .selectFrom("access_group_members")
    .select(["access_group_id", "user_id as id"])
    .where("access_group_id", "in", groups)
    .orderBy("created_at", "desc")
    .execute();
  return firstByGroup(rows, limit);
}

/** The ids of up to `limit` projects of each group that the caller may access, the latest first. */
export async function projectIds(
  tx: Tx,
  groups: readonly string[],
  limit: number | undefined,
  caller: Reach,
): Promise<ReadonlyMap<string, string[]>> {
  if (limit === undefined || groups.length === 0) return new Map();
  const all = tx
    .selectFrom("access_group_projects")
    .select(["access_group_id", "project_id as id"])
    .where("access_group_id", "in", groups)
    .orderBy("created_at", "desc");
  const reach = reachOf(tx, caller);
  const rows = await (reach === undefined ? all : all.where("project_id", "in", reach)).execute();
  return firstByGroup(rows, limit);
}

const firstByGroup = (rows: readonly { access_group_id: string; id: string }[], limit: number) =>
  new Map(
    [...Map.groupBy(rows, ({ access_group_id }) => access_group_id)].map(([group, found]) => [
      group,
      found.slice(0, limit).map(({ id }) => id),
    ]),
  );

/** A member of a group. */
export type GroupMemberRow = Pick<AccountRow, "id" | "slug" | "email" | "name"> & {
  team_role: Role;
  joined_at: number;
};

/** A page of a group's members, the latest first. @choice The search is not case-sensitive. */
export function listGroupMembers(
  tx: Tx,
  { id, account_id }: AccessGroupRow,
  { search, limit, next }: MemberFilters,
) {
  let list = tx
    .selectFrom("access_group_members as g")
    .innerJoin("accounts as u", "u.id", "g.user_id")
    .innerJoin("members as m", "m.user_id", "g.user_id")
    .select(["u.id", "u.slug", "u.email", "u.name", "m.role as team_role", "g.created_at as joined_at"])
    .where("g.access_group_id", "=", id)
    .where("m.team_id", "=", account_id);
  if (search !== undefined) list = list.where(someContain(searched, search));
  return pageOf(list, "g.created_at", { limit, until: next }, { as: "joined_at" });
}

/** A project of a group. */
export type ListedProjectRow = Omit<GroupProjectRow, "access_group_id"> &
  Pick<ProjectRow, "name" | "settings"> & { latest_deployment_id: string | null };

/** A page of a group's projects that the caller may access, the latest first. */
export function listGroupProjects(
  tx: Tx,
  { id }: AccessGroupRow,
  { limit, next }: ProjectFilters,
  caller: Reach,
) {
  const all = tx
    .selectFrom("access_group_projects as g")
    .innerJoin("projects as p", "p.id", "g.project_id")
    .select(["g.project_id", "g.role", "g.created_at", "g.updated_at", "p.name", "p.settings"])
    .select((eb) =>
      eb
        .selectFrom("deployments as d")
        .select("d.id")
        .whereRef("d.account_id", "=", "p.account_id")
        .whereRef("d.name", "=", "p.name")
        .orderBy("d.created_at", "desc")
        .limit(sql.lit(1))
        .as("latest_deployment_id"),
    )
    .where("g.access_group_id", "=", id);
  const reach = reachOf(tx, caller);
  const list = reach === undefined ? all : all.where("g.project_id", "in", reach);
  return pageOf(list, "g.created_at", { limit, until: next }, { as: "created_at" });
}

/** The users among these who are members of the team and have accepted the invitation. */
export async function confirmedMembers(tx: Tx, team: string, users: readonly string[]): Promise<Set<string>> {
  if (users.length === 0) return new Set();
  const rows = await tx
    .selectFrom("members")
    .select("user_id")
    .where("team_id", "=", team)
    .where("confirmed", "=", 1)
    .where("user_id", "in", users)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

/** The time of a new group, unique within the team. */
export const nextCreation = ({ tx, now }: Unit, team: string): Promise<number> =>
  nextTime(tx.selectFrom("access_groups").where("account_id", "=", team), "created_at", now);

export const insertGroup = (tx: Tx, row: AccessGroupRow): Promise<void> =>
  insertRow(tx, "access_groups", row);

/** Changes the name, if there is one, and `updatedAt`. */
export const changeGroup = ({ tx, now }: Unit, id: string, name?: string): Promise<void> =>
  changeRows(tx, "access_groups", { id }, { updated_at: now, ...(name !== undefined && { name }) });

/** Deletes a group with its members and projects. */
export async function deleteGroup(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, "access_group_members", { access_group_id: id });
  await deleteRows(tx, "access_group_projects", { access_group_id: id });
  await deleteRows(tx, "access_groups", { id });
}

/** Adds users to a group. Users who are in it stay as they are. */
export async function addGroupMembers(
  { tx, now }: Unit,
  group: string,
  users: readonly string[],
): Promise<void> {
  const current = await listRows(tx, "access_group_members", { access_group_id: group });
  const isIn = new Set(current.map(({ user_id }) => user_id));
  const members = tx.selectFrom("access_group_members").where("access_group_id", "=", group);
  const first = await nextTime(members, "created_at", now);
  const rows = users
    .filter((user) => !isIn.has(user))
    .map((user, at) => ({ access_group_id: group, user_id: user, created_at: first + at }));
  await insertRows(tx, "access_group_members", rows);
}

/** Removes users from a group. */
export async function removeGroupMembers(tx: Tx, group: string, users: readonly string[]): Promise<void> {
  if (users.length === 0) return;
  await tx
    .deleteFrom("access_group_members")
    .where("access_group_id", "=", group)
    .where("user_id", "in", users)
    .execute();
}

export const findGroupProject = (
  tx: Tx,
  group: string,
  project: string,
): Promise<GroupProjectRow | undefined> =>
  findRow(tx, "access_group_projects", { access_group_id: group, project_id: project });

/** Adds a project, which the group does not have, to a group. */
export async function addGroupProject(
  { tx, now }: Unit,
  group: string,
  { project, role, updatedAt = now }: { project: string; role: ProjectRole; updatedAt?: number | undefined },
): Promise<GroupProjectRow> {
  const projects = tx.selectFrom("access_group_projects").where("access_group_id", "=", group);
  const created_at = await nextTime(projects, "created_at", now);
  const updated_at = Math.max(updatedAt, created_at);
  const row = { access_group_id: group, project_id: project, role, created_at, updated_at };
  await insertRow(tx, "access_group_projects", row);
  return row;
}

export const changeGroupProject = (
  { tx, now }: Unit,
  row: GroupProjectRow,
  role: ProjectRole,
): Promise<void> => changeRows(tx, "access_group_projects", keyOf(row), { role, updated_at: now });

export const removeGroupProject = (
  tx: Tx,
  row: Omit<GroupProjectRow, "role" | "created_at" | "updated_at">,
) => deleteRows(tx, "access_group_projects", keyOf(row));

const keyOf = ({ access_group_id, project_id }: Pick<GroupProjectRow, "access_group_id" | "project_id">) => ({
  access_group_id,
  project_id,
});

/** Gives a group these roles in projects. A role of `null` removes the project from the group. */
export async function putGroupProjects(unit: Unit, group: string, grants: Grants): Promise<void> {
  const rows =
    grants.length === 0 ? [] : await listRows(unit.tx, "access_group_projects", { access_group_id: group });
  const held = new Map(rows.map((row) => [row.project_id, row]));
  for (const { projectId: project, role } of grants) {
    const current = held.get(project);
    if (role === null) await removeGroupProject(unit.tx, { access_group_id: group, project_id: project });
    else if (current === undefined) await addGroupProject(unit, group, { project, role });
    else if (current.role !== role) await changeGroupProject(unit, current, role);
  }
}
