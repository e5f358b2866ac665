import { z } from "zod";
import type { Client } from "../../client/client";
import { type ApiError, absentFrom, ifFound } from "../../client/errors";
import { projectPath, variablePath } from "../../client/paths";
import * as responses from "../../client/responses";
import { isIgnored } from "../../core/ignored";
import { projectIdOf } from "../../core/project-reference";
import { ownersByProject, type UniqueKeys } from "../../core/unique-keys";
import { holdsUnknown, type Plain } from "../../core/values";
import { type Adoption, reasonNotToAdopt } from "./adoptable";
import { defaults, type Inputs } from "./inputs";
import { temporaryKey } from "./temporary-key";
import { reasonAgainstReplacement } from "./unknown-value";

/** Reads variables from the service: lists them, and finds them by id or natural key. */

/** Settings of a variable that is created. */
export type NewSettings = Pick<Inputs, "key"> & Partial<Omit<Inputs, "project" | "key" | "adopt">>;

/** The body that creates a variable. */
export function bodyOfNew(declared: NewSettings): Plain {
  const { key, value, type = defaults.type, gitBranch, comment } = declared;
  const body = {
    ...{ key, type, ...environmentsForCreate(declared).environments },
    ...{ value: type === "system" ? undefined : value, gitBranch, comment },
  };
  return Object.fromEntries(Object.entries(body).filter(([, one]) => one !== undefined));
}

/** The answer to a create of one variable. @source wire-shapes 4 */
export const createdOne = responses.variableCreated.transform(({ created: [record], failed }, context) => {
  if (record) return record;
  context.addIssue({ code: "custom", message: failed[0]?.code ?? "nothing was created" });
  return z.NEVER;
});

const withValues = { decrypt: "true" };

/** All variables of a project, with their values. @param stale see `Client.list` */
export const variablesOf = (
  client: Client,
  projectId: string,
  stale = false,
): Promise<responses.Variable[]> =>
  client.list(
    `${projectPath(projectId)}/env`,
    responses.variableList,
    (page) => page.envs,
    withValues,
    stale,
  );

/**
 * The variables of a project, for callers that need no values. Only a cached list contains values.
 * @param stale also uses a cached list, see `Client.list`. A project that this run has created then has no variables
 */
export async function variablesWithoutValues(
  client: Client,
  projectId: string,
  stale = false,
): Promise<responses.Variable[]> {
  if (stale && client.hasCreated(projectId)) return [];
  const path = `${projectPath(projectId)}/env`;
  if (client.isListed(path, withValues, stale)) return variablesOf(client, projectId, stale);
  return client.list(path, responses.variableList, (page) => page.envs, {}, stale);
}

/** The variables that conflict with a declared one. @source wire-shapes 4, identity for conflicts */
export const matchingVariables = (
  variables: responses.Variable[],
  { key, target = [], customEnvironmentIds = [], gitBranch }: Identity,
) =>
  variables.filter(
    (variable) =>
      variable.key === key &&
      (variable.gitBranch ?? undefined) === gitBranch &&
      (overlap(variable.target, target) || overlap(variable.customEnvironmentIds, customEnvironmentIds)),
  );

/** The identity of a variable. */
interface Identity {
  key: string;
  target?: readonly string[] | undefined;
  customEnvironmentIds?: readonly string[] | undefined;
  gitBranch?: string | undefined;
}

const overlap = (existing: readonly string[] | null | undefined, wanted: readonly string[]): boolean =>
  (existing ?? []).some((name) => wanted.includes(name));

/** The unique keys of variables: `project/KEY/target`, with `/branch` if there is one. */
export const variableKeys: UniqueKeys = {
  noun: "the variable",
  choices: "another key, target or branch",
  scope: "project",

  of({ key, target, customEnvironmentIds, gitBranch }, projectId) {
    const known = { key, target, customEnvironmentIds, gitBranch };
    return holdsUnknown(Object.values(known)) ? undefined : keysOf(projectId, known);
  },

  owners: ({ client }, keys, _declared, fresh) =>
    ownersByProject(keys, async (projectId) =>
      (await variablesWithoutValues(client, projectId, !fresh)).map((variable) => ({
        id: variable.id,
        keys: keysOf(projectId, variable),
      })),
    ),

  // If the host does not know what the program ignores, it is taken to ignore nothing.
  async refuseAdoption({ client }, ids, declared, paths = []) {
    const ignored = new Set(
      ["target", "customEnvironmentIds", "type"].filter((key) => isIgnored(paths, [key])),
    );
    return reasonNotToAdopt(declared as Adoption, await conflictingOf(client, ids, declared), ignored);
  },

  refuseReplacement: async ({ client }, ids, declared, ignored) =>
    reasonAgainstReplacement(declared, await conflictingOf(client, ids, declared), ignored),

  async freeKeys({ client, keys: plan }, id, keys) {
    const [projectId = "", envId = ""] = id.split("/");
    const read = () => ifFound(client.get(variablePath(projectId, envId, "v1"), responses.variable));
    const rename = async (key: string): Promise<responses.Variable> =>
      (await editVariable(client, projectId, envId, { key })) ?? { ...owner, key };
    const owner = (await read()) as responses.Variable;
    if (!owner || !keysOf(projectId, owner).some((key) => keys.includes(key))) return async () => {};
    const key = temporaryKey(owner.key);
    const { updatedAt } = await rename(key);
    plan.moves.set(id, { before: owner.updatedAt ?? 0, after: updatedAt ?? 0 });
    return async () => {
      if ((await read())?.key === key) await rename(owner.key);
    };
  },
};

