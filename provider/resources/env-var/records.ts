import { z } from "zod";
import type { Client } from "../../client/client";
import { ApiError } from "../../client/errors";
import { projectPath, variablePath } from "../../client/paths";
import * as responses from "../../client/responses";
import { variableNames } from "../../core/claims";
import { projectIdOf } from "../../core/project-reference";
import { type Adopted, holdersByProject, type Places } from "../../core/turns/taking-turns";
import { holdsUnknown } from "../../core/values";

/** Reads variables from the service: lists them, and finds them by id or natural key. */

/** The answer to a create, which has failures beside the created variables. @source wire-shapes 4 */
export const created = responses.variableCreated.transform(({ created, failed }, context) => {
  const record = Array.isArray(created) ? created[0] : created;
  if (record) return record;
  context.addIssue({ code: "custom", message: failed?.[0]?.error.code ?? "nothing was created" });
  return z.NEVER;
});

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
    { decrypt: "true" },
    stale,
  );

/** The variables that conflict with a declared one. @source wire-shapes 4, identity for conflicts */
export const matches = (
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

const overlap = (there: readonly string[] | null | undefined, wanted: readonly string[]): boolean =>
  (there ?? []).some((name) => wanted.includes(name));

/** The places of variables: natural keys `project/KEY/target`, with `/branch` if there is one. */
export const variablePlaces: Places = {
  noun: "the variable",
  choices: "another key, target or branch",

  async of(client, { project, key, target, customEnvironmentIds, gitBranch }, state) {
    if (holdsUnknown([key, target, customEnvironmentIds, gitBranch])) return undefined;
    const projectId = await projectIdOf(client, project, state);
    return projectId === undefined
      ? undefined
      : placesOf(projectId, { key, target, customEnvironmentIds, gitBranch });
  },

  holders: (client, places, _declared, fresh) =>
    holdersByProject(places, async (projectId) =>
      (await variablesOf(client, projectId, !fresh)).map((variable) => ({
        id: variable.id,
        has: placesOf(projectId, variable),
      })),
    ),

  adopted(_client, holder, { key, target, customEnvironmentIds, gitBranch }) {
    const [projectId = "", id] = holder.split("/");
    const names = variableNames(projectId, { key, target, customEnvironmentIds, gitBranch } as Identity);
    return adoptedVariable(projectId, { id: `${id}`, key: `${key}` }, names);
  },
};

/** An adopted variable with its unique names. */
export const adoptedVariable = (
  projectId: string,
  { id, key }: { id: string; key: string },
  names: readonly string[],
): Adopted => ({ what: `The variable ${key} (${id})`, names: [`${projectId}/${id}`, ...names] });

export function placesOf(
  projectId: string,
  { key, target, customEnvironmentIds, gitBranch }: Partial<Record<keyof Identity, unknown>>,
): string[] {
  const environments = [target ?? [], customEnvironmentIds ?? []].flat();
  const branch = gitBranch == null ? [] : [gitBranch];
  return environments.map((environment) => [projectId, key, environment, ...branch].join("/"));
}

/**
 * The environments in a create. The specification has custom environments only in edits, so they follow in an edit
 * unless the variable is for them alone, which needs an API of today.
 */
export function placeForCreate({
  target = [],
  customEnvironmentIds = [],
}: {
  target?: readonly string[] | undefined;
  customEnvironmentIds?: readonly string[] | undefined;
}): { place: object; isWhole: boolean } {
  if (target.length === 0) return { place: { customEnvironmentIds }, isWhole: true };
  return { place: { target }, isWhole: customEnvironmentIds.length === 0 };
}

/**
 * Finds a variable by `project/id` or by its natural key `project/KEY/target`, with `/branch` if it has one. The target
 * can be the id of a custom environment. The project's list is searched first, then the id is requested.
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
  if (target !== undefined) {
    const gitBranch = branch.length > 0 ? branch.join("/") : undefined;
    const environments = [target];
    const named = { key, target: environments, customEnvironmentIds: environments, gitBranch };
    const [remote] = matches(variables, named);
    if (remote) return { projectId, accountId, remote };
    throw absent(projectId, id);
  }
  const listed = variables.find((variable) => variable.id === key);
  // A list may show an encrypted value, which only a single read decrypts.
  if (listed && (listed.decrypted || !/^(encrypted|secret)$/.test(listed.type)))
    return { projectId, accountId, remote: listed };
  const remote = await client.get(variablePath(projectId, key, "v1"), responses.variable);
  return { projectId, accountId, remote };
}

/** A 404 for a natural key, for which the service has no request. */
const absent = (projectId: string, id: string): ApiError =>
  new ApiError({
    asked: { method: "GET", path: `${projectPath(projectId)}/env` },
    status: 404,
    code: "not_found",
    said: `No variable is ${id}`,
  });
