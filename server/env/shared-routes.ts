import * as z from "zod";
import { hasUnknownProjects, loadProject, unknownProject } from "../access/projects";
import { paymentMethodNeeded, softBlocked } from "../access/rules";
import { mayWriteProduction, type Scope } from "../access/scopes";
import { type Call, type Route, type RouteName, route } from "../http/route";
import { damagedData } from "../platform/damage";
import { Refusal, type RefusalRow } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { findRow } from "../store/rows";
import type { Tx } from "../store/store";
import type { SharedEnvVarRow } from "./object";
import { rateLimits } from "./rate-limits";
import {
  contradictingLinks,
  refusedWhenShared,
  selectedProjects,
  sharedProductionDenied,
  teamNeeded,
  unknownLinks,
  unknownShared,
} from "./shared-rules";
import * as wire from "./shared-schema";
import { deleteShared, findSharedAmong, linksOf, listShared } from "./shared-store";
import { viewReadableShared, viewShared, viewSharedMembers } from "./shared-view";
import { createSharedVars, editSharedVars, failureOf, someOf, unlinkShared } from "./shared-write";
import { readValue } from "./view";

/**
 * Shared variables: the variables of a team, to which projects are linked. A project's own variables override them.
 * @choice Shared variables are not in the list of a project's variables. `GET /v1/env?projectId=` lists those that are
 *   linked to a project. Deployments and `GET /v3/env/pull` get them. The limits of an environment count only the
 *   project's own variables. There are no events for shared variables, because the public API has none.
 * @source the newest official client, the official Terraform provider, vercel/vercel#17484
 */

/** @choice The scope for an integration's own variables is not enough. */
const scope: readonly Scope[] = ["read-write:global-project-env-vars"];
const unknownVariable = [404, "not_found", "no such shared variable of the team"] as const;
const noneOfVariables = [404, "not_found", "the team has none of the variables"] as const;

const productionVariable: RefusalRow<Pick<Call, "account"> & { variables: readonly SharedEnvVarRow[] }> = [
  sharedProductionDenied.status,
  sharedProductionDenied.code,
  sharedProductionDenied.message,
  ({ account, variables }) =>
    !mayWriteProduction(account.role) &&
    variables.some(({ target }) => JSON.parse(target).includes("production")),
];

const projectsOf = async (tx: Tx, { id }: SharedEnvVarRow): Promise<string[]> =>
  (await linksOf(tx, id)).map(({ project_id }) => project_id);

const viewAll = (tx: Tx, rows: readonly SharedEnvVarRow[]) =>
  Promise.all(rows.map(async (row) => viewShared(row, await projectsOf(tx, row))));

/** @throws Refusal 404 */
async function loadShared(call: Call<{ id: string }>): Promise<{ variables: [SharedEnvVarRow] }> {
  const found = await findRow(call.tx, "shared_env_vars", {
    id: call.params.id,
    account_id: call.account.id,
  });
  if (found) return { variables: [found] };
  const { status, code, message, extra } = unknownShared(call.params.id);
  throw new Refusal(status, code, message, extra);
}

const list = (name: RouteName): Route =>
  route({
    method: "GET",
    ...name,
    scope,
    limit: rateLimits.envRead,
    query: wire.sharedFilters,
    success: [200, wire.sharedList],
    refuse: [teamNeeded, selectedProjects],
    async handle(call) {
      const { rows, pagination } = await listShared(call, call.query);
      const data = rows.map(async (row) => ({
        ...viewSharedMembers(row, await projectsOf(call.tx, row)),
        securityIssues: [],
      }));
      return { data: await Promise.all(data), pagination };
    },
  });

const create = route({
  method: "POST",
  path: "/v1/env",
  operationId: "createSharedEnvVariable",
  summary: "Creates shared variables of a team. Those that cannot be created are in `failed`.",
  scope,
  limit: rateLimits.envCreate,
  body: wire.createShared,
  example: {
    evs: [{ key: "API_URL", value: "https://api.example.com", comment: "of all sites" }],
    type: "encrypted",
    target: ["production"],
  },
  success: [201, wire.sharedCreated],
  throws: refusedWhenShared,
  load: async (call: Call<unknown, unknown, wire.CreateShared>) => ({
    hasUnknownProjects: await hasUnknownProjects(call, call.body.projectId),
  }),
  refuse: [teamNeeded, selectedProjects, softBlocked, paymentMethodNeeded, unknownLinks],
  async handle(call) {
    const { created, failed } = await createSharedVars(call, call.body);
    return { created: await viewAll(call.tx, created), failed };
  },
});

