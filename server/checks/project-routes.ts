import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import { badRequest, notFound } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { changeRows, findRow, listRows } from "../store/rows";
import { type ProjectCheckRow, projectChecks } from "./object";
import * as wire from "./schema";
import { deleteProjectCheck, insertProjectCheck, runsOf } from "./store";
import { viewProjectCheck, viewRun } from "./view";

/**
 * The checks of projects.
 * @choice No deployment waits for a check, and a run begins with a request, not with a deployment.
 * @source the newest official client: /v2/projects/{projectIdOrName}/checks
 */

const path = "/v2/projects/:idOrName/checks";
const checkPath = projectPath.extend({ checkId: z.string().describe("Id of the check.") });
type CheckPath = z.infer<typeof checkPath>;
const unknownCheck = [404, "not_found", "no such check of the project"] as const;

/** @throws Refusal 404 */
async function loadCheck(call: Call<CheckPath>): Promise<{ project: ProjectRow; check: ProjectCheckRow }> {
  const { project } = await loadProject(call);
  const check = await findRow(call.tx, "project_checks", { id: call.params.checkId, project_id: project.id });
  if (!check) throw notFound(`Check ${JSON.stringify(call.params.checkId)}`);
  return { project, check };
}

const list = route({
  method: "GET",
  path,
  operationId: "listProjectChecks",
  summary: "Lists the checks of a project.",
  scope: ["read:deployment-check"],
  params: projectPath,
  query: z.object({ blocks: wire.blocks.optional().describe("Only checks that block this.") }),
  success: [200, z.strictObject({ checks: z.array(wire.projectCheck) })],
  throws: [unknownProject],
  load: loadProject,
  async handle({ tx, account, project, query: { blocks } }) {
    const rows = await listRows(
      tx,
      "project_checks",
      { project_id: project.id, ...(blocks && { blocks }) },
      "created_at",
      "id",
    );
    return { checks: rows.map((row) => viewProjectCheck(row, account.id)) };
  },
});

/** @choice By default, a check of a person comes from a webhook, and a check of an integration from the integration. */
const create = route({
  method: "POST",
  path,
  operationId: "createProjectCheck",
  summary: "Adds a check to a project.",
  scope: ["read-write:deployment-check"],
  params: projectPath,
  body: wire.createProjectCheck,
  example: { name: "End to end", requires: "deployment-url", blocks: "deployment-promotion" },
  success: [200, wire.projectCheck],
  throws: [unknownProject, [400, "bad_request", "a check of an integration without its access token"]],
  load: loadProject,
  refuse: [beingTransferred],
  async handle(call) {
    const { tx, now, account, project, body } = call;
    const row: ProjectCheckRow = {
      ...{ id: newId(projectChecks), project_id: project.id, name: body.name },
      is_rerequestable: body.isRerequestable ? 1 : 0,
      requires: body.requires ?? "deployment-url",
      blocks: body.blocks ?? "none",
      targets: JSON.stringify(body.targets ?? []),
      source: JSON.stringify(await sourceOf(call)),
      timeout: body.timeout ?? 300_000,
      ...{ created_at: now, updated_at: now },
    };
    await insertProjectCheck(tx, row);
    return viewProjectCheck(row, account.id);
  },
});

/** @throws Refusal 400 */
async function sourceOf({
  tx,
  caller: { installation },
  body: { source = installation ? {} : { kind: "webhook" as const } },
}: Call<unknown, unknown, z.infer<typeof wire.createProjectCheck>>): Promise<wire.CheckSource> {
  if (source.kind === "git-provider" || source.kind === "webhook") return source;
  const configuration = installation && (await findRow(tx, "configurations", { id: installation.id }));
  if (!configuration)
    throw badRequest("Only an integration adds a check of its own. Use its access token, or another source.");
  return {
    kind: "integration",
    integrationId: configuration.integration_id,
    integrationConfigurationId: configuration.id,
    ...(source.externalResourceId !== undefined && { externalResourceId: source.externalResourceId }),
  };
}

const get = route({
  method: "GET",
  path: `${path}/:checkId`,
  operationId: "getProjectCheck",
  summary: "Returns a check of a project.",
  scope: ["read:deployment-check"],
  params: checkPath,
  success: [200, wire.projectCheck],
  throws: [unknownProject, unknownCheck],
  load: loadCheck,
  handle: async ({ account, check }) => viewProjectCheck(check, account.id),
});

const update = route({
  method: "PATCH",
  path: `${path}/:checkId`,
  operationId: "updateProjectCheck",
  summary: "Changes a check of a project.",
  scope: ["read-write:deployment-check"],
  params: checkPath,
  body: wire.updateProjectCheck,
  example: { blocks: "none" },
  success: [200, wire.projectCheck],
  throws: [unknownProject, unknownCheck],
  load: loadCheck,
  refuse: [beingTransferred],
  async handle({ tx, now, account, check, body: { isRerequestable, targets, ...body } }) {
    const change = {
      ...body,
      ...(isRerequestable !== undefined && {
        is_rerequestable: isRerequestable ? (1 as const) : (0 as const),
      }),
      ...(targets && { targets: JSON.stringify(targets) }),
      updated_at: now,
    };
    await changeRows(tx, "project_checks", { id: check.id }, change);
    return viewProjectCheck({ ...check, ...change } as ProjectCheckRow, account.id);
  },
});

const remove = route({
  method: "DELETE",
  path: `${path}/:checkId`,
  operationId: "deleteProjectCheck",
  summary: "Deletes a check of a project with its runs.",
  scope: ["read-write:deployment-check"],
  params: checkPath,
  success: [200, z.strictObject({ success: z.literal(true) })],
  throws: [unknownProject, unknownCheck],
  load: loadCheck,
  refuse: [beingTransferred],
  async handle({ tx, check }) {
    await deleteProjectCheck(tx, check.id);
    return { success: true as const };
  },
});

const listRuns = route({
  method: "GET",
  path: `${path}/:checkId/runs`,
  operationId: "listCheckRuns",
  summary: "Lists the runs of a check, the newest first.",
  scope: ["read:deployment-check"],
  params: checkPath,
  success: [200, z.strictObject({ runs: z.array(wire.checkRun) })],
  throws: [unknownProject, unknownCheck],
  load: loadCheck,
  async handle({ tx, account, project, check }) {
    const runs = await runsOf(tx, { check_id: check.id, project_id: project.id });
    return { runs: runs.map((run) => viewRun(run, account.id)) };
  },
});

export const projectCheckRoutes: readonly Route[] = [list, create, get, update, remove, listRuns];
