import type { Client } from "../client/client";
import { ifFound } from "../client/errors";

/**
 * Whether the input `project` still means the project of the state: the name of a project may become its id, or
 * its id a name.
 * @param project the declared id or name; anything else is not known yet
 */
export async function sameProject(
  client: Client,
  state: { project?: unknown; projectId?: unknown },
  project: unknown,
): Promise<boolean> {
  if (typeof project !== "string") return false;
  if (project === state.project || project === state.projectId) return true;
  if (project.startsWith("prj_")) return false;
  return (await ifFound(client.identify(project)))?.id === state.projectId;
}

/** The id of the declared project; undefined while it is not known, or not there. */
export async function projectIdOf(
  client: Client,
  project: unknown,
  state: { project?: unknown; projectId?: unknown },
): Promise<string | undefined> {
  if (typeof project !== "string") return undefined;
  if (project === state.project && typeof state.projectId === "string") return state.projectId;
  return project.startsWith("prj_") ? project : (await ifFound(client.identify(project)))?.id;
}
