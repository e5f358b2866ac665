import { findSharedProblem, type SharedDraft, sharedSlots } from "../env/shared-rules";
import { countShared, findConflicting, insertShared, link } from "../env/shared-store";
import { derivedId } from "../platform/ids";
import type { Services } from "../platform/services";
import type { Unit } from "../store/store";
import { ownerOf } from "./accounts";
import type { Seed } from "./document";
import { SeedConflict, SeedError } from "./error";
import { projectOf } from "./projects";
import { hasRow } from "./store";

type SeedSharedEnv = NonNullable<Seed["sharedEnv"]>[number];

/**
 * Adds a shared variable, unless the team has one with this key and target. A variable with an id is restored as it
 * was, and the rules of the API do not apply.
 */
export async function addSharedEnv(
  unit: Unit,
  { vault }: Pick<Services, "vault">,
  given: SeedSharedEnv,
  at: number,
): Promise<void> {
  const { tx } = unit;
  const place = ["sharedEnv", at];
  const { team, key, value = "", type = "encrypted", target = [], comment } = given;
  const account = await ownerOf(tx, { team }, place);
  const applyToAll = given.applyToAllCustomEnvironments ?? false;
  const draft: SharedDraft = { key, value, type, target, applyToAll, comment: comment || null };
  const id = given.id ?? derivedId("sharedEnvVar", account.id, key, ...sharedSlots(draft).sort());
  if (await hasRow(tx, "shared_env_vars", id)) return;
  const owner = await findConflicting({ tx, account }, draft, undefined);
  if (owner !== undefined) {
    if (given.id === undefined) return;
    throw new SeedConflict(place, `the shared variable ${owner} of the team has the same key and target`);
  }
  const anybody = { role: "OWNER" as const, wantsSensitive: false };
  const count = await countShared({ tx, account });
  const attempt = { account: anybody, draft, before: undefined, hasNewValue: true, owner, count };
  const problem = given.id === undefined ? findSharedProblem(attempt) : undefined;
  if (problem) throw new SeedError(place, problem.message);
  const projects: string[] = [];
  for (const project of given.projects ?? [])
    projects.push((await projectOf(tx, { team, project }, place)).id);
  await insertShared(
    unit,
    {
      ...{ id, account_id: account.id, key, type, comment: draft.comment },
      value: vault.seal(id, value),
      target: JSON.stringify(target),
      apply_to_all: applyToAll ? 1 : 0,
      created_by: given.createdBy ?? null,
      updated_by: given.updatedBy ?? null,
    },
    given,
  );
  await link(tx, id, projects);
}
