import * as z from "zod";
import { heldProjectRoles } from "../../provider/vocabulary";
import { findAccount } from "../access/account-store";
import { derivedId } from "../platform/ids";
import { type DocumentPath, SeedConflict, SeedError } from "../seed/error";
import { idWith, listOf, name, ownerOf, projectOf, section, time, times } from "../seed/section";
import { findRow, hasRow } from "../store/rows";
import type { Tx } from "../store/store";
import { accessGroups as table } from "./object";
import { groupName } from "./schema";
import { addGroupMembers, addGroupProject, confirmedMembers, insertGroup } from "./store";

/** An access group with its members and projects. */
const row = z.strictObject({
  team: name,
  id: idWith("ag_").optional(),
  name: groupName,
  /** Ids or usernames. */
  members: listOf(name, (user) => user).optional(),
  projects: listOf(
    z.strictObject({
      project: name,
      role: z.enum(heldProjectRoles),
      createdAt: time.optional(),
      updatedAt: time.optional(),
    }),
    ({ project }) => project,
  ).optional(),
  ...times,
});

/**
 * Adds an access group with its members and projects, unless the team has a group with this id or name.
 * @choice The plan of the team does not matter.
 */
export const accessGroups = section(
  "access_groups",
  row,
  async ({ tx, now }, given, place) => {
    const team = await ownerOf(tx, { team: given.team }, place);
    const id = given.id ?? derivedId(table, team.id, given.name);
    if (await hasRow(tx, "access_groups", { id })) return;
    const namesake = await findRow(tx, "access_groups", { account_id: team.id, name: given.name });
    if (namesake && given.id === undefined) return;
    if (namesake) throw new SeedConflict([...place, "name"], `the group "${namesake.id}" has this name`);
    const createdAt = await unusedCreation(tx, team.id, given.createdAt ?? now);
    const { updatedAt = createdAt, projects = [] } = given;
    await insertGroup(tx, {
      id,
      account_id: team.id,
      name: given.name,
      created_at: createdAt,
      updated_at: updatedAt,
    });
    const users = await usersOf(tx, team.id, given.members ?? [], place);
    await addGroupMembers({ tx, now: createdAt }, id, users);
    const inOrder = [...projects.entries()].sort(
      ([, a], [, b]) => (a.createdAt ?? createdAt) - (b.createdAt ?? createdAt),
    );
    for (const [at, { project: key, role, ...times }] of inOrder) {
      const project = await projectOf(tx, { team: given.team, project: key }, [...place, "projects", at]);
      const unit = { tx, now: times.createdAt ?? createdAt };
      await addGroupProject(unit, id, { project: project.id, role, updatedAt: times.updatedAt });
    }
  },
  ({ team, id, name }) => [...(id === undefined ? [] : [[id]]), [team, name]],
);

/** The first time from `from` on that no group of the team has. */
async function unusedCreation(tx: Tx, team: string, from: number): Promise<number> {
  let at = from;
  while (await hasRow(tx, "access_groups", { account_id: team, created_at: at })) at++;
  return at;
}

/** The ids of the users, each once. @throws SeedError if one is not a member of the team who has accepted */
async function usersOf(
  tx: Tx,
  team: string,
  keys: readonly string[],
  place: DocumentPath,
): Promise<string[]> {
  const found = await Promise.all(keys.map((key) => findAccount(tx, "user", key)));
  const users = found.map((user) => user?.id ?? "");
  const confirmed = await confirmedMembers(tx, team, users);
  const at = users.findIndex((user) => !confirmed.has(user));
  if (at >= 0) {
    const why = "is not a member of the team who has accepted the invitation";
    throw new SeedError([...place, "members", at], `${JSON.stringify(keys[at])} ${why}`);
  }
  return [...new Set(users)];
}
