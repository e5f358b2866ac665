import type { ProjectRole } from "../members/object";
import type { Tx } from "../store/store";
import { findProject } from "./project-store";

/** The roles of users in projects. */

/** A project, and the role of a user there. */
export interface HeldRole {
  project: string;
  role: ProjectRole;
}

interface Membership {
  account: string;
  user: string;
}

const rolesOf = (tx: Tx, { account, user }: Membership) =>
  tx
    .selectFrom("project_members")
    .innerJoin("projects", "projects.id", "project_members.project_id")
    .select(["project_members.role", "projects.id as project"])
    .where("project_members.user_id", "=", user)
    .where("projects.account_id", "=", account);

/** The role of a user in a project, which `key` names as a path does. */
export async function roleInProject(
  tx: Tx,
  { key, ...who }: Membership & { key: string },
): Promise<HeldRole | undefined> {
  const project = await findProject(tx, who.account, key);
  if (project === undefined) return undefined;
  return rolesOf(tx, who).where("projects.id", "=", project.id).executeTakeFirst();
}

/** The role of a user in the project of a deployment. @param deployments ids and host names, one of which exists */
export async function roleInDeploymentsProject(
  tx: Tx,
  { deployments, ...who }: Membership & { deployments: readonly string[] },
): Promise<HeldRole | undefined> {
  return rolesOf(tx, who)
    .innerJoin("deployments", (join) =>
      join
        .onRef("deployments.account_id", "=", "projects.account_id")
        .onRef("deployments.name", "=", "projects.name"),
    )
    .where((eb) => eb.or([eb("deployments.id", "in", deployments), eb("deployments.url", "in", deployments)]))
    .executeTakeFirst();
}

/** True if a user has a role, other than that of a guest, in a project of the account. */
export const hasProjects = async (tx: Tx, who: Membership): Promise<boolean> =>
  (await rolesOf(tx, who).where("project_members.role", "!=", "PROJECT_GUEST").executeTakeFirst()) !==
  undefined;
