import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import type { DeploymentRow } from "../deployments/object";
import { isRunning } from "../deployments/promotion";
import { currentPromotion } from "../deployments/promotion-store";
import { abortRelease, advanceRelease, completeRelease, startRelease } from "../deployments/rolling-release";
import { deploymentNotReady, promotionRunning } from "../deployments/rules";
import { findDeploymentOf } from "../deployments/store";
import { type Call, type Route, route } from "../http/route";
import { notFound } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import type { Unit } from "../store/store";
import type { RollingReleaseRow } from "./object";
import { cannotStart, noRelease, otherReleaseRunning, otherStage } from "./rules";
import * as wire from "./schema";
import { activeRelease, configOf, lastRelease, writeConfig } from "./store";
import { viewRelease } from "./view";

const path = "/v1/projects/:idOrName/rolling-release";

/** @source the newest official client: getRollingReleaseConfig */
const getConfig = route({
  method: "GET",
  path: `${path}/config`,
  operationId: "getRollingReleaseConfig",
  summary: "Returns the stages of the rolling releases of a project; null if they are disabled.",
  scope: ["read:project"],
  params: projectPath,
  success: [200, wire.configAnswer],
  throws: [unknownProject],
  load: loadProject,
  handle: async ({ project }) => ({ rollingRelease: configOf(project) ?? null }),
});

/**
 * @source the newest official client; the official command line; the Terraform provider, its requests
 * @choice The plan of the account and the number of its projects with rolling releases are not limited. A request that
 *   sets the current configuration changes nothing.
 */
const updateConfig = route({
  method: "PATCH",
  path: `${path}/config`,
  operationId: "updateRollingReleaseConfig",
  summary:
    "Enables, changes or disables the rolling releases of a project. A release that runs keeps its stages.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.updateConfig,
  example: {
    enabled: true,
    advancementType: "automatic",
    stages: [{ targetPercentage: 10, duration: 5 }, { targetPercentage: 100 }],
  },
  success: [200, wire.configAnswer],
  throws: [unknownProject],
  load: loadRelease,
  refuse: [beingTransferred],
  async handle(call) {
    const { body, project } = call;
    if (!body.enabled) return disable(call, body.disableRolloutAction);
    const rollingRelease = configIn(body);
    if (!isDeepStrictEqual(rollingRelease, configOf(project)))
      await writeConfig(call, project, rollingRelease);
    return { rollingRelease };
  },
});

/** @source recorded answers of the hosted API: stages with approval have `requireApproval`, and the last has neither. */
function configIn({ advancementType, stages = [] }: wire.UpdateConfig): wire.Config {
  const isManual = advancementType === "manual-approval";
  return {
    target: "production",
    stages: stages.map(({ targetPercentage, requireApproval = isManual, duration, linearShift }, at) => ({
      targetPercentage,
      ...(at < stages.length - 1 && {
        ...(requireApproval && { requireApproval }),
        ...(!isManual && duration !== undefined && { duration }),
        ...(linearShift !== undefined && { linearShift }),
      }),
    })),
  };
}

/** @source the newest official client: deleteRollingReleaseConfig */
const deleteConfig = route({
  method: "DELETE",
  path: `${path}/config`,
  operationId: "deleteRollingReleaseConfig",
  summary: "Disables the rolling releases of a project. A release that runs is aborted.",
  scope: ["read-write:project"],
  params: projectPath,
  success: [200, wire.noConfigAnswer],
  throws: [unknownProject],
  load: loadRelease,
  refuse: [beingTransferred],
  handle: (call) => disable(call, "abort"),
});

type Loaded = { project: ProjectRow; release: RollingReleaseRow | undefined };

/** @source the newest official client: a release that runs is aborted by default */
async function disable(
  call: Unit & Loaded & Pick<Call, "caller">,
  action: wire.UpdateConfig["disableRolloutAction"],
): Promise<{ rollingRelease: null }> {
  const { project, release } = call;
  const change = { project, user: call.caller.userId };
  if (release && action === "complete") await completeRelease(call, change, release);
  else if (release) await abortRelease(call, change, release);
  if (configOf(project)) await writeConfig(call, project, undefined);
  return { rollingRelease: null };
}

/** @source the newest official client: getRollingRelease */
const getRelease = route({
  method: "GET",
  path,
  operationId: "getRollingRelease",
  summary:
    "Returns the last rolling release of a project, whether it runs or has ended; null if there was none.",
  scope: ["read:project"],
  params: projectPath,
  query: z.object({ state: wire.releaseState.optional() }),
  success: [200, wire.releaseAnswer],
  throws: [unknownProject],
  load: loadProject,
  async handle({ tx, project, query: { state } }) {
    const last = await lastRelease(tx, project.id);
    return viewRelease(tx, state === undefined || last?.state === state ? last : undefined);
  },
});

