import * as z from "zod";
import { derivedId } from "../platform/ids";
import { SeedConflict } from "../seed/error";
import { idWith, listOf, name, ownerOf, projectOf, section, time, times } from "../seed/section";
import { findRow, hasRow } from "../store/rows";
import { microfrontendGroups as table } from "./object";
import { fallbackEnvironment, groupName, settings } from "./schema";
import { addGroup, putMicrofrontend } from "./store";

/** A microfrontend group with its projects. */
const row = z.strictObject({
  team: name,
  id: idWith("mfe_").optional(),
  name: groupName,
  fallbackEnvironment: fallbackEnvironment.optional(),
  enablePolyrepoBranchRouting: z.boolean().optional(),
  projects: listOf(
    z.strictObject({ project: name, ...settings, updatedAt: time.optional() }),
    ({ project }) => project,
  ).optional(),
  ...times,
});

/**
 * Adds a group with its projects, unless the team has a group with this id or name.
 * @choice The plan of the team does not matter.
 */
export const microfrontendGroups = section(
  "microfrontend_groups",
  row,
  async ({ tx, now }, given, place) => {
    const team = await ownerOf(tx, { team: given.team }, place);
    const id = given.id ?? derivedId(table, team.id, given.name);
    if (await hasRow(tx, "microfrontend_groups", { id })) return;
    const namesake = await findRow(tx, "microfrontend_groups", { account_id: team.id, name: given.name });
    if (namesake && given.id === undefined) return;
    if (namesake) throw new SeedConflict([...place, "name"], `the group "${namesake.id}" has this name`);
    const created = given.createdAt ?? now;
    await addGroup({ tx, now: created }, team.id, {
      ...{ id, name: given.name, updated_at: given.updatedAt ?? created },
      fallback_environment: given.fallbackEnvironment ?? "SAME_ENV",
      polyrepo_branches: given.enablePolyrepoBranchRouting ? 1 : 0,
    });
    for (const [at, { project: key, updatedAt = created, ...body }] of (given.projects ?? []).entries()) {
      const here = [...place, "projects", at];
      const project = await projectOf(tx, { team: given.team, project: key }, here);
      const other = await findRow(tx, "microfrontends", { project_id: project.id });
      if (other) throw new SeedConflict(here, `the group "${other.group_id}" has this project`);
      await putMicrofrontend({ tx, now: updatedAt }, { project: project.id, group: id }, undefined, body);
    }
  },
  ({ team, id, name }) => [...(id === undefined ? [] : [[id]]), [team, name]],
);
