import type { EnvWriter } from "../env/access";
import { variablesFor } from "../env/environment-store";
import { type EnvVarRow, envVars } from "../env/object";
import { tooLarge, tooMany } from "../env/rules";
import { assignmentOf, countOf, lastCreatedAt, writeChange } from "../env/store";
import { EnvTotals } from "../env/totals";
import { readValue } from "../env/view";
import { newId } from "../platform/ids";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import type { ProjectRow } from "../projects/object";
import { laterThan } from "../store/monotonic";
import { deleteRows } from "../store/rows";
import type { Unit } from "../store/store";
import type { CustomEnvironmentRow } from "./object";

/** The changes of variables when environments are added and removed. */

/** The refusals of copies that exceed a limit, for a route's `throws`. */
export const copiesRefused = [tooMany, tooLarge].map(
  ({ status, code, message }) => [status, code, message] as const,
);

/**
 * Copies variables to a custom environment.
 * @param from the variables that are copied
 * @choice The caller counts as the creator of the copies.
 * @throws Refusal 400 when the copies exceed the limits of an environment. Development has no limit on the size
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
    const id = newId(envVars);
    const time = createdAt++;
    return {
      ...row,
      id,
      value: services.vault.seal(id, readValue(services, row)),
      target: "[]",
      custom_environment_ids: JSON.stringify([environment.id]),
      git_branch: null,
      configuration_id: caller.installation?.id ?? null,
      store_id: null,
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
 * Removes a custom environment, also from its variables.
 * @param unassigned whether variables that then have no environment are kept or deleted
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
    const left = assignmentOf(row).customEnvironmentIds.filter((id) => id !== environment.id);
    const later = laterThan(row.updated_at, now);
    const next = { ...row, custom_environment_ids: JSON.stringify(left), updated_at: later };
    totals.exchange(countOf(row), countOf(next));
    (unassigned === "delete" && countOf(next).slots.length === 0 ? deleted : changed).push(next);
  }
  await writeChange(tx, project, totals, { changed, deleted });
  await deleteRows(tx, "custom_environments", { id: environment.id });
  return { changed, deleted };
}
