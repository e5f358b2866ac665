import * as z from "zod";
import { findProject } from "../access/project-store";
import { loadDeployment, unknownDeployment } from "../deployments/list-store";
import type { DeploymentRow } from "../deployments/object";
import { deploymentPath } from "../deployments/schema";
import { flag } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import { notFound } from "../platform/refusal";
import { changeRows, findRow, listRows } from "../store/rows";
import { checkRuns, type DeploymentCheckRow, deploymentChecks } from "./object";
import { notRerequestable, onlyIntegrations, ownCheckOnly } from "./rules";
import * as wire from "./schema";
import { changeCheck, insertCheck, insertRun, type RunWithCheck, runsOf } from "./store";
import { detailsOf, viewCheck, viewRun } from "./view";

/**
 * The checks of deployments: runs of the checks of their projects, and checks that integrations register.
 * @choice No deployment waits for a check.
 * @source the newest official client: /v2/deployments/{deploymentId}/check-runs, /v1/deployments/{deploymentId}/checks
 */

const runs = "/v2/deployments/:id/check-runs";
const checks = "/v1/deployments/:id/checks";
const runPath = deploymentPath.extend({ checkRunId: z.string().describe("Id of the run.") });
const checkPath = deploymentPath.extend({ checkId: z.string().describe("Id of the check.") });
const unknownRun = [404, "not_found", "no such run for the deployment"] as const;
const unknownCheck = [404, "not_found", "no such check of the deployment"] as const;

const loadOne = async (call: Call<{ id: string }>): Promise<{ deployment: DeploymentRow }> => ({
  deployment: await loadDeployment(call),
});

/** @throws Refusal 404 */
async function loadRun(call: Call<z.infer<typeof runPath>>): Promise<{ run: RunWithCheck }> {
  const { id } = await loadDeployment(call);
  const [run] = await runsOf(call.tx, { deployment_id: id }, call.params.checkRunId);
  if (!run) throw notFound(`Check run ${JSON.stringify(call.params.checkRunId)}`);
  return { run };
}

const listRuns = route({
  method: "GET",
  path: runs,
  operationId: "listDeploymentCheckRuns",
  summary: "Lists the runs of checks for a deployment, the newest first.",
  scope: ["read:deployment-check"],
  params: deploymentPath,
  success: [200, z.strictObject({ runs: z.array(wire.checkRun) })],
  throws: [unknownDeployment],
  load: loadOne,
  async handle({ tx, account, deployment }) {
    const found = await runsOf(tx, { deployment_id: deployment.id });
    return { runs: found.map((run) => viewRun(run, account.id)) };
  },
});

const createRun = route({
  method: "POST",
  path: runs,
  operationId: "createDeploymentCheckRun",
  summary: "Begins a run of a check of the project for a deployment.",
  scope: ["read-write:deployment-check"],
  params: deploymentPath,
  body: z.strictObject({ checkId: z.string() }),
  example: { checkId: "chk_1" },
  success: [200, wire.checkRun],
  throws: [unknownDeployment, [404, "not_found", "the project has no such check"]],
  load: loadOne,
  async handle({ tx, now, account, deployment, body: { checkId } }) {
    const project = await findProject(tx, account.id, deployment.name);
    const check = project && (await findRow(tx, "project_checks", { id: checkId, project_id: project.id }));
    if (!check) throw notFound(`Check ${JSON.stringify(checkId)} of the project ${deployment.name}`);
    const row = {
      ...{ id: newId(checkRuns), project_id: project.id, check_id: check.id, deployment_id: deployment.id },
      ...{ status: "queued" as const, result: "{}", created_at: now, updated_at: now },
    };
    await insertRun(tx, row);
    return viewRun({ ...row, check }, account.id);
  },
});

const getRun = route({
  method: "GET",
  path: `${runs}/:checkRunId`,
  operationId: "getDeploymentCheckRun",
  summary: "Returns a run of a check for a deployment.",
  scope: ["read:deployment-check"],
  params: runPath,
  success: [200, wire.checkRun],
  throws: [unknownDeployment, unknownRun],
  load: loadRun,
  handle: async ({ account, run }) => viewRun(run, account.id),
});

/** @choice A conclusion completes a run, and a completed run has the time of its completion. */
const updateRun = route({
  method: "PATCH",
  path: `${runs}/:checkRunId`,
  operationId: "updateDeploymentCheckRun",
  summary: "Reports the progress or the result of a run.",
  scope: ["read-write:deployment-check"],
  params: runPath,
  body: wire.updateRun,
  example: { status: "completed", conclusion: "succeeded" },
  success: [200, wire.checkRun],
  throws: [unknownDeployment, unknownRun],
  load: loadRun,
  async handle({ tx, now, account, run, body: { status: given, ...changes } }) {
    const status = given ?? (changes.conclusion === undefined ? run.status : "completed");
    const before: wire.CheckRunResult = JSON.parse(run.result);
    const { completedAt, conclusion, ...result } = { ...before, ...changes };
    const end = { completedAt: completedAt ?? now, ...(conclusion && { conclusion }) };
    const change = {
      status,
      result: JSON.stringify({ ...result, ...(status === "completed" && end) }),
      updated_at: now,
    };
    await changeRows(tx, "check_runs", { id: run.id }, change);
    return viewRun({ ...run, ...change }, account.id);
  },
});

