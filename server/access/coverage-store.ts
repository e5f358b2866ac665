import type { ConfigurationRow } from "../integrations/object";
import type { Tx, Unit } from "../store/store";

/** The projects that an installation covers: all projects of its account, or selected projects. */

export async function coveredProjects(tx: Tx, configuration: string): Promise<string[]> {
  const rows = await tx
    .selectFrom("configuration_projects")
    .select("project_id")
    .where("configuration_id", "=", configuration)
    .orderBy("project_id")
    .execute();
  return rows.map(({ project_id }) => project_id);
}

/** An installation (a row of `configurations`) as events show it. @source wire-shapes 10 */
export async function describeConfiguration(tx: Tx, row: Pick<ConfigurationRow, "id" | "selected">) {
  return {
    id: row.id,
    projectSelection: row.selected === 1 ? ("selected" as const) : ("all" as const),
    projects: await coveredProjects(tx, row.id),
  };
}

/** Adds projects to an installation that covers selected projects. */
export async function cover(tx: Tx, configuration: string, projects: readonly string[]): Promise<void> {
  if (projects.length === 0) return;
  await tx
    .insertInto("configuration_projects")
    .values(projects.map((project) => ({ configuration_id: configuration, project_id: project })))
    .onConflict((conflict) => conflict.columns(["configuration_id", "project_id"]).doNothing())
    .execute();
}

/** Selects every project of the account for the installation, in one statement. */
async function coverAll(tx: Tx, { id, account_id }: ConfigurationRow): Promise<void> {
  await tx
    .insertInto("configuration_projects")
    .columns(["configuration_id", "project_id"])
    .expression((eb) =>
      eb
        .selectFrom("projects")
        .select([eb.val(id).as("configuration_id"), "id as project_id"])
        .where("account_id", "=", account_id),
    )
    .execute();
}

/**
 * Grants an installation access to a project, or withdraws that access.
 * @choice If an installation covers all projects and loses access to one, it covers the other existing projects from
 *   then on, but no projects that are created later.
 * @returns the ids of the projects that were added and removed
 */
export async function allowProject(
  { tx, now }: Unit,
  row: ConfigurationRow,
  project: string,
  allowed: boolean,
): Promise<{ added: string[]; removed: string[] }> {
  const covers = row.selected === 0 || (await coveredProjects(tx, row.id)).includes(project);
  if (covers === allowed) return { added: [], removed: [] };
  await tx
    .updateTable("configurations")
    .set({ selected: 1, updated_at: now })
    .where("id", "=", row.id)
    .execute();
  if (allowed) {
    await cover(tx, row.id, [project]);
    return { added: [project], removed: [] };
  }
  if (row.selected === 0) await coverAll(tx, row);
  await tx
    .deleteFrom("configuration_projects")
    .where("configuration_id", "=", row.id)
    .where("project_id", "=", project)
    .execute();
  return { added: [], removed: [project] };
}
