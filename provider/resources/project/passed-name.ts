import type { RunContext } from "../../core/run-context";
import { declaringResource } from "../../core/unique-keys";
import { projectKeys } from "./steps";

/**
 * True when the run gives the name of a project of the stack to another project. For later steps, the name then means
 * the other project.
 * @param name the declared id or name
 * @param projectId the id of the project that has the name now
 */
export async function passesName(run: RunContext, name: string, projectId: string): Promise<boolean> {
  const [key = ""] = projectKeys.of({ name }, run.client.settings.team ?? "") ?? [];
  const next = declaringResource(run, projectKeys, key);
  if (next === undefined) return false;
  const owner = await run.ownership.ownerOf([projectId]).catch(() => undefined);
  return owner !== undefined && owner.urn !== next;
}