/** @source the newest official client: getRollingReleaseBillingStatus */
const getBilling = route({
  method: "GET",
  path: `${path}/billing`,
  operationId: "getRollingReleaseBillingStatus",
  summary: "Returns whether the plan of the account has rolling releases.",
  scope: ["read:project"],
  params: projectPath,
  success: [200, wire.billingStatus],
  throws: [unknownProject],
  load: loadProject,
  handle: async ({ account: { plan } }): Promise<z.infer<typeof wire.billingStatus>> =>
    plan === "hobby"
      ? {
          availableSlots: 0,
          reason: "plan_not_supported",
          message: "The plan hobby does not have rolling releases.",
        }
      : {
          availableSlots: "unlimited",
          reason: "unlimited_slots",
          message: "Each project can have rolling releases.",
        },
});

type OfProject = Call<{ idOrName: string }>;

async function loadRelease(call: OfProject): Promise<Loaded & { running: boolean }> {
  const { project } = await loadProject(call);
  const running = isRunning(await currentPromotion(call.tx, project.id));
  return { project, release: await activeRelease(call.tx, project.id), running };
}

type OfCanary = Call<{ idOrName: string }, unknown, { canaryDeploymentId: string }>;

/** @throws Refusal 404 unless the deployment belongs to the project */
async function loadCanary(call: OfCanary) {
  const loaded = await loadRelease(call);
  const { project } = loaded;
  const id = call.body.canaryDeploymentId;
  const deployment: DeploymentRow | undefined = await findDeploymentOf(call.tx, project, id);
  if (!deployment)
    throw notFound(`Deployment ${JSON.stringify(id)} of project ${JSON.stringify(project.name)}`);
  return { ...loaded, deployment, config: configOf(project), base: project.production_deployment_id };
}

const unknownCanary = [404, "not_found", "no such deployment of the project"] as const;

/** @source the newest official client: startRollingRelease */
const start = route({
  method: "POST",
  path: `${path}/start`,
  operationId: "startRollingRelease",
  summary: "Starts a rolling release of a deployment. Does nothing while a release of the deployment runs.",
  scope: ["read-write:deployment"],
  params: projectPath,
  body: wire.ofCanary,
  example: { canaryDeploymentId: "dpl_next" },
  success: [200, wire.releaseAnswer],
  throws: [unknownProject, unknownCanary],
  load: loadCanary,
  refuse: [promotionRunning, otherReleaseRunning, cannotStart, deploymentNotReady],
  async handle(call) {
    const { project, release, deployment, config, caller, tx } = call;
    if (release || !config) return viewRelease(tx, release);
    const change = { project, user: caller.userId };
    return viewRelease(tx, await startRelease(call, change, deployment.id, config));
  },
});

/**
 * @source the newest official client: approveRollingReleaseStage
 * @choice A stage that ends by itself can be approved too.
 */
const approve = route({
  method: "POST",
  path: `${path}/approve-stage`,
  operationId: "approveRollingReleaseStage",
  summary: "Moves the rolling release that runs to its next stage.",
  scope: ["read-write:deployment"],
  params: projectPath,
  body: wire.approveStage,
  example: { nextStageIndex: 1, canaryDeploymentId: "dpl_next" },
  success: [200, wire.releaseAnswer],
  throws: [unknownProject],
  load: loadRelease,
  refuse: [noRelease, otherStage, promotionRunning],
  handle: (call) => advance(call, advanceRelease),
});

/** @source the newest official client: completeRollingRelease */
const complete = route({
  method: "POST",
  path: `${path}/complete`,
  operationId: "completeRollingRelease",
  summary: "Completes the rolling release that runs: its deployment serves all visitors.",
  scope: ["read-write:deployment"],
  params: projectPath,
  body: wire.ofCanary,
  example: { canaryDeploymentId: "dpl_next" },
  success: [200, wire.releaseAnswer],
  throws: [unknownProject],
  load: loadRelease,
  refuse: [noRelease, promotionRunning],
  handle: (call) => advance(call, completeRelease),
});

/** @returns the release after the request, which can be that of a queued deployment */
async function advance(call: Unit & Loaded & Pick<Call, "caller">, to: typeof completeRelease) {
  const { tx, project, release, caller } = call;
  const change = { project, user: caller.userId };
  return viewRelease(tx, release && (await to(call, change, release)));
}

export const rollingReleaseRoutes: readonly Route[] = [
  getConfig,
  updateConfig,
  deleteConfig,
  getRelease,
  getBilling,
  start,
  approve,
  complete,
];
