import type { Updateable } from "kysely";
import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { envScope } from "../access/scopes";
import { mayManage } from "../env/access";
import { findEnvironment, findSlotTarget, listEnvironments, variablesFor } from "../env/environment-store";
import { notOwned } from "../env/rules";
import { envEvent } from "../env/store";
import { type Call, type Route, route } from "../http/route";
import { damagedData } from "../platform/damage";
import { newId } from "../platform/ids";
import { badRequest, notFound, type RefusalRow } from "../platform/refusal";
import type { CustomEnvironmentRow, Database, EnvVarRow, ProjectRow } from "../store/schema";
import type { Tx } from "../store/store";
import { matchesBranch } from "./rules";
import * as wire from "./schema";
import { copiesRefused, copyVariables, removeEnvironment } from "./variables";
import { viewEnvironment } from "./view";

/** @choice The same for every plan. */
const largestCount = 12;

const oneEnvironment = projectPath.extend({ environment: z.string() });

const unknownEnvironment = [404, "not_found", "no such environment of the project"] as const;

type OfEnvironment = Call & { project: ProjectRow; environment: CustomEnvironmentRow };

async function loadEnvironment(
  call: Call<{ idOrName: string; environment: string }>,
): Promise<{ project: ProjectRow; environment: CustomEnvironmentRow }> {
  const { project } = await loadProject(call);
  const environment = await findEnvironment(call.tx, project.id, call.params.environment);
  if (environment) return { project, environment };
  throw notFound(`Custom environment ${JSON.stringify(call.params.environment)}`);
}

const slugTaken: RefusalRow<
  Call<unknown, unknown, { slug?: string | undefined }> & {
    project: ProjectRow;
    environment?: CustomEnvironmentRow;
  }
> = [
  409,
  "conflict",
  "The project has a custom environment with this slug. Choose another slug.",
  async ({ tx, project, body, environment }) => {
    if (body.slug === undefined || body.slug === environment?.slug) return false;
    return (await findEnvironment(tx, project.id, body.slug)) !== undefined;
  },
];

/** @source wire-shapes 11 */
const list = route({
  method: "GET",
  path: "/v9/projects/:idOrName/custom-environments",
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
  summary: "Adds a custom environment to a project.",
  scope: ["read-write:project"],
  furtherScope: ({ body }) => (body.copyEnvVarsFrom === undefined ? [] : [envScope]),
  params: projectPath,
  body: wire.createCustomEnvironment,
  success: [201, wire.customEnvironment],
  throws: [
    [400, "bad_request", "copyEnvVarsFrom names no environment of the project"],
    ...copiesRefused,
    unknownProject,
    damagedData,
  ],
  load: loadCreation,
  refuse: [
    [
      400,
      "bad_request",
      `A project has at most ${largestCount} custom environments. Remove one that is not needed.`,
      async ({ tx, project }) => (await listEnvironments(tx, project.id)).length >= largestCount,
    ],
    slugTaken,
    [
      notOwned.status,
      notOwned.code,
      notOwned.message,
      (call) => !call.copied.every((row) => mayManage(call, row)),
    ],
    beingTransferred,
  ],
  async handle(call) {
    const { tx, project, body, now, copied } = call;
    const environment = await tx
      .insertInto("custom_environments")
      .values({
        id: newId("customEnvironment"),
        project_id: project.id,
        slug: body.slug,
        description: body.description ?? null,
        branch_matcher: body.branchMatcher ? JSON.stringify(body.branchMatcher) : null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    for (const copy of await copyVariables(call, project, copied, environment)) {
      await call.emit(envEvent("created", copy));
    }
    return viewEnvironment(environment);
  },
});

async function loadCreation(call: Call<z.infer<typeof projectPath>, unknown, wire.CreateCustomEnvironment>) {
  const { project } = await loadProject(call);
  return { project, copied: await findCopied(call.tx, project, call.body.copyEnvVarsFrom) };
}

async function findCopied(tx: Tx, project: ProjectRow, from: string | undefined): Promise<EnvVarRow[]> {
  if (from === undefined) return [];
  const target = await findSlotTarget(tx, project.id, from);
  if (target === undefined) throw badRequest("copyEnvVarsFrom names no environment of the project.");
  return variablesFor(tx, project.id, target);
}

/** @source wire-shapes 3 */
const get = route({
  method: "GET",
  path: "/v9/projects/:idOrName/custom-environments/:environment",
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
  summary: "Updates a custom environment: absent members keep their value, null clears.",
  scope: ["read-write:project"],
  params: oneEnvironment,
  body: wire.updateCustomEnvironment,
  success: [200, wire.customEnvironment],
  throws: [unknownEnvironment],
  load: loadEnvironment,
  refuse: [slugTaken, beingTransferred],
  async handle({ tx, environment, body, now }) {
    const columns: Updateable<Database["custom_environments"]> = {};
    if (body.slug !== undefined) columns.slug = body.slug;
    if (body.description !== undefined) columns.description = body.description;
    if (body.branchMatcher !== undefined) {
      columns.branch_matcher = body.branchMatcher && JSON.stringify(body.branchMatcher);
    }
    const isSame = Object.entries(columns).every(
      ([column, value]) => environment[column as keyof typeof environment] === value,
    );
    if (isSame) return viewEnvironment(environment);
    const updated = await tx
      .updateTable("custom_environments")
      .set({ ...columns, updated_at: now })
      .where("id", "=", environment.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return viewEnvironment(updated);
  },
});

/**
 * @choice An environment that domains lead to cannot be removed, since they would then lead to production.
 *   Variables lose the environment; those that have no other are kept, unless the body says otherwise. Both
 *   change these variables, and need the scope for that.
 * @source wire-shapes 3
 */
const remove = route({
  method: "DELETE",
  path: "/v9/projects/:idOrName/custom-environments/:environment",
  summary: "Removes a custom environment and returns it.",
  scope: ["read-write:project"],
  furtherScope: ({ body }) => (body.deleteUnassignedEnvironmentVariables ? [envScope] : []),
  params: oneEnvironment,
  body: wire.removeCustomEnvironment,
  success: [200, wire.customEnvironment],
  throws: [unknownEnvironment],
  load: loadRemoval,
  refuse: [
    [
      400,
      "bad_request",
      "Domains lead to this environment. Remove them, or bind them to another environment.",
      hasDomains,
    ],
    [
      403,
      "FORBIDDEN",
      "The access token may not change all variables of the environment. Remove them with another token first.",
      (call) => !call.variables.every((row) => mayManage(call, row)),
    ],
    beingTransferred,
  ],
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
  const loaded = await loadEnvironment(call);
  return { ...loaded, variables: await variablesFor(call.tx, loaded.project.id, loaded.environment.id) };
}

async function hasDomains({ tx, environment }: OfEnvironment): Promise<boolean> {
  const domain = await tx
    .selectFrom("domains")
    .select("id")
    .where("project_id", "=", environment.project_id)
    .where("custom_environment_id", "=", environment.id)
    .executeTakeFirst();
  return domain !== undefined;
}

export const customEnvironmentRoutes: readonly Route[] = [list, create, get, update, remove];
