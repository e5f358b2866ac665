import { z } from "zod";
import type * as responses from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created } from "../core/definition";
import { resource } from "../core/resource";
import { alwaysThere } from "../core/unique-keys";
import { holdsUnknown } from "../core/values";
import { deploymentId, durationMs, projectRef } from "./names";
import { passesName } from "./project/passed-name";
import { reasonAgainst, refuseUnpromotable } from "./promotion/deployment";
import {
  DeploymentMissing,
  promote,
  promotionTimeoutMs,
  servingOf,
  withLastRequest,
} from "./promotion/promote";

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the promotion. */
  project: projectRef,
  /**
   * Id of the deployment that serves production. The deployment must be ready, belong to the project, and be built for
   * production.
   */
  deployment: deploymentId,
  /** How long to wait until the domains serve the deployment (milliseconds). Default: 600000 (ten minutes). */
  timeoutMs: durationMs.optional(),
  /**
   * Effect of deleting the promotion. keep: production stays as it is. rollback: promotes `previousDeployment`, the
   * deployment that served production before the promotion was created. Default: keep.
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
  /** Domains that the promotion has moved to the deployment. */
  aliases: z.array(z.string()),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * The deployment that serves production. A project has one promotion.
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
    defaults: { timeoutMs: promotionTimeoutMs, onDelete: "keep" },
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
      const existing = await client.project(project).catch(() => undefined);
      if (!existing || (await passesName(run, project, existing.id))) return [];
      const reason = await reasonAgainst(client, existing, deployment);
      return reason === undefined ? [] : [{ property: "deployment", reason }];
    },
  },
  diff: { needsRefresh: () => true },
  ownership: {
    // A rollback on deletion must not undo a later promotion of the same program.
    objects: ({ projectId }) => objectsOf(projectId),
    uniqueKeys: {
      noun: "the deployment for",
      choices: "another project",
      scope: "project",
      of: (_inputs, projectId) => objectsOf(projectId),
      ...alwaysThere,
    },
  },
  production: { change: () => "promotion" },

  async create(operation, declared) {
    const { client } = operation;
    const project = await client.declaredProject(declared.project, withLastRequest);
    const previous = servingOf(project);
    const earlier = previous === declared.deployment ? null : previous;
    await refuseUnpromotable(client, project, declared.deployment);
    const resultWith = (aliases: string[]): Created<Outputs> =>
      resultOf(project, declared.deployment, earlier, aliases);
    // Called once production may have changed, so that the next run knows of the promotion.
    const keep = () => operation.checkpoint(resultWith([]), { ...declared, deployment: previous ?? "" });
    return resultWith(await promote(client, project, declared, keep));
  },

  async read(client, id, state) {
    const project = await client.project(id);
    const serving = servingOf(project) ?? "";
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
    return { ...resultOf(project, promoted, previousDeployment, aliases), inputs: now };
  },

  async update(operation, id, state, declared) {
    const { client } = operation;
    const project = await client.project(id, withLastRequest);
    const { previousDeployment = null, aliases: before } = state;
    await refuseUnpromotable(client, project, declared.deployment);
    const keep = () =>
      operation.checkpoint(resultOf(project, declared.deployment, previousDeployment, before), {
        ...declared,
        deployment: servingOf(project) ?? "",
      });
    const aliases = await promote(client, project, declared, keep);
    return resultOf(project, declared.deployment, previousDeployment, aliases);
  },

  async remove({ client, warn }, id, state) {
    const { deployment, promoted = deployment, previousDeployment, onDelete } = state;
    // Needed even without a rollback: a run against the wrong account must keep the promotion in the state.
    const project = await client.project(id, withLastRequest);
    if (onDelete !== "rollback" || previousDeployment == null) return;
    if (servingOf(project) !== promoted) {
      // @choice A promotion by somebody else is not undone.
      return warn(`${id}: production no longer serves ${promoted}, so it stays as it is.`);
    }
    try {
      await promote(client, project, { ...state, deployment: previousDeployment }, () => {});
    } catch (error) {
      if (!(error instanceof DeploymentMissing)) throw error;
      warn(`${id}: the deployment ${previousDeployment} was deleted, so production stays as it is.`);
    }
  },
});

const onlyPreviews =
  "The program builds the deployments of this project for preview, and only a deployment for production can serve " +
  'production. Set `target: "production"` on the Deployment.';

const objectsOf = (projectId: string): string[] => [`${projectId}/production`];

const resultOf = (
  { id, accountId }: responses.Project,
  promoted: string,
  previousDeployment: string | null,
  aliases: string[],
): Created<Outputs> => ({ id, accountId, outputs: { projectId: id, promoted, previousDeployment, aliases } });
