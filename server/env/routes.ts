// Longer than other files: the routes of variables differ by the versions that clients read.
import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred, paymentMethodNeeded, softBlocked } from "../access/rules";
import { envScope } from "../access/scopes";
import { flag } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import type { InvalidItem } from "../http/validate";
import { damagedData } from "../platform/damage";
import { notFound, type RefusalRow, refuseIf } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { mayManage, mayWrite } from "./access";
import { findEnvironment } from "./environment-store";
import { editorsOf, findPage } from "./list-store";
import type { EnvVarRow } from "./object";
import { envPullRoutes } from "./pull-routes";
import { rateLimits } from "./rate-limits";
import { noneOfVariables, notOwned, productionDenied, refusedWhenEdited, refusedWhenNew } from "./rules";
import * as wire from "./schema";
import { assignmentOf, countOf, envEvent, findEnvVar, findEnvVars, writeChange } from "./store";
import { EnvTotals } from "./totals";
import { readValue, viewEnv, viewReadable, viewStored } from "./view";
import { createEnvVars, editEnvVar, refusalOf, refuseInvalid, removeFromEnvironment } from "./write";

const oneVariable = projectPath.extend({ id: z.string().describe("Id of the variable.") });

const unknownVariable = [404, "not_found", "no such variable of the project"] as const;
const transferred = [409, "conflict", "the project is being transferred"] as const;

type OfVariable = Call & { project: ProjectRow; env: EnvVarRow };

/** Finds the variable in a path. */
async function loadEnv(
  call: Call<{ idOrName: string; id: string }>,
): Promise<{ project: ProjectRow; env: EnvVarRow }> {
  const { project } = await loadProject(call);
  const env = await findEnvVar(call.tx, project.id, call.params.id);
  if (env) return { project, env };
  throw notFound(
    `Environment variable ${JSON.stringify(call.params.id)} of project ${JSON.stringify(project.name)}`,
  );
}

/** @choice A variable that the caller may not manage is refused with 403. A 404 would mean that it was deleted. */
const anothersVariable: RefusalRow<OfVariable> = [
  notOwned.status,
  notOwned.code,
  notOwned.message,
  (call) => !mayManage(call, call.env),
];

/** The first version whose answer also lists the variables that were not created. */
const firstWithFailures = 10;

/**
 * @choice Below version 10, the answer is the variable itself, or an array of variables. Such an answer cannot list
 *   variables that were not created, so these requests create all of their variables or none.
 * @source Environment variables, POST /v10/projects/{idOrName}/env; vercel/terraform-provider-vercel#260
 */
const createEnv = route({
  method: "POST",
  path: "/v10/projects/:idOrName/env",
  operationId: "createProjectEnv",
  summary: "Creates one variable or several. Those that cannot be created are in `failed`.",
  scope: [envScope],
  limit: rateLimits.envCreate,
  params: projectPath,
  query: z.object({ upsert: flag.optional() }),
  body: wire.createEnv,
  example: {
    key: "API_URL",
    value: "https://api.example.com",
    type: "plain",
    target: ["production"],
  },
  batch: wire.envBatch,
  success: [201, z.union([wire.envCreated, wire.envRecord, z.array(wire.envRecord)])],
  throws: [
    // If no variable can be created, the answer is the refusal of the first one.
    ...refusedWhenNew,
    [403, "ENV_CONFLICT", "another variable has the key for one of the targets and the branch"],
    unknownProject,
    transferred,
  ],
  async load(call) {
    const loaded = await loadProject(call);
    const items: readonly (wire.NewEnv | InvalidItem)[] = [call.body].flat();
    refuseInvalid(items, { upsert: call.query.upsert ?? false });
    return { ...loaded, items };
  },
  refuse: [softBlocked, paymentMethodNeeded],
  async handle(call) {
    const { project, items, query, services, body, version = firstWithFailures } = call;
    const isOld = version < firstWithFailures;
    const result = await createEnvVars(call, project, items, { upsert: query.upsert ?? false });
    const failed = result.failed.map(({ error }) => ({ error }));
    const [first] = result.failed;
    if (first && (isOld || result.created.length === 0)) throw refusalOf(first, { failed });
    // The last refusal, which rolls the write back.
    await refuseIf([beingTransferred], call);
    for (const row of result.created) {
      const change = result.changes.get(row.id);
      if (change) await call.emit(envEvent(change, row));
    }
    const records = result.created.map((row) => viewEnv(services, row));
    const created = Array.isArray(body) ? records : records[0];
    return isOld ? created : { created, failed };
  },
});

