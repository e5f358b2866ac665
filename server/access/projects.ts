import * as z from "zod";
import { notFound, Refusal } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import type { Tx } from "../store/store";
import type { Account } from "./caller";
import { type Find, findProject, isCovered, knownProjects, type Reach } from "./project-store";

export const projectName = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^(?!.*---)[a-z0-9._-]+$/,
    "may have lower case letters, digits, '.', '_' and '-', and no three dashes in a row",
  );

/** The part of a path that names a project. */
export const projectPath = z.object({ idOrName: z.string() });

/** The refusal that `loadProject` throws, for a route's `throws`. */
export const unknownProject = [404, "not_found", "no such project in the account"] as const;

/**
 * Finds the project that a path names, for a route's `load`. Projects of other accounts count as not found.
 * @choice If the caller's installation does not cover a project of the account, the refusal is 403. After a 404, a
 *   client would take the project for deleted.
 * @throws Refusal 403, 404
 */
export const loadProject = (call: OfProject): Promise<{ project: ProjectRow }> => loadBy(findProject, call);

interface OfProject {
  tx: Tx;
  account: Account;
  caller: Reach;
  params: { idOrName: string } | { projectId: string };
}

/** Like `loadProject`, with the columns that `find` selects. */
export async function loadBy<R extends { id: string }>(
  find: Find<R>,
  call: OfProject,
): Promise<{ project: R }> {
  const key = "idOrName" in call.params ? call.params.idOrName : call.params.projectId;
  const project = await find(call.tx, call.account.id, key);
  if (project === undefined) throw notFound(`Project ${JSON.stringify(key)}`);
  if (await reachesProject(call, project.id)) return { project };
  throw new Refusal(
    403,
    "forbidden",
    call.caller.onlyProject === undefined
      ? `The integration has no access to the project ${JSON.stringify(key)}: its installation covers selected projects.`
      : `The role of the user in another project gives no access to the project ${JSON.stringify(key)}.`,
  );
}

/** False only if the caller is limited to other projects. */
export async function reachesProject(
  { tx, caller: { installation, onlyProject } }: { tx: Tx; caller: Reach },
  project: string,
): Promise<boolean> {
  if (onlyProject !== undefined) return project === onlyProject;
  if (!installation?.selected) return true;
  return isCovered(tx, installation.id, project);
}

/** True if an id belongs to no project of the account, or to a project that the caller may not access. */
export async function hasUnknownProjects(
  { tx, account, caller }: Pick<OfProject, "tx" | "account" | "caller">,
  ids: readonly string[] = [],
): Promise<boolean> {
  if (ids.length === 0) return false;
  const known = await knownProjects(tx, account.id, ids, caller);
  return known.length < new Set(ids).size;
}
