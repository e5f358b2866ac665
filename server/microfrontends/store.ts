import { type Reach, reachOf } from "../access/project-store";
import { newId } from "../platform/ids";
import type { ProjectRow } from "../projects/object";
import { changeRows, deleteRows, hasRow, insertRow } from "../store/rows";
import { batched, type Tx, type Unit } from "../store/store";
import { type GroupRow, type MicrofrontendRow, microfrontendGroups } from "./object";
import type { UpdateGroup, UpdateProject } from "./schema";

/** The microfrontend groups of teams, and their projects. */

/** The project in its group. */
export const microfrontendOf = batched(
  (tx, has) => tx.selectFrom("microfrontends").selectAll().where(has("project_id")),
  (row) => row.project_id,
);

/** A project of a group, with its name. */
export type NamedMicrofrontend = MicrofrontendRow & Pick<ProjectRow, "name">;

/** The projects of groups that a caller may access, by name. */
export async function microfrontendsIn(
  tx: Tx,
  groups: readonly string[],
  caller: Reach,
): Promise<NamedMicrofrontend[]> {
  const all = tx
    .selectFrom("microfrontends as m")
    .innerJoin("projects as p", "p.id", "m.project_id")
    .selectAll("m")
    .select("p.name")
    .where("m.group_id", "in", [...groups, ""])
    .orderBy("p.name");
  const reach = reachOf(tx, caller);
  return (reach === undefined ? all : all.where("m.project_id", "in", reach)).execute();
}

/** A part of a URL for a name, unique within the team. */
async function slugOf(tx: Tx, team: string, name: string): Promise<string> {
  const plain =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "group";
  for (let at = 1; ; at++) {
    const slug = at === 1 ? plain : `${plain}-${at}`;
    if (!(await hasRow(tx, "microfrontend_groups", { account_id: team, slug }))) return slug;
  }
}

/** The members of a new group that a seed can name. */
type GivenGroup = Pick<GroupRow, "name"> & Partial<Omit<GroupRow, "account_id" | "slug">>;

/** Adds a group without projects. */
export async function addGroup({ tx, now }: Unit, team: string, given: GivenGroup): Promise<GroupRow> {
  const row = {
    ...{ id: newId(microfrontendGroups), account_id: team, slug: await slugOf(tx, team, given.name) },
    ...{ fallback_environment: "SAME_ENV", polyrepo_branches: 0 as const, created_at: now, updated_at: now },
    ...given,
  };
  await insertRow(tx, "microfrontend_groups", row);
  return row;
}

/** Changes a group. A request that changes nothing leaves `updatedAt` as it is. @choice A new name has a new slug. */
export async function changeGroup(
  { tx, now }: Unit,
  row: GroupRow,
  { name = row.name, fallbackEnvironment, enablePolyrepoBranchRouting }: UpdateGroup,
): Promise<GroupRow> {
  const changed: GroupRow = {
    ...row,
    name,
    slug: name === row.name ? row.slug : await slugOf(tx, row.account_id, name),
    fallback_environment: fallbackEnvironment ?? row.fallback_environment,
    polyrepo_branches: flagOf(enablePolyrepoBranchRouting) ?? row.polyrepo_branches,
  };
  if (JSON.stringify(changed) === JSON.stringify(row)) return row;
  changed.updated_at = now;
  await changeRows(tx, "microfrontend_groups", { id: row.id }, changed);
  return changed;
}

const flagOf = (value: boolean | undefined): 0 | 1 | undefined =>
  value === undefined ? undefined : value ? 1 : 0;

/** Deletes a group. Its projects are in no group then. */
export async function deleteGroup(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, "microfrontends", { group_id: id });
  await deleteRows(tx, "microfrontend_groups", { id });
}

/**
 * Adds a project to a group, or changes it there. The settings that only other projects can have do not outlive a
 * change to the default application.
 * @choice A new default application makes the one before an ordinary project of the group.
 */
export async function putMicrofrontend(
  { tx, now }: Unit,
  { project, group }: { project: string; group: string },
  current: MicrofrontendRow | undefined,
  body: UpdateProject,
): Promise<MicrofrontendRow> {
  const isDefault = body.isDefaultApp ?? current?.is_default_app === 1;
  const row: MicrofrontendRow = {
    project_id: project,
    group_id: group,
    is_default_app: isDefault ? 1 : 0,
    default_route: body.defaultRoute ?? current?.default_route ?? null,
    observability_here: isDefault
      ? null
      : (flagOf(body.routeObservabilityToThisProject) ?? current?.observability_here ?? null),
    no_routing: isDefault
      ? null
      : (flagOf(body.doNotRouteWithMicrofrontendsRouting) ?? current?.no_routing ?? null),
    updated_at: current?.updated_at ?? now,
  };
  if (current && JSON.stringify(row) === JSON.stringify({ ...row, ...current })) return current;
  row.updated_at = now;
  if (isDefault)
    await changeRows(
      tx,
      "microfrontends",
      { group_id: group, is_default_app: 1 },
      { is_default_app: 0, updated_at: now },
    );
  await removeMicrofrontend(tx, project);
  await insertRow(tx, "microfrontends", row);
  return row;
}

export const removeMicrofrontend = (tx: Tx, project: string): Promise<void> =>
  deleteRows(tx, "microfrontends", { project_id: project });