/** The variables with these ids that conflict with a declared one. */
async function conflictingOf(
  client: Client,
  ids: readonly string[],
  declared: Plain,
): Promise<responses.Variable[]> {
  const projectId = await projectIdOf(client, declared.project, {});
  if (projectId === undefined) return [];
  const variables = await variablesWithoutValues(client, projectId, true);
  return matchingVariables(variables, declared as unknown as Identity).filter(({ id }) =>
    ids.includes(`${projectId}/${id}`),
  );
}

/** Sends settings of a variable. @returns undefined when the response does not contain the variable */
export function editVariable(
  client: Client,
  projectId: string,
  envId: string,
  body: Plain,
  secrets: readonly string[] = [],
): Promise<responses.Variable | undefined> {
  const path = variablePath(projectId, envId);
  // The answer may be an empty object. The caller then reads the variable. @source wire-shapes 4
  const shape = z.union([responses.variable, z.looseObject({}).transform(() => undefined)]);
  return client.send({ method: "PATCH", path, body, shape, secrets: [...secrets] });
}

/** The subject of an adoption: the name of the variable for messages, its id and its unique keys. */
export const adoptedVariable = (
  projectId: string,
  found: responses.Variable,
  declared: Identity,
): { what: string; names: [id: string, ...string[]] } => ({
  what: `The variable ${found.key} (${found.id})`,
  names: [
    `${projectId}/${found.id}`,
    ...new Set([...keysOf(projectId, found), ...keysOf(projectId, declared)]),
  ],
});

export function keysOf(
  projectId: string,
  { key, target, customEnvironmentIds, gitBranch }: Partial<Record<keyof Identity, unknown>>,
): string[] {
  const environments = [target ?? [], customEnvironmentIds ?? []].flat();
  const branch = gitBranch == null ? [] : [gitBranch];
  return environments.map((environment) => [projectId, key, environment, ...branch].join("/"));
}

interface SentEnvironments {
  target?: readonly string[];
  customEnvironmentIds?: readonly string[];
}

/**
 * The environments in a create. The specification has custom environments only in edits, so an edit adds them later. A
 * variable without other environments is created with its custom environments, which requires a newer API.
 * @returns `isWhole`: true if the create contains all environments
 */
export function environmentsForCreate({
  target = [],
  customEnvironmentIds = [],
}: {
  target?: readonly string[] | undefined;
  customEnvironmentIds?: readonly string[] | undefined;
}): { environments: SentEnvironments; isWhole: boolean } {
  if (target.length === 0) return { environments: { customEnvironmentIds }, isWhole: true };
  return { environments: { target }, isWhole: customEnvironmentIds.length === 0 };
}

/**
 * Finds a variable by `project/id` or by its natural key `project/KEY/target`, with `/branch` if the variable has a
 * branch. The target can be the id of a custom environment. An id is searched in the project's list, then requested.
 */
export async function find(
  client: Client,
  id: string,
): Promise<{ projectId: string; accountId: string; remote: responses.Variable }> {
  const [project = "", key = "", target, ...branch] = id.split("/");
  if (project === "" || key === "") {
    throw new Error(
      'The id of a variable is "project/id" or "project/KEY/target", such as "prj_…/env_…" or "web/API_KEY/production".',
    );
  }
  const { id: projectId, accountId } = await client.identify(project);
  const variables = await variablesOf(client, projectId);
  const gitBranch = branch.length > 0 ? branch.join("/") : undefined;
  const [listed] =
    target === undefined
      ? variables.filter((variable) => variable.id === key)
      : matchingVariables(variables, { key, target: [target], customEnvironmentIds: [target], gitBranch });
  if (!listed && target !== undefined) throw notFound(projectId, id);
  if (listed && responses.isValueListed(listed)) return { projectId, accountId, remote: listed };
  const remote = await client.get(variablePath(projectId, listed?.id ?? key, "v1"), responses.variable);
  return { projectId, accountId, remote };
}

/** A 404 for a natural key. The service has no request that reads a variable by its natural key. */
const notFound = (projectId: string, id: string): ApiError =>
  absentFrom(`${projectPath(projectId)}/env`, `There is no variable ${id}`);