const list = route({
  method: "GET",
  path: checks,
  operationId: "getAllChecks",
  summary: "Lists the checks that integrations have registered for a deployment.",
  scope: ["read:deployment-check"],
  params: deploymentPath,
  success: [200, z.strictObject({ checks: z.array(wire.check) })],
  throws: [unknownDeployment],
  load: loadOne,
  async handle({ tx, deployment: { id } }) {
    const rows = await listRows(tx, "deployment_checks", { deployment_id: id }, "created_at", "id");
    return { checks: rows.map(viewCheck) };
  },
});

/** The id of the integration of a caller; undefined for a person. */
async function integrationOf({ tx, caller: { installation } }: Call): Promise<string | undefined> {
  const found = installation && (await findRow(tx, "configurations", { id: installation.id }));
  return found?.integration_id;
}

const create = route({
  method: "POST",
  path: checks,
  operationId: "createCheck",
  summary: "Registers a check of an integration for a deployment.",
  scope: ["read-write:deployment-check"],
  params: deploymentPath,
  body: wire.createCheck,
  example: { name: "Lighthouse", blocking: true, rerequestable: true },
  success: [200, wire.check],
  throws: [unknownDeployment],
  load: async (call: Call<{ id: string }>) => ({
    ...(await loadOne(call)),
    integration: await integrationOf(call),
  }),
  refuse: [onlyIntegrations],
  async handle({ tx, now, account, deployment, integration = "", body: { name, ...details } }) {
    const row: DeploymentCheckRow = {
      ...{ id: newId(deploymentChecks), account_id: account.id, deployment_id: deployment.id },
      ...{ integration_id: integration, name },
      details: JSON.stringify({ ...details, rerequestable: details.rerequestable ?? false }),
      ...{ status: "registered", created_at: now, updated_at: now },
    };
    await insertCheck(tx, row);
    return viewCheck(row);
  },
});

/** @throws Refusal 404 */
async function loadCheck(call: Call<z.infer<typeof checkPath>>) {
  const deployment = await loadDeployment(call);
  const { checkId } = call.params;
  const check = await findRow(call.tx, "deployment_checks", { id: checkId, deployment_id: deployment.id });
  if (!check) throw notFound(`Check ${JSON.stringify(checkId)}`);
  return { deployment, check, integration: await integrationOf(call) };
}

const get = route({
  method: "GET",
  path: `${checks}/:checkId`,
  operationId: "getCheck",
  summary: "Returns a check of a deployment.",
  scope: ["read:deployment-check"],
  params: checkPath,
  success: [200, wire.check],
  throws: [unknownDeployment, unknownCheck],
  load: loadCheck,
  handle: async ({ check }) => viewCheck(check),
});

/** @choice A check that starts gets the time of its start, and a conclusion completes it. */
const update = route({
  method: "PATCH",
  path: `${checks}/:checkId`,
  operationId: "updateCheck",
  summary: "Reports the progress or the result of a check.",
  scope: ["read-write:deployment-check"],
  params: checkPath,
  body: wire.updateCheck,
  example: { status: "completed", conclusion: "succeeded" },
  success: [200, wire.check],
  throws: [unknownDeployment, unknownCheck],
  load: loadCheck,
  refuse: [onlyIntegrations, ownCheckOnly],
  async handle({ tx, now, check, body: { name = check.name, status: given, ...changes } }) {
    const status = given ?? (changes.conclusion === undefined ? check.status : "completed");
    const before = detailsOf(check);
    const times = {
      ...(status !== "registered" && { startedAt: before.startedAt ?? now }),
      ...(status === "completed" && { completedAt: before.completedAt ?? now }),
    };
    const details = JSON.stringify({ ...before, ...changes, ...times });
    return viewCheck(await changeCheck(tx, check, { name, status, details, updated_at: now }));
  },
});

/** @choice The integration learns of the request from the event. With `autoUpdate`, the check is running at once. */
const rerequest = route({
  method: "POST",
  path: `${checks}/:checkId/rerequest`,
  operationId: "rerequestCheck",
  summary: "Asks the integration to run a check again.",
  scope: ["read-write:deployment-check"],
  params: checkPath,
  query: z.object({ autoUpdate: flag.optional().describe("Whether the check is marked as running.") }),
  success: [200, z.strictObject({})],
  throws: [unknownDeployment, unknownCheck],
  load: loadCheck,
  refuse: [notRerequestable],
  async handle({ tx, now, account, emit, deployment, check, query }) {
    const { conclusion: _, completedAt: __, startedAt: ___, output: ____, ...details } = detailsOf(check);
    await changeCheck(tx, check, {
      status: query.autoUpdate ? "running" : "registered",
      details: JSON.stringify({ ...details, ...(query.autoUpdate && { startedAt: now }) }),
      updated_at: now,
    });
    const project = await findProject(tx, account.id, deployment.name);
    await emit({
      type: "deployment.check-rerequested",
      payload: { check: { id: check.id }, deployment: { id: deployment.id } },
      ...(project && { projectId: project.id }),
    });
    return {};
  },
});

export const deploymentCheckRoutes: readonly Route[] = [
  ...[listRuns, createRun, getRun, updateRun],
  ...[list, create, get, update, rerequest],
];
