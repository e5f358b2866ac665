import * as z from "zod";
import { heldProjectRoles } from "../../provider/vocabulary";
import { SeedError } from "../seed/error";
import { name, projectOf, relativeTime, section } from "../seed/section";
import { findUser, insertProjectMember } from "./project-store";

const row = z.strictObject({
  team: name,
  project: name,
  /** Id or username. */
  user: name,
  role: z.enum(heldProjectRoles),
  createdAt: relativeTime.optional(),
});

/** Adds a member of the team, or a user who is invited to it, to a project, unless the project has the member. */
export const projectMembers = section(
  "project_members",
  row,
  async ({ tx, now }, given, place) => {
    const { team, user, role, createdAt } = given;
    const project = await projectOf(tx, { team, project: given.project }, place);
    const found =
      (await findUser(tx, project, { uid: user })) ?? (await findUser(tx, project, { username: user }));
    if (!found)
      throw new SeedError([...place, "user"], `${JSON.stringify(user)} is not a member of the team`);
    if (!found.isMember)
      await insertProjectMember({ tx, now }, project.id, { user: found.id, role, createdAt });
  },
  ({ team, project, user }) => [[team, project, user]],
);
