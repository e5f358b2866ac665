import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { envScope } from "../access/scopes";
import { findEnvironment, findSlotTarget, listEnvironments, variablesFor } from "../env/environment-store";
import type { EnvVarRow } from "../env/object";
import { envEvent } from "../env/store";
import { type Call, type Route, route } from "../http/route";
import { damagedData } from "../platform/damage";
import { notFound } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { hasRow } from "../store/rows";
import type { Tx } from "../store/store";
import type { CustomEnvironmentRow } from "./object";
import {
  copiesNotOwned,
  hasDomains,
  largestCount,
  matchesBranch,
  nothingToCopyFrom,
  slugTaken,
  tooManyEnvironments,
  variablesNotOwned,
} from "./rules";
import * as wire from "./schema";
import { changeEnvironment, type EnvironmentColumns, insertEnvironment } from "./store";
import { copiesRefused, copyVariables, removeEnvironment } from "./variables";
import { viewEnvironment } from "./view";

const oneEnvironment = projectPath.extend({ environment: z.string() });

const unknownEnvironment = [404, "not_found", "no such environment of the project"] as const;

async function loadEnvironment(
  call: Call<{ idOrName: string; environment: string }>,
): Promise<{ project: ProjectRow; environment: CustomEnvironmentRow }> {
  const { project } = await loadProject(call);
  const environment = await findEnvironment(call.tx, project.id, call.params.environment);
  if (environment) return { project, environment };
  throw notFound(`Custom environment ${JSON.stringify(call.params.environment)}`);
}

/** @source wire-shapes 11 */
const list = route({
  method: "GET",
  path: "/v9/projects/:idOrName/custom-environments",
  operationId: "getProjectsByIdOrNameCustomEnvironments",
  summary: "Lists the custom environments of a project.",
  scope: ["read:project"],
  params: projectPath,
  query: wire.environmentFilters,
  success: [200, wire.customEnvironmentList],
  throws: [unknownProject],
  load: loadProject,
  handle: async ({ tx, project, query: { gitBranch } }) => ({
    accountLimit: { total: largestCount },
    environments: (await listEnvironments(tx, project.id))
      .map(viewEnvironment)
      .filter(({ branchMatcher }) => gitBranch === undefined || matchesBranch(branchMatcher, gitBranch)),
  }),
});

/** @source wire-shapes 3 */
const create = route({
  method: "POST",
  path: "/v9/projects/:idOrName/custom-environments",
  operationId: "createCustomEnvironment",
  summary: "Adds a custom environment to a project.",
  scope: ["read-write:project"],
  furtherScope: ({ body }) => (body.copyEnvVarsFrom === undefined ? [] : [envScope]),
  params: projectPath,
  body: wire.createCustomEnvironment,
  example: { slug: "staging", branchMatcher: { type: "startsWith", pattern: "release/" } },
  success: [201, wire.customEnvironment],
  throws: [
    [400, "bad_request", "copyEnvVarsFrom names no environment of the project"],
    ...copiesRefused,
    unknownProject,
    damagedData,
  ],
  load: loadCreation,
  refuse: [tooManyEnvironments, slugTaken, copiesNotOwned, beingTransferred],
  async handle(call) {
    const { tx, now, project, body, copied } = call;
    const environment = await insertEnvironment({ tx, now }, project.id, body);
    for (const copy of await copyVariables(call, project, copied, environment)) {
      await call.emit(envEvent("created", copy));
    }
    return viewEnvironment(environment);
  },
});

async function loadCreation(call: Call<z.infer<typeof projectPath>, unknown, wire.CreateCustomEnvironment>) {
  const { tx, body } = call;
  const { project } = await loadProject(call);
  const copied = await findCopied(tx, project, body.copyEnvVarsFrom);
  const environments = await listEnvironments(tx, project.id);
  const isSlugTaken = (await findEnvironment(tx, project.id, body.slug)) !== undefined;
  return { project, copied, environmentCount: environments.length, isSlugTaken };
}

async function findCopied(tx: Tx, project: ProjectRow, from: string | undefined): Promise<EnvVarRow[]> {
  if (from === undefined) return [];
  const target = await findSlotTarget(tx, project.id, from);
  if (target === undefined) throw nothingToCopyFrom();
  return variablesFor(tx, project.id, target);
}

