import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { type RetentionPeriod, retentionPeriods } from "../../provider/vocabulary";
import { changeProject } from "../access/project-store";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred, paymentMethodNeeded, softBlocked } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { badRequest, Refusal } from "../platform/refusal";
import type { Unit } from "../store/store";
import type { ProjectRow } from "./object";
import { unknownProjectId } from "./rules";
import { project as projectShape } from "./schema";
import { settingsOf } from "./store";
import { viewProject } from "./view";

const projectId = z.object({ projectId: z.string() });

/**
 * Pause and unpause accept only the id, and answer 400 instead of 404 for an unknown project.
 * @source States and transitions, Project
 */
async function loadOrBadRequest(call: Call<{ projectId: string }>): Promise<{ project: ProjectRow }> {
  const { projectId } = call.params;
  try {
    const { project } = await loadProject(call);
    if (project.id === projectId) return { project };
    throw unknownProjectId(projectId);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) throw badRequest(error.message);
    throw error;
  }
}

const doesNotExist = [400, "bad_request", "the project does not exist"] as const;

/** Pausing also disables the automatic assignment of custom production domains, and unpausing enables it. */
async function setPaused(unit: Unit, project: ProjectRow, paused: boolean): Promise<void> {
  const before = settingsOf(project);
  if ((project.paused === 1) === paused && before.autoAssignCustomDomains === !paused) return;
  const settings = { ...before, autoAssignCustomDomains: !paused };
  await changeProject(unit, project, { paused: paused ? 1 : 0, settings: JSON.stringify(settings) });
}

/** @source Projects, POST /v1/projects/{projectId}/pause */
const pauseProject = route({
  method: "POST",
  path: "/v1/projects/:projectId/pause",
  operationId: "pauseProject",
  summary: "Pauses a project: its production deployment is blocked.",
  scope: ["read-write:project"],
  params: projectId,
  success: [200, null],
  throws: [doesNotExist],
  load: loadOrBadRequest,
  refuse: [softBlocked, paymentMethodNeeded],
  handle: (call) => setPaused(call, call.project, true),
});

/** @source Projects, POST /v1/projects/{projectId}/unpause */
const unpauseProject = route({
  method: "POST",
  path: "/v1/projects/:projectId/unpause",
  operationId: "unpauseProject",
  summary: "Unpauses a project: its production deployment serves again.",
  scope: ["read-write:project"],
  params: projectId,
  success: [200, null],
  throws: [doesNotExist],
  load: loadOrBadRequest,
  handle: (call) => setPaused(call, call.project, false),
});

/** @source Projects, PATCH /v1/data-cache/projects/{projectId} */
const updateDataCache = route({
  method: "PATCH",
  path: "/v1/data-cache/projects/:projectId",
  operationId: "updateProjectDataCache",
  summary: "Turns the data cache of a project off or on.",
  scope: ["read-write:project"],
  params: projectId,
  body: z.strictObject({ disabled: z.boolean().optional() }),
  example: { disabled: true },
  success: [200, projectShape],
  throws: [unknownProject],
  load: loadProject,
  async handle(call) {
    const { project, body } = call;
    const { disabled = project.data_cache_disabled === 1 } = body;
    if (disabled === (project.data_cache_disabled === 1)) return viewProject(call, project);
    const updated = await changeProject(call, project, { data_cache_disabled: disabled ? 1 : 0 });
    return viewProject(call, updated);
  },
});

/**
 * @source the Terraform provider, its requests
 * @choice The list of cron jobs is empty. The jobs come from the output of a build, which a simulated build lacks.
 */
const updateCrons = route({
  method: "PATCH",
  path: "/v1/projects/:idOrName/crons",
  operationId: "updateProjectCrons",
  summary: "Turns the cron jobs of a project off or on.",
  scope: ["read-write:project"],
  params: projectPath,
  body: z.strictObject({ enabled: z.boolean() }),
  example: { enabled: false },
  success: [200, projectShape],
  throws: [unknownProject],
  load: loadProject,
  refuse: [beingTransferred],
  async handle(call) {
    const { project, body, now } = call;
    const settings = settingsOf(project);
    if (body.enabled === !settings.crons?.disabledAt) return viewProject(call, project);
    const crons = {
      ...(settings.crons ?? { enabledAt: project.created_at, deploymentId: null, definitions: [] }),
      ...(body.enabled ? { enabledAt: now, disabledAt: null } : { disabledAt: now }),
      updatedAt: now,
    };
    return viewProject(
      call,
      await changeProject(call, project, { settings: JSON.stringify({ ...settings, crons }) }),
    );
  },
});

const period = z.enum(Object.keys(retentionPeriods) as [RetentionPeriod, ...RetentionPeriod[]]);
const periods = {
  expiration: period,
  expirationProduction: period,
  expirationCanceled: period,
  expirationErrored: period,
};

/**
 * @source the Terraform provider, its requests
 * @choice An absent period keeps its value. Deployments do not expire on this server, because tests need them.
 */
const updateRetention = route({
  method: "PATCH",
  path: "/v9/projects/:idOrName/deployment-expiration",
  operationId: "updateProjectDeploymentExpiration",
  summary: "Sets how long the deployments of a project are kept.",
  scope: ["read-write:project"],
  params: projectPath,
  body: z.strictObject(periods).partial(),
  example: { expiration: "1m", expirationErrored: "1w" },
  success: [200, z.strictObject({ deploymentExpiration: z.strictObject(periods) })],
  throws: [unknownProject],
  load: loadProject,
  refuse: [beingTransferred],
  async handle(call) {
    const { project, body } = call;
    const settings = settingsOf(project);
    const before = settings.deploymentExpiration ?? {};
    const days = (name: keyof typeof periods, known: number | undefined): number =>
      body[name] === undefined ? (known ?? retentionPeriods.unlimited) : retentionPeriods[body[name]];
    const deploymentExpiration = {
      expirationDays: days("expiration", before.expirationDays),
      expirationDaysProduction: days("expirationProduction", before.expirationDaysProduction),
      expirationDaysCanceled: days("expirationCanceled", before.expirationDaysCanceled),
      expirationDaysErrored: days("expirationErrored", before.expirationDaysErrored),
    };
    if (!isDeepStrictEqual(before, deploymentExpiration))
      await changeProject(call, project, { settings: JSON.stringify({ ...settings, deploymentExpiration }) });
    return {
      deploymentExpiration: {
        expiration: periodOf(deploymentExpiration.expirationDays),
        expirationProduction: periodOf(deploymentExpiration.expirationDaysProduction),
        expirationCanceled: periodOf(deploymentExpiration.expirationDaysCanceled),
        expirationErrored: periodOf(deploymentExpiration.expirationDaysErrored),
      },
    };
  },
});

const periodOf = (days: number): RetentionPeriod =>
  (Object.keys(retentionPeriods) as RetentionPeriod[]).find((name) => retentionPeriods[name] === days) ??
  "unlimited";

export const projectStateRoutes: readonly Route[] = [
  pauseProject,
  unpauseProject,
  updateDataCache,
  updateCrons,
  updateRetention,
];
