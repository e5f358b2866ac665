import { derivedId } from "../platform/ids";
import type { Services } from "../platform/services";
import { linkTo } from "../projects/link";
import type { ProjectRow } from "../projects/object";
import type { UpdateProject } from "../projects/schema";
import { applyUpdate, insertProject } from "../projects/store";
import type { Tx, Unit } from "../store/store";
import { ownerOf } from "./accounts";
import { omit, projectFields } from "./copied";
import { type Seed, type SeedOwner, timeOf } from "./document";
import { SeedConflict } from "./error";
import { nameOfProject, projectNamed, setProjectColumns } from "./store";

type SeedProject = NonNullable<Seed["projects"]>[number];

/** Adds a project, unless the account has one with this name. @returns the new project */
export async function addProject(
  { tx, now }: Unit,
  services: Pick<Services, "vault">,
  given: SeedProject,
  at: number,
): Promise<ProjectRow | undefined> {
  const { team, user, id, createdAt, paused, gitRepository, name, ...rest } = given;
  const fields = omit(rest, Object.keys(projectFields)) as UpdateProject;
  const place = ["projects", at];
  const account = await ownerOf(tx, { team, user }, place);
  if (await projectNamed(tx, account.id, name)) return undefined;
  const made = id ?? derivedId("project", account.id, name);
  const existing = await nameOfProject(tx, made);
  if (existing !== undefined && id === undefined) return undefined;
  if (existing !== undefined)
    throw new SeedConflict(
      [...place, "id"],
      `the id ${made} belongs to the project ${JSON.stringify(existing)}`,
    );
  const link = gitRepository && linkTo(gitRepository, now);
  const then = { tx, now: timeOf(createdAt, now) };
  const project = await insertProject(then, account.id, { name }, link, made);
  const updated = await applyUpdate(then, services, project, {
    ...fields,
    ...(paused && { autoAssignCustomDomains: false }),
  });
  if (paused) await setProjectColumns(tx, project.id, { paused: 1 });
  return updated;
}

/** Finds the project that a row of the document names. */
export async function projectOf(
  tx: Tx,
  { project, ...owner }: SeedOwner & { project: string },
  place: (string | number)[],
): Promise<ProjectRow> {
  const account = await ownerOf(tx, owner, place);
  const row = await projectNamed(tx, account.id, project);
  if (!row) {
    throw new SeedConflict(
      [...place, "project"],
      `${JSON.stringify(account.slug)} has no project ${JSON.stringify(project)}`,
    );
  }
  return row;
}
