import { z } from "zod";
import type { Client } from "../client/client";
import { type ApiError, isAmbiguous, isConflict, isNotFound } from "../client/errors";
import { projectPath } from "../client/paths";
import * as responses from "../client/responses";
import { pause } from "../client/step-limits";
import { inputsIn } from "../core/check";
import type { Created } from "../core/definition";
import { resource } from "../core/resource";
import { alwaysThere } from "../core/unique-keys";
import { deploymentId, durationMs, projectRef } from "./names";
import { passesName } from "./project/passed-name";
import { reasonAgainst, refuseUnpromotable } from "./promotion/deployment";

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the promotion. */
  project: projectRef,
  /** Id of the deployment that serves production. The deployment must be ready, and belong to the project. */
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

/** @choice Enough for a project with many domains. */
const promotionTimeoutMs = 600_000;
const firstPauseMs = 100;
const longestPauseMs = 3_000;
/** How often a request is retried after a conflict although no promotion is in progress. */
const mostUnexplained = 5;

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
  stable: ["projectId", "previousDeployment"],
  defaults: { timeoutMs: promotionTimeoutMs, onDelete: "keep" },
  replaceOn: ["project"],
  productionChange: () => "promotion",
  needsRefresh: () => true,
  references: ["project"],
  // A rollback on deletion must not undo a later promotion of the same program.
  objects: ({ projectId }) => objectsOf(projectId),
  uniqueKeys: {
    noun: "the deployment for",
    choices: "another project",
    scope: "project",
    of: (_inputs, projectId) => objectsOf(projectId),
    ...alwaysThere,
  },
  async refusals(client, previous, { project, deployment }, run) {
    if (typeof project !== "string") return [];
    if (typeof deployment !== "string" || previous.deployment === deployment) return [];
    // The same run may create the project, or give this name to another project. The step then checks the deployment.
    const existing = await client.project(project).catch(() => undefined);
    if (!existing || (await passesName(run, project, existing.id))) return [];
    const reason = await reasonAgainst(client, existing, deployment);
    return reason === undefined ? [] : [{ property: "deployment", reason }];
  },

  async create(operation, declared) {
    const { client } = operation;
    const project = await client.declaredProject(declared.project);
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
    const project = await client.project(id);
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
    const project = await client.project(id);
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

const objectsOf = (projectId: string): string[] => [`${projectId}/production`];

/** The error for a deployment that does not exist. A 404 would mean that the promotion itself was deleted. */
class DeploymentMissing extends Error {
  constructor(cause: ApiError) {
    super(
      cause.withHint(
        "Give a deployment of this project; `getDeployment` finds it by branch or commit. If a Deployment of this " +
          "program created it, `pulumi up --refresh` creates another one.",
      ).message,
      { cause },
    );
  }
}

const servingOf = ({ targets }: responses.Project): string | null => targets?.production?.id ?? null;

/**
 * Promotes a deployment, and waits until the service has moved the aliases.
 * @param begun called when the service has accepted the promotion, or may have accepted it
 * @returns the aliases that point to the deployment
 * @throws Error that names the aliases that could not be moved
 */
async function promote(
  client: Client,
  project: responses.Project,
  { deployment: deploymentId, timeoutMs = promotionTimeoutMs }: Pick<Inputs, "deployment" | "timeoutMs">,
  begun: () => void,
): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  if (servingOf(project) !== deploymentId || (await failedBefore(client, project, deploymentId))) {
    await requestPromotion(client, project.id, deploymentId, deadline, begun);
  }
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const now = await client.project(project.id);
    const request = now.lastAliasRequest;
    const running =
      request?.toDeploymentId === deploymentId && /^(pending|in-progress)$/.test(request.jobStatus);
    if (!running) return movedAliases(client, now, deploymentId);
    if (Date.now() + pauseMs > deadline) {
      throw new Error(
        `The promotion of ${deploymentId} is still running after ${timeoutMs / 1000} s. ` +
          "Run again to wait for it, or set a longer timeoutMs.",
      );
    }
    await pause(pauseMs);
  }
}

async function requestPromotion(
  client: Client,
  projectId: string,
  deploymentId: string,
  deadline: number,
  begun: () => void,
): Promise<void> {
  const path = `${projectPath(projectId, "v10")}/promote/${encodeURIComponent(deploymentId)}`;
  let unexplained = 0;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      await client.send({ method: "POST", path, shape: responses.anything });
      return begun();
    } catch (error) {
      if (isNotFound(error)) throw new DeploymentMissing(error);
      if (!isConflict(error)) {
        // It is unknown whether the request took effect.
        if (isAmbiguous(error)) begun();
        throw error;
      }
      const request = (await client.project(projectId)).lastAliasRequest;
      const running = request && /^(pending|in-progress)$/.test(request.jobStatus);
      // An earlier attempt took effect after all.
      if (running && request.toDeploymentId === deploymentId) return begun();
      // Waits for another promotion in progress. If none is in progress now, it may have ended after the refusal. That
      // does not explain repeated conflicts, so the number of these attempts is limited.
      if (!running) unexplained += 1;
      if (unexplained > mostUnexplained || Date.now() + pauseMs > deadline) throw error;
      await pause(pauseMs);
    }
  }
}

/** True if the last promotion was of this deployment and did not move all aliases. */
async function failedBefore(
  client: Client,
  project: responses.Project,
  deploymentId: string,
): Promise<boolean> {
  const request = project.lastAliasRequest;
  if (request?.toDeploymentId !== deploymentId) return false;
  return request.jobStatus === "failed" || (await aliasesOf(client, project.id)).some(isFailed);
}

/**
 * The aliases that the promotion has moved.
 * @throws Error if some aliases could not be moved, or another deployment serves production
 */
async function movedAliases(
  client: Client,
  project: responses.Project,
  deploymentId: string,
): Promise<string[]> {
  const request = project.lastAliasRequest;
  const ours = request?.toDeploymentId === deploymentId;
  const aliases = ours ? await aliasesOf(client, project.id) : [];
  const failed = aliases.filter(isFailed).map(({ alias }) => alias);
  if (failed.length > 0) {
    throw new Error(
      `The promotion of ${deploymentId} could not move ${failed.join(", ")}. ` +
        "Check these domains, then run again to promote again.",
    );
  }
  if (servingOf(project) !== deploymentId || (ours && request.jobStatus === "failed")) {
    throw new Error(
      `The promotion of ${deploymentId} ${ours ? `ended as ${request.jobStatus}` : "was followed by another one"}, ` +
        `and production is served by ${servingOf(project) ?? "nothing"}. Run again to promote again.`,
    );
  }
  return aliases.filter(({ status }) => status === "completed").map(({ alias }) => alias);
}

interface Alias {
  alias: string;
  status: string;
}
const isFailed = ({ status }: Alias): boolean => status === "failed";

/** @source Projects, GET /v1/projects/{projectId}/promote/aliases */
function aliasesOf(client: Client, projectId: string): Promise<Alias[]> {
  const path = `${projectPath(projectId, "v1")}/promote/aliases`;
  return client.list(path, responses.aliasList, (page) => page.aliases ?? [], { limit: "100" });
}

const resultOf = (
  { id, accountId }: responses.Project,
  promoted: string,
  previousDeployment: string | null,
  aliases: string[],
): Created<Outputs> => ({ id, accountId, outputs: { projectId: id, promoted, previousDeployment, aliases } });