/** @source wire-shapes 3 */
const get = route({
  method: "GET",
  path: "/v9/projects/:idOrName/custom-environments/:environment",
  operationId: "getCustomEnvironment",
  summary: "Returns a custom environment, by id or slug.",
  scope: ["read:project"],
  params: oneEnvironment,
  success: [200, wire.customEnvironment],
  throws: [unknownEnvironment],
  load: loadEnvironment,
  handle: async ({ environment }) => viewEnvironment(environment),
});

/** @source wire-shapes 3 */
const update = route({
  method: "PATCH",
  path: "/v9/projects/:idOrName/custom-environments/:environment",
  operationId: "updateCustomEnvironment",
  summary: "Updates a custom environment: absent members keep their value, null clears.",
  scope: ["read-write:project"],
  params: oneEnvironment,
  body: wire.updateCustomEnvironment,
  example: { description: "Release candidates" },
  success: [200, wire.customEnvironment],
  throws: [unknownEnvironment],
  load: loadUpdate,
  refuse: [slugTaken, beingTransferred],
  async handle({ tx, now, environment, body }) {
    const columns: EnvironmentColumns = {};
    if (body.slug !== undefined) columns.slug = body.slug;
    if (body.description !== undefined) columns.description = body.description;
    if (body.branchMatcher !== undefined) {
      columns.branch_matcher = body.branchMatcher && JSON.stringify(body.branchMatcher);
    }
    const isSame = Object.entries(columns).every(
      ([column, value]) => environment[column as keyof typeof environment] === value,
    );
    if (isSame) return viewEnvironment(environment);
    const updated = await changeEnvironment({ tx, now }, environment.id, columns);
    return viewEnvironment(updated);
  },
});

async function loadUpdate(
  call: Call<z.infer<typeof oneEnvironment>, unknown, wire.UpdateCustomEnvironment>,
): Promise<{ project: ProjectRow; environment: CustomEnvironmentRow; isSlugTaken: boolean }> {
  const { tx, body } = call;
  const { project, environment } = await loadEnvironment(call);
  const isNew = body.slug !== undefined && body.slug !== environment.slug;
  const isSlugTaken = isNew && (await findEnvironment(tx, project.id, body.slug ?? "")) !== undefined;
  return { project, environment, isSlugTaken };
}

/**
 * @choice An environment with domains cannot be removed, because its domains would then serve production. Its variables
 *   lose the environment. Variables without another environment are kept, unless the body asks to delete them. In both
 *   cases, the caller must be allowed to change all of these variables.
 * @source wire-shapes 3
 */
const remove = route({
  method: "DELETE",
  path: "/v9/projects/:idOrName/custom-environments/:environment",
  operationId: "removeCustomEnvironment",
  summary: "Removes a custom environment and returns it.",
  scope: ["read-write:project"],
  furtherScope: ({ body }) => (body.deleteUnassignedEnvironmentVariables ? [envScope] : []),
  params: oneEnvironment,
  body: wire.removeCustomEnvironment,
  example: { deleteUnassignedEnvironmentVariables: true },
  success: [200, wire.customEnvironment],
  throws: [unknownEnvironment],
  load: loadRemoval,
  refuse: [hasDomains, variablesNotOwned, beingTransferred],
  async handle({ tx, now, project, environment, body, emit }) {
    const unassigned = body.deleteUnassignedEnvironmentVariables ? "delete" : "keep";
    const { changed, deleted } = await removeEnvironment({ tx, now }, project, environment, unassigned);
    for (const row of changed) await emit(envEvent("updated", row));
    for (const row of deleted) await emit(envEvent("deleted", row));
    return viewEnvironment(environment);
  },
});

async function loadRemoval(
  call: Call<z.infer<typeof oneEnvironment>, unknown, wire.RemoveCustomEnvironment>,
) {
  const { tx } = call;
  const { project, environment } = await loadEnvironment(call);
  return {
    project,
    environment,
    variables: await variablesFor(tx, project.id, environment.id),
    isServedByDomains: await hasRow(tx, "domains", {
      project_id: project.id,
      custom_environment_id: environment.id,
    }),
  };
}

export const customEnvironmentRoutes: readonly Route[] = [list, create, get, update, remove];