/** The first version whose list has no decrypted values on the hosted API. */
const firstWithoutValues = 9;

/**
 * @source Environment variables, GET /v9/projects/{idOrName}/env; recorded answers of the hosted API
 * @source the Terraform provider, which reads the values in the list of version 8
 */
const listEnv = route({
  method: "GET",
  path: "/v9/projects/:idOrName/env",
  operationId: "filterProjectEnvs",
  summary: "Lists the variables of a project, the newest first.",
  scope: [envScope],
  limit: rateLimits.envRead,
  params: projectPath,
  query: z.object({
    ...wire.listFilters.shape,
    decrypt: flag.optional(),
    /** The name of the client, which is ignored. */
    source: z.string().optional(),
  }),
  success: [200, wire.envList],
  throws: [unknownProject],
  load: loadProject,
  async handle(call) {
    const { services, query, version = firstWithoutValues } = call;
    const { rows, pagination } = await findPage(call);
    const hidesValues = version >= firstWithoutValues && services.profile.isHosted("values-in-lists");
    const isReadable = query.decrypt && !hidesValues;
    const view = isReadable ? viewReadable : viewStored;
    const editors = await editorsOf(call.tx, rows);
    const envs = rows.map((row) => ({ ...view(services, row), ...editors(row), securityIssues: [] }));
    return { envs, pagination };
  },
});

/** @source Environment variables, GET /v1/projects/{idOrName}/env/{id} */
const getEnv = route({
  method: "GET",
  path: "/v1/projects/:idOrName/env/:id",
  operationId: "getProjectEnv",
  summary: "Returns a variable with its decrypted value; a sensitive one with an empty value.",
  scope: [envScope],
  limit: rateLimits.envRead,
  params: oneVariable,
  success: [200, wire.envRecord],
  throws: [unknownProject, unknownVariable, damagedData],
  load: loadEnv,
  refuse: [anothersVariable],
  async handle({ tx, services, env }) {
    if (env.type !== "sensitive") readValue(services, env);
    return { ...viewReadable(services, env), ...(await editorsOf(tx, [env]))(env) };
  },
});

/** @source Environment variables, PATCH /v9/projects/{idOrName}/env/{id} */
const updateEnv = route({
  method: "PATCH",
  path: "/v9/projects/:idOrName/env/:id",
  operationId: "editProjectEnv",
  summary: "Edits a variable: absent members keep their value, null clears.",
  scope: [envScope],
  limit: rateLimits.envEdit,
  params: oneVariable,
  body: wire.editEnv,
  example: { value: "https://api.example.org", comment: "moved" },
  success: [200, wire.envRecord],
  throws: [
    ...refusedWhenEdited,
    [403, "ENV_CONFLICT", "another variable has the key for one of the targets and the branch"],
    unknownProject,
    unknownVariable,
    transferred,
  ],
  load: loadEnv,
  refuse: [anothersVariable],
  async handle(call) {
    const { edited, isChanged } = await editEnvVar(call, call.project, call.env, call.body);
    // The last refusal, which rolls the write back.
    await refuseIf([beingTransferred], call);
    if (isChanged) await call.emit(envEvent("updated", edited));
    return { ...viewStored(call.services, edited), ...(await editorsOf(call.tx, [edited]))(edited) };
  },
});

/**
 * @choice With `customEnvironmentId`, the variable is removed from that environment only. It is deleted if it has no
 *   other environment. The environment can also be named by its slug.
 * @source Environment variables, DELETE /v9/projects/{idOrName}/env/{id}, and the newest official client
 */
