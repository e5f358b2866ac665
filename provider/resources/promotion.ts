import { z } from "zod";
import type * as responses from "../client/responses";
import { settingOfProject } from "../core/always-there";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { resource } from "../core/resource";
import { holdsUnknown } from "../core/values";
import { deploymentId, durationMs, projectRef } from "./names";
import { passesName } from "./project/passed-name";
import { reasonAgainst, refuseUnpromotable } from "./promotion/deployment";
import {
  beforePromotion,
  DeploymentMissing,
  type Promoted,
  promote,
  promotionTimeoutMs,
  servingOf,
} from "./promotion/promote";
import {
  canaryOf,
  reasonToWait,
  releaseOf,
  shareOf,
  stageOf,
  waitsForApproval,
} from "./promotion/rolling-release";
import { runningOf, withLastRequest } from "./promotion/running";

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the promotion. */
  project: projectRef,
  /**
   * Id of the deployment that serves production. The deployment must be ready, belong to the project, and be built for
   * production.
   */
  deployment: deploymentId,
  /**
   * Whether to wait until the deployment serves all visitors, if the project has rolling releases. Default: false, which
   * waits until the release of the deployment has started.
   */
  waitForCompletion: z.boolean().optional(),
  /** How long to wait until the domains serve the deployment (milliseconds). Default: 600000 (ten minutes). */
  timeoutMs: durationMs.optional(),
  /**
   * Effect of deleting the promotion. keep: production stays as it is. rollback: promotes `previousDeployment`, the
   * deployment that served production before the promotion was created. A rolling release of the deployment that runs is
   * aborted. Default: keep.
   */
  onDelete: z.enum(["keep", "rollback"]).optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /**
   * Id of the deployment that this resource promoted last. After a refresh, `deployment` is the deployment that serves
   * production, even if somebody else promoted it.
   */
  promoted: z.string(),
  /**
   * Id of the deployment that served production before the promotion was created; null if no other deployment served
   * production.
   */
  previousDeployment: z.string().nullable(),
  /** Domains that the promotion has moved to the deployment; none while a rolling release runs. */
  aliases: z.array(z.string()),
  /** Share of the visitors of production who get the deployment, in percent. Below 100 while a rolling release runs. */
  trafficPercentage: z.number(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * The deployment that serves production. A project has one promotion. If the project has rolling releases, the promotion
 * starts one.
 * @throws ApiError 404 if the deployment does not belong to the project; Error if it is not ready
 * @source States and transitions, promote; Projects
 */
export const promotion = resource({
  type: "Promotion",
  handler: "promote",
  scopes: ["read:project", "read-write:deployment"],
  importId: "`<project>`",
  inputs,
  outputs,
  traits: {
    defaults: { waitForCompletion: false, timeoutMs: promotionTimeoutMs, onDelete: "keep" },
    stable: ["projectId", "previousDeployment"],
    replaceOn: ["project"],
  },
  checks: {
    async refusals(client, previous, { project, deployment }, run) {
      if (holdsUnknown(deployment) && run.production.buildsOnlyPreviews(project))
        return [{ property: "deployment", reason: onlyPreviews }];
      if (typeof project !== "string") return [];
      if (typeof deployment !== "string" || previous.deployment === deployment) return [];
      // The same run may create the project, or give this name to another project. The step then checks the deployment.
      const found = await client.project(project).catch(() => undefined);
      const existing = found && ((await passesName(run, project, found.id)) ? undefined : found);
      const reason =
        (await reasonAgainst(client, existing, deployment)) ??
        (existing && reasonToWait(await releaseOf(client, existing), deployment));
      return reason === undefined ? [] : [{ property: "deployment", reason }];
    },
  },
  diff: { needsRefresh: () => true },
  ownership: settingOfProject("production", "the deployment for"),
  production: { change: () => "promotion" },

  async create(operation, declared) {
    const { client } = operation;
    const found = await client.declaredProject(declared.project, withLastRequest);
    const project = await beforePromotion(client, found, declared);
    const previous = servingOf(project);
    const earlier = previous === declared.deployment ? null : previous;
    await refuseUnpromotable(client, project, declared.deployment);
    const resultWith = (promoted: Promoted): Created<Outputs> =>
      resultOf(project, { promoted: declared.deployment, previousDeployment: earlier }, promoted);
    // Called once production may have changed, so that the next run knows of the promotion.
    const keep = () =>
      operation.checkpoint(resultWith({ aliases: [] }), { ...declared, deployment: previous ?? "" });
    const promoted = await promote(client, project, declared, keep);
    tell(operation, project, promoted);
    return resultWith(promoted);
  },

  async read(client, id, state) {
    const project = await client.project(id, withLastRequest);
    const release = await releaseOf(client, project);
    const serving = nextServing(project, release, state?.waitForCompletion ?? false);
    if (!state && serving === "")
      throw new Error(
        `No deployment serves the production of the project ${project.name}, so there is no promotion to read. ` +
          "Declare a Promotion with a deployment instead, and run `pulumi up`.",
      );
    const now: Partial<Inputs> = state
      ? {
          ...inputsIn(inputs, state),
          deployment: serving,
        }
      : { project: project.id, deployment: serving };
    // In a state of an earlier version, the input `deployment` is the promoted deployment.
    const promoted = state?.promoted ?? state?.deployment ?? serving;
    const { previousDeployment = null, aliases = [] } = state ?? {};
    const result = resultOf(project, { promoted, previousDeployment }, { aliases });
    return {
      ...result,
      outputs: { ...result.outputs, trafficPercentage: shareOf(release, serving) },
      inputs: now,
    };
  },

  async update(operation, id, state, declared) {
    const { client } = operation;
    const project = await beforePromotion(client, await client.project(id, withLastRequest), declared);
    const { previousDeployment = null, aliases: before } = state;
    await refuseUnpromotable(client, project, declared.deployment);
    const ids = { promoted: declared.deployment, previousDeployment };
    const keep = () =>
      operation.checkpoint(resultOf(project, ids, { aliases: before }), {
        ...declared,
        deployment: servingOf(project) ?? "",
      });
    const promoted = await promote(client, project, declared, keep);
    tell(operation, project, promoted);
    return resultOf(project, ids, promoted);
  },

  async remove(operation, id, state) {
    const { client, warn } = operation;
    const { deployment, promoted = deployment, previousDeployment, onDelete } = state;
    // Needed even without a rollback: a run against the wrong account must keep the promotion in the state.
    const found = await client.project(id, withLastRequest);
    if (onDelete !== "rollback" || previousDeployment == null) return;
    const wanted = { ...state, deployment: previousDeployment };
    const project = await beforePromotion(client, found, wanted);
    const canary = canaryOf(await releaseOf(client, project));
    if ((canary ?? servingOf(project)) !== promoted) {
      // @choice A promotion by somebody else is not undone.
      return warn(`${id}: production no longer serves ${promoted}, so it stays as it is.`);
    }
    const back = { ...wanted, ...(canary && { abort: true as const }) };
    try {
      tell(operation, project, await promote(client, project, back, () => {}));
    } catch (error) {
      if (!(error instanceof DeploymentMissing)) throw error;
      warn(`${id}: the deployment ${previousDeployment} was deleted, so production stays as it is.`);
    }
  },
});

/**
 * Id of the deployment that serves production, or will soon: a promotion in progress, such as that of a killed run,
 * counts as done. A rolling release counts as done unless the promotion waits for its end.
 */
function nextServing(
  project: responses.Project,
  release: responses.Release | undefined,
  waitForCompletion: boolean,
): string {
  const canary = canaryOf(release);
  const next = canary === undefined ? runningOf(project) : !waitForCompletion && canary;
  return next || (servingOf(project) ?? "");
}

const onlyPreviews =
  "The program builds the deployments of this project for preview, and only a deployment for production can serve " +
  'production. Set `target: "production"` on the Deployment.';

/** Says what a promotion has not done yet: a rolling release that runs does not serve all visitors. */
function tell(
  { warn, inform }: Pick<Operation<Inputs, Outputs>, "warn" | "inform">,
  { name }: responses.Project,
  { release }: Promoted,
): void {
  if (!release) return;
  const say = waitsForApproval(release) ? warn : inform;
  say(`${name}: the rolling release of ${canaryOf(release)} has started. It is ${stageOf(release)}.`);
}

const resultOf = (
  { id, accountId }: responses.Project,
  ids: Pick<Outputs, "promoted" | "previousDeployment">,
  { aliases, release }: Promoted,
): Created<Outputs> => ({
  id,
  accountId,
  outputs: { projectId: id, ...ids, aliases, trafficPercentage: shareOf(release, ids.promoted) },
});