const update = route({
  method: "PATCH",
  path: "/v1/env",
  operationId: "updateSharedEnvVariable",
  summary: "Changes shared variables and the projects that they are linked to, by the ids of the variables.",
  scope,
  limit: rateLimits.envEdit,
  body: wire.updateShared,
  example: { updates: { env_1: { projectIdUpdates: { link: ["prj_1"] } } } },
  success: [200, wire.sharedUpdated],
  throws: [...refusedWhenShared, noneOfVariables],
  load: async (call: Call<unknown, unknown, wire.UpdateShared>) => ({
    hasUnknownProjects: await hasUnknownProjects(call, projectsToLink(call.body)),
  }),
  refuse: [teamNeeded, selectedProjects, softBlocked, paymentMethodNeeded, contradictingLinks, unknownLinks],
  async handle(call) {
    const { updated, failed } = await editSharedVars(call, call.body.updates);
    return { updated: await viewAll(call.tx, updated), failed };
  },
});

const projectsToLink = ({ updates }: wire.UpdateShared): string[] =>
  Object.values(updates).flatMap(({ projectId = [], projectIdUpdates }) => [
    ...projectId,
    ...(projectIdUpdates?.link ?? []),
  ]);

/** @choice Unknown ids are listed in `failed`. If all ids are unknown, the answer is 404. */
const remove = route({
  method: "DELETE",
  path: "/v1/env",
  operationId: "deleteSharedEnvVariable",
  summary: "Deletes shared variables, and with them their links to projects.",
  scope,
  limit: rateLimits.envDelete,
  body: wire.deleteShared,
  example: { ids: ["env_1"] },
  success: [200, wire.sharedDeleted],
  throws: [noneOfVariables],
  load: async (call: Call<unknown, unknown, { ids: string[] }>) => ({
    variables: await findSharedAmong(call, call.body.ids),
  }),
  refuse: [teamNeeded, selectedProjects, productionVariable],
  async handle({ tx, body, variables }) {
    const deleted = variables.map(({ id }) => id);
    const unknown = [...new Set(body.ids)].filter((id) => !deleted.includes(id));
    const failed = someOf(
      deleted,
      unknown.map((id) => failureOf(undefined, unknownShared(id))),
    );
    await deleteShared(tx, deleted);
    return { deleted, failed };
  },
});

const get = route({
  method: "GET",
  path: "/v1/env/:id",
  operationId: "getSharedEnvVar",
  summary: "Returns a shared variable with its decrypted value; a sensitive one with an empty value.",
  scope,
  limit: rateLimits.envRead,
  params: z.object({ id: z.string().describe("Id of the variable.") }),
  success: [200, wire.sharedRecord],
  throws: [unknownVariable, damagedData],
  load: loadShared,
  refuse: [selectedProjects],
  async handle({ tx, services, variables: [row] }) {
    if (row.type !== "sensitive") readValue(services, row);
    return viewReadableShared(services, row, await projectsOf(tx, row));
  },
});

/** @choice Unlinking a project that is not linked succeeds. @source vercel/vercel#17489: project by id or name */
const unlink = route({
  method: "PATCH",
  path: "/v1/env/:id/unlink/:projectId",
  operationId: "unlinkSharedEnvVariable",
  summary: "Unlinks a project from a shared variable.",
  scope,
  limit: rateLimits.envEdit,
  params: z.object({ id: z.string().describe("Id of the variable."), projectId: z.string() }),
  success: [200, wire.sharedUnlinked],
  throws: [unknownVariable, unknownProject],
  async load(
    call: Call<{ id: string; projectId: string }>,
  ): Promise<{ project: ProjectRow; variables: [SharedEnvVarRow] }> {
    return { ...(await loadShared(call)), ...(await loadProject(call)) };
  },
  refuse: [selectedProjects, softBlocked, paymentMethodNeeded, productionVariable],
  async handle(call) {
    const [row] = call.variables;
    await unlinkShared(call, row, call.project.id);
    return { id: row.id };
  },
});

export const sharedEnvRoutes: readonly Route[] = [
  list({
    path: "/v1/env",
    operationId: "listSharedEnvVariable",
    summary: "Lists the shared variables of a team, the newest first, without their values.",
  }),
  /** @source the Terraform provider */
  list({
    path: "/v1/env/all",
    operationId: "listAllSharedEnvVariables",
    summary: "Lists the shared variables of a team, as `/v1/env` does.",
  }),
  create,
  update,
  remove,
  get,
  unlink,
];