const deleteEnv = route({
  method: "DELETE",
  path: "/v9/projects/:idOrName/env/:id",
  operationId: "removeProjectEnv",
  summary: "Removes a variable, or takes it out of one custom environment, and returns it.",
  scope: [envScope],
  limit: rateLimits.envDelete,
  params: oneVariable,
  query: wire.deleteFilters,
  success: [200, wire.envRecord],
  throws: [
    unknownProject,
    unknownVariable,
    [404, "not_found", "the variable is not for the custom environment"],
  ],
  load: loadRemoval,
  refuse: [
    anothersVariable,
    [
      productionDenied.status,
      productionDenied.code,
      productionDenied.message,
      (call) => !mayWrite(call, assignmentOf(call.env)),
    ],
    beingTransferred,
  ],
  async handle(call) {
    const { tx, project, env, services, environment } = call;
    const left = environment && (await removeFromEnvironment(call, project, env, environment));
    if (left) {
      await call.emit(envEvent("updated", left));
      return viewEnv(services, left);
    }
    const totals = new EnvTotals(project);
    totals.exchange(countOf(env), undefined);
    await writeChange(tx, project, totals, { deleted: [env] });
    await call.emit(envEvent("deleted", env));
    return viewEnv(services, env);
  },
});

/** @returns `environment` is the id of the custom environment in the query, if there is one */
async function loadRemoval(
  call: Call<z.infer<typeof oneVariable>, z.infer<typeof wire.deleteFilters>>,
): Promise<{ project: ProjectRow; env: EnvVarRow; environment: string | undefined }> {
  const loaded = await loadEnv(call);
  const key = call.query.customEnvironmentId;
  if (key === undefined) return { ...loaded, environment: undefined };
  const environment = await findEnvironment(call.tx, loaded.project.id, key);
  if (environment && assignmentOf(loaded.env).customEnvironmentIds.includes(environment.id))
    return { ...loaded, environment: environment.id };
  throw notFound(`Environment variable ${loaded.env.key} of custom environment ${JSON.stringify(key)}`);
}

/**
 * @choice The whole request is refused if the caller may not change one of the variables. Unknown ids are left out of
 *   the answer. If all ids are unknown, the answer is 404.
 */
const deleteEnvVars = route({
  method: "DELETE",
  path: "/v1/projects/:idOrName/env",
  operationId: "batchRemoveProjectEnv",
  summary: "Removes several variables and returns the ids of those that existed.",
  scope: [envScope],
  limit: rateLimits.envDelete,
  params: projectPath,
  body: wire.deleteEnvVars,
  example: { ids: ["env_1"] },
  success: [200, wire.envVarsDeleted],
  throws: [unknownProject, [404, "not_found", "the project has none of the variables"]],
  load: loadNamed,
  refuse: [
    [
      notOwned.status,
      notOwned.code,
      notOwned.message,
      (call) => !call.variables.every((row) => mayManage(call, row)),
    ],
    [
      productionDenied.status,
      productionDenied.code,
      productionDenied.message,
      (call) => !call.variables.every((row) => mayWrite(call, assignmentOf(row))),
    ],
    beingTransferred,
  ],
  async handle({ tx, project, variables, emit }) {
    const totals = new EnvTotals(project);
    for (const row of variables) totals.exchange(countOf(row), undefined);
    await writeChange(tx, project, totals, { deleted: variables });
    for (const row of variables) await emit(envEvent("deleted", row));
    return { deleted: variables.length, ids: variables.map(({ id }) => id) };
  },
});

async function loadNamed(
  call: Call<z.infer<typeof projectPath>, unknown, { ids: string[] }>,
): Promise<{ project: ProjectRow; variables: EnvVarRow[] }> {
  const { project } = await loadProject(call);
  const variables = await findEnvVars(call.tx, project.id, call.body.ids);
  if (variables.length > 0) return { project, variables };
  throw noneOfVariables(project.name);
}

export const envRoutes: readonly Route[] = [
  createEnv,
  listEnv,
  getEnv,
  updateEnv,
  deleteEnv,
  deleteEnvVars,
  ...envPullRoutes,
];
