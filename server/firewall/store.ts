import { changeProject, storedSettings } from "../access/project-store";
import type { ProjectRow } from "../projects/object";
import type { Unit } from "../store/store";
import type { Security } from "./schema";

/** The firewall of a project, which is stored in the settings of the project. */
export const securityOf = (project: ProjectRow): Security | undefined =>
  storedSettings(project)?.security as Security | undefined;

export async function writeSecurity(unit: Unit, project: ProjectRow, security: Security): Promise<void> {
  const settings = JSON.stringify({ ...storedSettings(project), security });
  await changeProject(unit, project, { settings });
}
