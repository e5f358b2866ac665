import type { ProjectRole } from "../members/object";
import type { Tx } from "../store/store";
import { findProject } from "./project-store";

/** The roles of users in projects: their own, and those of the access groups that they are in. */

/** A project, and a role of a user there. */
export interface HeldRole {
  project: string;
  role: ProjectRole;
}

interface Membership {
  account: string;
  user: string;
}

/** The roles of a user in the projects of an account. A user with several roles in a project has a row for each. */
const rolesOf = (tx: Tx, { account, user }: Membership) =>
  tx
    .selectFrom(
      tx
        .selectFrom("project_members as m")
        .select(["m.project_id", "m.role"])
        .where("m.user_id", "=", user)
        .unionAll(
          tx
            .selectFrom("access_group_members as m")
            .innerJoin("access_group_projects as p", "p.access_group_id", "m.access_group_id")
            .select(["p.project_id", "p.role"])
            .where("m.user_id", "=", user),
        )
        .as("held"),
    )
    .innerJoin("projects", "projects.id", "held.project_id")
    .where("projects.account_id", "=", account);

/** The roles of a user in a project, which `key` names as a path does. */
export async function rolesInProject(
  tx: Tx,
  { key, ...who }: Membership & { key: string },
): Promise<HeldRole[]> {
  const project = await findProject(tx, who.account, key);
  if (project === undefined) return [];
  return rolesOf(tx, who)
    .select(["held.role", "projects.id as project"])
    .where("projects.id", "=", project.id)
    .execute();
}

/** The roles of a user in the project of a deployment. @param deployments ids and host names, one of which exists */
export async function rolesInDeploymentsProject(
  tx: Tx,
  { deployments, ...who }: Membership & { deployments: readonly string[] },
): Promise<HeldRole[]> {
  return rolesOf(tx, who)
    .innerJoin("deployments", (join) =>
      join
        .onRef("deployments.account_id", "=", "projects.account_id")
        .onRef("deployments.name", "=", "projects.name"),
    )
    .select(["held.role", "projects.id as project"])
    .where((eb) => eb.or([eb("deployments.id", "in", deployments), eb("deployments.url", "in", deployments)]))
    .execute();
}

/** The ids of the projects in which a user has a role, other than that of a guest, as a query. */
export const projectsOf = (tx: Tx, who: Membership) =>
  rolesOf(tx, who).select("held.project_id").where("held.role", "!=", "PROJECT_GUEST");

/** True if a user has a role, other than that of a guest, in a project of the account. */
export const hasProjects = async (tx: Tx, who: Membership): Promise<boolean> =>
  (await projectsOf(tx, who).executeTakeFirst()) !== undefined;

/** The roles that the access groups of users give them in a project, by user. */
export async function groupRolesIn(
  tx: Tx,
  project: string,
  users: readonly string[],
): Promise<ReadonlyMap<string, ProjectRole[]>> {
  if (users.length === 0) return new Map();
  const rows = await tx
    .selectFrom("access_group_projects as p")
    .innerJoin("access_group_members as m", "m.access_group_id", "p.access_group_id")
    .select(["m.user_id", "p.role"])
    .where("p.project_id", "=", project)
    .where("m.user_id", "in", users)
    .execute();
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map([...byUser].map(([user, held]) => [user, held.map(({ role }) => role)]));
}
