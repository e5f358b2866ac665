import { envTargets } from "../../provider/vocabulary";
import { present } from "../http/reply";
import { newId } from "../platform/ids";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { laterThan } from "../store/monotonic";
import type { CustomEnvironmentRow, EnvVarRow, ProjectRow } from "../store/schema";
import type { Tx, Unit } from "../store/store";
import { prepared } from "../store/store";
import type { EnvWriter } from "./access";
import { countOf, lastCreatedAt, placeOf, writeChange } from "./store";
import { EnvTotals } from "./totals";
import { readValue } from "./view";

/** The queries of custom environments, and the changes of variables when environments are added and removed. */

export function listEnvironments(tx: Tx, project: string): Promise<CustomEnvironmentRow[]> {
  return tx
    .selectFrom("custom_environments")
    .selectAll()
    .where("project_id", "=", project)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** @param key id or slug */
export function findEnvironment(
  tx: Tx,
  project: string,
  key: string,
): Promise<CustomEnvironmentRow | undefined> {
  return tx
    .selectFrom("custom_environments")
    .selectAll()
    .where("project_id", "=", project)
    .where((eb) => eb.or([eb("id", "=", key), eb("slug", "=", key)]))
    .executeTakeFirst();
}

/** The target of slots in an environment: the name of a target, the id of a custom environment. */
export async function findSlotTarget(tx: Tx, project: string, key: string): Promise<string | undefined> {
  if (envTargets.some((target) => target === key)) return key;
  return (await findEnvironment(tx, project, key))?.id;
}

/**
 * The variables that deployments of an environment get, those of the branch last.
 * @param target the target of slots
 */
export function variablesFor(tx: Tx, project: string, target: string, branch = ""): Promise<EnvVarRow[]> {
  return tx
    .selectFrom("env_vars as v")
    .innerJoin("env_slots as s", "s.env_id", "v.id")
    .selectAll("v")
    .where("s.project_id", "=", project)
    .where("s.target", "=", target)
    .where("s.git_branch", "in", ["", branch])
    .orderBy("s.git_branch")
    .orderBy("v.created_at")
    .execute();
}

/**
 * Copies the variables of an environment to another one, and records that the project changed.
 * @choice The caller counts as the creator of the copies.
 * @throws Refusal 400 when they exceed the limits of an environment; those of development differ
 */
export async function copyVariables(
  call: Pick<EnvWriter, "tx" | "now" | "caller"> & { services: Pick<Services, "vault" | "log"> },
  project: ProjectRow,
  from: readonly EnvVarRow[],
  environment: CustomEnvironmentRow,
): Promise<EnvVarRow[]> {
  const { tx, now, services, caller } = call;
  const totals = new EnvTotals(project);
  let createdAt = laterThan(await lastCreatedAt(tx, project.id), now);
  const copies = from.map((row): EnvVarRow => {
    const id = newId("envVar");
    const time = createdAt++;
    return {
      ...row,
      id,
      value: services.vault.seal(id, readValue(services, row)),
      target: "[]",
      custom_environment_ids: JSON.stringify([environment.id]),
      git_branch: null,
      configuration_id: caller.installation?.id ?? null,
      created_by: caller.userId,
      updated_by: null,
      created_at: time,
      updated_at: time,
    };
  });
  for (const copy of copies) {
    const counted = countOf(copy);
    totals.exchange(undefined, counted);
    const excess = totals.findExcess(counted.slots);
    if (excess) throw new Refusal(excess.status, excess.code, excess.message);
  }
  await writeChange(tx, project, totals, { fresh: copies });
  return copies;
}

/**
 * Removes an environment, also from its variables, and records that the project changed.
 * @param unassigned true keeps variables that then have no environment
 */
export async function removeEnvironment(
  { tx, now }: Unit,
  project: ProjectRow,
  environment: CustomEnvironmentRow,
  unassigned: "keep" | "delete",
): Promise<{ changed: EnvVarRow[]; deleted: EnvVarRow[] }> {
  const totals = new EnvTotals(project);
  const changed: EnvVarRow[] = [];
  const deleted: EnvVarRow[] = [];
  for (const row of await variablesFor(tx, project.id, environment.id)) {
    const left = placeOf(row).customEnvironmentIds.filter((id) => id !== environment.id);
    const later = laterThan(row.updated_at, now);
    const next = { ...row, custom_environment_ids: JSON.stringify(left), updated_at: later };
    totals.exchange(countOf(row), countOf(next));
    (unassigned === "delete" && countOf(next).slots.length === 0 ? deleted : changed).push(next);
  }
  await writeChange(tx, project, totals, { changed, deleted });
  await tx.deleteFrom("custom_environments").where("id", "=", environment.id).execute();
  return { changed, deleted };
}

export const environmentsOf = prepared((tx, p: { id: string }) =>
  tx.selectFrom("custom_environments").selectAll().where("project_id", "=", p.id).orderBy("created_at"),
);

export function viewEnvironment(row: CustomEnvironmentRow) {
  return present({
    id: row.id,
    slug: row.slug,
    type: "preview" as const,
    description: row.description ?? undefined,
    branchMatcher: row.branch_matcher === null ? undefined : JSON.parse(row.branch_matcher),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  });
}
