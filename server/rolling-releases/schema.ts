import * as z from "zod";
import { mostStageMinutes, readyStates, rollingReleaseStages } from "../../provider/vocabulary";

/** Bodies and answers of rolling releases. @source the newest official client: /v1/projects/{idOrName}/rolling-release */

const percentage = z.int().min(0).max(100);
const minutes = z.int().min(1).max(mostStageMinutes);

/** A stage of a configuration. The duration is in minutes. */
const stage = z.strictObject({
  targetPercentage: percentage,
  requireApproval: z.boolean().optional(),
  duration: minutes.optional(),
  linearShift: z.boolean().optional(),
});
export type Stage = z.infer<typeof stage>;

/**
 * The configuration of a project. Further members of snapshots of the hosted service are left out: the gate, and the
 * header of the canary's answers.
 */
export const config = z.object({ target: z.literal("production"), stages: z.array(stage.strip()) });
export type Config = z.infer<typeof config>;

/** @source the official command line; the Terraform provider, its requests */
export const updateConfig = z
  .strictObject({
    enabled: z.boolean(),
    advancementType: z.enum(["automatic", "manual-approval"]).optional(),
    stages: z.array(stage).min(rollingReleaseStages.min).max(rollingReleaseStages.max).optional(),
    disableRolloutAction: z.enum(["abort", "complete"]).optional(),
  })
  .superRefine(({ enabled, advancementType, stages }, { addIssue }) => {
    if (!enabled) return;
    const fail = (path: PropertyKey[], message: string) => addIssue({ code: "custom", path, message });
    if (advancementType === undefined) fail(["advancementType"], "must be set when enabled is true");
    if (stages === undefined) return fail(["stages"], "must be set when enabled is true");
    for (const [at, { targetPercentage, duration }] of stages.entries()) {
      const isFinal = at === stages.length - 1;
      if (isFinal !== (targetPercentage === 100))
        fail(["stages", at, "targetPercentage"], "must be 100 in the last stage, and only there");
      else if (targetPercentage <= (stages[at - 1]?.targetPercentage ?? -1))
        fail(["stages", at, "targetPercentage"], "must be larger than in the stage before");
      if (advancementType === "automatic" && !isFinal && duration === undefined)
        fail(["stages", at, "duration"], "must be set when advancementType is automatic");
    }
  });
export type UpdateConfig = z.infer<typeof updateConfig>;

export const configAnswer = z.strictObject({ rollingRelease: config.nullable() });
export const noConfigAnswer = z.strictObject({ rollingRelease: z.null() });

/** A stage of a release. The duration is in seconds. */
const releaseStage = z.strictObject({
  index: z.number(),
  targetPercentage: z.number(),
  requireApproval: z.boolean(),
  duration: z.number().nullable(),
  linearShift: z.boolean().optional(),
  isFinalStage: z.boolean(),
});
export type ReleaseStage = z.infer<typeof releaseStage>;

const releaseDeployment = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  createdAt: z.number(),
  readyState: z.enum(readyStates),
  target: z.literal("production").nullable(),
});
export type ReleaseDeployment = z.infer<typeof releaseDeployment>;

const release = z.strictObject({
  state: z.enum(["ACTIVE", "COMPLETE", "ABORTED"]),
  substate: z.null(),
  advancementType: z.enum(["automatic", "manual-approval"]),
  currentDeployment: releaseDeployment.nullable(),
  canaryDeployment: releaseDeployment.nullable(),
  queuedDeploymentId: z.string().nullable(),
  currentCanaryPercentage: z.number(),
  activeStage: releaseStage.nullable(),
  nextStage: releaseStage.nullable(),
  stages: z.array(releaseStage),
  startedAt: z.number(),
  updatedAt: z.number(),
});
export type Release = z.infer<typeof release>;
export const releaseAnswer = z.strictObject({ rollingRelease: release.nullable() });

const time = z.number();
export const releaseState = z.enum(["ACTIVE", "COMPLETE", "ABORTED"]);

/** The last rolling release of a project, in the row of the project in a snapshot. */
export const restoredRelease = z.strictObject({
  base: z.string(),
  canary: z.string(),
  queued: z.string().nullable().default(null),
  state: releaseState,
  stage: z.int().min(0),
  stages: z.array(stage).min(1),
  startedAt: time,
  updatedAt: time,
});

export const ofCanary = z.strictObject({ canaryDeploymentId: z.string() });
/** The command line also sends `activeStageIndex`. */
export const approveStage = ofCanary.extend({
  nextStageIndex: z.int().min(0),
  activeStageIndex: z.int().min(0).optional(),
});

export const billingStatus = z.union([
  z.strictObject({
    availableSlots: z.literal(0),
    reason: z.literal("plan_not_supported"),
    message: z.string(),
  }),
  z.strictObject({
    availableSlots: z.literal("unlimited"),
    reason: z.literal("unlimited_slots"),
    message: z.string(),
  }),
]);
