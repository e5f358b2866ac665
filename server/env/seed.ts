import * as z from "zod";
import { sharedEnvTypes } from "../../provider/vocabulary";
import { scopesOfRole } from "../access/scopes";
import { derivedId } from "../platform/ids";
import { type DocumentPath, SeedConflict, SeedError } from "../seed/error";
import {
  each,
  id,
  name,
  omit,
  ownedRow,
  owner,
  ownerOf,
  projectOf,
  type Section,
  type Seeding,
  section,
  times,
  unusedTime,
} from "../seed/section";
import { countRows, hasRow, listRows } from "../store/rows";
import { type EnvVarRow, envVars, sharedEnvVars } from "./object";
import { slotsOf } from "./rules";
import { envTarget, type NewEnv, newEnv } from "./schema";
import { findSharedProblem, type SharedDraft, sharedSlots } from "./shared-rules";
import { findConflicting, insertShared, link } from "./shared-store";
import { countOf, writeChange } from "./store";
import { EnvTotals } from "./totals";
import { createEnvVars } from "./write";

const authors = { createdBy: z.string().optional(), updatedBy: z.string().optional() };

/** The members that no request can set. */
const restored = { id: id.optional(), ...times, configurationId: z.string().optional(), ...authors };

const row = ownedRow({ ...newEnv.shape, ...owner, project: name, ...restored });
type SeedEnvVar = z.output<typeof row>;

/**
 * Variables get an earlier time, since the deployments of the same document count as built with them.
 * @param rows all variables of the section
 */
const beforeDeployments = <S extends Seeding>(seeding: S, rows: readonly unknown[]): S => ({
  ...seeding,
  now: seeding.now - rows.length,
});

/** The variables of projects. */
export const env: Section<typeof row> = {
  table: "env_vars",
  row,
  keys: ({ team, user, project, key = "", id, ...env }) =>
    id === undefined
      ? slotsOf({
          target: env.target ?? [],
          customEnvironmentIds: env.customEnvironmentIds ?? [],
          gitBranch: env.gitBranch || null,
        }).map(({ target, branch }) => [team, user, project, key, target, branch])
      : [id],
  async apply(seeding, rows, section) {
    const early = beforeDeployments(seeding, rows);
    await each(seeding, rows, async (given, at) => {
      if (given.id === undefined) await addVariable(early, given, [section, at]);
    });
    await each(seeding, groupByProject(rows), ({ at, variables }) =>
      restoreVariables(seeding, variables, [section, at]),
    );
  },
};

/** Adds a variable according to the API's rules, unless its project has a variable with this key, target and branch. */
async function addVariable(
  { tx, now, services }: Seeding,
  given: SeedEnvVar,
  path: DocumentPath,
): Promise<void> {
  const { team, user, project } = given;
  const item = omit(given, ["team", "user", "project", ...Object.keys(restored)]) as NewEnv;
  const row = await projectOf(tx, { team, user, project }, path);
  const targets = [...(item.target ?? [])].sort().join(",");
  const id = derivedId(envVars, row.id, item.key ?? "", targets, item.gitBranch ?? "");
  if (await hasRow(tx, "env_vars", { id })) return;
  const owner = {
    tx,
    now,
    services,
    caller: { userId: null, installation: undefined },
    account: { role: "OWNER" as const, scopes: scopesOfRole("OWNER"), wantsSensitive: false },
    idOf: () => id,
  };
  const { failed } = await createEnvVars(owner, row, [item]);
  const [problem] = failed;
  if (problem && problem.error.code !== "ENV_CONFLICT") throw new SeedError(path, problem.error.message);
}

type RestoredVariable = SeedEnvVar & { id: string };

