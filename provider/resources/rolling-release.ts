import { z } from "zod";
import type { Client } from "../client/client";
import { rollingReleasePath } from "../client/paths";
import * as responses from "../client/responses";
import { settingOfProject } from "../core/always-there";
import { inputsIn } from "../core/check";
import type { Created } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { mostStageMinutes, rollingReleaseStages } from "../vocabulary";
import { filters, projectRef } from "./names";

const stage = z.strictObject({
  /** Share of the visitors who get the new deployment, in percent: 100 in the last stage, and only there. */
  targetPercentage: z.int().min(0).max(100),
  /**
   * How long the stage lasts, in minutes. Every stage but the last needs a duration if `advancementType` is automatic.
   * Otherwise, the duration has no effect.
   */
  duration: z.int().min(1).max(mostStageMinutes).optional(),
  /** Whether the share grows evenly during the stage instead of at once. */
  linearShift: z.boolean().optional(),
});

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the resource. */
  project: projectRef,
  /**
   * How a release goes to its next stage. automatic: after the `duration` of the stage. manual-approval: when somebody
   * approves it, in the dashboard or with `vercel rolling-release approve`.
   */
  advancementType: z.enum(["automatic", "manual-approval"]),
  /** Stages of each release, in order. Each stage has a larger share than the one before, and the last one has 100. */
  stages: z.array(stage).min(rollingReleaseStages.min).max(rollingReleaseStages.max),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type Stages = Inputs["stages"];

/**
 * The rolling releases of a project: a new deployment for production gets its visitors by stages. Declare one resource
 * for each project. Deleting the resource disables rolling releases.
 * @throws ApiError 404 if the account does not have the project
 * @source the newest official client and the Terraform provider: /v1/projects/{idOrName}/rolling-release/config
 */
export const rollingRelease = resource({
  type: "RollingRelease",
  handler: "rollout",
  scopes: ["read-write:project"],
  importId: "`<project>`",
  inputs,
  outputs,
  traits: { stable: ["projectId"], replaceOn: ["project"] },
  checks: {
    rules: [
      [
        ({ stages = [] }) =>
          stages.some(({ targetPercentage }, at) => (targetPercentage === 100) !== isLast(stages, at)),
        "the last of the stages must have the targetPercentage 100, and the others less. Add such a stage at the end.",
      ],
      [
        ({ stages = [] }) =>
          stages.some(
            ({ targetPercentage }, at) => targetPercentage <= (stages[at - 1]?.targetPercentage ?? -1),
          ),
        "each of the stages must have a larger targetPercentage than the one before. Sort the stages.",
      ],
      [
        ({ advancementType, stages = [] }) =>
          advancementType === "automatic" &&
          stages.some(({ duration }, at) => duration === undefined && !isLast(stages, at)),
        "each of the stages but the last needs a duration when advancementType is automatic. Add the minutes.",
      ],
      [
        ({ stages = [] }) => stages.at(-1)?.duration !== undefined,
        "the last of the stages does not end, so it has no duration. Remove it.",
      ],
    ],
  },
  ownership: settingOfProject("rolling release"),
  list: listing(filters, async (client, { project }) => {
    const { id, name, rollingRelease } = await client.project(project);
    return { items: rollingRelease?.stages ? [{ id, name: `${name} rolling release` }] : [] };
  }),

  async create({ client }, declared) {
    const { id, accountId } = await client.identify(declared.project);
    await configure(client, id, declared);
    return resultOf(id, accountId);
  },

  async read(client, id, state) {
    const { id: projectId, accountId } = await client.identify(id);
    const path = `${rollingReleasePath(projectId)}/config`;
    const { rollingRelease: config } = await client.get(path, responses.rollingReleaseConfig);
    const stages = config?.stages ?? [];
    if (!state && stages.length === 0)
      throw new Error(
        `The project ${id} has no rolling releases, so there are none to read. ` +
          "Declare a RollingRelease instead, and run `pulumi up`.",
      );
    const found = {
      advancementType: stages.some(({ requireApproval }) => requireApproval)
        ? "manual-approval"
        : "automatic",
      stages: stages.map((stage, at) => stageOf(stage, state?.stages?.[at])),
    } as const;
    const now: Partial<Inputs> = state ? inputsIn(inputs, state) : { project: projectId };
    return { ...resultOf(projectId, accountId), inputs: { ...now, ...found } };
  },

  async update({ client }, id, _state, declared) {
    const { accountId } = await client.identify(id);
    await configure(client, id, declared);
    return resultOf(id, accountId);
  },

  async remove({ client, warn }, id) {
    // Only for the warning: without rolling releases, the service may refuse the request.
    const { rollingRelease: last } = await client
      .get(rollingReleasePath(id), responses.rollingRelease)
      .catch(() => ({ rollingRelease: undefined }));
    const path = `${rollingReleasePath(id)}/config`;
    await client.send({ method: "DELETE", path, shape: responses.anything });
    if (last?.state === "ACTIVE")
      warn(
        `${id}: a rolling release of ${last.canaryDeployment?.id ?? "a deployment"} was running. Disabling rolling releases ` +
          "ends it, so check which deployment serves production.",
      );
  },
});

const isLast = (stages: Stages, at: number): boolean => at === stages.length - 1;

/** A stage as an input. The service may show what is not set as null or as false. */
function stageOf(
  { targetPercentage, requireApproval, duration, linearShift }: responses.ConfiguredStage,
  declared: Stages[number] | undefined,
): Stages[number] {
  const minutes = duration ?? (requireApproval ? declared?.duration : undefined);
  return {
    targetPercentage,
    // A duration without effect is not sent.
    ...(minutes !== undefined && { duration: minutes }),
    ...((linearShift || declared?.linearShift !== undefined) && { linearShift: linearShift ?? false }),
  };
}

/** Enables rolling releases, or changes them. Approval is a member of stages too, as the official clients send it. */
async function configure(
  client: Client,
  projectId: string,
  { advancementType, stages }: Inputs,
): Promise<void> {
  const isManual = advancementType === "manual-approval";
  const body = {
    enabled: true,
    advancementType,
    stages: stages.map(({ duration, ...stage }, at) => ({
      ...stage,
      ...(isManual && !isLast(stages, at) && { requireApproval: true }),
      ...(!isManual && duration !== undefined && { duration }),
    })),
  };
  const path = `${rollingReleasePath(projectId)}/config`;
  await client.send({ method: "PATCH", path, body, shape: responses.anything });
}

const resultOf = (projectId: string, accountId: string): Created<Outputs> => ({
  id: projectId,
  accountId,
  outputs: { projectId },
});
