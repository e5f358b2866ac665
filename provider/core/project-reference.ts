import type { Client } from "../client/client";
import { ifFound } from "../client/errors";

/**
 * True when the input `project` still refers to the project of the state. A program may change the input from the name
 * to the id, or back.
 * @param project the declared id or name; any other value is not yet known
 */
export async function isSameProject(
  client: Client,
  state: { project?: unknown; projectId?: unknown },
  project: unknown,
): Promise<boolean> {
  if (typeof project !== "string") return false;
  if (project === state.project || project === state.projectId) return true;
  if (project.startsWith("prj_")) return false;
  return (await ifFound(client.identify(project)))?.id === state.projectId;
}

/**
 * True when the project name in a state now belongs to another project. False when no project has the name any more.
 * @param project the declared id or name
 */
export async function nameMovedToOtherProject(
  client: Client,
  state: { project?: unknown; projectId?: unknown },
  project: unknown,
): Promise<boolean> {
  const { projectId } = state;
  if (typeof project !== "string" || project !== state.project || project.startsWith("prj_")) return false;
  const idNow = await client.idOfName(project);
  return idNow !== undefined && projectId !== undefined && idNow !== projectId;
}

/** The id of the declared project; undefined when it is not yet known or does not exist. */
export async function projectIdOf(
  client: Client,
  project: unknown,
  state: { project?: unknown; projectId?: unknown },
): Promise<string | undefined> {
  if (typeof project !== "string") return undefined;
  if (project === state.project && typeof state.projectId === "string") return state.projectId;
  return project.startsWith("prj_") ? project : (await ifFound(client.identify(project)))?.id;
}