/** Groups the variables that have an id by project. `at` is the position of the first one in the section. */
function groupByProject(rows: readonly SeedEnvVar[]): { at: number; variables: RestoredVariable[] }[] {
  const groups = new Map<string, { at: number; variables: RestoredVariable[] }>();
  for (const [at, row] of rows.entries()) {
    if (row.id === undefined) continue;
    const key = JSON.stringify([row.team, row.user, row.project]);
    const group = groups.get(key) ?? { at, variables: [] };
    group.variables.push(row as RestoredVariable);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Adds the variables of a project as they were, except variables whose ids the project already has. */
async function restoreVariables(
  { tx, now, services: { vault } }: Seeding,
  rows: readonly RestoredVariable[],
  path: DocumentPath,
): Promise<void> {
  const [{ team, user, project: key } = { project: "" }] = rows;
  const project = await projectOf(tx, { team, user, project: key }, path);
  const known = await listRows(tx, "env_vars", { project_id: project.id });
  const ids = new Set(known.map(({ id }) => id));
  const taken = new Set(known.map(({ created_at }) => `${project.id} ${created_at}`));
  const totals = new EnvTotals(project);
  const fresh = rows
    .filter(({ id }) => !ids.has(id))
    .map((row): EnvVarRow => {
      const { id, key = "", value = "", createdAt = now } = row;
      return {
        id,
        project_id: project.id,
        key,
        type: row.type ?? "encrypted",
        value: vault.seal(id, value),
        size: Buffer.byteLength(key) + Buffer.byteLength(value),
        target: JSON.stringify(row.target ?? []),
        custom_environment_ids: JSON.stringify(row.customEnvironmentIds ?? []),
        git_branch: row.gitBranch ?? null,
        comment: row.comment ?? null,
        configuration_id: row.configurationId ?? null,
        store_id: null,
        created_by: row.createdBy ?? null,
        updated_by: row.updatedBy ?? null,
        created_at: unusedTime(taken, project.id, createdAt),
        updated_at: row.updatedAt ?? createdAt,
      };
    });
  for (const row of fresh) totals.exchange(undefined, countOf(row));
  await writeChange(tx, project, totals, { fresh });
}

const sharedRow = z.strictObject({
  team: name,
  key: z.string(),
  value: z.string().optional(),
  type: z.enum(sharedEnvTypes).optional(),
  target: envTarget.optional(),
  applyToAllCustomEnvironments: z.boolean().optional(),
  comment: z.string().optional(),
  /** By name or id. */
  projects: z.array(name).optional(),
  id: id.optional(),
  ...times,
  ...authors,
});

/** The variables of teams, with the projects to which they are linked. */
export const sharedEnv: Section<typeof sharedRow> = {
  table: "shared_env_vars",
  row: sharedRow,
  keys: ({ team, key, id, target = [], applyToAllCustomEnvironments: applyToAll = false }) =>
    id === undefined ? sharedSlots({ target, applyToAll }).map((slot) => [team, key, slot]) : [id],
  apply: (seeding, rows, name) =>
    section("shared_env_vars", sharedRow, addShared).apply(beforeDeployments(seeding, rows), rows, name),
};

/**
 * Adds a shared variable, unless the team has one with this key and target. A variable with an id is restored as it
 * was, and the rules of the API do not apply.
 */
async function addShared(
  unit: Seeding,
  given: z.output<typeof sharedRow>,
  path: DocumentPath,
): Promise<void> {
  const { tx, services } = unit;
  const { team, key, value = "", type = "encrypted", target = [] } = given;
  const account = await ownerOf(tx, { team }, path);
  const applyToAll = given.applyToAllCustomEnvironments ?? false;
  const draft: SharedDraft = { key, value, type, target, applyToAll, comment: given.comment || null };
  const id = given.id ?? derivedId(sharedEnvVars, account.id, key, ...sharedSlots(draft).sort());
  if (await hasRow(tx, "shared_env_vars", { id })) return;
  const owner = await findConflicting({ tx, account }, draft, undefined);
  if (owner !== undefined) {
    if (given.id === undefined) return;
    throw new SeedConflict(path, `the shared variable ${owner} of the team has the same key and target`);
  }
  const anybody = { role: "OWNER" as const, wantsSensitive: false };
  const count = await countRows(tx, "shared_env_vars", { account_id: account.id });
  const attempt = { account: anybody, draft, before: undefined, hasNewValue: true, owner, count };
  const problem = given.id === undefined ? findSharedProblem(attempt) : undefined;
  if (problem) throw new SeedError(path, problem.message);
  const projects: string[] = [];
  for (const project of given.projects ?? [])
    projects.push((await projectOf(tx, { team, project }, path)).id);
  await insertShared(
    unit,
    {
      ...{ id, account_id: account.id, key, type, comment: draft.comment },
      value: services.vault.seal(id, value),
      target: JSON.stringify(target),
      apply_to_all: applyToAll ? 1 : 0,
      created_by: given.createdBy ?? null,
      updated_by: given.updatedBy ?? null,
    },
    given,
  );
  await link(tx, id, projects);
}
